import { groupIndexOf, isLeader, type LeaderWorkerSet } from '../../cluster/leader-worker-set.js';
import type { Condition } from '../../cluster/metadata.js';
import type { StatefulSet } from '../../cluster/workload.js';
import { newCondition } from '../deployment-conditions.js';
import type { LeaderWorkerSetState } from '../rollout-state.js';
import { stateOf } from './groups.js';

/**
 * The status that the controller writes (lws `leaderworkerset_controller.go: updateStatus`,
 * `updateConditions`).
 */
export function leaderWorkerSetStatus(
  state: LeaderWorkerSetState,
  leaderSet: StatefulSet,
  revisionKey: string,
): LeaderWorkerSet['status'] {
  const { metadata, spec, status } = state.leaderWorkerSet;
  const { partition } = spec.rolloutStrategy.rollingUpdateConfiguration;
  const hasWorkers = spec.leaderWorkerTemplate.size > 1;
  const sets = new Map(state.statefulSets.map((set) => [set.metadata.name, set]));
  const groups = state.pods.filter(isLeader).flatMap((leader) => {
    const workers = hasWorkers ? sets.get(leader.metadata.name) : undefined;
    if (hasWorkers && workers === undefined) return [];
    return [{ index: groupIndexOf(leader), ...stateOf(leader, workers, revisionKey) }];
  });
  const lasting = groups.filter(({ index }) => index < spec.replicas);
  const toUpdate = lasting.filter(({ index }) => index >= partition);
  const isUpdating = toUpdate.some(({ updated }) => !updated);
  const isWhole =
    lasting.filter(({ ready }) => ready).length === spec.replicas &&
    toUpdate.every(({ ready, updated }) => ready && updated);
  return {
    observedGeneration: metadata.generation ?? 0,
    replicas: leaderSet.status.replicas,
    readyReplicas: groups.filter(({ ready }) => ready).length,
    updatedReplicas: groups.filter(({ updated }) => updated).length,
    conditions: conditionsAfter(
      status.conditions,
      isUpdating ? 'updating' : isWhole ? 'available' : 'progressing',
      state.now,
    ),
  };
}

/** A condition that is not there is not written as `False`. */
function conditionsAfter(
  before: readonly Condition[],
  now: 'updating' | 'available' | 'progressing',
  at: number,
): readonly Condition[] {
  const isTrue: readonly string[] =
    now === 'available'
      ? ['Available']
      : now === 'updating'
        ? ['UpdateInProgress', 'Progressing']
        : ['Progressing'];
  const isFalse: readonly string[] =
    now === 'available' ? ['Progressing', 'UpdateInProgress'] : ['Available'];
  const kept = before.map((condition) => {
    const status = isTrue.includes(condition.type)
      ? 'True'
      : isFalse.includes(condition.type)
        ? 'False'
        : condition.status;
    return status === condition.status ? condition : { ...condition, status };
  });
  const added = isTrue.filter((type) => kept.every((condition) => condition.type !== type));
  return [...kept, ...added.map((type) => newCondition(type, 'True', '', '', at))];
}
