import type { SameSentences } from '../../../language/catalogue.js';
import { code, moment, say, sentences, word } from '../../../language/prose.js';
import { statementsOf } from '../../../language/statement.js';
import { counted, duration, joined } from '../../../language/words.js';

const en = {
  summary: ({ workload }: { readonly workload: string }) =>
    say`${code(workload)} has stopped making progress, and nothing read says why`,
  standing: ({
    revision,
    forSeconds,
    ready,
    wanted,
  }: {
    readonly revision: string;
    readonly forSeconds: number | undefined;
    readonly ready: number;
    readonly wanted: number;
  }) =>
    sentences(
      forSeconds === undefined
        ? say`The rollout to revision ${code(revision)} is past its deadline.`
        : say`The rollout to revision ${code(revision)} has been past its deadline for ${duration('en', forSeconds)}.`,
      say`${ready} of ${wanted} ${word(wanted === 1 ? 'pod is' : 'pods are')} ready.`,
    ),
  'no-progress': ({
    deadlineSeconds,
    since,
  }: {
    readonly deadlineSeconds: number;
    readonly since: string | undefined;
  }) =>
    since === undefined
      ? say`For ${duration('en', deadlineSeconds)} (progressDeadlineSeconds) there was no new pod, none more became ready or available, and no old one went.`
      : say`Since ${moment(since)}, ${duration('en', deadlineSeconds)} before the deadline (progressDeadlineSeconds), there was no new pod, none more became ready or available, and no old one went.`,
  counts: ({
    updated,
    available,
    old,
    wanted,
  }: {
    readonly updated: number;
    readonly available: number;
    readonly old: number;
    readonly wanted: number;
  }) =>
    say`Of ${counted(wanted, 'wanted pod', 'wanted pods')}, ${updated} ${word(updated === 1 ? 'is' : 'are')} of the new revision; ${available} ${word(available === 1 ? 'is' : 'are')} available in all, and ${old} of older revisions ${word(old === 1 ? 'is' : 'are')} left.`,
  'not-ready': ({
    pods,
  }: {
    readonly pods: readonly {
      readonly pod: string;
      readonly reason: string;
      readonly container: string | undefined;
    }[];
  }) =>
    say`Not ready: ${joined(
      'en',
      pods.map(({ pod, reason, container }) =>
        container === undefined
          ? say`${code(pod)} (${code(reason)})`
          : say`${code(pod)} (${code(container)}: ${code(reason)})`,
      ),
    )}.`,
  unexplained: () => say`None of the causes that are looked for explains it from what was read.`,
  'goes-on': () =>
    say`The condition is a note only: Kubernetes does not go back by itself, and goes on as soon as a pod becomes ready.`,
  'ev-progress': () => say`the controller saw no progress in time`,
  'ev-pod': () => say`is not ready`,
  unread: ({ kinds }: { readonly kinds: readonly string[] }) =>
    say`Could not be read: ${joined(
      'en',
      kinds.map((kind) => code(kind)),
    )}. The cause may be there.`,
  'restart-withheld': () => say`It begins the same rollout once more.`,
  'next-attempt': () => say`The controller acts on every change of its pods; the deadline does not stop it.`,
  'advice-look-title': () => say`Look at the pods themselves`,
  'advice-look': () =>
    say`Their events and logs may say what no object shows; so may a controller or webhook that changes them.`,
  'advice-deadline-title': () => say`Or give it more time`,
  'advice-deadline': ({ deadlineSeconds }: { readonly deadlineSeconds: number }) =>
    say`If its pods simply start slowly, raise progressDeadlineSeconds above ${duration('en', deadlineSeconds)}.`,
};

const ko: SameSentences<typeof en> = {
  summary: ({ workload }) =>
    say`${code(workload)} 롤아웃이 더 진행되지 않으며, 읽은 것만으로는 이유를 알 수 없습니다`,
  standing: ({ revision, forSeconds, ready, wanted }) =>
    sentences(
      forSeconds === undefined
        ? say`리비전 ${code(revision)} 배포가 기한을 넘겼습니다.`
        : say`리비전 ${code(revision)} 배포가 기한을 넘긴 지 ${duration('ko', forSeconds)} 지났습니다.`,
      say`${wanted}개 중 ${ready}개 준비됨.`,
    ),
  'no-progress': ({ deadlineSeconds, since }) =>
    since === undefined
      ? say`${duration('ko', deadlineSeconds)}(progressDeadlineSeconds) 동안 새로 생기거나 준비된 파드도, 내려간 이전 파드도 없었습니다.`
      : say`${moment(since)}부터 ${duration('ko', deadlineSeconds)}(progressDeadlineSeconds) 동안 새로 생기거나 준비된 파드도, 내려간 이전 파드도 없었습니다.`,
  counts: ({ updated, available, old, wanted }) =>
    say`원하는 파드 ${wanted}개 중 새 리비전 ${updated}개, 사용 가능 ${available}개, 남은 이전 리비전 ${old}개입니다.`,
  'not-ready': ({ pods }) =>
    say`준비되지 않은 파드: ${joined(
      'ko',
      pods.map(({ pod, reason, container }) =>
        container === undefined
          ? say`${code(pod)}(${code(reason)})`
          : say`${code(pod)}(${code(container)}: ${code(reason)})`,
      ),
    )}.`,
  unexplained: () => say`찾아보는 원인 가운데 읽은 것으로 설명되는 것이 없습니다.`,
  'goes-on': () =>
    say`이 조건은 알림일 뿐입니다. 쿠버네티스는 저절로 되돌리지 않으며, 파드가 준비되면 바로 이어집니다.`,
  'ev-progress': () => say`기한 안에 진행이 없었음`,
  'ev-pod': () => say`준비되지 않음`,
  unread: ({ kinds }) =>
    say`읽지 못한 것: ${joined(
      'ko',
      kinds.map((kind) => code(kind)),
    )}. 원인이 거기 있을 수 있습니다.`,
  'restart-withheld': () => say`같은 롤아웃을 다시 시작할 뿐입니다.`,
  'next-attempt': () => say`컨트롤러는 파드가 바뀔 때마다 움직입니다. 기한이 지나도 멈추지 않습니다.`,
  'advice-look-title': () => say`파드 자체를 보기`,
  'advice-look': () =>
    say`객체에 나오지 않는 것이 이벤트와 로그에 있을 수 있습니다. 파드를 바꾸는 컨트롤러나 웹훅도 살펴보세요.`,
  'advice-deadline-title': () => say`또는 시간을 더 주기`,
  'advice-deadline': ({ deadlineSeconds }) =>
    say`파드 시작이 느릴 뿐이라면 progressDeadlineSeconds를 ${duration('ko', deadlineSeconds)}보다 늘리세요.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('progress-deadline-exceeded');
