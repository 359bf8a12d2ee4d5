import type { RestingRollout } from '../../deadlock/resting.js';
import { restingRolloutOf } from '../../deadlock/resting-rollout.js';
import type { Examination } from '../../rule.js';
import { isUnschedulable } from '../../stuck-rollout.js';
import { remediesFor } from './remedies.js';
import type { Stuck, Waiting } from './stuck.js';
import { waitingGroupsOf } from './waiting-groups.js';
import { waitingRevisionsOf } from './waiting-revisions.js';

/** A rollout at rest half-way, all of whose new pods that are not available were refused by the scheduler. */
export function stuckRestingRolloutOf(examination: Examination): Stuck | undefined {
  const rollout = restingRolloutOf(examination.snapshot);
  if (rollout === undefined) return undefined;
  const { state } = rollout;
  const found =
    state.kind === 'LeaderWorkerSet'
      ? waitingGroupsOf(examination.placement, state, rollout)
      : state.kind === 'Revisioned'
        ? waitingRevisionsOf(examination.placement, state, rollout)
        : allRefused(rollout.blocked);
  if (found === undefined) return undefined;
  return {
    ...rollout,
    ...found,
    remedies: (node, resource) => remediesFor(examination, state, found.waiting, { node, resource }),
  };
}

function allRefused(blocked: RestingRollout['blocked']): Waiting | undefined {
  const [first, ...rest] = blocked.filter(isUnschedulable);
  if (first === undefined || 1 + rest.length < blocked.length) return undefined;
  return { waiting: [first, ...rest], weakenedBy: [] };
}
