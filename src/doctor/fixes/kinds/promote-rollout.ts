import * as z from 'zod';
import { code, say } from '../../../engine/language/prose.js';
import { statementsOf } from '../../../engine/language/statement.js';
import type { Rollout } from '../../../engine/objects/argo-rollout.js';
import type { Snapshot } from '../../../engine/objects/snapshot.js';
import type { Immutable } from '../../../engine/objects/wire.js';
import { hasSteps } from '../../../engine/objects/workload.js';
import { isFullyPromoted } from '../../../engine/workloads/argo-rollout/reconciliation.js';
import type { Promotion } from '../../../engine/workloads/argo-rollout/rollout-change.js';
import { pausesAgain, promotionOf } from '../../../engine/workloads/argo-rollout/rollout-change.js';
import { type Considered, considered, impossible } from '../considered.js';
import type { Kind } from '../kind.js';
import { offeredFields } from '../offered-fields.js';
import type { ChangeRequest, FieldChange, Plan, Refusal } from '../plan.js';
import { isSame, type PlanSubject, targetsWorkload } from '../plan.js';
import { refusal, refusalStatement } from '../refusals.js';
import type { RolloutInput } from '../rollout-update.js';
import { forecastUpdate, holdsUpdate, updateEffects, updateTargetOf } from '../rollout-update.js';

const en = {
  /** What the kind is called where no remediation of it is at hand. */
  name: () => say`promote the update`,
  title: () => say`Promote the update`,
  'skips-nothing': () => say`Only this pause ends. Later pauses and analyses stay.`,
  'no-undo': () =>
    say`A promotion cannot be undone. Until the new revision gets all traffic, an abort goes back to the stable one.`,
  'no-update': ({ workload }: { workload: string }) =>
    say`${code(workload)} has no update to promote: all of its pods have the current template.`,
  aborted: ({ workload }: { workload: string }) =>
    say`The update of ${code(workload)} was aborted. Retry it first.`,
};

const ko: typeof en = {
  name: () => say`업데이트 승격(promote)`,
  title: () => say`업데이트 승격(promote)`,
  'skips-nothing': () => say`이번 일시 중지만 끝납니다. 이후의 일시 중지와 분석은 그대로입니다.`,
  'no-undo': () =>
    say`되돌릴 수 없습니다. 새 리비전이 승격되기 전까지는 중단(abort)하면 안정 리비전으로 돌아갑니다.`,
  'no-update': ({ workload }) =>
    say`${code(workload)}에는 승격할 업데이트가 없습니다. 모든 파드가 현재 템플릿을 사용합니다.`,
  aborted: ({ workload }) =>
    say`${code(workload)} 업데이트가 중단(abort)되었습니다. 먼저 다시 시도(retry)하세요.`,
};

const text = { en, ko };

const sentence = statementsOf<typeof en>('promote-rollout');

/** The record of one remediation of this kind. */
const PromoteRollout = z.object({ kind: z.literal('promote-rollout'), ...offeredFields });
type PromoteRollout = Immutable<z.output<typeof PromoteRollout>>;

export const pausesPath = 'status.pauseConditions';
const stepPath = 'status.currentStepIndex';
const controllerPausePath = 'status.controllerPause';
/** Which pause a promotion ends. Two pauses may begin in the same second. */
const pausePaths = [pausesPath, stepPath] as const;

/**
 * A merge patch of the status subresource, as `kubectl argo rollouts promote` makes it for an update that
 * waits at a pause. The plan holds when the pause began, so that an approval never ends a later one. There is
 * no undo: pods that were replaced meanwhile do not come back.
 *
 * @returns a refusal when it is no Rollout, is paused by `spec.paused`, or waits at no pause
 */
function planPromoteRollout({ id, kind }: PromoteRollout, { workload }: Snapshot): Plan | Refusal {
  const name = `${workload.metadata.namespace}/${workload.metadata.name}`;
  if (!hasSteps(workload)) {
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

function promotionRequest(promotion: Promotion): ChangeRequest {
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

/** Ends the pause at which an update of Argo Rollouts waits for a person. */
export const promoteRollout = {
  kind: 'promote-rollout',
  schema: PromoteRollout,
  text,
  plan: planPromoteRollout,
  isPlan: isPromoteRolloutPlan,
} as const satisfies Kind<PromoteRollout>;

/**
 * The pauses of a Rollout are removed; after an analysis without a conclusion, its step is passed as well.
 */
function isPromoteRolloutPlan({ workload, plan }: PlanSubject<PromoteRollout>): boolean {
  const [pauses, controllerPause, step] = plan.changes;
  const passesStep = plan.changes.length > 1;
  const after = step?.after;
  const isStep = typeof after === 'number' && after === Number(step?.before ?? 0) + 1;
  if (!hasSteps(workload) || !targetsWorkload({ plan, workload })) return false;
  if (!holdsUpdate(plan.target, pausePaths)) return false;
  if (!isSame(pathsOf(plan), passesStep ? [pausesPath, controllerPausePath, stepPath] : [pausesPath]))
    return false;
  if (pauses?.after !== undefined || (passesStep && (controllerPause?.after !== false || !isStep)))
    return false;
  const promotion = isStep ? ({ controllerPause: false, currentStepIndex: after } as const) : {};
  return isSame(plan.request, promotionRequest(promotion));
}

function pathsOf({ changes }: PlanSubject['plan']): readonly string[] {
  return changes.map(({ path }) => path);
}

const kind = 'promote-rollout';

/**
 * The end of the pause and its forecast, however that ends; impossible where the update waits at no pause.
 */
export function considerPromoteRollout(input: RolloutInput): Considered<PromoteRollout> {
  const { state } = input;
  const { metadata, spec, status } = state.rollout;
  const workload = `${metadata.namespace}/${metadata.name}`;
  if (isFullyPromoted(state.rollout)) return impossible(sentence('no-update', { workload }));
  if (spec.paused) return impossible(refusalStatement('paused', { workload }));
  if (status.abort) return impossible(sentence('aborted', { workload }));
  if (pausesAgain(state.rollout)) return impossible(refusalStatement('pauses-again', { workload }));
  if (promotionOf(state.rollout) === undefined) {
    return impossible(refusalStatement('waits-at-no-pause', { workload }));
  }
  const forecast = forecastUpdate(input, { kind: 'promote' });
  return considered(kind, forecast, {
    title: sentence('title'),
    effects: [...updateEffects(forecast), sentence('skips-nothing'), sentence('no-undo')],
  });
}
