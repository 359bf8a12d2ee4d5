import * as z from 'zod';
import type { Statement } from '../../../engine/language/statement.js';
import { isAtLeastOneSecond } from '../../../engine/language/words.js';
import type { Rollout } from '../../../engine/objects/argo-rollout.js';
import type { KnativeService } from '../../../engine/objects/knative-service.js';
import { groupLabels, type LeaderWorkerSet } from '../../../engine/objects/leader-worker-set.js';
import { conditionOf } from '../../../engine/objects/metadata.js';
import { byPodName, isActive, type Pod, podNames, refOf } from '../../../engine/objects/pod.js';
import { keepsRayCluster, type RayService } from '../../../engine/objects/ray-service.js';
import { nowOf, type Snapshot } from '../../../engine/objects/snapshot.js';
import { hasObservedSpec, type StatefulSet } from '../../../engine/objects/workload.js';
import { controllerRevisionHashLabel } from '../../../engine/workloads/controller-revisions.js';
import { podsOfNewRevision, presentRevisionMadeAt, revisionOf } from '../../../engine/workloads/revisions.js';
import { rolloutStateOf } from '../../../engine/workloads/rollout-state.js';
import { rolloutStatus } from '../../../engine/workloads/rollout-status.js';
import { type FactsOf, fact } from '../../findings/facts.js';
import type { Advice, Evidence } from '../../findings/finding.js';
import { ownersOf } from '../../findings/owners.js';
import type { Rule } from '../../findings/rule.js';
import { workloadName } from '../../findings/stuck-rollout.js';
import { state as check } from '../../forecasts/text.js';
import { state, text } from './text.js';

const pods = fact.count('Pods of the workload');
const oldPods = fact.names('Pods of an earlier revision');

const UpdateHeldBackFacts = z.strictObject({
  heldBack: z
    .discriminatedUnion('by', [
      z.strictObject({ by: z.literal('on-delete'), pods, oldPods }),
      z.strictObject({
        by: z.literal('partition'),
        partition: fact.count('Pods or groups with lower ordinals keep the earlier revision'),
        pods,
        oldPods,
      }),
      z.strictObject({
        by: z.literal('worker-numbers'),
        wanted: fact.count('Workers that the spec requests'),
        present: fact.count('Workers of the RayCluster that serves'),
      }),
      z.strictObject({ by: z.literal('upgrade-type'), oldPods }),
      z.strictObject({
        by: z.literal('traffic'),
        latest: fact.text('The latest revision that is ready'),
        revisions: fact.names('Revisions that spec.traffic names'),
      }),
      z.strictObject({ by: z.literal('invalid-spec'), message: fact.text('What the controller reports') }),
    ])
    .describe('What keeps the change back, and what goes on as before'),
  revisionSeconds: fact.seconds('Age of the new revision').optional(),
});

type HeldBack = FactsOf<typeof UpdateHeldBackFacts>['heldBack'];
type By<Kind extends HeldBack['by']> = Extract<HeldBack, { by: Kind }>;

interface Held {
  readonly heldBack: HeldBack;
  readonly summary: Statement;
  readonly because: readonly Statement[];
  /** The setting that keeps the change back, and its value. */
  readonly setting: readonly [field: string, value: string];
  readonly evidence: readonly Evidence[];
  readonly advice: Advice;
  /** Nobody means it, unlike a setting. */
  readonly isUnmeant?: true;
}

/**
 * Everything is well, and a change of the workload has not taken effect: its own settings keep it back until
 * somebody acts. It may be meant, so it is a note. A paused rollout is a cause of its own.
 */
export const updateHeldBack: Rule<typeof UpdateHeldBackFacts> = {
  id: 'update-held-back',
  facts: UpdateHeldBackFacts,
  text,
  origin: 'rollout',
  appliesTo: ['StatefulSet', 'DaemonSet', 'LeaderWorkerSet', 'RayService', 'KnativeService', 'Rollout'],
  needs: ['Pod'],
  supersedes: [],
  detect({ snapshot }) {
    const { kind, metadata, status } = snapshot.workload;
    if (metadata.deletionTimestamp !== undefined || !hasObservedSpec({ metadata, status })) return undefined;
    const held = heldIn(snapshot);
    if (held === undefined) return undefined;
    const { heldBack, summary, because, setting, evidence, advice, isUnmeant } = held;
    const madeAt = presentRevisionMadeAt(rolloutStateOf(snapshot));
    const revisionSeconds = madeAt === undefined ? undefined : Math.max(0, (nowOf(snapshot) - madeAt) / 1000);
    const object = { kind, namespace: metadata.namespace, name: metadata.name };
    const [field, value] = setting;
    return {
      confidence: 'proven',
      ...(isUnmeant
        ? { severity: 'warning' as const }
        : { severity: 'info' as const, isAnswer: true as const }),
      facts: { heldBack, ...(revisionSeconds === undefined ? {} : { revisionSeconds }) },
      summary,
      ...(isAtLeastOneSecond(revisionSeconds)
        ? { standing: state('waiting', { forSeconds: revisionSeconds }) }
        : {}),
      reasoning: because,
      evidence: [{ object, field, value, says: state('ev-setting') }, ...evidence],
      owners: ownersOf(snapshot),
      advice: [advice],
    };
  },
};

function heldIn(snapshot: Snapshot): Held | undefined {
  const { workload } = snapshot;
  switch (workload.kind) {
    case 'DaemonSet':
      return workload.spec.updateStrategy.type === 'OnDelete' ? byOnDelete(snapshot) : undefined;
    case 'StatefulSet': {
      const { type, rollingUpdate } = workload.spec.updateStrategy;
      if (type === 'OnDelete') return byOnDelete(snapshot);
      return byPartition(snapshot, workload, {
        partition: rollingUpdate?.partition ?? 0,
        path: ['spec', 'updateStrategy', 'rollingUpdate', 'partition'],
      });
    }
    case 'LeaderWorkerSet':
      return byPartition(snapshot, workload, {
        partition: workload.spec.rolloutStrategy.rollingUpdateConfiguration.partition,
        path: ['spec', 'rolloutStrategy', 'rollingUpdateConfiguration', 'partition'],
      });
    case 'RayService':
      return workload.revisions.next === undefined ? byRayCluster(snapshot, workload) : undefined;
    case 'KnativeService':
      return byTraffic(snapshot, workload);
    case 'Rollout':
      return byInvalidSpec(snapshot, workload);
    default:
      return undefined;
  }
}

/** Nothing where no pod shows which revision is the new one. */
function oldPodsOf(snapshot: Snapshot): { readonly old: readonly Pod[]; readonly all: readonly Pod[] } {
  const rollout = rolloutStateOf(snapshot);
  const all = rollout.pods.filter(isActive);
  if (revisionOf(snapshot) === '') return { old: [], all };
  const updated = new Set(podsOfNewRevision(rollout));
  return { old: all.filter((pod) => !updated.has(pod)), all };
}

function byOnDelete(snapshot: Snapshot): Held | undefined {
  const { old, all } = oldPodsOf(snapshot);
  const last = [...old].sort(byPodName).at(-1);
  if (last === undefined) return undefined;
  const heldBack: By<'on-delete'> = { by: 'on-delete', pods: all.length, oldPods: podNames(old) };
  const { namespace, name } = last.metadata;
  return {
    heldBack,
    summary: summaryOfPods(snapshot, heldBack),
    because: [state('on-delete')],
    setting: ['spec.updateStrategy.type', 'OnDelete'],
    evidence: revisionsIn(snapshot, old),
    advice: {
      title: state('delete-title'),
      text: state('delete'),
      snippet: `kubectl -n ${namespace} delete pod ${name}\n`,
    },
  };
}

/** Only once everything above the partition is updated and ready: before, the controller is at work. */
function byPartition(
  snapshot: Snapshot,
  workload: StatefulSet | LeaderWorkerSet,
  { partition, path }: { readonly partition: number; readonly path: readonly string[] },
): Held | undefined {
  if (partition === 0 || rolloutStatus(workload).kind !== 'complete') return undefined;
  const { old, all } = oldPodsOf(snapshot);
  if (old.length === 0) return undefined;
  const heldBack: By<'partition'> = { by: 'partition', partition, pods: all.length, oldPods: podNames(old) };
  const { namespace, name } = workload.metadata;
  const isTried = old.length < all.length;
  const lower = isTried ? 0 : Math.max(0, workload.spec.replicas - 1);
  const patch = path.reduceRight<unknown>((value, key) => ({ [key]: value }), lower);
  return {
    heldBack,
    summary: summaryOfPods(snapshot, heldBack),
    because: [state('partition', { partition }), ...(isTried ? [state('others-updated')] : [])],
    setting: [path.join('.'), String(partition)],
    evidence: revisionsIn(snapshot, old),
    advice: {
      title: state(isTried ? 'lower-title' : 'try-title'),
      text: state('lower'),
      snippet: `kubectl -n ${namespace} patch ${workload.kind.toLowerCase()} ${name} --type=merge -p '${JSON.stringify(patch)}'\n`,
    },
  };
}

const summaryOfPods = (snapshot: Snapshot, held: By<'on-delete' | 'partition'>): Statement =>
  state('old-pods', { workload: workloadName(snapshot), old: held.oldPods.length, pods: held.pods });

function revisionsIn({ workload }: Snapshot, old: readonly Pod[]): readonly Evidence[] {
  const { kind, metadata } = workload;
  const label = kind === 'LeaderWorkerSet' ? groupLabels.revision : controllerRevisionHashLabel;
  const updated: Evidence = {
    object: { kind, namespace: metadata.namespace, name: metadata.name },
    field: 'status.updateRevision',
    value: kind === 'StatefulSet' ? workload.status.updateRevision : '',
    says: state('ev-revision'),
  };
  return [
    ...(updated.value === '' ? [] : [updated]),
    ...old.slice(0, 3).map((pod) => ({
      object: refOf(pod),
      field: `metadata.labels[${label}]`,
      value: pod.metadata.labels[label] ?? '',
      says: state('ev-pod'),
    })),
  ];
}

function byRayCluster(snapshot: Snapshot, service: RayService): Held | undefined {
  const { namespace, name } = service.metadata;
  const workload = workloadName(snapshot);
  const old = formerImagesIn(snapshot, service);
  if (keepsRayCluster(service) && old.length > 0) {
    return {
      heldBack: { by: 'upgrade-type', oldPods: podNames(old) },
      summary: state('former-image', { workload }),
      because: [check('keeps-ray-cluster')],
      setting: ['spec.upgradeStrategy.type', 'None'],
      evidence: old.slice(0, 3).map((pod) => ({
        object: refOf(pod),
        field: 'spec.containers[0].image',
        value: pod.spec.containers[0]?.image ?? '',
        says: state('ev-pod'),
      })),
      advice: {
        title: state('second-title'),
        text: state('second'),
        snippet: `# RayService ${namespace}/${name}\nspec:\n  upgradeStrategy:\n    type: NewCluster\n`,
      },
    };
  }
  const cluster = service.status.activeServiceStatus.rayClusterStatus;
  const wanted = service.parts.slice(1).reduce((sum, { count }) => sum + count, 0);
  const isScaledByRay = service.spec.rayClusterConfig.enableInTreeAutoscaling;
  if (cluster?.state !== 'ready' || cluster.desiredWorkerReplicas === wanted || isScaledByRay)
    return undefined;
  const present = cluster.desiredWorkerReplicas;
  return {
    heldBack: { by: 'worker-numbers', wanted, present },
    summary: state('former-workers', { workload, wanted, present }),
    because: [state('numbers')],
    setting: ['spec.rayClusterConfig.workerGroupSpecs', String(wanted)],
    evidence: [
      {
        object: { kind: 'RayService', namespace, name },
        field: 'status.activeServiceStatus.rayClusterStatus.desiredWorkerReplicas',
        value: String(present),
        says: state('ev-workers'),
      },
    ],
    advice: { title: state('other-change-title'), text: state('second') },
  };
}

/** Pods of the RayCluster that serves, with another image than the spec names for the same container. */
function formerImagesIn(snapshot: Snapshot, { parts }: RayService): readonly Pod[] {
  const images = new Set(
    parts.flatMap(({ template }) => template.spec.containers.map(({ name, image }) => `${name} ${image}`)),
  );
  const named = new Set(parts.flatMap(({ template }) => template.spec.containers.map(({ name }) => name)));
  const isOther = ({ spec }: Pod): boolean =>
    spec.containers.some(({ name, image }) => named.has(name) && !images.has(`${name} ${image}`));
  return rolloutStateOf(snapshot).pods.filter((pod) => isActive(pod) && isOther(pod));
}

/** The controller validates the spec, and what it refers to, before all else (`rollout/controller.go`). */
function byInvalidSpec(snapshot: Snapshot, { status }: Rollout): Held | undefined {
  const invalid = conditionOf(status, 'InvalidSpec');
  if (invalid?.status !== 'True') return undefined;
  const { message } = invalid;
  return {
    heldBack: { by: 'invalid-spec', message },
    summary: state('invalid-spec', { workload: workloadName(snapshot) }),
    because: [state('invalid-said', { message })],
    setting: ['status.conditions[InvalidSpec]', message],
    evidence: [],
    advice: { title: state('correct-title'), text: state('correct') },
    isUnmeant: true,
  };
}

/** A target without percent, or with 0, only has an address of its own. */
function byTraffic(snapshot: Snapshot, { metadata, spec, status }: KnativeService): Held | undefined {
  const latest = status.latestReadyRevisionName;
  const targets = spec.traffic.filter(({ percent }) => (percent ?? 0) > 0);
  const follows = targets.some(({ latestRevision, revisionName }) => latestRevision ?? revisionName === '');
  const revisions = targets.map(({ revisionName }) => revisionName);
  const isServed = targets.length === 0 || follows || revisions.includes(latest);
  if (isServed || latest === '' || latest !== status.latestCreatedRevisionName) return undefined;
  const { namespace, name } = metadata;
  return {
    heldBack: { by: 'traffic', latest, revisions },
    summary: state('no-traffic', { workload: workloadName(snapshot), revision: latest }),
    because: [state('traffic', { revisions })],
    setting: ['spec.traffic', revisions.join(', ')],
    evidence: [
      {
        object: { kind: 'KnativeService', namespace, name },
        field: 'status.latestReadyRevisionName',
        value: latest,
        says: state('ev-revision'),
      },
    ],
    advice: {
      title: state('follow-title'),
      text: state('follow'),
      snippet: `# Service ${namespace}/${name} (serving.knative.dev/v1)\nspec:\n  traffic:\n    - latestRevision: true\n      percent: 100\n`,
    },
  };
}
