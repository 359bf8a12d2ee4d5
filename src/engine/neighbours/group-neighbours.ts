import type { ClusterIndex } from '../objects/cluster-index.js';
import { leaderWorkerSetOfPod, revisionKeyOf } from '../objects/leader-worker-set.js';
import { hasNode, isActive, type Pod, podKey } from '../objects/pod.js';
import type { Snapshot } from '../objects/snapshot.js';
import { rolloutStateOf } from '../workloads/rollout-state.js';
import { youngestOf } from './neighbour-pod.js';
import type { PodOwner } from './pod-owner.js';
import { isAtRest, workloadOf } from './rest-of-workload.js';

/**
 * A LeaderWorkerSet of others in the middle of an update, and the pods of former revisions that its
 * controller stops.
 */
export interface GroupNeighbour {
  readonly owner: PodOwner;
  readonly leaving: readonly Pod[];
}

/**
 * LeaderWorkerSets whose pods are of several revisions. Their controller stops whole groups, at a moment that
 * is not simulated here. None where the LeaderWorkerSet was read and rests, for example at its partition.
 */
export function groupNeighbours(snapshot: Snapshot): readonly GroupNeighbour[] {
  const known = computed.get(snapshot);
  if (known !== undefined) return known;
  const { index } = snapshot;
  const found = hasGroups(index) ? foundIn(snapshot) : [];
  computed.set(snapshot, found);
  return found;
}

/** Several rules ask the same of one snapshot. */
const computed = new WeakMap<Snapshot, readonly GroupNeighbour[]>();

/** Whether any pod is of a LeaderWorkerSet: in most clusters none is. */
function hasGroups({ podsOfControllers }: ClusterIndex): boolean {
  return podsOfControllers.some(
    ({ kind, areOfOne, pods }) =>
      (kind === 'StatefulSet' || !areOfOne) && pods.some((pod) => leaderWorkerSetOfPod(pod) !== undefined),
  );
}

function foundIn(snapshot: Snapshot): readonly GroupNeighbour[] {
  const { index } = snapshot;
  const own = new Set(rolloutStateOf(snapshot).pods.map(podKey));
  const groups = new Map<string, Pod[]>();
  for (const pod of index.objects.Pod) {
    const name = leaderWorkerSetOfPod(pod);
    if (name === undefined || !isActive(pod) || own.has(podKey(pod))) continue;
    const key = `${pod.metadata.namespace}/${name}`;
    const pods = groups.get(key);
    if (pods === undefined) groups.set(key, [pod]);
    else pods.push(pod);
  }
  return [...groups.values()].flatMap((pods) => neighbourOf(snapshot, pods) ?? []);
}

function neighbourOf({ index }: Snapshot, pods: readonly Pod[]): GroupNeighbour | undefined {
  const newest = youngestOf(pods);
  if (newest === undefined) return undefined;
  const { namespace } = newest.metadata;
  const owner = { kind: 'LeaderWorkerSet', namespace, name: leaderWorkerSetOfPod(newest) ?? '' };
  const workload = workloadOf(index, owner);
  if (workload !== undefined && isAtRest(workload)) return undefined;
  const leaving = pods.filter((pod) => hasNode(pod) && revisionKeyOf(pod) !== revisionKeyOf(newest));
  return leaving.length === 0 ? undefined : { owner, leaving };
}
