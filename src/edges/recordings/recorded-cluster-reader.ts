import type { NamedWorkload } from '../../doctor/commands/command.js';
import { resolveWorkload } from '../../doctor/commands/resolve-workload.js';
import { childlessOwnerOf } from '../../doctor/findings/owners.js';
import { type Sight, visibleIn } from '../../doctor/policy/view.js';
import { compareText, groupBy } from '../../engine/collections/collections.js';
import { type ClusterIndex, indexObjects } from '../../engine/objects/cluster-index.js';
import {
  byNamespaceAndName,
  type ClusterObjects,
  ownedWorkloads,
  schemas,
  withReferencedTemplates,
} from '../../engine/objects/cluster-objects.js';
import { type KserveService, kserveKinds } from '../../engine/objects/inference-service.js';
import { controllerOf, type OwnerReference } from '../../engine/objects/metadata.js';
import type { Pod } from '../../engine/objects/pod.js';
import type { Snapshot, Unseen } from '../../engine/objects/snapshot.js';
import { lacksEventsOfRestarts, unrecordedBelow, unrecordedKinds } from '../../engine/objects/unrecorded.js';
import { isObject } from '../../engine/objects/wire.js';
import type { AddOnKind, Workload, WorkloadKind, WorkloadRef } from '../../engine/objects/workload.js';
import { hasPodPerNode, isAddOn, workloadKinds } from '../../engine/objects/workload.js';
import { workloadsBelow } from '../../engine/parents/parent-resource.js';
import { maxUnavailableOf, workloadByName } from '../../engine/workloads/rollout-state.js';
import { podTemplateHashLabel } from '../../engine/workloads/template-equality.js';
import { noneOf } from '../../service/clusters/find-in-clusters.js';
import type { ClusterReader, NotFound } from '../../service/diagnose/cluster-reader.js';
import type { Recording } from './collect-objects.js';
import { contradictionsIn } from './contradictions.js';
import { controllerAbove, ownerOf } from './owner-of-member.js';
import { equalRevisions } from './stored-fields.js';

/**
 * Reads recorded objects as if they were a cluster. Every snapshot holds all of them, whatever is needed; the
 * index is built once.
 *
 * @param takenAt RFC3339, the moment that ages are counted to
 * @param cluster the name shown for the recording
 * @param isTimeUnknown whether `takenAt` is only the newest time of the objects
 */
export function createRecordedClusterReader(
  { objects: recorded, logs, malformed, serverVersion, facts, partly, nodesWithOtherPods }: Recording,
  takenAt: string,
  cluster: string,
  isTimeUnknown = false,
): ClusterReader {
  const objects = withReferencedTemplates(recorded);
  const { objects: completed, unseen: missingOwners } =
    facts === undefined ? withMissingOwners(objects) : { objects, unseen: [] };
  const others = new Set(nodesWithOtherPods);
  const names = objects.Node.map(({ metadata }) => metadata.name);
  const podsReadOn = others.size === 0 ? undefined : new Set(names.filter((name) => !others.has(name)));
  const index = indexObjects(objects, podsReadOn, serverVersion);
  const contradictions = contradictionsIn(objects);
  const unseen = [
    ...statedOrFound(facts?.unread, [
      ...unrecordedKinds(objects, facts !== undefined),
      ...contradictions.unseen,
    ]),
    ...unrecordedVersion(index),
    ...malformedKinds(malformed),
    ...partly,
  ];
  // A stand-in shows what its own pods do. To other workloads it is missing: nothing is known of what it does
  // next.
  const standIns = new Set<Workload>(
    ownedWorkloads(completed).filter((each) => !objects[each.kind].some((read) => read === each)),
  );
  const completedIndex = standIns.size === 0 ? index : indexObjects(completed, podsReadOn, serverVersion);
  const workloads: readonly Workload[] = [...ownedWorkloads(objects), ...standIns].sort(
    (a, b) => byNamespaceAndName(a, b) || compareText(a.kind, b.kind),
  );
  // Parts of a workload are no workloads of their own to a scan, and people may name one.
  const parts = [...objects.Deployment, ...objects.StatefulSet].filter((each) => !workloads.includes(each));
  const refOf = ({ kind, metadata: { namespace, name } }: Workload): WorkloadRef => ({
    cluster,
    kind,
    namespace,
    name,
  });
  const refs = workloads.map(refOf);
  const snapshotOf = (workload: Workload): Snapshot => ({
    takenAt,
    ...(isTimeUnknown ? { isTimeUnknown } : {}),
    cluster,
    workload,
    index: standIns.has(workload) ? completedIndex : index,
    logs,
    unseen: [
      ...unseen,
      ...unrecordedBelow(workload, objects, unseen, takenAt, facts !== undefined),
      ...(isTimeUnknown ? lacksEventsOfRestarts(workload, objects, takenAt) : []),
      ...contradictions.besides(workload, unseen),
      ...equalRevisions(workload, objects),
      ...missingOwners.filter(
        ({ what, namespace, message }) =>
          what === workload.kind &&
          namespace === workload.metadata.namespace &&
          message === workload.metadata.name,
      ),
    ],
  });
  const isOf = ({ kind, namespace, name }: WorkloadRef, { kind: of, metadata }: Workload): boolean =>
    kind === of && namespace === metadata.namespace && name === metadata.name;

  return {
    clusters: [cluster],
    async find(asked: NamedWorkload, sight: Sight) {
      const { cluster: _, ...query } =
        asked.member === undefined ? asked : (ownerOf(objects, asked) ?? asked);
      if (query.member !== undefined) {
        const name = `${query.member.toLowerCase()}/${query.name}`;
        const owner = controllerAbove(objects, query);
        const ownedBy = owner && { kind: owner.kind, name: owner.name };
        return { type: 'not-found', what: 'owner', name, nearest: [], ...(ownedBy && { ownedBy }) };
      }
      const named = parts.map(refOf).filter(({ kind, name }) => kind === query.kind && name === query.name);
      const visible = [...refs, ...named].filter((ref) => visibleIn(sight, ref).workload);
      const below = workloadsOf(objects, query);
      const isBelow = ({ kind, namespace, name }: WorkloadRef): boolean =>
        below.some(
          (each) =>
            each.kind === kind && each.metadata.namespace === namespace && each.metadata.name === name,
        );
      const resolved = query.owner === undefined ? resolveWorkload(query, visible) : undefined;
      if (resolved === undefined || (resolved.type === 'none' && below.length > 0)) {
        const workloads = visible.filter(isBelow);
        return workloads.length > 0
          ? { type: 'found', workloads }
          : (childless(objects, query, cluster, sight) ?? missing(query.name, []));
      }
      if (resolved.type === 'one') return { type: 'found', workloads: [resolved.workload] };
      if (resolved.type === 'several') return { type: 'found', workloads: resolved.workloads };
      const withoutWorkload = childless(objects, query, cluster, sight);
      if (withoutWorkload !== undefined) return withoutWorkload;
      const broken = malformed.find(({ name }) => name === query.name);
      if (broken !== undefined) {
        return {
          type: 'unreadable',
          because: 'malformed',
          message: broken.error.message,
          problem: broken.error,
        };
      }
      return { ...noneOf(query, visible), ...missing(query.name, resolved.near) };
    },
    async snapshot(ref) {
      const workload = [...workloads, ...parts].find((each) => isOf(ref, each));
      return workload === undefined
        ? missing(`${ref.namespace}/${ref.name}`, [])
        : { type: 'snapshot', snapshot: snapshotOf(workload) };
    },
    async scope({ namespace }) {
      const chosen = workloads.filter(({ metadata }) => namespace === '' || metadata.namespace === namespace);
      return { type: 'scope', takenAt, index, unseen, snapshots: chosen.map(snapshotOf) };
    },
  };
}

/** The workloads of the InferenceService or LLMInferenceService of this name. */
function workloadsOf(
  objects: Recording['objects'],
  { kind, owner, namespace, name, parts }: NamedWorkload,
): readonly Workload[] {
  if (kind !== undefined) return [];
  const owners = owner === undefined ? kserveKinds : [owner];
  return owners.flatMap((each) => workloadsBelow(objects, { kind: each, namespace, name }, parts));
}

/** An object of KServe that exists and has no workload. */
function childless(
  objects: Recording['objects'],
  { kind, owner, namespace, name }: NamedWorkload,
  cluster: string,
  sight: Sight,
): NotFound | undefined {
  if (kind !== undefined) return undefined;
  const found = (owner === undefined ? kserveKinds : [owner])
    .flatMap((each): readonly KserveService[] => objects[each])
    .find(
      ({ metadata }) =>
        metadata.name === name &&
        (namespace === undefined || metadata.namespace === namespace) &&
        visibleIn(sight, { cluster, namespace: metadata.namespace }).workload,
    );
  return found === undefined
    ? undefined
    : { type: 'not-found', what: 'below', name, nearest: [], childless: childlessOwnerOf(found) };
}

function missing(name: string, near: readonly WorkloadRef[]): NotFound {
  const nearest = new Set(near.map((ref) => `${ref.namespace}/${ref.name}`));
  return { type: 'not-found', what: 'workload', name, nearest: [...nearest] };
}

/** What the header of a recording states, and what its objects contradict. */
function statedOrFound(stated: readonly Unseen[] = [], found: readonly Unseen[]): readonly Unseen[] {
  const known = new Set(stated.map(({ what }) => what));
  return [...stated, ...found.filter(({ what }) => !known.has(what) && known.add(what))];
}

/** Where it decides what the StatefulSet controller does next. */
function unrecordedVersion(index: ClusterIndex): readonly Unseen[] {
  return index.objects.StatefulSet.some((set) => maxUnavailableOf(index, set).restsOn === 'nothing')
    ? [{ what: 'ServerVersion', namespace: '', because: 'not-recorded', message: '' }]
    : [];
}

/** Objects that are named; more of them are counted. */
const maxNamed = 3;

/** Each kind and namespace of which some objects do not parse, with the first of them. */
function malformedKinds(malformed: Recording['malformed']): readonly Unseen[] {
  const groups = groupBy(malformed, ({ kind, namespace }) => `${kind}/${namespace}`);
  return [...groups.values()].map((group): Unseen => {
    const named = group.slice(0, maxNamed).map(({ error }) => error.message);
    const more = group.length > maxNamed ? [`and ${group.length - maxNamed} more`] : [];
    const [{ kind: what, namespace }] = group;
    return { what, namespace, because: 'malformed', message: [...named, ...more].join('; ') };
  });
}

/** Kinds that every cluster serves. */
type OwnerKind = Exclude<WorkloadKind, AddOnKind>;

interface MissingOwner {
  readonly kind: OwnerKind;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** What a recording holds of workloads that are missing from it. */
type WithOwners = { readonly objects: ClusterObjects; readonly unseen: readonly Unseen[] };

/**
 * Diagnoses pods of a namespace of which no workload was recorded: a stand-in wants as many pods as there
 * are, with the template of the newest. Its kind counts as not recorded, so no finding is proven, and no
 * answer is "No problem found".
 */
function withMissingOwners(objects: ClusterObjects): WithOwners {
  const namespaces = new Set(
    [...objects.Deployment, ...objects.StatefulSet, ...objects.DaemonSet].map(
      ({ metadata }) => metadata.namespace,
    ),
  );
  const owned = groupBy(
    objects.Pod.filter(({ metadata }) => !namespaces.has(metadata.namespace)).flatMap((pod) => {
      const owner = missingOwnerOf(pod, objects);
      return owner === undefined ? [] : [{ pod, owner }];
    }),
    ({ owner: { kind, namespace, name } }) => `${kind}/${namespace}/${name}`,
  );
  if (owned.size === 0) return { objects, unseen: [] };
  const added = {
    Deployment: [...objects.Deployment],
    StatefulSet: [...objects.StatefulSet],
    DaemonSet: [...objects.DaemonSet],
  };
  const unseen: Unseen[] = [];
  for (const group of owned.values()) {
    const [{ owner }] = group;
    const stand = standInFor(
      owner,
      group.map(({ pod }) => pod),
    );
    (added[owner.kind] as unknown[]).push(schemas[owner.kind].parse(stand));
    unseen.push({
      what: owner.kind,
      namespace: owner.namespace,
      because: 'not-recorded',
      message: owner.name,
    });
  }
  return { objects: { ...objects, ...added }, unseen };
}

function missingOwnerOf(pod: Pod, objects: ClusterObjects): MissingOwner | undefined {
  const owner = controllerOf(pod);
  if (owner === undefined) return undefined;
  const { namespace } = pod.metadata;
  const top = owner.kind === 'ReplicaSet' ? deploymentAbove(owner.uid, pod, objects) : owner;
  if (top === undefined || !isOwnerKind(top.kind)) return undefined;
  const isRead = objects[top.kind].some(
    ({ metadata }) => metadata.name === top.name && metadata.namespace === namespace,
  );
  return isRead ? undefined : { kind: top.kind, namespace, name: top.name, uid: top.uid };
}

type Named = Pick<OwnerReference, 'kind' | 'name' | 'uid'>;

function deploymentAbove(uid: string, pod: Pod, { ReplicaSet }: ClusterObjects): Named | undefined {
  const read = ReplicaSet.find((each) => each.metadata.uid === uid);
  if (read !== undefined) return controllerOf(read);
  const named = workloadByName(pod);
  return named && { ...named, uid: `missing:${pod.metadata.namespace}/${named.name}` };
}

function isOwnerKind(kind: string): kind is OwnerKind {
  return workloadKinds.some((each) => each === kind && !isAddOn(each));
}

/** Labels that controllers add to the pods of one revision. */
const revisionLabels: ReadonlySet<string> = new Set([
  podTemplateHashLabel,
  'controller-revision-hash',
  'pod-template-generation',
  'statefulset.kubernetes.io/pod-name',
  'apps.kubernetes.io/pod-index',
]);

function standInFor({ kind, namespace, name, uid }: MissingOwner, pods: readonly Pod[]): object {
  const newest = [...pods].sort((a, b) =>
    (b.metadata.creationTimestamp ?? '').localeCompare(a.metadata.creationTimestamp ?? ''),
  )[0];
  const labels = Object.fromEntries(
    Object.entries(newest?.metadata.labels ?? {}).filter(([label]) => !revisionLabels.has(label)),
  );
  const { nodeName: _node, ...spec } = isObject(newest?.spec) ? newest.spec : {};
  const ready = pods.filter(({ status }) =>
    status.conditions.some(({ type, status: is }) => type === 'Ready' && is === 'True'),
  ).length;
  const count = pods.length;
  const status = hasPodPerNode({ kind })
    ? {
        desiredNumberScheduled: count,
        currentNumberScheduled: count,
        updatedNumberScheduled: count,
        numberReady: ready,
        numberAvailable: ready,
      }
    : { replicas: count, updatedReplicas: count, readyReplicas: ready, availableReplicas: ready };
  return {
    kind,
    metadata: { namespace, name, uid },
    spec: {
      ...(!hasPodPerNode({ kind }) && { replicas: count }),
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec },
    },
    status: { observedGeneration: 1, ...status },
  };
}
