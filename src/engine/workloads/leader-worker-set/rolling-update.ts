import type { LeaderWorkerSet } from '../../objects/leader-worker-set.js';
import { scaledValue } from '../fenceposts.js';

/** One group, as the controller of LeaderWorkerSets sees it. */
export interface GroupState {
  /** Its leader is running and ready, and all of its workers are available. */
  readonly ready: boolean;
  /** Leader and workers are of the newest revision. */
  readonly updated: boolean;
}

/** The fields of the leader StatefulSet that the controller sets. */
export interface LeaderSetSize {
  readonly replicas: number;
  /** Groups from this one on may be updated. */
  readonly partition: number;
}

/** What the controller reads before it sets them. */
export interface RollingUpdate {
  /** `spec.replicas` of the LeaderWorkerSet. */
  readonly replicas: number;
  readonly bounds: GroupBounds;
  /** `partition` of the LeaderWorkerSet. */
  readonly lowestPartition: number;
  /** The leader StatefulSet as it is; `undefined` before its creation. */
  readonly leaderSet: LeaderSetSize | undefined;
  /** The template has changed since the leader StatefulSet was written. */
  readonly isNewTemplate: boolean;
  /** `spec.replicas` has changed since the leader StatefulSet was written. */
  readonly isScaled: boolean;
  /** One for each replica of the leader StatefulSet. */
  readonly groups: readonly GroupState[];
}

/**
 * Size and partition of the leader StatefulSet (lws
 * `leaderworkerset_controller.go: rollingUpdateParameters`).
 */
export function nextLeaderSetSize(update: RollingUpdate): LeaderSetSize {
  const { replicas, partition } = decide(update);
  return { replicas, partition: Math.max(partition, update.lowestPartition) };
}

function decide(update: RollingUpdate): LeaderSetSize {
  const { replicas, bounds, leaderSet, groups } = update;
  if (leaderSet === undefined) return { replicas, partition: 0 };
  const current = leaderSet.replicas;
  if (update.isNewTemplate) {
    const partition = Math.min(replicas, current);
    return { partition, replicas: current < replicas ? replicas : wantedReplicas(update, replicas) };
  }
  if (leaderSet.partition === 0 && current === replicas) return { replicas, partition: 0 };
  // Groups that are missing come first. The update goes on once the StatefulSet has its size.
  if (current < replicas) return { replicas, partition: leaderSet.partition };
  const wanted = wantedReplicas(update, unfinishedGroups(groups, replicas));
  if (update.isScaled) {
    return { replicas: wanted, partition: Math.min(leaderSet.partition, replicas + bounds.surge) };
  }
  const step = bounds.unavailable + bounds.surge - (replicas + bounds.surge - current);
  return { replicas: wanted, partition: Math.min(partitionOf(groups, step), leaderSet.partition) };
}

/**
 * As many surge groups as unfinished groups beyond maxUnavailable need (`calculateRollingUpdateReplicas`).
 */
function wantedReplicas({ replicas, bounds }: RollingUpdate, unfinished: number): number {
  if (unfinished > bounds.surge) return replicas + bounds.surge;
  return replicas + Math.max(0, unfinished - bounds.unavailable);
}

/** Groups, surge groups aside, that are not ready in the newest revision. */
function unfinishedGroups(groups: readonly GroupState[], replicas: number): number {
  const finished = groups.slice(0, replicas).filter(({ ready, updated }) => ready && updated);
  return replicas - finished.length;
}

/**
 * The lowest group that may be updated: as many as `step` below those that are finished, fewer for each group
 * below that is not ready, more for groups that are not ready at all (`rollingUpdatePartition`).
 */
function partitionOf(groups: readonly GroupState[], step: number): number {
  const lastUnfinished = groups.findLastIndex(({ ready, updated }) => !ready || !updated);
  const finished = groups.length - 1 - lastUnfinished;
  const lowest = Math.max(0, groups.length - finished - step);
  const unready = groups.slice(0, lowest).filter(({ ready }) => !ready).length;
  let partition = lowest + unready;
  for (let index = Math.min(partition, groups.length - 1); index >= lowest; index -= 1) {
    const group = groups[index];
    if (group === undefined || (group.ready && !group.updated)) break;
    partition = index;
  }
  return partition;
}

/** What a rolling update may do, in groups. */
export interface GroupBounds {
  readonly surge: number;
  readonly unavailable: number;
}

/**
 * maxSurge is rounded up and at most the number of groups, maxUnavailable is rounded down (lws
 * `leaderworkerset_controller.go: rollingUpdateParameters`). `undefined` where one of them is no number and
 * no percentage: then the controller stops with an error.
 */
export function groupBounds({ spec }: LeaderWorkerSet): GroupBounds | undefined {
  const { maxSurge, maxUnavailable } = spec.rolloutStrategy.rollingUpdateConfiguration;
  const surge = scaledValue(maxSurge, spec.replicas, 'up');
  const unavailable = scaledValue(maxUnavailable, spec.replicas, 'down');
  if (surge.kind === 'invalid' || unavailable.kind === 'invalid') return undefined;
  return { surge: Math.min(surge.value, spec.replicas), unavailable: unavailable.value };
}
