import type { Pod } from '../../../cluster/pod.js';
import { podKey, podNames } from '../../../cluster/pod-key.js';
import { headGroup } from '../../../cluster/ray-service.js';
import type { Placement } from '../../../placement/placement.js';
import { partNameOf } from '../../../rollout/revisioned/part-name.js';
import type { RevisionedState } from '../../../rollout/rollout-state.js';
import type { StableRollout } from '../../deadlock/resting.js';
import { revisionsDoubts, revisionsStrategy } from '../../deadlock/resting-revisions.js';
import { isUnschedulable } from '../../stuck-rollout.js';
import { blockageOf } from './blockage.js';
import type { Waiting } from './stuck.js';

/**
 * The scheduler has refused all new pods that are not ready, and one of them waits for a place that former
 * pods use.
 */
export function waitingRevisionsOf(
  placement: Placement,
  state: RevisionedState,
  { holding, blocked }: StableRollout,
): Waiting | undefined {
  const refused = blocked.filter(isUnschedulable);
  if (refused.length < blocked.length) return undefined;
  // Pods of one group are alike to the scheduler. Without its head, a RayCluster does not begin.
  const kinds = [...onePerGroup(refused)].sort(
    (a, b) => Number(partNameOf(b) === headGroup) - Number(partNameOf(a) === headGroup),
  );
  const first = kinds.find((pod) => blockageOf(placement, pod, holding) !== undefined);
  if (first === undefined) return undefined;
  return {
    waiting: [first, ...refused.filter((pod) => pod !== first)],
    alsoWaiting: kinds.filter((pod) => pod !== first),
    strategy: revisionsStrategy(state, partNameOf(first)),
    weakenedBy: revisionsDoubts(placement.index, state, {
      holding,
      waiting: podNames(refused),
      startsWithout: (pods) =>
        placement.evaluate(first, { without: new Set(pods.map(podKey)) }).outcome === 'fits',
    }),
  };
}

function onePerGroup(pods: readonly Pod[]): readonly Pod[] {
  const groups = new Map<string, Pod>();
  for (const pod of pods) {
    const group = partNameOf(pod);
    if (!groups.has(group)) groups.set(group, pod);
  }
  return [...groups.values()];
}
