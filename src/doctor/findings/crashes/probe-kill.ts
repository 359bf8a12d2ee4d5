import { code, quote, say, sentences, word } from '../../../engine/language/prose.js';
import { quotingLogs, type Statement, statementsOf } from '../../../engine/language/statement.js';
import { duration, isAtLeastOneSecond, names } from '../../../engine/language/words.js';
import { refOf } from '../../../engine/objects/pod.js';
import type { Snapshot } from '../../../engine/objects/snapshot.js';
import { workloadKinds } from '../../../engine/objects/workload.js';
import type { Confidence } from '../cause-id.js';
import { endingOfGroup } from '../endings/ending.js';
import type { FactsOf } from '../facts.js';
import type { Advice } from '../finding.js';
import type { Rule } from '../rule.js';
import { podNeeds } from '../rule.js';
import { workloadName } from '../stuck-rollout.js';
import { courseOf, crashFinding } from './crash-finding.js';
import { ProbeKillFacts, probeFactsOf } from './facts.js';
import { detectEach, type FailingPods, failingPodsOf } from './failing-pods.js';
import type { FailureGroup } from './failure-group.js';
import { lastLinesOf } from './last-lines.js';
import { limitCutOf, narrower } from './limit-cut.js';
import type { ProbeKillSign } from './probe-kill-sign.js';
import { type ProbeUse, probeUseOf } from './probe-use.js';
import { crash } from './text.js';

/** One of the two probes whose failure makes the kubelet kill a container. */
export interface ProbeKill {
  readonly id: 'liveness-probe-kill' | 'startup-probe-kill';
  readonly field: 'livenessProbe' | 'startupProbe';
  readonly text: Rule<typeof ProbeKillFacts>['text'];
  readonly summary: (values: { readonly workload: string; readonly container: string }) => Statement;
  /** The number of affected pods. */
  readonly statusLine: (pods: FailingPods) => Statement;
  /** The length of the last run against the earliest kill that the probe allows. */
  readonly arithmetic: (values: { readonly seconds: number; readonly earliest: number }) => Statement;
  /** Seconds from the start of a run to the earliest kill. */
  readonly earliest: (probe: ProbeUse['probe']) => number;
  /** Further facts about the configuration of the container. */
  readonly setUp: (failureGroup: FailureGroup) => readonly Statement[];
  readonly advice: (failureGroup: FailureGroup, kill: ProbeUse) => readonly Advice[];
}

/**
 * The rule for one probe: the kubelet killed the container because of it (kubernetes
 * `kuberuntime_manager.go: computePodActions`). The program did not crash, whatever its exit code. An event
 * about the run proves it. Events of earlier runs and the length of the run make it likely, because the
 * kubelet limits the events of a pod.
 */
export function probeKillRule(kind: ProbeKill): Rule<typeof ProbeKillFacts> {
  const { id, field, advice } = kind;
  return {
    id,
    facts: ProbeKillFacts,
    text: kind.text,
    origin: 'template',
    appliesTo: workloadKinds,
    needs: podNeeds,
    supersedes: [
      'application-crash',
      'process-exits-zero',
      'readiness-failing',
      'progress-deadline-exceeded',
    ],
    ...detectEach(id, (examination, failureGroup) => {
      const { snapshot } = examination;
      const kill = probeUseOf(failureGroup, field);
      if (kill === undefined) return undefined;
      const { podFailures, container, nodes, ongoing } = failureGroup;
      const sign = podFailures[0].killSign ?? 'kill';
      const ending = endingOfGroup(snapshot, failureGroup);
      const lines = lastLinesOf(snapshot, failureGroup);
      const about = ending?.kind === 'unreachable' ? [ending.advice] : [];
      const pods = failingPodsOf(failureGroup);
      const facts = {
        ...probeFactsOf(kill),
        earliestKillSeconds: kind.earliest(kill.probe),
        graceSeconds: kill.graceSeconds,
        cpuCut: cpuCutOf(snapshot, failureGroup),
      };
      return crashFinding(examination, failureGroup, {
        confidence: confidences[sign],
        summary: kind.summary({ workload: workloadName(snapshot), container }),
        facts,
        standing: ongoing
          ? kind.statusLine(pods)
          : probeKill('standing-recovered', { failing: pods.failing }),
        reasoning: [
          ...courseOf(failureGroup),
          ...(sign === 'kill' ? [] : [probeKill('sign', { sign, container })]),
          ...reasonsOf(kind, failureGroup, kill, facts),
          ...(ending === undefined || lines === undefined
            ? []
            : [quotingLogs(crash('log-failure', { container, lines: lines.lines }))]),
        ],
        evidence: [
          {
            object: refOf(podFailures[0].pod),
            field: `spec.containers[${container}].${field}`,
            value: JSON.stringify(kill.probe),
            says: probeKill('ev-probe', { what: kill.target.what }),
          },
        ],
        ruledOut: [
          ...(sign === 'run-length'
            ? []
            : [{ cause: 'application-crash' as const, because: probeKill('because-killed', { container }) }]),
          ...(podFailures[0].run === undefined || podFailures[0].run.reason === 'OOMKilled'
            ? []
            : [
                {
                  cause: 'out-of-memory' as const,
                  because: crash('because-not-oom', { container, reason: podFailures[0].run.reason }),
                },
              ]),
          ...(nodes.length > 1
            ? [{ cause: 'crash-loop-on-node' as const, because: crash('because-several-nodes', { nodes }) }]
            : []),
        ],
        withheld: [{ kind: 'restart-rollout', because: probeKill('restart-withheld') }],
        // A program that answers its probe with a failure is up, and what it cannot reach is not.
        advice: /\bstatuscode\b/.test(kill.answer?.message ?? '')
          ? [...about, ...advice(failureGroup, kill)]
          : [...advice(failureGroup, kill), ...about],
      });
    }),
  };
}

const confidences: Readonly<Record<ProbeKillSign, Confidence>> = {
  kill: 'proven',
  'earlier-kill': 'likely',
  'failed-checks': 'likely',
  'run-length': 'possible',
};

function reasonsOf(
  { field, setUp, arithmetic }: ProbeKill,
  failureGroup: FailureGroup,
  { target: { port }, answer, declaredInstead }: ProbeUse,
  {
    probe,
    earliestKillSeconds,
    graceSeconds,
    cpuCut,
  }: Pick<FactsOf<typeof ProbeKillFacts>, 'probe' | 'earliestKillSeconds' | 'graceSeconds' | 'cpuCut'>,
): readonly Statement[] {
  const { run } = failureGroup.podFailures[0];
  return [
    probeKill('asks', { probe: field === 'livenessProbe' ? 'liveness' : 'startup', ...probe }),
    ...(answer === undefined ? [] : [probeKill('answer', answer)]),
    ...(run?.seconds === undefined
      ? []
      : [arithmetic({ seconds: run.seconds, earliest: earliestKillSeconds })]),
    ...(declaredInstead === undefined || port === undefined
      ? []
      : [probeKill('port-not-declared', { port, declared: declaredInstead })]),
    ...setUp(failureGroup),
    ...(cpuCut === undefined ? [] : [probeKill('cpu-cut', { container: failureGroup.container, ...cpuCut })]),
    ...(run?.reason === 'OOMKilled' ? [probeKill('memory-too')] : []),
    ...(run === undefined ? [] : [probeKill('by-signal', { exitCode: run.exitCode, graceSeconds })]),
  ];
}

/** A program with less CPU than before starts and answers more slowly. */
function cpuCutOf(snapshot: Snapshot, failureGroup: FailureGroup): FactsOf<typeof ProbeKillFacts>['cpuCut'] {
  const { podFailures, container } = failureGroup;
  const { spec } = podFailures[0].pod;
  const own = [...spec.initContainers, ...spec.containers].find(({ name }) => name === container);
  const limit = narrower(own?.resources.limits.cpu, spec.resources?.limits.cpu);
  const cut = limit === undefined ? undefined : limitCutOf(snapshot, failureGroup, 'cpu', limit);
  return limit === undefined || cut === undefined ? undefined : { ...cut, limit };
}

/** Sentences about a container that the kubelet killed because of a probe. */
const en = {
  'standing-recovered': ({ failing }: { failing: number }) =>
    say`The container is running again. In the last hour the kubelet killed it in ${failing} of its pods.`,
  asks: (values: {
    probe: 'liveness' | 'startup';
    by: string;
    what: string;
    periodSeconds: number;
    timeoutSeconds: number;
    failureThreshold: number;
    initialDelaySeconds: number;
  }) =>
    sentences(
      say`The ${word(values.probe)} probe (${code(values.by)}) checks ${code(values.what)} every ${duration('en', values.periodSeconds)}, starting ${isAtLeastOneSecond(values.initialDelaySeconds) ? say`${duration('en', values.initialDelaySeconds)} after the container starts` : say`when the container starts`}.`,
      say`The timeout is ${duration('en', values.timeoutSeconds)}. After ${values.failureThreshold} failures in a row the kubelet kills the container.`,
    ),
  answer: ({ message, times }: { message: string; times: number }) =>
    say`The kubelet reported ${word(times === 1 ? 'once' : `${times} times`)}: ${quote(message)}`,
  /** No event reports the kill of the newest run. */
  sign: ({ sign, container }: { sign: Exclude<ProbeKillSign, 'kill'>; container: string }) =>
    sentences(
      sign === 'earlier-kill'
        ? say`The kubelet reported that it killed an earlier run of ${code(container)} because of this probe. The newest run ended in the same way.`
        : sign === 'failed-checks'
          ? say`The kubelet reported as many failed checks of ${code(container)} as a kill takes.`
          : say`The newest run of ${code(container)} ended when this probe ends a container that never passes it.`,
      say`No event reports the kill itself. Events expire, and the kubelet writes only a limited number for a pod.`,
    ),
  'port-not-declared': ({ port, declared }: { port: string; declared: readonly string[] }) =>
    declared.length === 0
      ? say`The container declares no port. Port ${code(port)} of the probe may be wrong.`
      : say`The container declares ${names('en', declared)}, not ${code(port)}. The probe may use the wrong port.`,
  /** The current revision lowered the limit; `before` is absent when there was none. */
  'cpu-cut': (values: { container: string; before?: string | undefined; limit: string; revision: number }) =>
    sentences(
      values.before === undefined
        ? say`The current revision set the CPU limit of ${code(values.container)} to ${code(values.limit)}. Revision ${values.revision} had no limit.`
        : say`The current revision lowered the CPU limit of ${code(values.container)} from ${code(values.before)} (revision ${values.revision}) to ${code(values.limit)}.`,
      say`With less CPU a program starts and responds more slowly.`,
    ),
  'by-signal': ({ exitCode, graceSeconds }: { exitCode: number; graceSeconds: number }) =>
    exitCode === 137
      ? say`The container did not stop within ${duration('en', graceSeconds)} of SIGTERM and was killed (exit code 137). This exit code does not mean that memory ran out.`
      : say`The container stopped on SIGTERM with exit code ${exitCode}. The exit code is not an error of the program.`,
  'memory-too': () =>
    say`The reason ${code('OOMKilled')} means that the kernel also killed one process of the container for memory, at an earlier time that nothing reports.`,
  'ev-probe': ({ what }: { what: string }) => say`the probe checks ${code(what)}`,
  'because-killed': ({ container }: { container: string }) =>
    say`the kubelet killed ${code(container)}, so the program did not exit on its own`,
  'restart-withheld': () => say`New pods have the same probe.`,
  'advice-probe-title': () => say`Check an endpoint that the program serves`,
  'advice-startup-title': () => say`Allow more time to start`,
};

const ko: typeof en = {
  'standing-recovered': ({ failing }) =>
    say`지금은 실행 중이지만, 지난 1시간 동안 파드 ${failing}개에서 kubelet이 컨테이너를 종료했습니다.`,
  asks: ({ probe, by, what, periodSeconds, timeoutSeconds, failureThreshold, initialDelaySeconds }) =>
    say`${word(probe === 'liveness' ? '라이브니스' : '스타트업')} 프로브(${code(by)})는 시작 ${isAtLeastOneSecond(initialDelaySeconds) ? say`${duration('ko', initialDelaySeconds)} 뒤` : say`직후`}부터 ${duration('ko', periodSeconds)}마다 ${code(what)} 응답을 확인합니다. 응답은 ${duration('ko', timeoutSeconds)}까지 기다리고, 연속 ${failureThreshold}회 실패하면 kubelet이 컨테이너를 종료합니다.`,
  answer: ({ message, times }) => say`kubelet이 ${times}회 보고한 내용: ${quote(message)}`,
  sign: ({ sign, container }) =>
    sentences(
      sign === 'earlier-kill'
        ? say`kubelet이 이 프로브 때문에 ${code(container)} 컨테이너의 이전 실행을 종료했다고 보고했습니다. 마지막 실행도 같은 방식으로 끝났습니다.`
        : sign === 'failed-checks'
          ? say`kubelet이 ${code(container)} 컨테이너에서 종료 기준만큼의 프로브 실패를 보고했습니다.`
          : say`${code(container)} 컨테이너의 마지막 실행은, 한 번도 통과하지 못한 컨테이너를 이 프로브가 종료하는 시점에 끝났습니다.`,
      say`종료 자체를 보고한 이벤트는 없습니다. 이벤트는 만료되며, kubelet은 파드마다 정해진 수의 이벤트만 기록합니다.`,
    ),
  'port-not-declared': ({ port, declared }) =>
    declared.length === 0
      ? say`컨테이너에 선언된 포트가 없습니다. 프로브의 ${code(port)} 포트가 잘못되었을 수 있습니다.`
      : say`컨테이너가 선언한 포트는 ${names('ko', declared)}이며 ${code(port)} 포트는 없습니다. 프로브의 포트가 잘못되었을 수 있습니다.`,
  'cpu-cut': ({ container, before, limit, revision }) =>
    sentences(
      before === undefined
        ? say`현재 리비전에서 ${code(container)} CPU 제한이 새로 설정되었습니다(${code(limit)}). 리비전 ${revision}에는 제한이 없었습니다.`
        : say`현재 리비전에서 ${code(container)} CPU 제한이 낮아졌습니다: ${code(before)}(리비전 ${revision}) → ${code(limit)}.`,
      say`CPU가 줄면 프로그램의 시작과 응답이 느려집니다.`,
    ),
  'by-signal': ({ exitCode, graceSeconds }) =>
    exitCode === 137
      ? say`SIGTERM을 받고 ${duration('ko', graceSeconds)} 안에 멈추지 않아 강제 종료되었습니다(종료 코드 137). 이 종료 코드는 메모리 부족을 뜻하지 않습니다.`
      : say`SIGTERM을 받고 종료되었습니다(종료 코드 ${exitCode}). 프로그램 자체의 오류가 아닙니다.`,
  'memory-too': () =>
    say`${code('OOMKilled')} 사유는, 알 수 없는 더 이른 시점에 커널이 메모리 때문에 컨테이너의 프로세스 하나도 종료했다는 뜻입니다.`,
  'ev-probe': ({ what }) => say`프로브가 확인하는 대상: ${code(what)}`,
  'because-killed': ({ container }) =>
    say`${code(container)} 컨테이너가 스스로 종료된 것이 아니라 kubelet이 종료함`,
  'restart-withheld': () => say`새 파드에도 같은 프로브가 있습니다.`,
  'advice-probe-title': () => say`프로그램이 실제로 제공하는 엔드포인트를 확인하게 하기`,
  'advice-startup-title': () => say`시작할 시간을 더 주기`,
};

export const probeKillText = { en, ko };

export const probeKill = statementsOf<typeof en>('probe-kill');
