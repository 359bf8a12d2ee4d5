import * as z from 'zod';
import { code, say, word } from '../../../engine/language/prose.js';
import { type Statement, statementsOf } from '../../../engine/language/statement.js';
import { counted, duration, names } from '../../../engine/language/words.js';
import { namesOf } from '../../../engine/objects/metadata.js';
import type { Pod } from '../../../engine/objects/pod.js';
import type { Snapshot } from '../../../engine/objects/snapshot.js';
import type { Immutable } from '../../../engine/objects/wire.js';
import { hasReplicaSets, hasSteps } from '../../../engine/objects/workload.js';
import { rollingBounds } from '../../../engine/workloads/fenceposts.js';
import { type Forecast, nextSteps } from '../../../engine/workloads/forecast.js';
import type { PodSimulator } from '../../../engine/workloads/pod-simulator.js';
import { newPods } from '../../../engine/workloads/revisions.js';
import type { ArgoRolloutState, DeploymentState } from '../../../engine/workloads/rollout-state.js';
import { workloadIn } from '../../../engine/workloads/rollout-state.js';
import { knownNames } from '../../../engine/workloads/simulated-pods.js';
import { failsToStart, startToReady } from '../../../engine/workloads/start-to-ready.js';
import { considered, type Possible } from '../considered.js';
import { effect, placedEffect } from '../effects-text.js';
import { longestGrace } from '../forecast-change.js';
import type { Kind } from '../kind.js';
import { notRecommended, type Offer, offered, offeredFields } from '../offered-fields.js';
import { refusedByOwner, targetOf } from '../owner-target.js';
import type { Plan, Refusal } from '../plan.js';
import { isMergePatch, isSame, type PlanSubject, targetsWorkload, type UndoSubject } from '../plan.js';
import { refusal, tooLarge } from '../refusals.js';
import { forecastUpdate, updateEffects } from '../rollout-update.js';

const en = {
  /** What the kind is called where no remediation of it is at hand. */
  name: () => say`resume the rollout`,
  title: () => say`Resume the rollout`,
  continues: ({ workload, revision }: { workload: string; revision: string }) =>
    say`${code(workload)} continues to revision ${code(revision)}, with the template as it is at that time.`,
  'replaces-pods': (values: { pods: number; surge: number; unavailable: number; graceSeconds: number }) =>
    say`The controller replaces ${counted(values.pods, 'old pod', 'old pods')}, with at most ${values.surge} extra and ${values.unavailable} unavailable at a time. Each pod stops within ${duration('en', values.graceSeconds)}.`,
  'no-old-pods': () => say`No pod stops, because no pod of an older revision is left.`,
  undo: () => say`Undo pauses the rollout again at that point. Pods that were replaced stay replaced.`,
  'withheld-broken': ({ pods }: { pods: readonly string[] }) =>
    say`Its new ${word(pods.length === 1 ? 'pod' : 'pods')} ${names('en', pods)} ${word(pods.length === 1 ? 'is' : 'are')} not ready, and continuing would create more of them. This may be why someone paused it.`,
  'withheld-stuck': ({ pods }: { pods: readonly string[] }) =>
    pods.length === 0
      ? say`The rollout would not complete with its current strategy.`
      : say`The rollout would then deadlock: ${names('en', pods)} would stay pending with the current strategy.`,
  'withheld-unknown': () => say`The objects that were read do not show how the rollout would end.`,
};

const ko: typeof en = {
  name: () => say`롤아웃 재개`,
  title: () => say`롤아웃 재개`,
  continues: ({ workload, revision }) =>
    say`${code(workload)} 롤아웃이 그 시점의 템플릿으로 리비전 ${code(revision)}까지 이어집니다.`,
  'replaces-pods': ({ pods, surge, unavailable, graceSeconds }) =>
    say`컨트롤러가 이전 파드 ${pods}개를 교체합니다. 한 번에 추가 ${surge}개, 사용 불가 ${unavailable}개까지 허용되며, 파드는 각각 최대 ${duration('ko', graceSeconds)} 안에 종료됩니다.`,
  'no-old-pods': () => say`이전 리비전의 파드가 없어 내려가는 파드가 없습니다.`,
  undo: () =>
    say`되돌리기를 누르면 그 시점에서 롤아웃이 다시 일시 중지됩니다. 이미 교체된 파드는 그대로입니다.`,
  'withheld-broken': ({ pods }) =>
    say`새 파드 ${names('ko', pods)} 상태가 준비되지 않음이므로, 계속하면 같은 파드가 더 생깁니다. 이 때문에 일시 중지했을 수도 있습니다.`,
  'withheld-stuck': ({ pods }) =>
    pods.length === 0
      ? say`현재 전략으로는 롤아웃이 완료되지 않습니다.`
      : say`재개하면 롤아웃이 교착 상태가 됩니다. 현재 전략에서는 ${names('ko', pods)} 파드가 Pending 상태로 남습니다.`,
  'withheld-unknown': () => say`읽은 오브젝트만으로는 롤아웃이 어떻게 끝날지 알 수 없습니다.`,
};

export const text = { en, ko };

export const sentence = statementsOf<typeof en>('resume-rollout');

/** The record of one remediation of this kind. */
const ResumeRollout = z.object({ kind: z.literal('resume-rollout'), ...offeredFields });
type ResumeRollout = Immutable<z.output<typeof ResumeRollout>>;

/**
 * A merge patch of `spec.paused`, as `kubectl rollout resume` makes it: the template stays, the controller
 * goes on with its next sync (kubernetes `kubectl/pkg/polymorphichelpers/objectresumer.go`, argo-rollouts
 * `promote.go: unpausePatch`).
 *
 * @returns a refusal when it is no Deployment or Rollout, or no longer paused
 */
function planResumeRollout({ id, kind }: ResumeRollout, { workload }: Snapshot): Plan | Refusal {
  const name = `${workload.metadata.namespace}/${workload.metadata.name}`;
  if (!hasReplicaSets(workload)) {
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

/** Resumes a paused Deployment or Rollout. */
export const resumeRollout = {
  kind: 'resume-rollout',
  schema: ResumeRollout,
  text,
  plan: planResumeRollout,
  isPlan: isResumeRolloutPlan,
  isUndo: isResumeRolloutUndo,
  undoEffects: () => [effect('undo-pauses')],
} as const satisfies Kind<ResumeRollout>;

const changes = [{ path: 'spec.paused', before: true, after: false }];

/** A merge patch of `spec.paused` to false. */
function isResumeRolloutPlan({ workload, plan }: PlanSubject<ResumeRollout>): boolean {
  return (
    hasReplicaSets(workload) &&
    targetsWorkload({ plan, workload }) &&
    isMergePatch(plan.request, { spec: { paused: false } }) &&
    isSame(plan.changes, changes)
  );
}

function isResumeRolloutUndo({ undo }: UndoSubject<ResumeRollout>): boolean {
  return (
    isMergePatch(undo.request, { spec: { paused: true } }) &&
    isSame(undo.expects, changes) &&
    undo.expectsTemplateOf === undefined
  );
}

interface ResumeRolloutInput {
  readonly state: DeploymentState | ArgoRolloutState;
  readonly simulator: PodSimulator;
  /** The revision it would go on to. */
  readonly revision: string;
}

const kind = 'resume-rollout';

/**
 * Un-pausing, where the engines see the rollout complete afterwards. Not recommended while new pods that
 * exist are not well, and where it would come to rest half-way: a paused rollout harms less than a stuck one.
 */
export function proposeResumeRollout(input: ResumeRolloutInput): Offer<ResumeRollout> {
  const { forecast, remediation, against } = considerResumeRollout(input);
  if (against !== undefined) return notRecommended(kind, against);
  switch (forecast.ends) {
    case 'complete':
    case 'contested':
      return offered(remediation);
    case 'stuck':
      return notRecommended(kind, sentence('withheld-stuck', { pods: knownNames(forecast.waiting) }));
    case 'too-large':
      return notRecommended(kind, tooLarge(workloadIn(input.state).metadata, forecast));
    case 'unknown':
      return notRecommended(kind, sentence('withheld-unknown'));
  }
}

/** Un-pausing and its forecast, however that ends; `against` where new pods that exist are not well. */
export function considerResumeRollout(input: ResumeRolloutInput): Possible<ResumeRollout> {
  const { state, simulator } = input;
  const observed = startToReady(state);
  const broken = newPods(state).filter((pod) => failsToStart(pod, state.now, observed));
  const forecast = hasSteps(state)
    ? forecastUpdate({ state, simulator }, { kind: 'resume' })
    : nextSteps(state, { kind: 'resume' }, simulator);
  return {
    ...considered(kind, forecast, { title: sentence('title'), effects: effectsOf(input, forecast) }),
    ...(broken.length === 0 ? {} : { against: sentence('withheld-broken', { pods: namesOf(broken) }) }),
  };
}

function effectsOf({ state, revision }: ResumeRolloutInput, forecast: Forecast): readonly Statement[] {
  const { placements, winners = [] } = forecast;
  const { metadata } = workloadIn(state);
  const [first] = winners.length > 0 ? [] : placements;
  const started = startToReady(state);
  return [
    ...(forecast.updateEnd?.type === 'aborted'
      ? []
      : [sentence('continues', { workload: `${metadata.namespace}/${metadata.name}`, revision })]),
    ...(hasSteps(state) ? updateEffects(forecast) : [stopping(state, forecast.victims)]),
    ...(first === undefined ? [] : [placedEffect(first)]),
    ...(started === undefined || started.median < 1
      ? []
      : [effect('ready-last-time', { seconds: started.median })]),
    sentence('undo'),
  ];
}

function stopping({ deployment }: DeploymentState, victims: readonly Pod[]): Statement {
  if (victims.length === 0) return sentence('no-old-pods');
  const graceSeconds = longestGrace(victims);
  if (deployment.spec.strategy.type === 'Recreate') {
    return effect('stops-all', { pods: victims.length, graceSeconds });
  }
  const { maxSurge, maxUnavailable } = rollingBounds(deployment);
  return sentence('replaces-pods', {
    pods: victims.length,
    surge: maxSurge,
    unavailable: maxUnavailable,
    graceSeconds,
  });
}
