import * as z from 'zod';
import type { ClusterIndex } from '../../../engine/objects/cluster-index.js';
import { isResourceKind } from '../../../engine/objects/cluster-objects.js';
import type { ObjectMeta, ObjectRef } from '../../../engine/objects/metadata.js';
import { isPod } from '../../../engine/objects/metadata.js';
import type { Pod } from '../../../engine/objects/pod.js';
import { isActive, isAvailable, podKey, qualifiedPodNames, refOf } from '../../../engine/objects/pod.js';
import { versionText } from '../../../engine/objects/release-rules.js';
import { nowOf, type Snapshot } from '../../../engine/objects/snapshot.js';
import type { Immutable } from '../../../engine/objects/wire.js';
import type { Workload } from '../../../engine/objects/workload.js';
import { holdersOf, plugins } from '../../../engine/scheduler/reason.js';
import { restState } from '../../../engine/workloads/fixed-point.js';
import { newReplicaSetOf } from '../../../engine/workloads/revisions.js';
import { type RolloutState, rolloutStateIn } from '../../../engine/workloads/rollout-state.js';
import { CauseId, Confidence } from '../cause-id.js';
import { examinationOf } from '../diagnose.js';
import type { Diagnosis } from '../diagnosis.js';
import { proofFacts } from '../escapes/index.js';
import { fact } from '../facts.js';
import type { Finding } from '../finding.js';
import { exceededFact } from '../refused-creation.js';
import type { Examination } from '../rule.js';
import { rests } from '../stuck-rollout.js';
import { Refusal } from '../waiting/facts.js';
import { refusalsIn } from '../waiting/refusal.js';
import { Strategy, strategyFactsOf } from './facts.js';

/** An object as it was read: another `resourceVersion` is another state; empty where it was not recorded. */
const Identity = z.object({
  kind: z.string(),
  namespace: z.string(),
  name: z.string(),
  uid: z.string(),
  resourceVersion: z.string(),
});
type Identity = Immutable<z.output<typeof Identity>>;

const Verdict = z.object({
  node: z.string(),
  filters: z
    .array(z.object({ plugin: z.enum(plugins), refusals: z.array(Refusal) }))
    .describe(
      'Why each filter of the scheduler refuses the pod on this node; it passes where the list is empty',
    ),
  fitsWithout: z.boolean().describe('Whether the pod fits on this node once the pods in `without` are gone'),
});

const Controller = z.object({
  workload: Identity,
  generation: fact.count('`metadata.generation`'),
  rest: fact.oneOf(
    ['fixed', 'acting', 'settling', 'waiting', 'unknown'],
    '`fixed`: its next sync changes no pod; `acting`: it only repeats what is refused',
  ),
  strategy: Strategy.optional(),
  counts: z.object({
    pods: fact.count('Its pods that have not ended and are not being deleted'),
    available: fact.count('Those of them that are available'),
  }),
  sets: z
    .array(
      z.object({
        ...Identity.shape,
        replicas: fact.count('`spec.replicas`'),
        available: fact.count('`status.availableReplicas`'),
        isNew: fact.flag('It has the pods of the new revision'),
      }),
    )
    .describe('Its ReplicaSets that have pods, or should have; none of a workload of another kind'),
});

/** What the proof of one deadlock rests on, so that somebody else can compute it again. */
export const Certificate = z
  .object({
    apiVersion: z.literal('rollout-doctor/v1'),
    kind: z.literal('Certificate'),
    format: z.literal(1).describe('Rises with each change by which an older verifier would be wrong'),
    takenAt: fact.time('When the objects were read'),
    cluster: fact.text('Name of the cluster, or of the recording'),
    controlPlane: fact.text('Version of the API server, where it was read').optional(),
    cause: CauseId,
    workload: Identity,
    place: z.object({
      kind: proofFacts.place.shape.kind,
      resource: fact.text('What is missing').optional(),
      waiting: z
        .array(Identity)
        .describe('New pods that wait for the place; none where the pod is not created'),
      holders: z.array(Identity).describe('Pods that hold it'),
      of: z.array(Identity).describe('Other objects that it belongs to: quotas, claims, Leases'),
    }),
    scheduler: z
      .array(
        z.object({
          pod: fact.text('`namespace/name` of the new pod'),
          without: fact.names('Pods, as `namespace/name`, without which it fits'),
          nodes: z.array(Verdict),
        }),
      )
      .describe('What the scheduler decides about each new pod that it refuses'),
    admission: exceededFact,
    admittedWithout: fact.names('Pods, as `namespace/name`, without which the quotas admit the new pod'),
    controllers: z.array(Controller).describe('The next sync of the workload, and of others in its circle'),
    escapes: proofFacts.escapes,
    restsOn: z.array(Identity).describe('Every object that the above was computed from, in its version'),
  })
  .describe('What the proof of one deadlock rests on (certificate.md)');
export type Certificate = Immutable<z.output<typeof Certificate>>;

/** Why there is none. */
export const NoCertificate = z
  .object({
    apiVersion: z.literal('rollout-doctor/v1'),
    kind: z.literal('NoCertificate'),
    because: fact.oneOf(['no-deadlock', 'not-proven'], 'What keeps the diagnosis from being certified'),
    cause: CauseId.optional(),
    confidence: Confidence.optional(),
    doubts: z.array(z.string()).describe('What keeps the deadlock from being proven'),
  })
  .describe('Why a diagnosis has no certificate');

export type NoCertificate = Immutable<z.output<typeof NoCertificate>>;

/** The certificate of the deadlock that a diagnosis proves, or the finding that comes nearest to one. */
export function certify(
  whole: Snapshot,
  { findings }: Pick<Diagnosis, 'findings'>,
): { readonly certificate: Certificate } | { readonly nearest: Finding | undefined } {
  const deadlocks = findings.flatMap((finding) => {
    const { success, data } = Proof.safeParse(finding.facts);
    return success ? [{ finding, proof: data }] : [];
  });
  const proven = deadlocks.find(({ finding }) => finding.confidence === 'proven');
  if (proven === undefined) return { nearest: deadlocks[0]?.finding };
  return { certificate: certificateOf(examinationOf(whole), proven.finding, proven.proof) };
}

/** What a finding states of its proof, whatever its cause. */
const Proof = z.looseObject({
  ...proofFacts,
  strategy: Strategy.optional(),
  exceeded: exceededFact.default([]),
  admittedWithout: z.array(z.string()).default([]),
  cycle: z
    .array(z.looseObject({ workload: z.string(), waiting: z.string(), holds: z.array(z.string()) }))
    .default([]),
});
type Proof = z.output<typeof Proof>;

function certificateOf(examination: Examination, finding: Finding, proof: Proof): Certificate {
  const { snapshot } = examination;
  const { index, workload } = snapshot;
  const { namespace } = workload.metadata;
  const identityOf = identities(index);
  const podOf = new Map(
    index.objects.Pod.map((pod) => [`${pod.metadata.namespace}/${pod.metadata.name}`, pod]),
  );
  const podsNamed = (names: readonly string[]) => names.flatMap((name) => podOf.get(name) ?? []);
  const members = proof.cycle.map(({ workload: name, waiting, holds }) => {
    const [within = ''] = name.split('/');
    return { waiting: `${within}/${waiting}`, holds: holds.map((pod) => `${within}/${pod}`) };
  });
  const holders =
    members.length > 0 ? members.flatMap(({ holds }) => holds.map(podRef)) : finding.holders.filter(isPod);
  const waits =
    members.length > 0
      ? members.map(({ waiting }, at) => ({ waiting, without: (members[at + 1] ?? members[0])?.holds ?? [] }))
      : proof.place.waiting.map((waiting) => ({
          waiting,
          without: holders.map((holder) => `${holder.namespace}/${holder.name}`),
        }));
  const scheduler = waits.slice(0, mostPods).flatMap(({ waiting, without }) => {
    const [pod] = podsNamed([waiting]);
    // The scheduler tries no node for a pod whose group is not complete.
    const isTried =
      proof.place.kind !== 'gang' &&
      pod !== undefined &&
      pod.spec.nodeName === undefined &&
      pod.spec.schedulingGates.length === 0;
    return isTried ? [verdictsOn(examination, pod, podsNamed(without))] : [];
  });
  const held = scheduler.flatMap(({ reasons }) => reasons.flatMap(holdersOf)).map(refOf);
  const controllers = rollingWorkloads(index, workload, proof).map((each) =>
    nextSyncOf(
      each,
      rolloutStateIn(index, each, nowOf(snapshot)),
      each === workload ? proof.strategy : undefined,
      {
        identityOf,
        cannotStart: (pod) => qualifiedPodNames([pod]).some((name) => proof.place.waiting.includes(name)),
      },
    ),
  );
  const waiting = proof.place.waiting.slice(0, mostPods).map(podRef).map(identityOf);
  const owned = finding.evidence.flatMap(({ object }) =>
    isPlaceOf(object, workload) ? [identityOf(object)] : [],
  );
  const nodes = index.objects.Node.map(({ metadata: { name } }) =>
    identityOf({ kind: 'Node', namespace: '', name }),
  );
  return {
    apiVersion: 'rollout-doctor/v1',
    kind: 'Certificate',
    format: 1,
    takenAt: snapshot.takenAt,
    cluster: snapshot.cluster,
    ...(index.serverVersion && { controlPlane: versionText(index.serverVersion) }),
    cause: finding.cause,
    workload: identityOf({ kind: workload.kind, ...workload.metadata }),
    place: {
      kind: proof.place.kind,
      ...(finding.resource !== undefined && { resource: finding.resource }),
      waiting,
      holders: holders.map(identityOf),
      of: listedOnce(owned),
    },
    scheduler: scheduler.map(({ pod, without, nodes: verdicts }) => ({ pod, without, nodes: verdicts })),
    admission: proof.exceeded,
    admittedWithout: proof.admittedWithout.map((name) => `${namespace}/${name}`),
    controllers,
    escapes: proof.escapes,
    restsOn: listedOnce([
      ...controllers.flatMap(({ workload: own, sets }) => [own, ...sets.map(identityIn)]),
      ...waiting,
      ...[...holders, ...held].map(identityOf),
      ...owned,
      ...nodes,
    ]),
  };
}

/** Pods of one revision are alike; those of a DaemonSet differ by their node. */
const mostPods = 30;

function verdictsOn({ placement }: Examination, pod: Pod, leaving: readonly Pod[]) {
  const before = placement.evaluate(pod);
  const after = placement.evaluate(pod, { without: new Set(leaving.map(podKey)) });
  const fits = new Set(after.feasible);
  return {
    pod: qualifiedPodNames([pod])[0] ?? '',
    without: qualifiedPodNames(leaving),
    reasons: before.nodes.flatMap(({ reasons }) => reasons),
    nodes: before.nodes.map(({ node, reasons }) => ({
      node,
      filters: plugins.map((plugin) => ({
        plugin,
        refusals: reasons.filter((reason) => reason.plugin === plugin).flatMap(refusalsIn),
      })),
      fitsWithout: fits.has(node),
    })),
  };
}
/** The workload itself comes first. */
function rollingWorkloads(index: ClusterIndex, own: Workload, { cycle }: Proof): readonly Workload[] {
  const { Deployment, StatefulSet } = index.objects;
  const others = cycle.flatMap(({ workload }) =>
    [...Deployment, ...StatefulSet].filter(
      ({ metadata }) =>
        `${metadata.namespace}/${metadata.name}` === workload && metadata.uid !== own.metadata.uid,
    ),
  );
  return [own, ...others];
}

function nextSyncOf(
  workload: Workload,
  state: RolloutState,
  stated: Proof['strategy'],
  {
    identityOf,
    cannotStart,
  }: {
    readonly identityOf: (ref: ObjectRef) => Identity;
    /** A pod that waits for the place does not start, even where no scheduler has tried it. */
    readonly cannotStart: (pod: Pod) => boolean;
  },
): Certificate['controllers'][number] {
  const strategy = 'deployment' in state ? strategyFactsOf(state.deployment) : stated;
  const pods = state.pods.filter(isActive);
  const minReadySeconds = 'minReadySeconds' in workload.spec ? workload.spec.minReadySeconds : 0;
  const replicaSets = 'replicaSets' in state ? state.replicaSets : [];
  const newest = 'replicaSets' in state ? newReplicaSetOf(state) : undefined;
  return {
    workload: identityOf({ kind: workload.kind, ...workload.metadata }),
    generation: workload.metadata.generation ?? 0,
    rest: rests(state, cannotStart) ? 'fixed' : restState(state).kind,
    ...(strategy && { strategy }),
    counts: {
      pods: pods.length,
      available: pods.filter((pod) => isAvailable(pod, minReadySeconds, state.now)).length,
    },
    sets: replicaSets.flatMap((set) => {
      if (set.spec.replicas === 0 && set.status.replicas === 0) return [];
      const { replicas } = set.spec;
      const available = set.status.availableReplicas;
      const isNew = set.metadata.uid === newest?.metadata.uid;
      return [{ ...identityOf({ kind: set.kind, ...set.metadata }), replicas, available, isNew }];
    }),
  };
}

/** Pods, nodes and what happened are listed elsewhere. */
const listedElsewhere: ReadonlySet<string> = new Set(['Pod', 'Node', 'Event', 'ReplicaSet']);

function isPlaceOf({ kind, name }: ObjectRef, { kind: own, metadata }: Workload): boolean {
  return !listedElsewhere.has(kind) && !(kind === own && name === metadata.name);
}

type Named = Pick<ObjectMeta, 'namespace' | 'name' | 'uid' | 'resourceVersion'>;

/** Each kind is walked once: a proof may rest on every pod of a cluster. */
function identities(index: ClusterIndex): (ref: ObjectRef) => Identity {
  const walked = new Map<string, ReadonlyMap<string, Named>>();
  const ofKind = (kind: string): ReadonlyMap<string, Named> => {
    const all: readonly { readonly metadata: Named }[] = isResourceKind(kind) ? index.objects[kind] : [];
    return new Map(all.map(({ metadata }) => [`${metadata.namespace}/${metadata.name}`, metadata]));
  };
  return ({ kind, namespace, name }) => {
    const known = walked.get(kind) ?? ofKind(kind);
    walked.set(kind, known);
    const { uid = '', resourceVersion = '' } = known.get(`${namespace}/${name}`) ?? {};
    return { kind, namespace, name, uid, resourceVersion };
  };
}

function identityIn({ kind, namespace, name, uid, resourceVersion }: Identity): Identity {
  return { kind, namespace, name, uid, resourceVersion };
}

function podRef(qualified: string): ObjectRef {
  const [namespace = '', name = ''] = qualified.split('/');
  return { kind: 'Pod', namespace, name };
}

function listedOnce(all: readonly Identity[]): Identity[] {
  return [...new Map(all.map((each) => [`${each.kind} ${each.namespace}/${each.name}`, each])).values()];
}
