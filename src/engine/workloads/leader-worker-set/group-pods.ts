import { revisionKeyOf } from '../../objects/leader-worker-set.js';
import { controllerOf } from '../../objects/metadata.js';
import type { Pod } from '../../objects/pod.js';
import type { LeaderWorkerSetState } from '../rollout-state.js';
import { defaultSimulationBudget } from '../simulation-budget.js';
import { leaderSetIn } from './leader-set.js';
import { newestRevision } from './revisions.js';

/** The key of the revision that the groups go to. */
export function newestKeyOf(state: LeaderWorkerSetState): string {
  return newestRevision(state, leaderSetIn(state.leaderWorkerSet, state.statefulSets)).key;
}

/** Leaders and workers of the newest revision. */
export function newGroupPods(state: LeaderWorkerSetState): readonly Pod[] {
  const newest = newestKeyOf(state);
  return state.pods.filter((pod) => revisionKeyOf(pod) === newest);
}

/** Leaders and workers of every other revision. */
export function formerGroupPods(state: LeaderWorkerSetState): readonly Pod[] {
  const newest = newestKeyOf(state);
  return state.pods.filter((pod) => revisionKeyOf(pod) !== newest);
}

/** False where the StatefulSet of the leaders was not read, or one reports pods of which none was read. */
export function isReadWhole({ leaderWorkerSet, statefulSets, pods }: LeaderWorkerSetState): boolean {
  const owners = new Set(pods.map((pod) => controllerOf(pod)?.uid));
  return (
    leaderSetIn(leaderWorkerSet, statefulSets) !== undefined &&
    statefulSets.every(({ metadata, status }) => status.replicas === 0 || owners.has(metadata.uid))
  );
}

/** Whether the groups have more pods, existing or not, than one simulation may take. */
export function isTooLarge({ leaderWorkerSet, statefulSets }: LeaderWorkerSetState): boolean {
  const { replicas, leaderWorkerTemplate } = leaderWorkerSet.spec;
  const leaderSet = leaderSetIn(leaderWorkerSet, statefulSets);
  const groups = Math.max(replicas, leaderSet?.spec.replicas ?? 0);
  return groups * leaderWorkerTemplate.size > defaultSimulationBudget.maxPods;
}

/**
 * Whether groups exist beside the wanted ones, for as long as an update lasts; also true where that was not
 * read.
 */
export function hasSurgeGroups({ leaderWorkerSet, statefulSets }: LeaderWorkerSetState): boolean {
  const leaderSet = leaderSetIn(leaderWorkerSet, statefulSets);
  return leaderSet === undefined || leaderSet.spec.replicas > leaderWorkerSet.spec.replicas;
}
