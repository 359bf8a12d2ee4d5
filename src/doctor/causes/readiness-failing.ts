import * as z from 'zod';
import { code, quote, say, word } from '../../engine/language/prose.js';
import { quotingLogs, type Statement, statementsOf } from '../../engine/language/statement.js';
import { boundText } from '../../engine/language/text-scanning.js';
import { duration, names, particle } from '../../engine/language/words.js';
import { conditionOf } from '../../engine/objects/metadata.js';
import { refOf } from '../../engine/objects/pod.js';
import { endedLogOf, nowOf, type Snapshot } from '../../engine/objects/snapshot.js';
import { workloadKinds } from '../../engine/objects/workload.js';
import { type ClosedGate, closedGatesOf } from '../findings/crashes/classify-pod.js';
import { crashFinding, podsStatement } from '../findings/crashes/crash-finding.js';
import { crashFacts, crashFactsOf, probeFacts, probeFactsOf } from '../findings/crashes/facts.js';
import type { FailingPods } from '../findings/crashes/failing-pods.js';
import { detectEach, failingPods, failingPodsOf, verbOf } from '../findings/crashes/failing-pods.js';
import { type FailureGroup, passingPodsOf } from '../findings/crashes/failure-group.js';
import { lastLinesOf } from '../findings/crashes/last-lines.js';
import { probeKill } from '../findings/crashes/probe-kill.js';
import { type ProbeUse, probeUseOf } from '../findings/crashes/probe-use.js';
import { crash } from '../findings/crashes/text.js';
import { fact } from '../findings/facts.js';
import type { Detected, Examination, Rule } from '../findings/rule.js';
import { podNeeds } from '../findings/rule.js';
import { workloadName } from '../findings/stuck-rollout.js';
import { listensInstead } from '../log-lines/listening-port.js';
import { lockWordOf } from '../log-lines/lock-words.js';

const en = {
  'shared-failure': () => say`pods do not become ready`,
  summary: ({ workload, container }: { workload: string; container: string }) =>
    say`${code(workload)}: container ${code(container)} is running but not ready`,
  standing: (pods: FailingPods) =>
    say`${failingPods('en', pods)} ${verbOf(pods, 'receives', 'receive')} no traffic, and a rollout waits for ${verbOf(pods, 'it', 'them')}.`,
  asks: (values: { by: string; what: string; periodSeconds: number; timeoutSeconds: number }) =>
    say`The readiness probe (${code(values.by)}) checks ${code(values.what)} every ${duration('en', values.periodSeconds)} with a timeout of ${duration('en', values.timeoutSeconds)}.`,
  answer: ({ message, times }: { message: string; times: number }) =>
    say`The kubelet reported${word(times === 1 ? '' : ` ${times} times`)}: ${quote(message)}`,
  'no-answer': () =>
    say`No event shows the result of the probe. Kubernetes keeps events for one hour by default.`,
  'not-restarted': () =>
    say`A failing readiness probe never restarts a container, so the pod stays unready until something changes.`,
  'port-not-declared': ({ port, declared }: { port: string; declared: readonly string[] }) =>
    declared.length === 0
      ? say`The container declares no port, so port ${code(port)} of the probe may be wrong.`
      : say`The container declares ${names('en', declared)}, not ${code(port)}, so the probe may use the wrong port.`,
  'listens-instead': ({ container, line }: { container: string; line: string }) =>
    say`The log of ${code(container)} names another port on which it listens: ${quote(line)}`,
  'log-lock': ({ container, line }: { container: string; line: string }) =>
    say`The log of ${code(container)} names what the program waits for: ${quote(line)}`,
  'some-pass': ({ pods }: { pods: readonly string[] }) =>
    say`Other pods of the same revision pass the probe: ${names('en', pods)}.`,
  'because-runs': ({ container }: { container: string }) =>
    say`${code(container)} is running and has not crashed`,
  'because-readiness': () => say`the readiness probe fails, and a readiness probe never restarts a container`,
  'restart-withheld': () => say`New pods would have the same probe and the same program.`,
  'summary-gate': ({ workload, gates }: { workload: string; gates: readonly string[] }) =>
    say`${code(workload)}: pods are not ready because of the readiness ${word(gates.length === 1 ? 'gate' : 'gates')} ${names('en', gates)}`,
  'containers-ready': ({ pods }: { pods: readonly string[] }) =>
    say`All containers of ${names('en', pods)} are ready.`,
  'gate-missing': ({ gate }: { gate: string }) =>
    say`The pod template has the readiness gate ${code(gate)}, and nothing has set this condition on the pods.`,
  'gate-status': ({ gate, status }: { gate: string; status: string }) =>
    say`The condition of the readiness gate ${code(gate)} is ${code(status)}, but must be ${code('True')}.`,
  'gate-says': ({ message }: { message: string }) => say`Its controller reports: ${quote(message)}`,
  'gate-owner': () =>
    say`A controller outside Kubernetes sets it, such as that of a load balancer or a service mesh.`,
  'ev-gate': () => say`conditions that must be True`,
  'ev-not-ready': () => say`the kubelet's reason`,
  'because-containers-ready': () => say`all containers are ready`,
  'restart-withheld-gate': () => say`New pods would have the same readiness gate.`,
  'advice-gate-title': ({ gate }: { gate: string }) => say`Find the controller that sets ${code(gate)}`,
  'advice-gate': ({ gate }: { gate: string }) =>
    say`Check that the controller runs, that it selects these pods, and what it logs about them. If no controller should set ${code(gate)}, remove it from ${code('spec.readinessGates')} of the pod template.`,
  'advice-port-title': () => say`Let the probe use the port on which the program listens`,
  'advice-port': ({ container }: { container: string }) =>
    say`Compare the port of the probe with the settings of ${code(container)}, and change one of the two. The Service needs the same port in ${code('targetPort')}.`,
  'advice-title': () => say`Run the probe by hand`,
  advice: ({ what }: { what: string }) =>
    say`Check ${code(what)} from inside the pod. Either the program reports why it is not ready, or the probe is wrong.`,
};

const ko: typeof en = {
  'shared-failure': () => say`파드가 준비 상태가 되지 않음`,
  summary: ({ workload, container }) =>
    say`${code(workload)}: ${code(container)} 컨테이너가 실행 중이지만 준비되지 않습니다`,
  standing: (pods) => say`${failingPods('ko', pods)}가 트래픽을 받지 못하며, 롤아웃은 이 파드를 기다립니다.`,
  asks: ({ by, what, periodSeconds, timeoutSeconds }) =>
    say`레디니스 프로브(${code(by)})는 ${duration('ko', periodSeconds)}마다 ${code(what)} 응답을 확인합니다(타임아웃 ${duration('ko', timeoutSeconds)}).`,
  answer: ({ message, times }) => say`kubelet의 보고(${times}회): ${quote(message)}`,
  'no-answer': () =>
    say`프로브 결과를 보여 주는 이벤트가 없습니다. Kubernetes는 기본적으로 이벤트를 1시간 동안 보관합니다.`,
  'not-restarted': () =>
    say`레디니스 프로브가 실패해도 컨테이너는 재시작되지 않으므로, 변경하지 않으면 준비되지 않은 상태가 계속됩니다.`,
  'port-not-declared': ({ port, declared }) =>
    declared.length === 0
      ? say`컨테이너에 선언된 포트가 없어, 프로브의 ${code(port)} 포트가 잘못되었을 수 있습니다.`
      : say`컨테이너가 선언한 포트는 ${names('ko', declared)}이며 ${code(port)} 포트는 없으므로, 프로브의 포트가 잘못되었을 수 있습니다.`,
  'listens-instead': ({ container, line }) =>
    say`${code(container)} 컨테이너의 로그에 나온 수신 포트는 다릅니다: ${quote(line)}`,
  'log-lock': ({ container, line }) =>
    say`${code(container)} 컨테이너의 로그에 나온 대기 대상: ${quote(line)}`,
  'some-pass': ({ pods }) => say`같은 리비전의 다른 파드는 프로브를 통과합니다: ${names('ko', pods)}.`,
  'because-runs': ({ container }) => say`${code(container)} 컨테이너가 실행 중이며 크래시가 없음`,
  'because-readiness': () => say`레디니스 프로브가 실패하며, 레디니스 프로브는 컨테이너를 재시작하지 않음`,
  'restart-withheld': () => say`새 파드도 프로브와 프로그램이 같습니다.`,
  'summary-gate': ({ workload, gates }) =>
    say`${code(workload)}: 레디니스 게이트 ${names('ko', gates)} 때문에 파드가 준비되지 않습니다`,
  'containers-ready': ({ pods }) => say`${names('ko', pods)} 파드의 컨테이너는 모두 준비되었습니다.`,
  'gate-missing': ({ gate }) =>
    say`파드 템플릿에 레디니스 게이트 ${code(gate)}${particle(gate, '이', '가')} 있지만, 파드에 이 컨디션을 설정한 컨트롤러가 없습니다.`,
  'gate-status': ({ gate, status }) =>
    say`레디니스 게이트 ${code(gate)} 컨디션이 ${code(status)}입니다. ${code('True')}여야 합니다.`,
  'gate-says': ({ message }) => say`컨트롤러의 보고: ${quote(message)}`,
  'gate-owner': () => say`이 컨디션은 로드 밸런서나 서비스 메시처럼 Kubernetes 밖의 컨트롤러가 설정합니다.`,
  'ev-gate': () => say`True여야 하는 컨디션`,
  'ev-not-ready': () => say`kubelet이 기록한 이유`,
  'because-containers-ready': () => say`컨테이너가 모두 준비됨`,
  'restart-withheld-gate': () => say`새 파드에도 같은 레디니스 게이트가 있습니다.`,
  'advice-gate-title': ({ gate }) => say`${code(gate)} 컨디션을 설정하는 컨트롤러 찾기`,
  'advice-gate': ({ gate }) =>
    say`그 컨트롤러가 실행 중인지, 이 파드를 선택하는지, 로그에 무엇이 있는지 확인하세요. ${code(gate)} 컨디션을 설정할 컨트롤러가 없다면 파드 템플릿의 ${code('spec.readinessGates')}에서 지우세요.`,
  'advice-port-title': () => say`프로그램이 수신하는 포트를 프로브에 설정하기`,
  'advice-port': ({ container }) =>
    say`프로브의 포트를 ${code(container)} 컨테이너의 설정과 비교해 한쪽을 바꾸세요. Service의 ${code('targetPort')} 포트도 같아야 합니다.`,
  'advice-title': () => say`프로브 직접 실행해 보기`,
  advice: ({ what }) =>
    say`파드 안에서 ${code(what)} 응답을 확인하세요. 프로그램이 준비되지 않은 이유를 알려 주거나, 프로브 설정이 잘못된 것입니다.`,
};

const text = { en, ko };

const state = statementsOf<typeof en>('readiness-failing');

const ReadinessFailingFacts = z.strictObject({
  ...crashFacts,
  /** Absent where the containers are ready and a gate is closed. */
  probe: probeFacts.probe.optional(),
  answer: probeFacts.answer,
  answerTimes: probeFacts.answerTimes,
  declaredPorts: probeFacts.declaredPorts,
  passingPods: fact.names('Ready pods of the same revision'),
  gates: z
    .array(
      z.strictObject({
        type: fact.text('Type of the condition'),
        status: fact.text('Its status; absent where no controller has set it').optional(),
      }),
    )
    .describe('Readiness gates that are closed although all containers are ready'),
});

/** More would make a list that nobody reads; the template names them all. */
const maxShownGates = 5;

/**
 * Whole pods are not ready although their containers are: a readiness gate is closed. The kubelet says so
 * itself, so it is proven; which controller should set the condition stands in no object.
 */
function gateFinding(
  examination: Examination,
  failureGroup: FailureGroup,
): Detected<typeof ReadinessFailingFacts> | undefined {
  const { snapshot } = examination;
  const { podFailures } = failureGroup;
  const facts = crashFactsOf(failureGroup);
  const gates = distinct(podFailures.flatMap(({ pod }) => [...closedGatesOf(pod, nowOf(snapshot))])).slice(
    0,
    maxShownGates,
  );
  const [{ pod }] = podFailures;
  const [gate] = gates;
  if (gate === undefined) return undefined;
  const types = gates.map(({ type }) => type);
  const reports = types
    .map((type) => conditionOf(pod.status, type)?.message ?? '')
    .filter((said) => said !== '');
  return {
    ...crashFinding(examination, failureGroup, {
      confidence: 'proven',
      summary: state('summary-gate', { workload: workloadName(snapshot), gates: types }),
      facts: { passingPods: passingPodsOf(failureGroup), gates },
      standing: state('standing', failingPodsOf(failureGroup)),
      reasoning: [
        state('containers-ready', { pods: facts.pods }),
        ...gates.map(({ type, status }) =>
          status === undefined
            ? state('gate-missing', { gate: type })
            : state('gate-status', { gate: type, status }),
        ),
        ...reports.map((message) => state('gate-says', { message })),
        state('gate-owner'),
      ],
      evidence: [
        { object: refOf(pod), field: 'spec.readinessGates', value: types.join(', '), says: state('ev-gate') },
        {
          object: refOf(pod),
          field: 'status.conditions[Ready].reason',
          value: conditionOf(pod.status, 'Ready')?.reason ?? '',
          says: state('ev-not-ready'),
        },
      ],
      ruledOut: [{ cause: 'application-crash', because: state('because-containers-ready') }],
      withheld: [{ kind: 'restart-rollout', because: state('restart-withheld-gate') }],
      advice: [
        {
          title: state('advice-gate-title', { gate: gate.type }),
          text: state('advice-gate', { gate: gate.type }),
        },
      ],
    }),
  };
}

function distinct(gates: readonly ClosedGate[]): readonly ClosedGate[] {
  return [...new Map(gates.map((gate) => [`${gate.type} ${gate.status}`, gate])).values()];
}

/**
 * A container runs, was given its time, and its readiness probe does not pass: it gets no traffic and holds a
 * rollout up, and nothing restarts it (kubernetes `prober/worker.go`). Or all containers are ready, and a
 * readiness gate is not.
 */
export const readinessFailing: Rule<typeof ReadinessFailingFacts> = {
  id: 'readiness-failing',
  facts: ReadinessFailingFacts,
  text,
  origin: 'template',
  appliesTo: workloadKinds,
  needs: podNeeds,
  supersedes: ['progress-deadline-exceeded'],
  ...detectEach('readiness-failing', (examination, failureGroup) => {
    const { snapshot } = examination;
    if (failureGroup.container === '') return gateFinding(examination, failureGroup);
    const use = probeUseOf(failureGroup, 'readinessProbe');
    if (use === undefined) return undefined;
    const { podFailures, container } = failureGroup;
    const lines = lastLinesOf(snapshot, failureGroup);
    const elsewhere = portIn(snapshot, failureGroup, use);
    const isElsewhere = elsewhere.length > 0;
    const facts = { ...probeFactsOf(use), passingPods: passingPodsOf(failureGroup), gates: [] };
    return {
      ...crashFinding(examination, failureGroup, {
        confidence: use.answer === undefined ? 'possible' : 'likely',
        summary: state('summary', { workload: workloadName(snapshot), container }),
        facts,
        standing: state('standing', failingPodsOf(failureGroup)),
        reasoning: [
          podsStatement(failureGroup),
          ...reasonsOf(use, facts),
          ...(lines?.decides === undefined
            ? []
            : [quotingLogs(crash('log-failure', { container, lines: lines.lines }))]),
          ...elsewhere,
          ...lockIn(snapshot, failureGroup, lines?.decides === undefined ? [] : lines.lines),
        ],
        evidence: [
          {
            object: refOf(podFailures[0].pod),
            field: `spec.containers[${container}].readinessProbe`,
            value: JSON.stringify(use.probe),
            says: probeKill('ev-probe', { what: use.target.what }),
          },
        ],
        ruledOut: [
          { cause: 'application-crash', because: state('because-runs', { container }) },
          { cause: 'liveness-probe-kill', because: state('because-readiness') },
        ],
        withheld: [{ kind: 'restart-rollout', because: state('restart-withheld') }],
        advice: [
          ...(isElsewhere
            ? [{ title: state('advice-port-title'), text: state('advice-port', { container }) }]
            : []),
          { title: state('advice-title'), text: state('advice', { what: use.target.what }) },
        ],
      }),
    };
  }),
};

/** Characters of a line that is shown. */
const maxShown = 500;

/** The last line about a lock or a leader that keeps the program waiting, unless it is among those shown. */
function lockIn(
  { logs }: Snapshot,
  { podFailures, container }: FailureGroup,
  shown: readonly string[],
): readonly Statement[] {
  const written = podFailures.flatMap(({ pod }) => endedLogOf(logs, pod, container)?.lines ?? []);
  const found = written.findLast((line) => lockWordOf(line) === 'blocked');
  const line = found === undefined ? '' : boundText(found.trim(), maxShown);
  return line === '' || shown.some((each) => each.includes(line) || line.includes(each))
    ? []
    : [quotingLogs(state('log-lock', { container, line }))];
}

/** Nothing listens at the port of the probe, and the log names others. */
function portIn(
  { logs }: Snapshot,
  { podFailures, container }: FailureGroup,
  { target: { port = '' }, answer }: ProbeUse,
): readonly Statement[] {
  const [{ pod, container: view }] = podFailures;
  const named = view?.spec.ports.find(({ name }) => name === port)?.containerPort;
  const number = /^\d{1,5}$/.test(port) ? Number(port) : named;
  if (number === undefined || answer?.message.includes('connection refused') !== true) return [];
  const found = listensInstead(endedLogOf(logs, pod, container)?.lines ?? [], number);
  return found === undefined
    ? []
    : [quotingLogs(state('listens-instead', { container, line: boundText(found.line, maxShown) }))];
}

function reasonsOf(
  { target: { port }, answer, declaredInstead }: ProbeUse,
  { probe, passingPods }: ReturnType<typeof probeFactsOf> & { readonly passingPods: readonly string[] },
): readonly Statement[] {
  const { by, what, periodSeconds, timeoutSeconds } = probe;
  return [
    state('asks', { by, what, periodSeconds, timeoutSeconds }),
    answer === undefined ? state('no-answer') : state('answer', answer),
    ...(declaredInstead === undefined || port === undefined
      ? []
      : [state('port-not-declared', { port, declared: declaredInstead })]),
    ...(passingPods.length === 0 ? [] : [state('some-pass', { pods: passingPods })]),
    state('not-restarted'),
  ];
}
