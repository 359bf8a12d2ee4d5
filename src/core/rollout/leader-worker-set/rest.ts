import { controllerOf } from '../../cluster/metadata.js';
import { hasObservedSpec } from '../../cluster/workload.js';
import type { LeaderWorkerSetState } from '../rollout-state.js';
import { leaderSetIn } from './leader-set.js';
import { actLeaderWorkerSet } from './model.js';

/**
 * Whether the controllers would create or delete a pod or a StatefulSet, or write the leader StatefulSet,
 * right now. Creating a pod that the API server keeps refusing does not count.
 */
export function leaderWorkerSetActs(state: LeaderWorkerSetState): boolean {
  if (!hasObservedSpec(state.leaderWorkerSet)) return true;
  const {
    state: after,
    created,
    deleted,
    isAtRest,
  } = actLeaderWorkerSet(state, (pod) => !state.refused?.has(controllerOf(pod)?.uid ?? ''));
  return (
    !isAtRest ||
    created.length + deleted.length > 0 ||
    after.statefulSets.length !== state.statefulSets.length ||
    sizeOf(after) !== sizeOf(state)
  );
}

/** What the controller decides in the leader StatefulSet. */
function sizeOf({ leaderWorkerSet, statefulSets }: LeaderWorkerSetState): string {
  const leaderSet = leaderSetIn(leaderWorkerSet, statefulSets);
  return JSON.stringify([
    leaderSet?.spec.replicas,
    leaderSet?.spec.updateStrategy.rollingUpdate?.partition,
    leaderSet?.metadata.labels,
  ]);
}

/** True where that depends on which rule for `maxUnavailable` applies to the leader StatefulSet. */
export function restDependsOnGate(state: LeaderWorkerSetState): boolean {
  const { rule, instead } = state.maxUnavailable;
  const answers = [rule, ...instead].map((each) =>
    leaderWorkerSetActs({ ...state, maxUnavailable: { ...state.maxUnavailable, rule: each } }),
  );
  return new Set(answers).size > 1;
}
