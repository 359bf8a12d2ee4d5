import { isReady, type Pod, podKey } from '../objects/pod.js';
import type { Snapshot } from '../objects/snapshot.js';
import type { Placement } from '../scheduler/placement.js';
import { rolloutStateOf } from '../workloads/rollout-state.js';
import { inPlaceNeighbours } from './in-place-neighbour.js';
import { movingNeighbours } from './moving-neighbour.js';
import { revisionKey } from './neighbour-pod.js';
import { withThoseThatFollow } from './neighbours-that-free.js';
import { type OwnedPods, ownerKey, ownerNames } from './pod-owner.js';
import { placedPodsOfOthers } from './pods-of-others.js';
import { isAtRest, workloadOf } from './rest-of-workload.js';

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
