import * as z from 'zod';
import { code, moment, say, word } from '../../engine/language/prose.js';
import { statementsOf } from '../../engine/language/statement.js';
import { counted, duration, elapsed, isAtLeastOneSecond, joined } from '../../engine/language/words.js';
import { type Condition, conditionOf } from '../../engine/objects/metadata.js';
import { isActive, isReady, type Pod, refOf } from '../../engine/objects/pod.js';
import { nowOf, type Snapshot } from '../../engine/objects/snapshot.js';
import { isUnread } from '../../engine/objects/unread.js';
import { type Deployment, hasDeploymentStrategy } from '../../engine/objects/workload.js';
import { newPods, revisionOf } from '../../engine/workloads/revisions.js';
import { type DeploymentState, rolloutStateOf } from '../../engine/workloads/rollout-state.js';
import { deadlock } from '../findings/deadlock/text.js';
import { fact } from '../findings/facts.js';
import type { Evidence, Finding } from '../findings/finding.js';
import { isAboutToBePlaced } from '../findings/pod-simulator-of.js';
import { troubleOf } from '../findings/pod-trouble.js';
import { readinessOf } from '../findings/readiness-of.js';
import type { Detected, Examination, Rule } from '../findings/rule.js';
import { isUnschedulable, workloadName } from '../findings/stuck-rollout.js';

const en = {
  'shared-failure': () => say`the rollout exceeded its progress deadline`,
  summary: ({ workload }: { workload: string }) =>
    say`The rollout of ${code(workload)} is past its progress deadline, and no cause was found`,
  'summary-unread': ({ workload }: { workload: string }) =>
    say`The rollout of ${code(workload)} is past its deadline, and some objects could not be read`,
  standing: (values: { revision: string; forSeconds: number | undefined; ready: number; wanted: number }) =>
    !isAtLeastOneSecond(values.forSeconds)
      ? say`Revision ${code(values.revision)} exceeded its progress deadline.`
      : say`Revision ${code(values.revision)} exceeded its progress deadline ${elapsed('en', values.forSeconds)} ago.`,
  'no-progress': ({ deadlineSeconds, since }: { deadlineSeconds: number; since: string | undefined }) =>
    since === undefined
      ? say`For ${duration('en', deadlineSeconds)} (progressDeadlineSeconds) no pod was added, became ready or available, or was removed.`
      : say`Since ${moment(since)}, ${duration('en', deadlineSeconds)} before the deadline (progressDeadlineSeconds), no pod was added, became ready or available, or was removed.`,
  counts: (values: { updated: number; available: number; old: number; wanted: number }) =>
    say`Of ${counted(values.wanted, 'wanted pod', 'wanted pods')}, ${values.updated} ${word(values.updated === 1 ? 'has' : 'have')} the new revision. In total ${values.available} ${word(values.available === 1 ? 'is' : 'are')} available, and ${values.old} of older revisions ${word(values.old === 1 ? 'remains' : 'remain')}.`,
  'not-ready': (values: {
    pods: readonly {
      readonly pod: string;
      readonly reason: string;
      readonly container: string | undefined;
    }[];
  }) =>
    say`Not ready: ${joined(
      'en',
      values.pods.map(({ pod, reason, container }) =>
        container === undefined
          ? say`${code(pod)} (${code(reason)})`
          : say`${code(pod)} (${code(container)}: ${code(reason)})`,
      ),
    )}.`,
  unexplained: () => say`None of the known causes explains this from the objects that were read.`,
  'goes-on': () =>
    say`The condition is only informational. Kubernetes does not roll back, and the rollout continues as soon as a pod becomes ready.`,
  'ev-progress': () => say`no progress within the deadline`,
  'ev-pod': () => say`not ready`,
  unread: ({ kinds }: { kinds: readonly string[] }) =>
    say`These could not be read: ${joined(
      'en',
      kinds.map((kind) => code(kind)),
    )}. The cause may be there.`,
  'restart-withheld': () => say`A restart starts the same rollout again.`,
  'next-attempt': () => say`The controller acts on every change of its pods. The deadline does not stop it.`,
  'advice-look-title': () => say`Check the pods`,
  'advice-look': () =>
    say`Their events and logs may show what no object shows. Also check for a controller or webhook that changes the pods.`,
  'advice-deadline-title': () => say`Or give it more time`,
  'advice-deadline': ({ deadlineSeconds }: { deadlineSeconds: number }) =>
    say`If the pods only start slowly, raise progressDeadlineSeconds above ${duration('en', deadlineSeconds)}.`,
};

const ko: typeof en = {
  'shared-failure': () => say`롤아웃이 진행 제한 시간을 초과함`,
  summary: ({ workload }) => say`${code(workload)} 롤아웃이 진행 기한을 넘겼으며, 원인을 찾지 못했습니다`,
  'summary-unread': ({ workload }) =>
    say`${code(workload)} 롤아웃이 기한을 넘겼고, 일부 오브젝트를 읽지 못했습니다`,
  standing: ({ revision, forSeconds }) =>
    !isAtLeastOneSecond(forSeconds)
      ? say`리비전 ${code(revision)} 롤아웃이 기한을 넘겼습니다.`
      : say`리비전 ${code(revision)} 롤아웃이 기한을 넘긴 지 ${elapsed('ko', forSeconds)} 지났습니다.`,
  'no-progress': ({ deadlineSeconds, since }) =>
    since === undefined
      ? say`${duration('ko', deadlineSeconds)}(progressDeadlineSeconds) 동안 추가되거나 준비되거나 제거된 파드가 없습니다.`
      : say`${moment(since)}부터 ${duration('ko', deadlineSeconds)}(progressDeadlineSeconds) 동안 추가되거나 준비되거나 제거된 파드가 없습니다.`,
  counts: ({ updated, available, old, wanted }) =>
    say`필요한 파드 ${wanted}개 중 새 리비전 ${updated}개, 사용 가능 ${available}개, 남은 이전 리비전 ${old}개입니다.`,
  'not-ready': ({ pods }) =>
    say`준비되지 않은 파드: ${joined(
      'ko',
      pods.map(({ pod, reason, container }) =>
        container === undefined
          ? say`${code(pod)}(${code(reason)})`
          : say`${code(pod)}(${code(container)}: ${code(reason)})`,
      ),
    )}.`,
  unexplained: () => say`알려진 원인 중에 읽은 오브젝트로 설명되는 것이 없습니다.`,
  'goes-on': () =>
    say`이 컨디션은 알림일 뿐입니다. Kubernetes는 롤백하지 않으며, 파드가 준비되면 롤아웃이 바로 이어집니다.`,
  'ev-progress': () => say`기한 안에 진행 없음`,
  'ev-pod': () => say`준비되지 않음`,
  unread: ({ kinds }) =>
    say`읽지 못한 오브젝트: ${joined(
      'ko',
      kinds.map((kind) => code(kind)),
    )}. 원인이 거기에 있을 수 있습니다.`,
  'restart-withheld': () => say`같은 롤아웃을 다시 시작할 뿐입니다.`,
  'next-attempt': () => say`컨트롤러는 파드가 바뀔 때마다 동작합니다. 기한이 지나도 멈추지 않습니다.`,
  'advice-look-title': () => say`파드 확인하기`,
  'advice-look': () =>
    say`오브젝트에 나타나지 않는 원인이 이벤트와 로그에 있을 수 있습니다. 파드를 변경하는 컨트롤러나 웹훅도 확인하세요.`,
  'advice-deadline-title': () => say`또는 시간을 더 주기`,
  'advice-deadline': ({ deadlineSeconds }) =>
    say`파드 시작이 느릴 뿐이라면 progressDeadlineSeconds를 ${duration('ko', deadlineSeconds)}보다 늘리세요.`,
};

const text = { en, ko };

const state = statementsOf<typeof en>('progress-deadline-exceeded');

const ProgressDeadlineExceededFacts = z.strictObject({
  revision: fact.text('The revision that made no progress'),
  deadlineSeconds: fact.seconds('The progress deadline of the Deployment'),
  exceededSeconds: fact.seconds('Time since it passed').optional(),
  updated: fact.count('Pods of the present revision'),
  available: fact.count('Available pods'),
  old: fact.count('Pods of former revisions'),
  wanted: fact.count('Pods wanted'),
  notReady: z
    .array(
      z.strictObject({
        pod: fact.text('Name of the pod'),
        reason: fact.text('Why it is not ready, as Kubernetes reports it'),
        container: fact.text('Its container that is not ready').optional(),
      }),
    )
    .describe('Pods of the present revision that are not ready'),
});

/**
 * The controller's own note that a rollout made no progress in time (kubernetes `deployment_util.go:
 * DeploymentTimedOut`). It says that, and not why: every cause that explains it supersedes it.
 */
export const progressDeadlineExceeded: Rule<typeof ProgressDeadlineExceededFacts> = {
  id: 'progress-deadline-exceeded',
  facts: ProgressDeadlineExceededFacts,
  text,
  origin: 'rollout',
  appliesTo: ['Deployment'],
  needs: ['ReplicaSet', 'Pod', 'Node', 'HorizontalPodAutoscaler'],
  supersedes: [],
  detect(examination) {
    const rollout = rolloutStateOf(examination.snapshot);
    if (!hasDeploymentStrategy(rollout)) return undefined;
    const timedOut = timedOutCondition(rollout.deployment);
    if (timedOut === undefined || goesOnByItself(examination, rollout)) return undefined;
    return findingOf(examination, rollout, timedOut);
  },
};

/** The condition, where it is about the present spec and the rollout is not done after all. */
function timedOutCondition({ metadata, spec, status }: Deployment): Condition | undefined {
  const progressing = conditionOf(status, 'Progressing');
  if (progressing?.reason !== 'ProgressDeadlineExceeded' || progressing.status !== 'False') return undefined;
  if (spec.paused || metadata.deletionTimestamp !== undefined) return undefined;
  if (status.observedGeneration < (metadata.generation ?? 0)) return undefined;
  const { replicas, updatedReplicas, availableReplicas } = status;
  const isDone =
    updatedReplicas === spec.replicas && replicas === spec.replicas && availableReplicas >= spec.replicas;
  return isDone ? undefined : progressing;
}

/**
 * All that the new revision still lacks are pods whose places become free without anybody's help. Where there
 * is room already and the scheduler has not taken it, something is unknown.
 */
function goesOnByItself(examination: Examination, rollout: DeploymentState): boolean {
  const { snapshot, placement } = examination;
  const waiting = newPods(rollout).filter((pod) => isActive(pod) && !isReady(pod));
  return (
    waiting.length > 0 &&
    waiting.every(
      (pod) =>
        isUnschedulable(pod) &&
        placement.evaluate(pod).outcome !== 'fits' &&
        isAboutToBePlaced(examination, pod),
    ) &&
    !isUnread(snapshot, 'Pod', 'Node')
  );
}

function findingOf(
  { snapshot }: Examination,
  rollout: DeploymentState,
  timedOut: Condition,
): Detected<typeof ProgressDeadlineExceededFacts> {
  const { metadata, spec, status } = rollout.deployment;
  const { namespace } = metadata;
  const { progressDeadlineSeconds: deadlineSeconds } = spec;
  const ready = readinessOf(snapshot);
  const exceededAt = Date.parse(timedOut.lastUpdateTime ?? timedOut.lastTransitionTime ?? '');
  const isDated = !Number.isNaN(exceededAt);
  const waiting = newPods(rollout).filter((pod) => isActive(pod) && !isReady(pod));
  const facts = {
    revision: revisionOf(snapshot),
    deadlineSeconds,
    exceededSeconds: isDated ? Math.max(0, (nowOf(snapshot) - exceededAt) / 1000) : undefined,
    updated: status.updatedReplicas,
    available: status.availableReplicas,
    old: Math.max(0, status.replicas - status.updatedReplicas),
    wanted: spec.replicas,
    notReady: waiting.map((pod) => ({ pod: pod.metadata.name, ...troubleOf(pod) })),
  };
  const { updated, available, old, wanted } = facts;
  const weakenedBy = unreadOf(snapshot);
  return {
    confidence: 'possible',
    facts,
    summary: state(weakenedBy.length === 0 ? 'summary' : 'summary-unread', {
      workload: workloadName(snapshot),
    }),
    standing: state('standing', {
      revision: facts.revision,
      forSeconds: facts.exceededSeconds,
      ready: ready.pods,
      wanted: ready.wanted,
    }),
    reasoning: [
      state('no-progress', {
        deadlineSeconds,
        since: isDated ? new Date(exceededAt - deadlineSeconds * 1000).toISOString() : undefined,
      }),
      state('counts', { updated, available, old, wanted }),
      ...(facts.notReady.length === 0 ? [] : [state('not-ready', { pods: facts.notReady })]),
      state('unexplained'),
      state('goes-on'),
    ],
    evidence: evidenceOf(rollout.deployment, timedOut, waiting),
    ruledOut: [{ cause: 'rollout-paused', because: deadlock('because-not-paused') }],
    nextAttempt: { what: state('next-attempt') },
    withheld: [{ kind: 'restart-rollout', because: state('restart-withheld') }],
    advice: [
      {
        title: state('advice-look-title'),
        text: state('advice-look'),
        snippet: `kubectl -n ${namespace} describe deployment,replicaset,pod -l ${selectorOf(rollout.deployment)}\n`,
      },
      { title: state('advice-deadline-title'), text: state('advice-deadline', { deadlineSeconds }) },
    ],
    weakenedBy,
  };
}

function selectorOf({ spec }: Deployment): string {
  return Object.entries(spec.selector.matchLabels)
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
}

function evidenceOf(
  { metadata }: Deployment,
  timedOut: Condition,
  waiting: readonly Pod[],
): readonly Evidence[] {
  return [
    {
      object: { kind: 'Deployment', namespace: metadata.namespace, name: metadata.name },
      field: 'status.conditions[Progressing]',
      value: `${timedOut.status} ${timedOut.reason}: ${timedOut.message}`,
      at: timedOut.lastUpdateTime,
      says: state('ev-progress'),
    },
    ...waiting.slice(0, 5).map((pod): Evidence => {
      const ready = conditionOf(pod.status, 'Ready');
      return {
        object: refOf(pod),
        field: 'status.conditions[Ready]',
        value: troubleOf(pod).reason,
        ...(ready?.lastTransitionTime === undefined ? {} : { at: ready.lastTransitionTime }),
        says: state('ev-pod'),
      };
    }),
  ];
}

function unreadOf({ unseen }: Snapshot): Finding['weakenedBy'] {
  const kinds = [
    ...new Set(unseen.filter(({ because }) => because !== 'not-served').map(({ what }) => what)),
  ];
  return kinds.length === 0 ? [] : [state('unread', { kinds })];
}
