import type { ClusterIndex } from '../objects/cluster-index.js';
import { isReplicaSet } from '../objects/metadata.js';
import { hasNode, isReady, type Pod, podKey } from '../objects/pod.js';
import type { Snapshot } from '../objects/snapshot.js';
import type { Placement } from '../scheduler/placement.js';
import { rolloutStateOf } from '../workloads/rollout-state.js';
import { movingNeighbours } from './moving-neighbours.js';
import { withThoseThatFollow } from './neighbours-that-free.js';
import {
  groupPodsOfOthers,
  hasSeveralRevisions,
  hasUnreadNodes,
  isAtRest,
  isReadWhole,
  type OwnedPods,
  ownerKey,
  ownerNames,
  placedPodsOfOthers,
  revisionKey,
  workloadOf,
} from './owned-pods.js';
import { inPlaceNeighbours } from './replaced-neighbours.js';

/**
 * Workloads of others whose rollout is stuck at a new pod that has a node and is not ready: it fails, or had
 * all the time that a start may take. What it waits for may return, and then the controller stops these old
 * pods.
 */
export function stalledNeighbours(snapshot: Snapshot): readonly OwnedPods[] {
  const known = computed.get(snapshot);
  if (known !== undefined) return known;
  const { index } = snapshot;
  const moving = new Set(
    [...movingNeighbours(snapshot), ...inPlaceNeighbours(snapshot)].map(({ owner }) => ownerKey(owner)),
  );
  const theirs = placedPodsOfOthers(index, rolloutStateOf(snapshot).pods);
  const stalled = theirs.flatMap((each) => {
    const workload = workloadOf(index, each.owner);
    if (workload === undefined || isAtRest(workload) || moving.has(ownerKey(each.owner))) return [];
    const pods = stoppedOnceReady(each.pods);
    return pods.length === 0 ? [] : [{ ...each, pods }];
  });
  computed.set(snapshot, stalled);
  return stalled;
}

/** Several rules ask the same of one snapshot. */
const computed = new WeakMap<Snapshot, readonly OwnedPods[]>();

/** Pods of other revisions than those that are not ready. */
function stoppedOnceReady(pods: readonly Pod[]): readonly Pod[] {
  const unready = new Set(pods.filter((pod) => !isReady(pod)).map(revisionKey));
  return unready.size === 0 ? [] : pods.filter((pod) => !unready.has(revisionKey(pod)));
}

/** The stalled neighbours whose old pods' leaving lets the scheduler place the pod, as `namespace/name`. */
export function stalledNeighboursOf(
  { snapshot, placement }: { snapshot: Snapshot; placement: Placement },
  pod: Pod,
): readonly string[] {
  const stalled = stalledNeighbours(snapshot);
  const neighbours = stalled.map(({ owner, pods }) => ({ owner, starting: [], leaving: pods }));
  const all = withThoseThatFollow({ snapshot, placement }, neighbours);
  const without = new Set(all.flatMap(({ leaving }) => leaving.map(podKey)));
  return without.size > 0 && placement.evaluate(pod, { without }).outcome === 'fits'
    ? ownerNames(stalled)
    : [];
}

/**
 * Owners of pods that keep them until the pods end. Any other may stop pods of an old revision during an
 * update, also one of a kind that is not read, such as a CloneSet of OpenKruise.
 */
const keeping: ReadonlySet<string> = new Set(['Job', 'Node', 'ReplicationController']);

const replaceableOfOthers = groupPodsOfOthers({
  withNode: false,
  ofController: (kind) => !keeping.has(kind),
});

/**
 * Workloads of which it is not known whether they rest: they were not read themselves and have pods of
 * several revisions, or may have further pods on nodes whose pods were not read; or their rollout is in
 * progress, and some of their pods were not read. Each of their pods may still be stopped, so what it holds
 * is never proven to stay held. A new pod that waits for a node, perhaps for what a third rollout frees, is
 * of another revision too.
 *
 * @param reach `all`: the pods were read wherever they are
 */
export function unreadNeighbours(snapshot: Snapshot, reach?: 'all'): readonly OwnedPods[] {
  const computed = reach === 'all' ? wherever : onReadNodes;
  const known = computed.get(snapshot);
  if (known !== undefined) return known;
  const found = findUnread(snapshot, reach);
  computed.set(snapshot, found);
  return found;
}

/** Several rules ask the same of one snapshot. */
const wherever = new WeakMap<Snapshot, readonly OwnedPods[]>();
const onReadNodes = new WeakMap<Snapshot, readonly OwnedPods[]>();

function findUnread(snapshot: Snapshot, reach: 'all' | undefined): readonly OwnedPods[] {
  const { index } = snapshot;
  const theirs = replaceableOfOthers(index, rolloutStateOf(snapshot).pods);
  const areSomeUnread = reach !== 'all' && hasUnreadNodes(index);
  return theirs.flatMap((group) => {
    const { owner, priority } = group;
    const pods = mayBeStoppedAmong(index, group, areSomeUnread);
    return pods.length === 0 ? [] : [{ owner, pods, priority }];
  });
}

function mayBeStoppedAmong(index: ClusterIndex, group: OwnedPods, areSomeUnread: boolean): readonly Pod[] {
  const { owner } = group;
  const workload = workloadOf(index, owner);
  if (workload !== undefined) {
    const isKnown = !areSomeUnread || isAtRest(workload) || isReadWhole(index, workload, group.pods);
    return isKnown ? [] : group.pods.filter(hasNode);
  }
  // A ReplicaSet that belongs to no workload keeps its template.
  if (isReplicaSet(owner) || index.absentWorkloads?.has(ownerKey(owner))) return [];
  return areSomeUnread || hasSeveralRevisions(group) ? group.pods.filter(hasNode) : [];
}

/** The unread neighbours whose pods' leaving lets the scheduler place the pod; empty if it would not. */
export function unreadNeighboursOf(
  { snapshot, placement }: { snapshot: Snapshot; placement: Placement },
  pod: Pod,
): readonly string[] {
  const unread = unreadNeighbours(snapshot);
  const without = new Set(unread.flatMap(({ pods }) => pods.map(podKey)));
  return without.size > 0 && placement.evaluate(pod, { without }).outcome === 'fits'
    ? ownerNames(unread)
    : [];
}
