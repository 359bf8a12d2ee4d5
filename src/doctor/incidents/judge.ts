import { code, say, word } from '../../engine/language/prose.js';
import { type Statement, statementsOf } from '../../engine/language/statement.js';
import { counted, countedPods, duration, names } from '../../engine/language/words.js';
import { isActive, isReady, isTerminating, type Pod } from '../../engine/objects/pod.js';
import { nowOf, type Snapshot } from '../../engine/objects/snapshot.js';
import { hasObservedSpec, hasSteps } from '../../engine/objects/workload.js';
import { hasSeenAbort, isRestartPending } from '../../engine/workloads/argo-rollout/canary-steps.js';
import { updateRestOf } from '../../engine/workloads/argo-rollout/forecast.js';
import { isFullyPromoted } from '../../engine/workloads/argo-rollout/reconciliation.js';
import { podsOfNewRevision } from '../../engine/workloads/revisions.js';
import { rolloutStateOf } from '../../engine/workloads/rollout-state.js';
import { rolloutStatus } from '../../engine/workloads/rollout-status.js';
import type { Diagnosis } from '../findings/diagnosis.js';
import { isAbsent } from '../findings/main-finding.js';
import type { DeletePod } from '../fixes/kinds/delete-pod.js';
import { hasReachedWorkload } from '../fixes/remediation.js';
import { originOf } from './change-origin.js';
import { type Change, type Reversal, reversalOf, type Verdict } from './incident.js';

const state = statementsOf<typeof en>('verification');

export interface JudgeInput {
  readonly change: Change;
  /** The diagnosis the change was approved on. */
  readonly before: Diagnosis;
  /** The fresh one. */
  readonly now: Diagnosis;
  readonly snapshot: Snapshot;
  /** True at the deadline: then a verdict is given whatever was seen. */
  readonly late: boolean;
}

export interface Judgement {
  /** `undefined`: too early to tell. */
  readonly verdict: Verdict | undefined;
  readonly progress: Statement;
  /**
   * Pods that this change has replaced: the most that a diagnosis saw. Absent where it replaces none in a
   * row.
   */
  readonly replaced?: number;
  /** Who wrote the fields again; with the verdict `reverted`. */
  readonly reversal?: Reversal;
}

/**
 * What a fresh diagnosis says about a change. Recovered: the same rule finds nothing, and the rollout is
 * complete as kubectl's `rollout status` counts it; an update of Argo Rollouts may also wait at a pause or an
 * analysis with all its pods, or have all its stable pods after an abort that was asked for. Where going back
 * needs a second step that was not carried out, the verdict is given as soon as that step is found, so that
 * it can be approved at once. Fewer ready pods are a cost while it moves and a worsening only at the
 * deadline. A change that a person asked for has no rule: it succeeds when the rollout is complete, no fewer
 * of the wanted pods are ready than before it, and no rule finds a cause that it did not find before. An undo
 * is `undone` when the controller has observed the restored object. After a pod was deleted, it is the
 * replacement that counts; only to unstick, the rule must find nothing any more as well. A change that
 * another client wrote over is `reverted` as soon as the controller has observed that, unless it helped all
 * the same.
 */
export function judge({ change, before, now, snapshot, late }: JudgeInput): Judgement {
  const reached = hasReachedWorkload(change.remediation, snapshot);
  const origin = originOf(change);
  const seen = rolloutOf(snapshot, now.ready);
  // A rule that no longer finds its cause proves by itself that the change has reached the workload.
  const isThere = reached ?? (!change.undoes && origin.type === 'finding');
  if (change.undoes) {
    return seen.observed && isThere
      ? { verdict: 'undone', progress: state('restored-fields') }
      : { verdict: late ? 'unchanged' : undefined, progress: state('restored-pending') };
  }
  const found = origin.type === 'finding' && !isAbsent(origin.cause, now);
  if (change.remediation.kind === 'delete-pod') {
    const { recovered, progress } = judgeReplacement(change, change.remediation, snapshot, found);
    if (recovered) return { verdict: 'recovered', progress };
    const lost = now.ready.pods < leastReady(before, now);
    return { verdict: late ? (lost ? 'worse' : 'unchanged') : undefined, progress };
  }
  const { pods: ready, wanted } = now.ready;
  const newTrouble = origin.type === 'request' ? newTroubleOf(before, now) : undefined;
  const least = leastReady(before, now);
  const isWorse = newTrouble !== undefined || (origin.type === 'request' && ready < least);
  const reversal = reversalOf(change, snapshot);
  // A change that a person asked for has no cause to end: there, it helps only while its fields hold.
  const isInVain = origin.type === 'request' ? !isWorse : found && ready >= least;
  if (reversal !== undefined && isInVain && (seen.observed || late)) {
    const replaced = change.replaced ?? 0;
    return { verdict: 'reverted', progress: state('moving', { replaced, ready, wanted }), reversal };
  }
  if (needsNextStep(change, seen, now, late)) {
    return { verdict: 'progressing', progress: state('next-step', { pods: holdersOf(now) }) };
  }
  const { rest } = seen;
  if (rest === 'on-stable' && seen.observed && !isWorse && !mayEndOnStable(change, before)) {
    return { verdict: late ? 'unchanged' : undefined, progress: state(rest, { ready, wanted }) };
  }
  if (!found && !isWorse && isThere && seen.observed && rest !== undefined)
    return { verdict: 'recovered', progress: state(rest, { ready, wanted }) };
  // A pod may restart meanwhile; a step that was seen is not taken back.
  const replaced = Math.min(wanted, Math.max(change.replaced ?? 0, replacedPods(snapshot, change)));
  // An abort takes new pods away and replaces none.
  const moving =
    change.remediation.kind === 'abort-rollout'
      ? state('returning', { ready, wanted })
      : state('moving', { replaced, ready, wanted });
  if (!late) return { verdict: undefined, progress: moving, replaced };
  const progress = newTrouble === undefined ? moving : state('new-trouble', { cause: newTrouble });
  if (ready < least || isWorse) return { verdict: 'worse', progress };
  return { verdict: found ? 'unchanged' : 'progressing', progress };
}

/**
 * Ready pods that a change may not cost. In the middle of a rollout, more than wanted may be ready for a
 * while.
 */
function leastReady(before: Diagnosis, { ready: { wanted } }: Diagnosis): number {
  return Math.min(before.ready.pods, wanted);
}

/** An update that was aborted after any other change has failed, although all stable pods are available. */
function mayEndOnStable({ remediation: { kind } }: Change, { findings }: Diagnosis): boolean {
  if (kind === 'abort-rollout') return true;
  const startsNoUpdate = kind === 'restart-rollout' || kind === 'resume-rollout';
  return startsNoUpdate && findings.some(({ cause }) => cause === 'rollout-aborted');
}

/** A cause that the change brought: found now, and not before it. Notes about the future are no trouble. */
function newTroubleOf(before: Diagnosis, now: Diagnosis): string | undefined {
  const known = new Set(before.findings.map(({ cause }) => cause));
  return now.findings.find(({ cause, severity }) => severity !== 'info' && !known.has(cause))?.cause;
}

const nextStepCause = 'ordered-ready-stuck';

/**
 * The controller has the former template and waits for a broken pod: at once where the second step was not
 * carried out, else at the deadline only, since a deleted pod may still be listed.
 */
function needsNextStep(
  { remediation, secondStep }: Change,
  { observed }: Seen,
  now: Diagnosis,
  late: boolean,
): boolean {
  const hasTwoSteps = remediation.kind === 'undo-rollout' && remediation.thenDelete !== undefined;
  const isDone = secondStep !== undefined && secondStep.because === undefined;
  return (
    hasTwoSteps && observed && (late || !isDone) && now.findings.some(({ cause }) => cause === nextStepCause)
  );
}

function holdersOf({ findings }: Diagnosis): readonly string[] {
  const stuck = findings.find(({ cause }) => cause === nextStepCause);
  return stuck?.holders.map(({ name }) => name) ?? [];
}

function judgeReplacement(
  { appliedAt }: Change,
  remediation: DeletePod,
  snapshot: Snapshot,
  found: boolean,
): { readonly recovered: boolean; readonly progress: Statement } {
  const replacement = replacementOf(remediation, appliedAt, snapshot);
  switch (replacement.type) {
    case 'stopping':
      return { recovered: false, progress: state('replacement-stopping', { pod: remediation.pod }) };
    case 'awaited':
      return { recovered: false, progress: state('replacement-awaited', { pod: remediation.pod }) };
    case 'starting': {
      const { pod, node } = replacement;
      return { recovered: false, progress: state('replacement-starting', { pod, node }) };
    }
    case 'failing': {
      const { pod, node, restarts } = replacement;
      return { recovered: false, progress: state('replacement-failing', { pod, node, restarts }) };
    }
    case 'ready': {
      const { pod, node, enough } = replacement;
      const wanted = remediation.mustStayReadySeconds;
      if (!enough) return { recovered: false, progress: state('replacement-not-yet', { pod, node, wanted }) };
      const recovered = remediation.purpose === 'experiment' || !found;
      return { recovered, progress: state('replacement-ready', { pod, node }) };
    }
  }
}

interface Seen {
  readonly observed: boolean;
  /** How the rollout came to rest; absent while it moves or is stuck. */
  readonly rest?: 'complete' | 'held' | 'on-stable';
}

/**
 * A workload whose pods are replaced by hand (OnDelete) has no rollout to complete; then every wanted pod
 * counts.
 */
export function rolloutOf(snapshot: Snapshot, { pods, wanted }: Diagnosis['ready']): Seen {
  const { workload } = snapshot;
  const { kind } = rolloutStatus(workload);
  const state = rolloutStateOf(snapshot);
  const hasObserved = hasObservedSpec(workload);
  if (hasSteps(state) && !isFullyPromoted(state.rollout)) {
    const rest = updateRestOf(state);
    return { observed: hasObserved && hasSeenAbort(state.rollout), ...(rest === undefined ? {} : { rest }) };
  }
  if (hasSteps(workload) && isRestartPending(workload)) return { observed: hasObserved };
  const isComplete = kind === 'complete' || (kind === 'not-followed' && pods >= wanted);
  return { observed: hasObserved, ...(isComplete ? { rest: 'complete' } : {}) };
}

/**
 * Pods of the new revision that are ready: the steps of a rollout that are done. A restart of a Rollout makes
 * no new revision: there, pods count that are younger than the change.
 */
function replacedPods(snapshot: Snapshot, { remediation, appliedAt }: Change): number {
  const state = rolloutStateOf(snapshot);
  const isSameRevision = remediation.kind === 'restart-rollout' && hasSteps(state);
  const since = Date.parse(appliedAt ?? '') - skewMilliseconds;
  return podsOfNewRevision(state).filter(
    (pod) =>
      isActive(pod) && !isTerminating(pod) && isReady(pod) && (!isSameRevision || createdAt(pod) >= since),
  ).length;
}

/** What has become of a deleted pod's replacement. */
type Replacement =
  /** The deleted pod is still there. */
  | { readonly type: 'stopping' }
  | { readonly type: 'awaited' }
  | { readonly type: 'starting'; readonly pod: string; readonly node: string }
  | { readonly type: 'failing'; readonly pod: string; readonly node: string; readonly restarts: number }
  /** Ready for `seconds` without a restart; `enough`: as long as was asked for. */
  | {
      readonly type: 'ready';
      readonly pod: string;
      readonly node: string;
      readonly seconds: number;
      readonly enough: boolean;
    };

/** Clocks of this program and of the API server may differ by so much. */
const skewMilliseconds = 5_000;

/**
 * Looks for the pod made in place of the deleted one: of the same name, or the workload's first that was
 * created since the change.
 */
function replacementOf(
  { pod: name, uid, mustStayReadySeconds }: DeletePod,
  appliedAt: string | undefined,
  snapshot: Snapshot,
): Replacement {
  const { pods } = rolloutStateOf(snapshot);
  const former = pods.find(({ metadata }) => metadata.uid === uid);
  const others = pods.filter((pod) => pod !== former && isActive(pod));
  const since = Date.parse(appliedAt ?? '') - skewMilliseconds;
  const replacement =
    others.find(({ metadata }) => metadata.name === name) ??
    others.filter((pod) => createdAt(pod) >= since).sort((a, b) => createdAt(a) - createdAt(b))[0];
  if (replacement === undefined) return former === undefined ? { type: 'awaited' } : { type: 'stopping' };
  if (former !== undefined && !isTerminating(former)) return { type: 'stopping' };
  const { metadata, spec, status } = replacement;
  const found = { pod: metadata.name, node: spec.nodeName ?? '' };
  const restarts = Math.max(0, ...status.containerStatuses.map(({ restartCount }) => restartCount));
  if (restarts > 0) return { type: 'failing', ...found, restarts };
  if (!isReady(replacement)) return { type: 'starting', ...found };
  const seconds = Math.max(0, (nowOf(snapshot) - readySince(replacement)) / 1000);
  return { type: 'ready', ...found, seconds, enough: seconds >= mustStayReadySeconds };
}

function createdAt({ metadata }: Pod): number {
  return Date.parse(metadata.creationTimestamp ?? '');
}

function readySince({ metadata, status }: Pod): number {
  const ready = status.conditions.find(({ type }) => type === 'Ready');
  return Date.parse(ready?.lastTransitionTime ?? metadata.creationTimestamp ?? '');
}

const en = {
  complete: ({ ready, wanted }: { ready: number; wanted: number }) =>
    say`${countedPods(ready, wanted)} ready, all on the current revision`,
  /** The update of a Rollout waits for a person or an analysis, with all pods that it asks for. */
  held: ({ ready, wanted }: { ready: number; wanted: number }) =>
    say`${countedPods(ready, wanted)} ready. The update waits for a person or an analysis`,
  /** The update of a Rollout was aborted. */
  'on-stable': ({ ready, wanted }: { ready: number; wanted: number }) =>
    say`${countedPods(ready, wanted)} ready, on the stable revision`,
  moving: ({ replaced, ready, wanted }: { replaced: number; ready: number; wanted: number }) =>
    say`${replaced}/${wanted} ${word(wanted === 1 ? 'pod' : 'pods')} replaced, ${ready}/${wanted} ready`,
  /** After an abort. */
  returning: ({ ready, wanted }: { ready: number; wanted: number }) =>
    say`${countedPods(ready, wanted)} ready, going back to the stable revision`,
  'new-trouble': ({ cause }: { cause: string }) =>
    say`the rollout now has ${code(cause)}, which was not found before`,
  /** The template is restored; these pods must be deleted next. */
  'next-step': ({ pods }: { pods: readonly string[] }) =>
    say`the previous template is restored. Next step: delete ${names('en', pods)}`,
  'restored-fields': () => say`the previous values are restored`,
  'restored-pending': () => say`not all previous values are restored yet`,
  'replacement-stopping': ({ pod }: { pod: string }) => say`${code(pod)} is stopping`,
  'replacement-awaited': ({ pod }: { pod: string }) =>
    say`${code(pod)} is deleted, and its replacement is not created yet`,
  'replacement-starting': ({ pod, node }: { pod: string; node: string }) =>
    node === ''
      ? say`the replacement ${code(pod)} is waiting for a node`
      : say`the replacement ${code(pod)} is starting on ${code(node)}`,
  'replacement-failing': ({ pod, node, restarts }: { pod: string; node: string; restarts: number }) =>
    say`the replacement ${code(pod)} also fails on ${code(node)}: ${counted(restarts, 'restart', 'restarts')}`,
  'replacement-ready': ({ pod, node }: { pod: string; node: string }) =>
    say`the replacement ${code(pod)} is ready on ${code(node)} and has not restarted`,
  'replacement-not-yet': ({ pod, node, wanted }: { pod: string; node: string; wanted: number }) =>
    say`the replacement ${code(pod)} is ready on ${code(node)} and must run ${duration('en', wanted)} without a restart`,
};

const ko: typeof en = {
  complete: ({ ready, wanted }) => say`Ready ${ready}/${wanted}, 모두 현재 리비전`,
  held: ({ ready, wanted }) => say`Ready ${ready}/${wanted}, 업데이트가 사람이나 분석을 기다리는 중`,
  'on-stable': ({ ready, wanted }) => say`Ready ${ready}/${wanted}, 안정 리비전`,
  moving: ({ replaced, ready, wanted }) => say`교체된 파드 ${replaced}/${wanted}, Ready ${ready}/${wanted}`,
  returning: ({ ready, wanted }) => say`Ready ${ready}/${wanted}, 안정 리비전으로 돌아가는 중`,
  'new-trouble': ({ cause }) => say`변경 전에는 없던 ${code(cause)} 원인이 발견됨`,
  'next-step': ({ pods }) => say`이전 템플릿으로 복원됨. 다음 단계: ${names('ko', pods)} 파드 삭제`,
  'restored-fields': () => say`이전 값으로 복원됨`,
  'restored-pending': () => say`아직 이전 값이 모두 복원되지 않음`,
  'replacement-stopping': ({ pod }) => say`${code(pod)} 종료 중`,
  'replacement-awaited': ({ pod }) => say`${code(pod)} 삭제됨, 대체 파드는 아직 생성되지 않음`,
  'replacement-starting': ({ pod, node }) =>
    node === ''
      ? say`대체 파드 ${code(pod)} 노드 배정 대기 중`
      : say`${code(node)}에서 대체 파드 ${code(pod)} 시작 중`,
  'replacement-failing': ({ pod, node, restarts }) =>
    say`${code(node)}에서 대체 파드 ${code(pod)} 역시 실패: 재시작 ${restarts}회`,
  'replacement-ready': ({ pod, node }) => say`${code(node)}에서 대체 파드 ${code(pod)} 준비됨, 재시작 없음`,
  'replacement-not-yet': ({ pod, node, wanted }) =>
    say`${code(node)}에서 대체 파드 ${code(pod)} 준비됨. 재시작 없이 ${duration('ko', wanted)} 동안 실행되어야 함`,
};

export const judgeText = { en, ko };
