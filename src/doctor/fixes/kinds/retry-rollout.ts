import * as z from 'zod';
import { code, say } from '../../../engine/language/prose.js';
import { statementsOf } from '../../../engine/language/statement.js';
import type { Snapshot } from '../../../engine/objects/snapshot.js';
import type { Immutable } from '../../../engine/objects/wire.js';
import { hasSteps } from '../../../engine/objects/workload.js';
import { failedAnalysisOf } from '../../../engine/workloads/argo-rollout/canary-steps.js';
import { isFullyPromoted } from '../../../engine/workloads/argo-rollout/reconciliation.js';
import { type Considered, considered, impossible } from '../considered.js';
import type { Kind } from '../kind.js';
import { offeredFields } from '../offered-fields.js';
import type { Plan, Refusal } from '../plan.js';
import { isSame, type PlanSubject, targetsWorkload, type UndoSubject } from '../plan.js';
import { refusal, refusalStatement } from '../refusals.js';
import {
  abortRequest,
  forecastUpdate,
  holdsUpdate,
  type RolloutInput,
  updateEffects,
  updateTargetOf,
} from '../rollout-update.js';

const en = {
  /** What the kind is called where no remediation of it is at hand. */
  name: () => say`retry the update`,
  title: () => say`Retry the update`,
  'starts-again': () => say`The controller starts the update again, from its first step.`,
  'undo-aborts': () =>
    say`Undo aborts the update again. Once the update is promoted, the retry cannot be undone.`,
  'not-aborted': ({ workload }: { workload: string }) =>
    say`No update of ${code(workload)} was aborted, so there is nothing to retry.`,
  'withheld-analysis': () =>
    say`The analysis of the update failed, and a retry measures the same revision again. Find out what it measured first.`,
};

const ko: typeof en = {
  name: () => say`업데이트 다시 시도(retry)`,
  title: () => say`업데이트 다시 시도(retry)`,
  'starts-again': () => say`컨트롤러가 업데이트를 첫 단계부터 다시 시작합니다.`,
  'undo-aborts': () => say`되돌리면 업데이트를 다시 중단(abort)합니다. 승격된 뒤에는 되돌릴 수 없습니다.`,
  'not-aborted': ({ workload }) =>
    say`${code(workload)}에는 중단(abort)된 업데이트가 없으므로 다시 시도할 것이 없습니다.`,
  'withheld-analysis': () =>
    say`업데이트의 분석이 실패했고, 다시 시도해도 같은 리비전을 분석합니다. 먼저 분석 결과를 확인하세요.`,
};

const text = { en, ko };

const sentence = statementsOf<typeof en>('retry-rollout');

/** The record of one remediation of this kind. */
const RetryRollout = z.object({ kind: z.literal('retry-rollout'), ...offeredFields });
type RetryRollout = Immutable<z.output<typeof RetryRollout>>;

/** The one field, which its undo sets to true again. */
const retryChanges = [{ path: 'status.abort', before: true, after: false }] as const;

/**
 * A merge patch of the status subresource, as `kubectl argo rollouts retry rollout` makes it (argo-rollouts
 * `pkg/kubectl-argo-rollouts/cmd/retry/retry.go`). The undo aborts again, until the new revision is promoted.
 *
 * @returns a refusal when it is no Rollout, or no aborted one
 */
function planRetryRollout({ id, kind }: RetryRollout, { workload }: Snapshot): Plan | Refusal {
  const name = `${workload.metadata.namespace}/${workload.metadata.name}`;
  if (!hasSteps(workload) || isFullyPromoted(workload)) {
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

/** Starts an aborted update of Argo Rollouts again. */
export const retryRollout = {
  kind: 'retry-rollout',
  schema: RetryRollout,
  text,
  plan: planRetryRollout,
  isPlan: isRetryRolloutPlan,
  isUndo: isRetryRolloutUndo,
  undoEffects: () => [sentence('undo-aborts')],
} as const satisfies Kind<RetryRollout>;

/** `status.abort` to false, of a Rollout, and nothing else. */
function isRetryRolloutPlan({ workload, plan }: PlanSubject<RetryRollout>): boolean {
  return (
    hasSteps(workload) &&
    targetsWorkload({ plan, workload }) &&
    holdsUpdate(plan.target) &&
    isSame(plan.request, abortRequest(false)) &&
    isSame(plan.changes, retryChanges)
  );
}

/** The same field to true again. */
function isRetryRolloutUndo({ undo }: UndoSubject<RetryRollout>): boolean {
  return (
    isSame(undo.request, abortRequest(true)) &&
    isSame(undo.expects, retryChanges) &&
    undo.expectsTemplateOf === undefined
  );
}

const kind = 'retry-rollout';

/** The retry and its forecast, however that ends; impossible where no update was aborted. */
export function considerRetryRollout(input: RolloutInput): Considered<RetryRollout> {
  const { state } = input;
  const { metadata, spec, status } = state.rollout;
  const workload = `${metadata.namespace}/${metadata.name}`;
  if (!status.abort || isFullyPromoted(state.rollout))
    return impossible(sentence('not-aborted', { workload }));
  if (spec.paused) return impossible(refusalStatement('paused', { workload }));
  const forecast = forecastUpdate(input, { kind: 'retry' });
  return {
    ...considered(kind, forecast, {
      title: sentence('title'),
      effects: [sentence('starts-again'), ...updateEffects(forecast)],
    }),
    ...(failedAnalysisOf(state.rollout) === undefined ? {} : { against: sentence('withheld-analysis') }),
  };
}
