import * as z from 'zod';
import type { Snapshot } from '../../../../engine/objects/snapshot.js';
import type { Immutable } from '../../../../engine/objects/wire.js';
import { isFullyPromoted } from '../../../../engine/workloads/argo-rollout/reconciliation.js';
import { offeredFields } from '../../offered-fields.js';
import type { Plan, Refusal } from '../../plan.js';
import { refusal } from '../../refusals.js';
import { abortRequest, updateTargetOf } from '../../rollout-update.js';

/** The record of one remediation of this kind. */
export const RetryRollout = z.object({ kind: z.literal('retry-rollout'), ...offeredFields });
export type RetryRollout = Immutable<z.output<typeof RetryRollout>>;

/** The one field, which its undo sets to true again. */
export const retryChanges = [{ path: 'status.abort', before: true, after: false }] as const;

/**
 * A merge patch of the status subresource, as `kubectl argo rollouts retry rollout` makes it (argo-rollouts
 * `pkg/kubectl-argo-rollouts/cmd/retry/retry.go`). The undo aborts again, until the new revision is promoted.
 *
 * @returns a refusal when it is no Rollout, or no aborted one
 */
export function planRetryRollout({ id, kind }: RetryRollout, { workload }: Snapshot): Plan | Refusal {
  const name = `${workload.metadata.namespace}/${workload.metadata.name}`;
  if (workload.kind !== 'Rollout' || isFullyPromoted(workload)) {
    return refusal('not-applicable', 'not-applicable', { workload: name, kind });
  }
  if (workload.spec.paused) return refusal('paused', 'paused', { workload: name });
  if (!workload.status.abort) return refusal('already-applied', 'already-applied', { workload: name });
  return {
    type: 'plan',
    remediationId: id,
    target: updateTargetOf(workload),
    request: abortRequest(false),
    changes: retryChanges.map((change) => ({ ...change })),
    undo: { request: abortRequest(true), expects: retryChanges.map((change) => ({ ...change })) },
  };
}
