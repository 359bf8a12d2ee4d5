import * as z from 'zod';
import type { Snapshot } from '../../../../engine/objects/snapshot.js';
import type { Immutable } from '../../../../engine/objects/wire.js';
import { isFullyPromoted } from '../../../../engine/workloads/argo-rollout/reconciliation.js';
import { offeredFields } from '../../offered-fields.js';
import type { Plan, Refusal } from '../../plan.js';
import { refusal } from '../../refusals.js';
import { abortRequest, updateTargetOf } from '../../rollout-update.js';

/** The record of one remediation of this kind. */
export const AbortRollout = z.object({ kind: z.literal('abort-rollout'), ...offeredFields });
export type AbortRollout = Immutable<z.output<typeof AbortRollout>>;

/** The one field, which its undo sets to false again. */
export const abortChanges = [{ path: 'status.abort', before: false, after: true }] as const;

/**
 * A merge patch of the status subresource, as `kubectl argo rollouts abort` makes it. The template stays, so
 * the undo is `kubectl argo rollouts retry rollout` (argo-rollouts
 * `pkg/kubectl-argo-rollouts/cmd/abort/abort.go`, `retry/retry.go`).
 *
 * @returns a refusal when it is no Rollout, or none that has an update under way, or aborted already
 */
export function planAbortRollout({ id, kind }: AbortRollout, { workload }: Snapshot): Plan | Refusal {
  const name = `${workload.metadata.namespace}/${workload.metadata.name}`;
  if (workload.kind !== 'Rollout' || isFullyPromoted(workload)) {
    return refusal('not-applicable', 'not-applicable', { workload: name, kind });
  }
  if (workload.status.abort) return refusal('already-applied', 'already-applied', { workload: name });
  return {
    type: 'plan',
    remediationId: id,
    target: updateTargetOf(workload),
    request: abortRequest(true),
    changes: abortChanges.map((change) => ({ ...change })),
    undo: { request: abortRequest(false), expects: abortChanges.map((change) => ({ ...change })) },
  };
}
