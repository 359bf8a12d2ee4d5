import { code, type Prose, quote, say, sentences, word } from '../../../engine/language/prose.js';
import { statementsOf } from '../../../engine/language/statement.js';
import {
  counted,
  countedPods,
  duration,
  isAtLeastOneSecond,
  names,
  particle,
} from '../../../engine/language/words.js';
import { type FailingPods, failingPods } from './failing-pods.js';

function ending(exitCode: number, reason: string): Prose {
  const signal = signalOf(exitCode);
  return signal === undefined
    ? say`exit code ${exitCode} (${code(reason)})`
    : say`exit code ${exitCode} (${code(reason)}, ${code(signal)})`;
}

/** How a container ended. */
type End = { readonly container: string; readonly exitCode: number; readonly reason: string };
/** Pods that fail in another way, and where they run. */
type Elsewhere = { readonly pods: readonly string[]; readonly nodes: readonly string[] };

const en = {
  'standing-process': (pods: FailingPods) =>
    say`The container lost a process for memory and ended on its own later: ${failingPods('en', pods)}.`,
  /** `of` counts the pods of the revision that have a node. */
  pods: (values: { container: string; failing: readonly string[]; of: number; nodes: readonly string[] }) =>
    values.failing.length === 1 && values.of === 1
      ? say`Container ${code(values.container)} fails in ${names('en', values.failing)} on ${names('en', values.nodes)}, the only scheduled pod of this revision.`
      : values.failing.length === 1
        ? say`Container ${code(values.container)} fails in 1 of ${counted(values.of, 'scheduled pod', 'scheduled pods')} of this revision: ${names('en', values.failing)} on ${names('en', values.nodes)}.`
        : say`Container ${code(values.container)} fails in ${values.failing.length} of ${counted(values.of, 'scheduled pod', 'scheduled pods')} of this revision, on ${names('en', values.nodes)}: ${names('en', values.failing)}.`,
  /** Number of restarts and length of the runs; the lengths are absent when no run has ended. */
  'restarts-all': ({
    container,
    others,
    isEndKept,
  }: {
    container: string;
    others: readonly string[];
    /** The exit code of this container is reported. */
    isEndKept: boolean;
  }) =>
    sentences(
      others.length === 0
        ? say`A restart rule of ${code(container)} restarts all containers of the pod when it ends.`
        : say`When ${code(container)} ends, its restart rule restarts all containers of the pod: ${names('en', others, 4)} did not crash.`,
      isEndKept ? [] : say`The kubelet removes the containers, and keeps no exit code of ${code(container)}.`,
      say`The kubelet delays no such restart.`,
    ),
  runs: (values: {
    container: string;
    restarts: number;
    shortest: number | undefined;
    longest: number | undefined;
  }) =>
    sentences(
      say`${code(values.container)} has restarted ${word(values.restarts === 1 ? 'once' : `${values.restarts} times`)}.`,
      values.shortest === undefined || values.longest === undefined
        ? []
        : !isAtLeastOneSecond(values.longest)
          ? say`Each run lasts less than 1 s.`
          : values.longest - values.shortest < 2
            ? say`Each run lasts about ${duration('en', values.longest)}.`
            : isAtLeastOneSecond(values.shortest)
              ? say`Runs last between ${duration('en', values.shortest)} and ${duration('en', values.longest)}.`
              : say`Each run lasts at most ${duration('en', values.longest)}.`,
    ),
  exit: ({ container, exitCode, reason }: { container: string; exitCode: number; reason: string }) =>
    say`${code(container)} terminated with ${ending(exitCode, reason)}.`,
  /** Pods fail on one node only, and pods of the same revision are ready on others. */
  'only-there': (values: { failing: readonly string[]; pods: number; nodes: readonly string[] }) =>
    say`Pods fail only on ${names('en', values.failing)}. On ${names('en', values.nodes)}, ${counted(values.pods, 'pod', 'pods')} of the same revision ${word(values.pods === 1 ? 'is' : 'are')} ready.`,
  /** Other pods, in which the same container terminates differently. */
  'ends-otherwise': ({ container, pods, nodes, exitCode, reason }: Elsewhere & End) =>
    say`In ${names('en', pods)} on ${names('en', nodes)}, ${code(container)} terminates differently: ${ending(exitCode, reason)}.`,
  /** Other pods that fail as a whole for a different reason. */
  'fails-otherwise': ({ pods, nodes, reason }: Elsewhere & Pick<End, 'reason'>) =>
    say`${names('en', pods)} on ${names('en', nodes)} ${word(pods.length === 1 ? 'fails' : 'fail')} for a different reason: ${code(reason)}.`,
  'last-lines': ({ pod, container, lines }: { pod: string; container: string; lines: readonly string[] }) =>
    say`Last log lines of ${code(container)} in ${code(pod)}: ${quote(lines.join('\n'))}`,
  'log-failure': ({ container, lines }: { container: string; lines: readonly string[] }) =>
    say`The log of ${code(container)} reports a failure: ${quote(lines.join('\n'))}`,
  'log-reason': ({ pod, container, lines }: { pod: string; container: string; lines: readonly string[] }) =>
    say`${code(container)} in ${code(pod)} logs the reason: ${quote(lines.join('\n'))}`,
  /** `OOMKilled` with another exit code than 137. */
  'process-killed': ({ container, exitCode }: { container: string; exitCode: number }) =>
    say`The kernel killed one process of ${code(container)} for memory, at an earlier time that nothing reports. The container ended on its own later, with exit code ${exitCode}.`,
  stopped: ({ container, signal }: { container: string; signal: string }) =>
    say`${code(container)} did not exit on its own: ${code(signal)} ended it.`,
  'sandbox-replaced': ({ node, times }: { node: string; times: number }) =>
    say`The kubelet on ${code(node)} replaced the sandbox of the pod ${counted(times, 'time', 'times')}. It ends all containers of the pod with it.`,
  'advice-sandbox-title': ({ node }: { node: string }) => say`Find out why sandboxes end on ${code(node)}`,
  'advice-sandbox': ({ node }: { node: string }) =>
    say`The logs of the container runtime and the kubelet on ${code(node)} name the reason. One example is a runtime that manages cgroups in another way than the kubelet or systemd.`,
  'probe-may-stop': (values: {
    probe: 'liveness' | 'startup';
    earliest: number;
    seconds: number | undefined;
  }) =>
    sentences(
      values.seconds === undefined
        ? say`The ${word(values.probe)} probe can stop the container after ${duration('en', values.earliest)} at the earliest.`
        : say`The ${word(values.probe)} probe can stop the container after ${duration('en', values.earliest)} at the earliest, and the last run took ${duration('en', values.seconds)}.`,
      say`No event confirms it. Events expire, and the kubelet writes only a limited number for a pod.`,
    ),
  'advice-may-stop-title': ({ probe }: { probe: 'liveness' | 'startup' }) =>
    say`Check the ${word(probe)} probe`,
  'advice-may-stop': ({ probe, container }: { probe: 'liveness' | 'startup'; container: string }) =>
    say`Run the check of the ${word(probe)} probe by hand in ${code(container)}. If it fails while the program starts, allow more time, for example with a startup probe.`,
  agent: (values: {
    pod: string | undefined;
    node: string;
    daemonSet: string;
    reason: string;
    barrier?: { readonly what: 'taint' | 'label'; readonly text: string } | undefined;
  }) =>
    values.pod === undefined
      ? values.barrier === undefined
        ? say`The DaemonSet ${code(values.daemonSet)} has no pod on ${code(values.node)}, and it has pods on other nodes.`
        : values.barrier.what === 'taint'
          ? say`The DaemonSet ${code(values.daemonSet)} has no pod on ${code(values.node)}: its pods do not tolerate the taint ${code(values.barrier.text)}.`
          : say`The DaemonSet ${code(values.daemonSet)} has no pod on ${code(values.node)}: its pods select nodes with the label ${code(values.barrier.text)}.`
      : say`On ${code(values.node)}, the pod ${code(values.pod)} of the DaemonSet ${code(values.daemonSet)} is not ready: ${code(values.reason)}.`,
  'advice-agent-title': ({ daemonSet }: { daemonSet: string }) =>
    say`Repair the DaemonSet ${code(daemonSet)}`,
  'advice-agent': ({ node }: { node: string }) =>
    say`New pods on ${code(node)} cannot start before its pod is ready. This workload needs no change.`,
  'no-log': ({ pod, container }: { pod: string; container: string }) =>
    say`The log of ${code(container)} in ${code(pod)} could not be read.`,
  'next-restart': (values: { container: string; backOffSeconds: number; at: string | undefined }) =>
    values.at === undefined
      ? say`The kubelet restarts ${code(values.container)} after ${duration('en', values.backOffSeconds)} (back-off).`
      : say`The kubelet restarts ${code(values.container)} ${duration('en', values.backOffSeconds)} after it last terminated (back-off).`,
  'restarts-at-once': ({ container }: { container: string }) =>
    say`The kubelet restarts ${code(container)} immediately.`,
  'previous-well': ({ revision, pods }: { revision: string; pods: number }) =>
    say`The previous revision ${code(revision)} is healthy: ${counted(pods, 'pod', 'pods')} ready.`,
  'first-rollout': () => say`The workload has no earlier revision to compare with.`,
  unread: ({ kinds }: { kinds: readonly string[] }) =>
    say`Some objects could not be read: ${names('en', kinds)}. The cause may be there.`,
  served: ({ ready, wanted }: { ready: number; wanted: number }) =>
    ready === 0
      ? say`No pod is ready. The service is down.`
      : say`${countedPods(ready, wanted)} ${word(wanted === 1 ? 'is' : 'are')} ready.`,
  'ev-ended': ({ container, exitCode, reason, seconds }: End & { seconds: number | undefined }) =>
    seconds === undefined
      ? say`${code(container)} terminated with ${ending(exitCode, reason)}`
      : isAtLeastOneSecond(seconds)
        ? say`${code(container)} terminated with ${ending(exitCode, reason)} after ${duration('en', seconds)}`
        : say`${code(container)} terminated with ${ending(exitCode, reason)} within 1 s`,
  'ev-waiting': ({ container, reason }: { container: string; reason: string }) =>
    say`${code(container)} is waiting: ${code(reason)}`,
  'ev-running': ({ container }: { container: string }) => say`${code(container)} has been running since then`,
  'ev-pod': ({ pod, reason }: { pod: string; reason: string }) => say`${code(pod)} failed: ${code(reason)}`,
  'ev-event': ({ reason, count }: { reason: string; count: number }) =>
    say`${code(reason)}, ${word(count === 1 ? 'once' : `${count} times`)}`,
  'because-exit': ({ exitCode, reason }: { exitCode: number; reason: string }) =>
    say`the container terminated with ${ending(exitCode, reason)}`,
  'because-not-oom': ({ container, reason }: { container: string; reason: string }) =>
    say`the runtime reports ${code(reason)}, not ${code('OOMKilled')}, for ${code(container)}`,
  'because-no-probe-kill': ({ container }: { container: string }) =>
    say`no event reports that the kubelet killed ${code(container)} because of a probe`,
  'because-several-nodes': ({ nodes }: { nodes: readonly string[] }) =>
    say`the same failure occurs on several nodes: ${names('en', nodes)}`,
  'because-never-ran': ({ container }: { container: string }) => say`${code(container)} never started`,
  'because-it-ran': ({ container, seconds }: { container: string; seconds: number | undefined }) =>
    seconds === undefined
      ? say`${code(container)} started`
      : say`${code(container)} started and ran for ${duration('en', seconds)}`,
  'because-no-predecessor': () => say`no pod of an earlier revision is running to compare with`,
  'because-predecessor-too': ({ revision }: { revision: string }) =>
    say`the previous revision ${code(revision)} fails in the same way`,
  'advice-add': () => say`The pods then start without another change.`,
  command: ({ command }: { command: string }) => say`The container runs ${code(command)}.`,
  'event-says': ({ message, times }: { message: string; times: number }) =>
    sentences(say`An event of the pod reports: ${quote(message)}`, times > 1 ? say`(${times} times)` : []),
  'kubelet-says': ({ node, message }: { node: string; message: string }) =>
    say`The kubelet on ${code(node)} reports: ${quote(message)}`,
  'because-has-node': () => say`the pod is already scheduled to a node`,
  'because-never-started': () => say`no container of the pod has started`,
  'standing-configuration': () => say`These settings cause no problem right now.`,
  'advice-configuration-title': () => say`Fix these settings before they cause a failure`,
  where: ({ pods, nodes }: { pods: readonly string[]; nodes: readonly string[] }) =>
    say`Containers do not start in ${names('en', pods)} on ${names('en', nodes)}.`,
};

const ko: typeof en = {
  'standing-process': (pods) =>
    say`메모리 때문에 프로세스 하나를 잃은 컨테이너가 나중에 스스로 종료되었습니다: ${failingPods('ko', pods)}.`,
  pods: ({ container, failing, of, nodes }) =>
    of === 1
      ? say`이 리비전에서 노드에 배치된 유일한 파드의 ${code(container)} 컨테이너가 실패합니다: ${names('ko', failing)} (노드 ${names('ko', nodes)}).`
      : say`이 리비전에서 노드에 배치된 파드 ${of}개 중 ${failing.length}개의 ${code(container)} 컨테이너가 실패합니다: ${names('ko', failing)} (노드 ${names('ko', nodes)}).`,
  'restarts-all': ({ container, others, isEndKept }) =>
    sentences(
      others.length === 0
        ? say`${code(container)} 컨테이너가 종료되면 재시작 규칙이 파드의 모든 컨테이너를 재시작합니다.`
        : say`${code(container)} 컨테이너가 종료되면 재시작 규칙이 파드의 모든 컨테이너를 재시작합니다. ${names('ko', others, 4)} 컨테이너에서 크래시가 발생한 것이 아닙니다.`,
      isEndKept ? [] : say`kubelet이 컨테이너를 제거하므로 ${code(container)} 종료 코드는 남지 않습니다.`,
      say`이런 재시작에는 대기 시간이 없습니다.`,
    ),
  runs: ({ container, restarts, shortest, longest }) =>
    sentences(
      say`${code(container)} 컨테이너가 ${restarts}회 재시작되었습니다.`,
      shortest === undefined || longest === undefined
        ? []
        : !isAtLeastOneSecond(longest)
          ? say`시작할 때마다 1초도 안 되어 종료됩니다.`
          : longest - shortest < 2
            ? say`시작할 때마다 약 ${duration('ko', longest)} 만에 종료됩니다.`
            : isAtLeastOneSecond(shortest)
              ? say`시작 후 ${duration('ko', shortest)}~${duration('ko', longest)} 만에 종료됩니다.`
              : say`시작할 때마다 ${duration('ko', longest)} 안에 종료됩니다.`,
    ),
  exit: ({ container, exitCode, reason }) =>
    say`${code(container)} 컨테이너가 종료되었습니다: ${koreanEnding(exitCode, reason)}.`,
  'only-there': ({ failing, pods, nodes }) =>
    say`${names('ko', failing)} 노드에서만 실패합니다. 다른 노드(${names('ko', nodes)})에서는 같은 리비전의 파드 ${pods}개가 준비 상태입니다.`,
  'ends-otherwise': ({ container, pods, nodes, exitCode, reason }) =>
    say`${names('ko', nodes)} 노드의 ${names('ko', pods)} 파드에서는 ${code(container)} 컨테이너가 다른 방식으로 종료됩니다: ${koreanEnding(exitCode, reason)}.`,
  'fails-otherwise': ({ pods, nodes, reason }) =>
    say`${names('ko', nodes)} 노드의 ${names('ko', pods)} 파드는 다른 이유로 실패합니다: ${code(reason)}.`,
  'last-lines': ({ pod, container, lines }) =>
    say`${code(pod)}의 ${code(container)} 마지막 로그: ${quote(lines.join('\n'))}`,
  'log-failure': ({ container, lines }) =>
    say`${code(container)} 컨테이너 로그의 오류: ${quote(lines.join('\n'))}`,
  'log-reason': ({ pod, container, lines }) =>
    say`${code(pod)}의 ${code(container)} 로그에 기록된 이유: ${quote(lines.join('\n'))}`,
  'process-killed': ({ container, exitCode }) =>
    say`알 수 없는 더 이른 시점에 커널이 메모리 때문에 ${code(container)} 컨테이너의 프로세스 하나를 종료했습니다. 컨테이너 자체는 나중에 스스로 종료되었습니다(종료 코드 ${exitCode}).`,
  stopped: ({ container, signal }) =>
    say`${code(container)} 컨테이너가 ${code(signal)} 신호로 종료되었습니다. 프로그램 밖에서 중지한 것입니다.`,
  'sandbox-replaced': ({ node, times }) =>
    say`${code(node)} 노드의 kubelet이 파드 샌드박스를 ${times}번 교체했습니다. 이때 파드의 모든 컨테이너가 종료됩니다.`,
  'advice-sandbox-title': ({ node }) => say`${code(node)} 노드에서 샌드박스가 끝나는 이유 확인하기`,
  'advice-sandbox': ({ node }) =>
    say`${code(node)} 노드의 컨테이너 런타임과 kubelet 로그에 이유가 있습니다. 예를 들어 런타임이 kubelet이나 systemd와 다른 방식으로 cgroup을 관리할 때 그렇습니다.`,
  'probe-may-stop': ({ probe, earliest, seconds }) =>
    sentences(
      seconds === undefined
        ? say`${word(probeName(probe))} 프로브는 빠르면 ${duration('ko', earliest)} 뒤에 컨테이너를 중지할 수 있습니다.`
        : say`${word(probeName(probe))} 프로브는 빠르면 ${duration('ko', earliest)} 뒤에 컨테이너를 중지할 수 있으며, 마지막 실행은 ${duration('ko', seconds)} 동안 이어졌습니다.`,
      say`이를 확인해 주는 이벤트는 없습니다. 이벤트는 만료되며, kubelet이 파드마다 남기는 수도 제한됩니다.`,
    ),
  'advice-may-stop-title': ({ probe }) => say`${word(probeName(probe))} 프로브 확인하기`,
  'advice-may-stop': ({ probe, container }) =>
    say`${code(container)} 컨테이너에서 ${word(probeName(probe))} 프로브의 검사를 직접 실행해 보세요. 시작하는 동안 실패한다면 스타트업 프로브 등으로 시간을 더 주세요.`,
  agent: ({ pod, node, daemonSet, reason, barrier }) =>
    pod === undefined
      ? barrier === undefined
        ? say`DaemonSet ${code(daemonSet)}: 다른 노드에는 파드가 있지만 ${code(node)} 노드에는 없습니다.`
        : barrier.what === 'taint'
          ? say`DaemonSet ${code(daemonSet)}: ${code(node)} 노드의 taint ${code(barrier.text)} 설정을 허용하지 않아 이 노드에는 파드가 없습니다.`
          : say`DaemonSet ${code(daemonSet)}: 레이블 ${code(barrier.text)} 설정이 있는 노드만 선택하므로 ${code(node)} 노드에는 파드가 없습니다.`
      : say`${code(node)} 노드에 있는 DaemonSet ${code(daemonSet)} 파드 ${code(pod)} 상태: 준비되지 않음(${code(reason)}).`,
  'advice-agent-title': ({ daemonSet }) => say`DaemonSet ${code(daemonSet)} 복구하기`,
  'advice-agent': ({ node }) =>
    say`이 DaemonSet의 파드가 준비되어야 ${code(node)} 노드에서 새 파드가 시작됩니다. 이 워크로드는 바꿀 필요가 없습니다.`,
  'no-log': ({ pod, container }) => say`${code(pod)}의 ${code(container)} 로그를 읽지 못했습니다.`,
  'next-restart': ({ container, backOffSeconds, at }) =>
    at === undefined
      ? say`kubelet이 ${duration('ko', backOffSeconds)} 뒤에 ${code(container)} 컨테이너를 재시작합니다(백오프).`
      : say`kubelet이 마지막 종료 ${duration('ko', backOffSeconds)} 뒤에 ${code(container)} 컨테이너를 재시작합니다(백오프).`,
  'restarts-at-once': ({ container }) => say`kubelet이 ${code(container)} 컨테이너를 즉시 재시작합니다.`,
  'previous-well': ({ revision, pods }) =>
    say`이전 리비전 ${code(revision)}${particle(revision, '은', '는')} 정상입니다: 준비된 파드 ${pods}개.`,
  'first-rollout': () => say`비교할 이전 리비전이 없습니다.`,
  unread: ({ kinds }) =>
    say`읽지 못한 오브젝트가 있습니다: ${names('ko', kinds)}. 원인이 거기에 있을 수 있습니다.`,
  served: ({ ready, wanted }) =>
    ready === 0 ? say`준비된 파드가 없어 서비스가 중단되었습니다.` : say`Ready ${ready}/${wanted}`,
  'ev-ended': ({ container, exitCode, reason, seconds }) =>
    seconds === undefined
      ? say`${code(container)} 종료: ${koreanEnding(exitCode, reason)}`
      : isAtLeastOneSecond(seconds)
        ? say`${code(container)}, ${duration('ko', seconds)} 실행 후 종료: ${koreanEnding(exitCode, reason)}`
        : say`${code(container)}, 1초 안에 종료: ${koreanEnding(exitCode, reason)}`,
  'ev-waiting': ({ container, reason }) => say`${code(container)} 대기 중: ${code(reason)}`,
  'ev-running': ({ container }) => say`${code(container)} 컨테이너가 그때부터 실행 중`,
  'ev-pod': ({ pod, reason }) => say`${code(pod)} 실패: ${code(reason)}`,
  'ev-event': ({ reason, count }) => say`${code(reason)} ${count}회`,
  'because-exit': ({ exitCode, reason }) => say`종료: ${koreanEnding(exitCode, reason)}`,
  'because-not-oom': ({ container, reason }) =>
    say`${code(container)} 종료 사유가 ${code('OOMKilled')}가 아닌 ${code(reason)}`,
  'because-no-probe-kill': ({ container }) =>
    say`kubelet이 프로브 때문에 ${code(container)} 컨테이너를 종료했다는 이벤트 없음`,
  'because-several-nodes': ({ nodes }) => say`여러 노드에서 같은 방식으로 실패함: ${names('ko', nodes)}`,
  'because-never-ran': ({ container }) => say`${code(container)} 컨테이너는 한 번도 시작되지 않음`,
  'because-it-ran': ({ container, seconds }) =>
    seconds === undefined
      ? say`${code(container)} 컨테이너는 시작됨`
      : say`${code(container)} 컨테이너는 시작되어 ${duration('ko', seconds)} 동안 실행됨`,
  'because-no-predecessor': () => say`비교할 이전 리비전 파드가 실행 중이 아님`,
  'because-predecessor-too': ({ revision }) => say`이전 리비전 ${code(revision)}도 같은 방식으로 실패함`,
  'advice-add': () => say`그러면 다른 변경 없이 파드가 시작됩니다.`,
  command: ({ command }) => say`실행 명령: ${code(command)}.`,
  'event-says': ({ message, times }) =>
    sentences(say`파드 이벤트: ${quote(message)}`, times > 1 ? say`(${times}회)` : []),
  'kubelet-says': ({ node, message }) => say`${code(node)} 노드의 kubelet 메시지: ${quote(message)}`,
  'because-has-node': () => say`파드가 이미 노드에 배치됨`,
  'because-never-started': () => say`한 번도 시작된 컨테이너가 없음`,
  'standing-configuration': () => say`지금은 이 설정으로 인한 문제가 없습니다.`,
  'advice-configuration-title': () => say`문제가 생기기 전에 설정 고치기`,
  where: ({ pods, nodes }) =>
    say`${names('ko', nodes)} 노드의 ${names('ko', pods)} 파드에서 컨테이너가 시작되지 않습니다.`,
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

function probeName(probe: 'liveness' | 'startup'): string {
  return probe === 'liveness' ? '라이브니스' : '스타트업';
}

const signals: ReadonlyMap<number, string> = new Map([
  [129, 'SIGHUP'],
  [130, 'SIGINT'],
  [131, 'SIGQUIT'],
  [132, 'SIGILL'],
  [133, 'SIGTRAP'],
  [134, 'SIGABRT'],
  [135, 'SIGBUS'],
  [136, 'SIGFPE'],
  [137, 'SIGKILL'],
  [139, 'SIGSEGV'],
  [141, 'SIGPIPE'],
  [143, 'SIGTERM'],
  [159, 'SIGSYS'],
]);

/** The signal behind an exit code of 128 + n, as shells and runtimes report it on Linux. */
export function signalOf(exitCode: number): string | undefined {
  return signals.get(exitCode);
}
