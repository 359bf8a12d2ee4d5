import * as z from 'zod';
import type { Snapshot } from '../../../../engine/objects/snapshot.js';
import type { Immutable } from '../../../../engine/objects/wire.js';
import { offeredFields } from '../../offered-fields.js';
import { refusedByOwner } from '../../owner-target.js';
import type { Plan, Refusal } from '../../plan.js';
import { refusal } from '../../refusals.js';
import { targetOf } from '../../target-of.js';

/** The record of one remediation of this kind. */
export const ResumeRollout = z.object({ kind: z.literal('resume-rollout'), ...offeredFields });
export type ResumeRollout = Immutable<z.output<typeof ResumeRollout>>;

/**
 * A merge patch of `spec.paused`, as `kubectl rollout resume` makes it: the template stays, the controller
 * goes on with its next sync (kubernetes `kubectl/pkg/polymorphichelpers/objectresumer.go`, argo-rollouts
 * `promote.go: unpausePatch`).
 *
 * @returns a refusal when it is no Deployment or Rollout, or no longer paused
 */
export function planResumeRollout({ id, kind }: ResumeRollout, { workload }: Snapshot): Plan | Refusal {
  const name = `${workload.metadata.namespace}/${workload.metadata.name}`;
  if (workload.kind !== 'Deployment' && workload.kind !== 'Rollout') {
    return refusal('not-applicable', 'not-applicable', { workload: name, kind });
  }
  if (!workload.spec.paused) return refusal('already-applied', 'already-applied', { workload: name });
  const refused = refusedByOwner('owner-has-no-pause', workload);
  if (refused !== undefined) return refused;
  const changes = [{ path: 'spec.paused', before: true, after: false }];
  return {
    type: 'plan',
    remediationId: id,
    target: targetOf(workload),
    request: { verb: 'patch', patchType: 'merge', body: { spec: { paused: false } } },
    changes,
    undo: {
      request: { verb: 'patch', patchType: 'merge', body: { spec: { paused: true } } },
      expects: changes,
    },
  };
}
