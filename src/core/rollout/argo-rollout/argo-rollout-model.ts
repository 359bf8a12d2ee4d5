import { isTerminating, type Pod } from '../../cluster/pod.js';
import { append, counted, deletionsOf, manageReplicaSets, refreshed } from '../replica-set-controllers.js';
import type { ArgoRolloutState } from '../rollout-state.js';
import { createPodSet, type PodSet } from '../roster.js';
import { deletedPod } from '../simulated-pods.js';
import type { Acted, Admission } from '../simulation.js';
import { neverExhausted, type WorkMeter } from '../simulation-budget.js';
import type { Shrinking } from '../victims-in-any-order.js';
import { syncArgoRollout } from './rollout-sync.js';

/** Enough for every step of a long canary, each of which takes several reconciliations. */
const maxRounds = 2_000;

/** Runs the controllers of Argo Rollouts and of ReplicaSets until none of them has anything to do. */
export function actArgoRollout(start: ArgoRolloutState, admits: Admission): Acted<ArgoRolloutState> {
  const podSet = createPodSet(start.pods);
  const acted = actArgoRolloutOn(podSet, start, (pod) => admits(pod, podSet.all()), neverExhausted);
  return { ...acted, state: refreshed({ ...acted.state, pods: podSet.all() }) };
}

/** The same on a pod set, which it changes; `state.pods` is not read, and empty afterwards. */
export function actArgoRolloutOn(
  podSet: PodSet,
  start: ArgoRolloutState,
  admits: (pod: Pod) => boolean,
  meter: WorkMeter,
): Acted<ArgoRolloutState> {
  let state = counted<ArgoRolloutState>(podSet, { ...start, pods: [] });
  const created: Pod[] = [];
  const evicted: Pod[] = [];
  const shrinking: Shrinking[] = [];
  let refused: readonly Pod[] = [];
  let isAtRest = false;
  for (let round = 0; round < maxRounds && !isAtRest && !meter.isExhausted(); round += 1) {
    meter.spend(1 + state.replicaSets.length);
    const restarts = state.rollout.spec.restartAt !== undefined;
    const sync = syncArgoRollout(restarts ? { ...state, pods: podSet.all() } : state);
    state = { ...sync.state, pods: [] };
    evict(podSet, sync.evicted, state.now);
    append(evicted, sync.evicted);
    const pods = manageReplicaSets(podSet, state, { admits, meter, sizedInBetween: new Map() });
    state = counted(podSet, pods.state);
    append(created, pods.created);
    append(shrinking, pods.shrinking);
    refused = pods.refused;
    isAtRest = !sync.hasActed && pods.created.length + pods.shrinking.length === 0;
  }
  const { deleted, orElse } = deletionsOf(shrinking, podSet, state.now, meter);
  return { state, actions: [], created, deleted: [...evicted, ...deleted], orElse, refused, isAtRest };
}

function evict(podSet: PodSet, pods: readonly Pod[], now: number): void {
  for (const pod of pods) {
    if (isTerminating(pod)) continue;
    const [left] = deletedPod(pod, now);
    if (left === undefined) podSet.remove(pod);
    else podSet.replace(pod, left);
  }
}
