import type { SameSentences } from '../../language/catalogue.js';
import { code, moment, type Prose, quote, say, sentences, word } from '../../language/prose.js';
import { statementsOf } from '../../language/statement.js';
import { counted, duration, names } from '../../language/words.js';
import { signalOf } from './signal.js';

function ending(exitCode: number, reason: string): Prose {
  const signal = signalOf(exitCode);
  return signal === undefined
    ? say`exit code ${exitCode} (${code(reason)})`
    : say`exit code ${exitCode} (${code(reason)}, ${code(signal)})`;
}

const en = {
  /** Which pods, of how many of that revision that have a node. */
  pods: ({
    container,
    failing,
    of,
    nodes,
  }: {
    readonly container: string;
    readonly failing: readonly string[];
    readonly of: number;
    readonly nodes: readonly string[];
  }) =>
    failing.length === 1
      ? say`Container ${code(container)} of ${names('en', failing)} on ${names('en', nodes)} fails; the revision has ${counted(of, 'pod', 'pods')} with a node.`
      : say`Container ${code(container)} fails in ${failing.length} of ${counted(of, 'pod', 'pods')}, on ${names('en', nodes)}: ${names('en', failing)}.`,
  /** How often it restarted and how long its runs take; absent where no run has ended. */
  runs: ({
    container,
    restarts,
    shortest,
    longest,
  }: {
    readonly container: string;
    readonly restarts: number;
    readonly shortest: number | undefined;
    readonly longest: number | undefined;
  }) =>
    sentences(
      say`${code(container)} has been restarted ${word(restarts === 1 ? 'once' : `${restarts} times`)}.`,
      shortest === undefined || longest === undefined
        ? []
        : longest - shortest < 2
          ? say`Its runs last about ${duration('en', longest)}.`
          : say`Its runs last from ${duration('en', shortest)} to ${duration('en', longest)}.`,
    ),
  exit: ({
    container,
    exitCode,
    reason,
  }: {
    readonly container: string;
    readonly exitCode: number;
    readonly reason: string;
  }) => say`${code(container)} ended with ${ending(exitCode, reason)}.`,
  /** One node fails, and pods of the same revision are ready on others. */
  'only-there': ({
    node,
    pods,
    nodes,
  }: {
    readonly node: string;
    readonly pods: number;
    readonly nodes: readonly string[];
  }) =>
    say`Only ${code(node)} fails: ${counted(pods, 'pod', 'pods')} of the same revision ${word(pods === 1 ? 'is' : 'are')} ready on ${names('en', nodes)}.`,
  /** Other pods of the container that end in another way. */
  'ends-otherwise': ({
    container,
    pods,
    nodes,
    exitCode,
    reason,
  }: {
    readonly container: string;
    readonly pods: readonly string[];
    readonly nodes: readonly string[];
    readonly exitCode: number;
    readonly reason: string;
  }) =>
    say`${code(container)} ends in another way in ${names('en', pods)} on ${names('en', nodes)}: ${ending(exitCode, reason)}.`,
  /** Other pods that fail as a whole for another reason. */
  'fails-otherwise': ({
    pods,
    nodes,
    reason,
  }: {
    readonly pods: readonly string[];
    readonly nodes: readonly string[];
    readonly reason: string;
  }) =>
    say`${names('en', pods)} on ${names('en', nodes)} ${word(pods.length === 1 ? 'fails' : 'fail')} for another reason: ${code(reason)}.`,
  'last-lines': ({
    pod,
    container,
    lines,
  }: {
    readonly pod: string;
    readonly container: string;
    readonly lines: readonly string[];
  }) => say`Last lines of ${code(container)} in ${code(pod)}: ${quote(lines.join('\n'))}`,
  'no-log': ({ pod, container }: { readonly pod: string; readonly container: string }) =>
    say`No log of ${code(container)} in ${code(pod)} could be read.`,
  'next-restart': ({
    container,
    backOffSeconds,
    at,
  }: {
    readonly container: string;
    readonly backOffSeconds: number;
    readonly at: string | undefined;
  }) =>
    at === undefined
      ? say`the kubelet starts ${code(container)} again after ${duration('en', backOffSeconds)}`
      : say`the kubelet starts ${code(container)} again at ${moment(at)}, ${duration('en', backOffSeconds)} after its last end`,
  'restarts-at-once': ({ container }: { readonly container: string }) =>
    say`the kubelet starts ${code(container)} again at once`,
  'previous-well': ({ revision, pods }: { readonly revision: string; readonly pods: number }) =>
    say`Revision ${code(revision)} before it is well: ${counted(pods, 'pod', 'pods')} ready.`,
  'first-rollout': () => say`There is no earlier revision to compare with.`,
  unread: ({ kinds }: { readonly kinds: readonly string[] }) =>
    say`Could not be read: ${names('en', kinds)}. The cause may be there.`,
  served: ({ ready, wanted }: { readonly ready: number; readonly wanted: number }) =>
    ready === 0 ? say`No pod is ready: users are not served.` : say`${ready} of ${wanted} pods are ready.`,
  'ev-ended': ({
    container,
    exitCode,
    reason,
    seconds,
  }: {
    readonly container: string;
    readonly exitCode: number;
    readonly reason: string;
    readonly seconds: number | undefined;
  }) =>
    seconds === undefined
      ? say`${code(container)} ended with ${ending(exitCode, reason)}`
      : say`${code(container)} ended with ${ending(exitCode, reason)} after ${duration('en', seconds)}`,
  'ev-waiting': ({ container, reason }: { readonly container: string; readonly reason: string }) =>
    say`${code(container)} waits: ${code(reason)}`,
  'ev-running': ({ container }: { readonly container: string }) => say`${code(container)} runs since then`,
  'ev-pod': ({ pod, reason }: { readonly pod: string; readonly reason: string }) =>
    say`${code(pod)} failed: ${code(reason)}`,
  'ev-event': ({ reason, count }: { readonly reason: string; readonly count: number }) =>
    say`${code(reason)}, ${word(count === 1 ? 'once' : `${count} times`)}`,
  'because-exit': ({ exitCode, reason }: { readonly exitCode: number; readonly reason: string }) =>
    say`it ended with ${ending(exitCode, reason)}`,
  'because-not-oom': ({ container, reason }: { readonly container: string; readonly reason: string }) =>
    say`the runtime gives ${code(reason)} and not ${code('OOMKilled')} as the end of ${code(container)}`,
  'because-no-probe-kill': ({ container }: { readonly container: string }) =>
    say`no event says that the kubelet killed ${code(container)} for a probe`,
  'because-several-nodes': ({ nodes }: { readonly nodes: readonly string[] }) =>
    say`it fails on several nodes alike: ${names('en', nodes)}`,
  'because-never-ran': ({ container }: { readonly container: string }) => say`${code(container)} never ran`,
  'because-it-ran': ({
    container,
    seconds,
  }: {
    readonly container: string;
    readonly seconds: number | undefined;
  }) =>
    seconds === undefined
      ? say`${code(container)} did start`
      : say`${code(container)} did start and ran for ${duration('en', seconds)}`,
  'because-no-predecessor': () => say`no earlier revision runs to compare with`,
  'because-predecessor-too': ({ revision }: { readonly revision: string }) =>
    say`revision ${code(revision)} before it fails alike`,
  'advice-add': () => say`The pods start without any further change.`,
  command: ({ command }: { readonly command: string }) => say`It runs ${code(command)}.`,
  'event-says': ({ message, times }: { readonly message: string; readonly times: number }) =>
    sentences(say`The node says: ${quote(message)}`, times > 1 ? say`(${times} times)` : []),
  'kubelet-says': ({ node, message }: { readonly node: string; readonly message: string }) =>
    say`${code(node)} says: ${quote(message)}`,
  'because-has-node': () => say`the pod has a node; it is not waiting for one`,
  'because-never-started': () => say`no container was ever started`,
  'standing-configuration': () => say`Nothing is wrong at the moment because of them.`,
  'advice-configuration-title': () => say`Settle it before it matters`,
  where: ({ pods, nodes }: { readonly pods: readonly string[]; readonly nodes: readonly string[] }) =>
    say`Containers of ${names('en', pods)} on ${names('en', nodes)} do not start.`,
};

const ko: SameSentences<typeof en> = {
  pods: ({ container, failing, of, nodes }) =>
    say`컨테이너 ${code(container)}, 이 리비전의 노드에 배치된 파드 ${of}개 중 ${failing.length}개에서 실패 (노드 ${names('ko', nodes)}): ${names('ko', failing)}.`,
  runs: ({ container, restarts, shortest, longest }) =>
    sentences(
      say`${code(container)} 재시작 ${restarts}회.`,
      shortest === undefined || longest === undefined
        ? []
        : longest - shortest < 2
          ? say`매번 약 ${duration('ko', longest)} 동안 실행됩니다.`
          : say`실행 시간은 ${duration('ko', shortest)}~${duration('ko', longest)}입니다.`,
    ),
  exit: ({ container, exitCode, reason }) => say`${code(container)} 종료: ${koreanEnding(exitCode, reason)}.`,
  'only-there': ({ node, pods, nodes }) =>
    say`${code(node)} 노드에서만 실패합니다. 같은 리비전의 파드 ${pods}개는 다른 노드(${names('ko', nodes)})에서 준비 상태입니다.`,
  'ends-otherwise': ({ container, pods, nodes, exitCode, reason }) =>
    say`${names('ko', nodes)} 노드의 ${names('ko', pods)} 파드에서는 ${code(container)} 컨테이너가 다르게 종료됩니다: ${koreanEnding(exitCode, reason)}.`,
  'fails-otherwise': ({ pods, nodes, reason }) =>
    say`${names('ko', nodes)} 노드의 ${names('ko', pods)} 파드는 다른 이유로 실패합니다: ${code(reason)}.`,
  'last-lines': ({ pod, container, lines }) =>
    say`${code(pod)}의 ${code(container)} 마지막 로그: ${quote(lines.join('\n'))}`,
  'no-log': ({ pod, container }) => say`${code(pod)}의 ${code(container)} 로그를 읽지 못했습니다.`,
  'next-restart': ({ container, backOffSeconds, at }) =>
    at === undefined
      ? say`kubelet이 ${duration('ko', backOffSeconds)} 뒤 ${code(container)} 컨테이너를 다시 시작`
      : say`kubelet이 ${moment(at)}에 ${code(container)} 컨테이너를 다시 시작 (마지막 종료 후 ${duration('ko', backOffSeconds)})`,
  'restarts-at-once': ({ container }) => say`kubelet이 ${code(container)} 컨테이너를 바로 다시 시작`,
  'previous-well': ({ revision, pods }) => say`이전 리비전 ${code(revision)}은 정상: 준비된 파드 ${pods}개.`,
  'first-rollout': () => say`비교할 이전 리비전이 없습니다.`,
  unread: ({ kinds }) => say`읽지 못한 것: ${names('ko', kinds)}. 원인이 거기 있을 수 있습니다.`,
  served: ({ ready, wanted }) =>
    ready === 0
      ? say`준비된 파드가 없어 서비스가 중단된 상태입니다.`
      : say`${wanted}개 중 ${ready}개 파드가 준비되어 있습니다.`,
  'ev-ended': ({ container, exitCode, reason, seconds }) =>
    seconds === undefined
      ? say`${code(container)} 종료: ${koreanEnding(exitCode, reason)}`
      : say`${code(container)}, ${duration('ko', seconds)} 실행 후 종료: ${koreanEnding(exitCode, reason)}`,
  'ev-waiting': ({ container, reason }) => say`${code(container)} 대기 중: ${code(reason)}`,
  'ev-running': ({ container }) => say`${code(container)} 그때부터 실행 중`,
  'ev-pod': ({ pod, reason }) => say`${code(pod)} 실패: ${code(reason)}`,
  'ev-event': ({ reason, count }) => say`${code(reason)} ${count}회`,
  'because-exit': ({ exitCode, reason }) => say`종료: ${koreanEnding(exitCode, reason)}`,
  'because-not-oom': ({ container, reason }) =>
    say`${code(container)} 종료 사유가 ${code('OOMKilled')}가 아닌 ${code(reason)}`,
  'because-no-probe-kill': ({ container }) =>
    say`kubelet이 프로브 때문에 ${code(container)} 컨테이너를 종료했다는 이벤트 없음`,
  'because-several-nodes': ({ nodes }) => say`여러 노드에서 똑같이 실패: ${names('ko', nodes)}`,
  'because-never-ran': ({ container }) => say`${code(container)} 실행된 적 없음`,
  'because-it-ran': ({ container, seconds }) =>
    seconds === undefined
      ? say`${code(container)} 시작됨`
      : say`${code(container)} 시작되어 ${duration('ko', seconds)} 동안 실행됨`,
  'because-no-predecessor': () => say`비교할 이전 리비전이 실행되고 있지 않음`,
  'because-predecessor-too': ({ revision }) => say`이전 리비전 ${code(revision)}도 똑같이 실패`,
  'advice-add': () => say`다른 변경 없이 파드가 시작됩니다.`,
  command: ({ command }) => say`실행 명령: ${code(command)}.`,
  'event-says': ({ message, times }) =>
    sentences(say`노드 메시지: ${quote(message)}`, times > 1 ? say`(${times}회)` : []),
  'kubelet-says': ({ node, message }) => say`${code(node)} 메시지: ${quote(message)}`,
  'because-has-node': () => say`파드에 이미 노드가 있음`,
  'because-never-started': () => say`컨테이너가 시작된 적 없음`,
  'standing-configuration': () => say`지금 이 때문에 생긴 문제는 없습니다.`,
  'advice-configuration-title': () => say`문제가 되기 전에 정하세요`,
  where: ({ pods, nodes }) =>
    say`${names('ko', nodes)} 노드의 ${names('ko', pods)} 파드에서 시작된 컨테이너가 없습니다.`,
};

export const crashesText = { en, ko };
export const crashesCatalogueId = 'crashes';
export const crash = statementsOf<typeof en>(crashesCatalogueId);

function koreanEnding(exitCode: number, reason: string): Prose {
  const signal = signalOf(exitCode);
  return signal === undefined
    ? say`종료 코드 ${exitCode} (${code(reason)})`
    : say`종료 코드 ${exitCode} (${code(reason)}, ${code(signal)})`;
}
