import * as z from 'zod';
import type { Rollout } from '../../../../engine/objects/argo-rollout.js';
import type { Snapshot } from '../../../../engine/objects/snapshot.js';
import type { Immutable } from '../../../../engine/objects/wire.js';
import {
  type Promotion,
  pausesAgain,
  promotionOf,
} from '../../../../engine/workloads/argo-rollout/promotion.js';
import { offeredFields } from '../../offered-fields.js';
import type { ChangeRequest, FieldChange, Plan, Refusal } from '../../plan.js';
import { refusal } from '../../refusals.js';
import { updateTargetOf } from '../../rollout-update.js';

/** The record of one remediation of this kind. */
export const PromoteRollout = z.object({ kind: z.literal('promote-rollout'), ...offeredFields });
export type PromoteRollout = Immutable<z.output<typeof PromoteRollout>>;

export const pausesPath = 'status.pauseConditions';
export const stepPath = 'status.currentStepIndex';
export const controllerPausePath = 'status.controllerPause';
/** Which pause a promotion ends. Two pauses may begin in the same second. */
export const pausePaths = [pausesPath, stepPath] as const;

/**
 * A merge patch of the status subresource, as `kubectl argo rollouts promote` makes it for an update that
 * waits at a pause. The plan holds when the pause began, so that an approval never ends a later one. There is
 * no undo: pods that were replaced meanwhile do not come back.
 *
 * @returns a refusal when it is no Rollout, is paused by `spec.paused`, or waits at no pause
 */
export function planPromoteRollout({ id, kind }: PromoteRollout, { workload }: Snapshot): Plan | Refusal {
  const name = `${workload.metadata.namespace}/${workload.metadata.name}`;
  if (workload.kind !== 'Rollout') {
    return refusal('not-applicable', 'not-applicable', { workload: name, kind });
  }
  if (workload.spec.paused) return refusal('paused', 'paused', { workload: name });
  if (pausesAgain(workload)) return refusal('not-applicable', 'pauses-again', { workload: name });
  const promotion = workload.status.abort ? undefined : promotionOf(workload);
  if (promotion === undefined) return refusal('already-applied', 'waits-at-no-pause', { workload: name });
  return {
    type: 'plan',
    remediationId: id,
    target: updateTargetOf(workload, pausePaths),
    request: promotionRequest(promotion),
    changes: promotionChanges(workload, promotion),
  };
}

export function promotionRequest(promotion: Promotion): ChangeRequest {
  const body = { status: { ...promotion, pauseConditions: null } };
  return { verb: 'patch', patchType: 'merge', subresource: 'status', body };
}

function promotionChanges({ status }: Rollout, promotion: Promotion): FieldChange[] {
  const { currentStepIndex, controllerPause } = promotion;
  return [
    { path: pausesPath, before: status.pauseConditions },
    ...(controllerPause === undefined
      ? []
      : [{ path: controllerPausePath, before: status.controllerPause, after: controllerPause }]),
    ...(currentStepIndex === undefined
      ? []
      : [{ path: stepPath, before: status.currentStepIndex, after: currentStepIndex }]),
  ];
}
