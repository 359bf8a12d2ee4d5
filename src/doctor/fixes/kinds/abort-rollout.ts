import * as z from 'zod';
import { code, say, word } from '../../../engine/language/prose.js';
import { statementsOf } from '../../../engine/language/statement.js';
import { counted, names } from '../../../engine/language/words.js';
import { namesOf } from '../../../engine/objects/metadata.js';
import { isActive } from '../../../engine/objects/pod.js';
import type { Snapshot } from '../../../engine/objects/snapshot.js';
import type { Immutable } from '../../../engine/objects/wire.js';
import { hasSteps } from '../../../engine/objects/workload.js';
import { nextArgoRolloutSteps } from '../../../engine/workloads/argo-rollout/forecast.js';
import { isFullyPromoted } from '../../../engine/workloads/argo-rollout/reconciliation.js';
import { rolesOf } from '../../../engine/workloads/argo-rollout/replica-set-roles.js';
import { revisionNumber } from '../../../engine/workloads/deployment-writes.js';
import { newPods } from '../../../engine/workloads/revisions.js';
import { type Considered, considered, impossible } from '../considered.js';
import type { Kind } from '../kind.js';
import { notRecommended, type Offer, offered, offeredFields } from '../offered-fields.js';
import type { Plan, Refusal } from '../plan.js';
import { isSame, type PlanSubject, targetsWorkload, type UndoSubject } from '../plan.js';
import { refusal, tooLarge } from '../refusals.js';
import { abortRequest, type RolloutInput, updateTargetOf } from '../rollout-update.js';

const en = {
  /** What the kind is called where no remediation of it is at hand. */
  name: () => say`abort the update`,
  title: () => say`Abort the update`,
  'keeps-stable': ({ revision, replicas }: { revision: string; replicas: number }) =>
    say`The controller runs ${counted(replicas, 'pod', 'pods')} of the stable revision ${code(revision)} and sends all traffic there.`,
  'removes-new': ({ pods }: { pods: readonly string[] }) =>
    say`The controller removes ${names('en', pods)}, ${word(pods.length === 1 ? 'a pod' : 'pods')} of the new revision.`,
  'template-stays': () =>
    say`The template of the Rollout stays. The Rollout is ${code('Degraded')} until someone retries the update or changes the template.`,
  'undo-retries': () => say`Undo retries the update from its first step.`,
  'no-update': ({ workload }: { workload: string }) =>
    say`${code(workload)} has no update to abort: all of its pods have the current template.`,
  'already-aborted': ({ workload }: { workload: string }) =>
    say`The update of ${code(workload)} is aborted already.`,
  'withheld-stuck': () => say`Aborting would not give the stable revision all of its pods.`,
  'withheld-unknown': () => say`The objects that were read do not show how the abort would end.`,
};

const ko: typeof en = {
  name: () => say`업데이트 중단(abort)`,
  title: () => say`업데이트 중단(abort)`,
  'keeps-stable': ({ revision, replicas }) =>
    say`컨트롤러가 안정 리비전 ${code(revision)} 파드를 ${replicas}개로 맞추고 모든 트래픽을 그쪽으로 보냅니다.`,
  'removes-new': ({ pods }) => say`컨트롤러가 새 리비전의 파드를 제거합니다: ${names('ko', pods)}.`,
  'template-stays': () =>
    say`Rollout의 템플릿은 그대로입니다. 누군가 업데이트를 다시 시도(retry)하거나 템플릿을 바꿀 때까지 Rollout은 ${code('Degraded')} 상태입니다.`,
  'undo-retries': () => say`되돌리면 업데이트를 첫 단계부터 다시 시도합니다.`,
  'no-update': ({ workload }) =>
    say`${code(workload)}에는 중단할 업데이트가 없습니다. 모든 파드가 현재 템플릿을 사용합니다.`,
  'already-aborted': ({ workload }) => say`${code(workload)} 업데이트는 이미 중단(abort)되었습니다.`,
  'withheld-stuck': () => say`중단해도 안정 리비전의 파드가 모두 갖춰지지 않습니다.`,
  'withheld-unknown': () => say`읽은 오브젝트만으로는 중단이 어떻게 끝날지 알 수 없습니다.`,
};

const text = { en, ko };

const sentence = statementsOf<typeof en>('abort-rollout');

/** The record of one remediation of this kind. */
export const AbortRollout = z.object({ kind: z.literal('abort-rollout'), ...offeredFields });
export type AbortRollout = Immutable<z.output<typeof AbortRollout>>;

/** The one field, which its undo sets to false again. */
const abortChanges = [{ path: 'status.abort', before: false, after: true }] as const;

/**
 * A merge patch of the status subresource, as `kubectl argo rollouts abort` makes it. The template stays, so
 * the undo is `kubectl argo rollouts retry rollout` (argo-rollouts
 * `pkg/kubectl-argo-rollouts/cmd/abort/abort.go`, `retry/retry.go`).
 *
 * @returns a refusal when it is no Rollout, or none that has an update under way, or aborted already
 */
function planAbortRollout({ id, kind }: AbortRollout, { workload }: Snapshot): Plan | Refusal {
  const name = `${workload.metadata.namespace}/${workload.metadata.name}`;
  if (!hasSteps(workload) || isFullyPromoted(workload)) {
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

/** Aborts the update of a Rollout of Argo Rollouts. */
export const abortRollout = {
  kind: 'abort-rollout',
  schema: AbortRollout,
  text,
  plan: planAbortRollout,
  isPlan: isAbortRolloutPlan,
  isUndo: isAbortRolloutUndo,
  undoEffects: () => [sentence('undo-retries')],
} as const satisfies Kind<AbortRollout>;

/** `status.abort` to true, of a Rollout, and nothing else. */
function isAbortRolloutPlan({ workload, plan }: PlanSubject<AbortRollout>): boolean {
  return (
    hasSteps(workload) &&
    targetsWorkload({ plan, workload }) &&
    isSame(plan.request, abortRequest(true)) &&
    isSame(plan.changes, abortChanges)
  );
}

/** The same field to false again. */
function isAbortRolloutUndo({ undo }: UndoSubject<AbortRollout>): boolean {
  return (
    isSame(undo.request, abortRequest(false)) &&
    isSame(undo.expects, abortChanges) &&
    undo.expectsTemplateOf === undefined
  );
}

const kind = 'abort-rollout';

/** Offered where the engine sees the stable revision get all of its pods. */
export function proposeAbortRollout(input: RolloutInput): Offer<AbortRollout> {
  const { state } = input;
  const answer = considerAbortRollout(input);
  if (answer.type === 'impossible') return notRecommended(kind, answer.because);
  const { forecast, remediation } = answer;
  if (forecast.ends === 'too-large') return notRecommended(kind, tooLarge(state.rollout.metadata, forecast));
  if (forecast.ends === 'unknown') return notRecommended(kind, sentence('withheld-unknown'));
  const { stableReplicaSet } = rolesOf(state.rollout, state.replicaSets);
  if (forecast.ends === 'stuck' || stableReplicaSet === undefined)
    return notRecommended(kind, sentence('withheld-stuck'));
  return offered(remediation);
}

/** The abort and its forecast, however that ends; impossible where no update is in progress. */
export function considerAbortRollout({ state, simulator }: RolloutInput): Considered<AbortRollout> {
  const { rollout, replicaSets } = state;
  const workload = `${rollout.metadata.namespace}/${rollout.metadata.name}`;
  if (isFullyPromoted(rollout)) return impossible(sentence('no-update', { workload }));
  if (rollout.status.abort) return impossible(sentence('already-aborted', { workload }));
  const forecast = nextArgoRolloutSteps(state, { kind: 'abort' }, simulator);
  const { stableReplicaSet } = rolesOf(rollout, replicaSets);
  const revision = stableReplicaSet && revisionNumber(stableReplicaSet);
  const pods = newPods(state).filter(isActive);
  return considered(kind, forecast, {
    title: sentence('title'),
    effects: [
      sentence('keeps-stable', { revision: String(revision ?? ''), replicas: rollout.spec.replicas }),
      ...(pods.length === 0 ? [] : [sentence('removes-new', { pods: namesOf(pods) })]),
      sentence('template-stays'),
    ],
  });
}
