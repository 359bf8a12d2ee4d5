import { knativeServiceOf } from '../../../cluster/knative-service.js';
import { controllerOf } from '../../../cluster/metadata.js';
import type { Deployment } from '../../../cluster/workload.js';
import type { StableRollout } from '../../deadlock/resting.js';
import { stableRolloutOf } from '../../deadlock/resting-rollout.js';
import { strategies } from '../../deadlock/strategies-text.js';
import type { Fixes } from '../../finding.js';
import type { Examination } from '../../rule.js';
import { isUnschedulable } from '../../stuck-rollout.js';
import { waiting } from '../../waiting/text.js';
import { remediesFor } from './remedies.js';
import type { Stuck, Waiting } from './stuck.js';
import { waitingGroupsOf } from './waiting-groups.js';
import { waitingRevisionsOf } from './waiting-revisions.js';

/** A rollout at rest half-way, all of whose new pods that are not available were refused by the scheduler. */
export function stuckStableRolloutOf(examination: Examination): Stuck | undefined {
  const rollout = stableRolloutOf(examination.snapshot);
  if (rollout === undefined) return stuckInsideRevisionOf(examination);
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

/**
 * A restart, or an upgrade of Knative, replaces the pods of one revision. Their Deployment then rolls by its
 * own strategy, which Knative leaves alone (knative serving
 * `pkg/reconciler/revision/cruds.go: checkAndUpdateDeployment` compares a hash of what it wants).
 */
function stuckInsideRevisionOf({ snapshot }: Examination): Stuck | undefined {
  const { workload, index } = snapshot;
  if (workload.kind !== 'KnativeService') return undefined;
  const { namespace, name } = workload.metadata;
  const ofRevisions = index.objects.Deployment.filter(
    (each) =>
      each.metadata.namespace === namespace &&
      knativeServiceOf(each) === name &&
      controllerOf(each)?.kind === 'Revision',
  );
  for (const deployment of ofRevisions) {
    const rollout = stableRolloutOf({ ...snapshot, workload: deployment });
    const found = rollout && allRefused(rollout.blocked);
    if (rollout === undefined || found === undefined) continue;
    return { ...rollout, ...found, workload, inside: deployment, remedies: () => inDeployment(deployment) };
  }
  return undefined;
}

/** The change belongs to another object than the one that is diagnosed. */
function inDeployment({ metadata }: Deployment): Fixes {
  const because = strategies('patch-withheld-inside', { deployment: metadata.name });
  return {
    remediations: [],
    withheld: [
      { kind: 'restart-rollout', because: waiting('restart-withheld') },
      { kind: 'patch-strategy', because },
    ],
  };
}

function allRefused(blocked: StableRollout['blocked']): Waiting | undefined {
  const [first, ...rest] = blocked.filter(isUnschedulable);
  if (first === undefined || 1 + rest.length < blocked.length) return undefined;
  return { waiting: [first, ...rest], weakenedBy: [] };
}
