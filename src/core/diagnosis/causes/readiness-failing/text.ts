import type { SameSentences } from '../../../language/catalogue.js';
import { code, quote, say, word } from '../../../language/prose.js';
import { statementsOf } from '../../../language/statement.js';
import { duration, names } from '../../../language/words.js';

const en = {
  summary: ({ workload, container }: { readonly workload: string; readonly container: string }) =>
    say`${code(workload)}: container ${code(container)} runs and is not ready`,
  standing: ({ failing, of }: { readonly failing: number; readonly of: number }) =>
    say`${failing} of ${of} pods get no traffic; a rollout waits for them.`,
  asks: ({
    by,
    what,
    periodSeconds,
    timeoutSeconds,
  }: {
    readonly by: string;
    readonly what: string;
    readonly periodSeconds: number;
    readonly timeoutSeconds: number;
  }) =>
    say`The readiness probe (${code(by)}) asks ${code(what)} every ${duration('en', periodSeconds)} and waits ${duration('en', timeoutSeconds)}.`,
  answer: ({ message, times }: { readonly message: string; readonly times: number }) =>
    say`What it got${word(times === 1 ? '' : `, ${times} times`)}: ${quote(message)}`,
  'no-answer': () => say`No event says what it got: they are kept for an hour only.`,
  'not-restarted': () =>
    say`A failing readiness probe never restarts a container: without a change it stays like this.`,
  'port-not-declared': ({
    port,
    declared,
  }: {
    readonly port: string;
    readonly declared: readonly string[];
  }) =>
    declared.length === 0
      ? say`The container declares no port; ${code(port)} may be the wrong one.`
      : say`The container declares ${names('en', declared)} and not ${code(port)}: the probe may ask the wrong port.`,
  'some-pass': ({ pods }: { readonly pods: readonly string[] }) =>
    say`Other pods of the same revision pass: ${names('en', pods)}.`,
  'because-runs': ({ container }: { readonly container: string }) =>
    say`${code(container)} runs, it has not crashed`,
  'because-readiness': () => say`it is the readiness probe that fails, and that kills nothing`,
  'restart-withheld': () => say`New pods have the same probe and the same program.`,
  'summary-gate': ({ workload, gates }: { readonly workload: string; readonly gates: readonly string[] }) =>
    say`${code(workload)}: pods are not ready because of the readiness ${word(gates.length === 1 ? 'gate' : 'gates')} ${names('en', gates)}`,
  'containers-ready': ({ pods }: { readonly pods: readonly string[] }) =>
    say`All containers of ${names('en', pods)} are ready.`,
  'gate-missing': ({ gate }: { readonly gate: string }) =>
    say`The pod template has the readiness gate ${code(gate)}, and nothing has set this condition on the pods.`,
  'gate-status': ({ gate, status }: { readonly gate: string; readonly status: string }) =>
    say`The condition of the readiness gate ${code(gate)} is ${code(status)}, and must be ${code('True')}.`,
  'gate-owner': () =>
    say`A controller outside Kubernetes sets it, such as that of a load balancer or a service mesh.`,
  'ev-gate': () => say`conditions that must be True`,
  'ev-not-ready': () => say`the kubelet's reason`,
  'because-containers-ready': () => say`all containers are ready`,
  'restart-withheld-gate': () => say`New pods have the same readiness gate.`,
  'advice-gate-title': ({ gate }: { readonly gate: string }) =>
    say`Find the controller that sets ${code(gate)}`,
  'advice-gate': ({ gate }: { readonly gate: string }) =>
    say`Check that it runs, that it selects these pods, and what its log says about them. If nothing is to set ${code(gate)}, remove it from ${code('spec.readinessGates')} of the pod template.`,
  'advice-title': () => say`Ask it yourself`,
  advice: ({ what }: { readonly what: string }) =>
    say`Try ${code(what)} from inside the pod: the program says why it is not ready, or the probe is wrong.`,
};

const ko: SameSentences<typeof en> = {
  summary: ({ workload, container }) =>
    say`${code(workload)}: ${code(container)} 컨테이너가 실행 중이지만 준비되지 않습니다`,
  standing: ({ failing, of }) =>
    say`파드 ${of}개 중 ${failing}개가 트래픽을 받지 못하고, 롤아웃이 이를 기다립니다.`,
  asks: ({ by, what, periodSeconds, timeoutSeconds }) =>
    say`레디니스 프로브(${code(by)}): ${code(what)}, ${duration('ko', periodSeconds)}마다, 응답 대기 ${duration('ko', timeoutSeconds)}.`,
  answer: ({ message, times }) => say`받은 응답 (${times}회): ${quote(message)}`,
  'no-answer': () => say`응답을 알려 주는 이벤트가 없습니다. 이벤트는 1시간만 보관됩니다.`,
  'not-restarted': () =>
    say`레디니스 프로브가 실패해도 컨테이너는 다시 시작되지 않습니다. 바꾸지 않으면 이대로입니다.`,
  'port-not-declared': ({ port, declared }) =>
    declared.length === 0
      ? say`컨테이너가 선언한 포트가 없습니다. ${code(port)} 포트가 틀렸을 수 있습니다.`
      : say`컨테이너가 선언한 포트는 ${names('ko', declared)}이고 ${code(port)} 포트는 없습니다. 프로브 포트가 틀렸을 수 있습니다.`,
  'some-pass': ({ pods }) => say`같은 리비전의 다른 파드는 통과합니다: ${names('ko', pods)}.`,
  'because-runs': ({ container }) => say`${code(container)} 실행 중이며 비정상 종료되지 않음`,
  'because-readiness': () => say`실패하는 것은 레디니스 프로브이고, 이는 아무것도 종료하지 않음`,
  'restart-withheld': () => say`새 파드도 프로브와 프로그램이 같습니다.`,
  'summary-gate': ({ workload, gates }) =>
    say`${code(workload)}: 레디니스 게이트 ${names('ko', gates)} 때문에 파드가 준비되지 않습니다`,
  'containers-ready': ({ pods }) => say`${names('ko', pods)} 파드의 컨테이너는 모두 준비되었습니다.`,
  'gate-missing': ({ gate }) =>
    say`파드 템플릿에 레디니스 게이트 ${code(gate)}이(가) 있지만, 파드에 이 컨디션을 설정한 컨트롤러가 없습니다.`,
  'gate-status': ({ gate, status }) =>
    say`레디니스 게이트 ${code(gate)} 컨디션이 ${code(status)}입니다. ${code('True')}여야 합니다.`,
  'gate-owner': () => say`이 컨디션은 로드 밸런서나 서비스 메시처럼 Kubernetes 밖의 컨트롤러가 설정합니다.`,
  'ev-gate': () => say`True여야 하는 컨디션`,
  'ev-not-ready': () => say`kubelet이 기록한 이유`,
  'because-containers-ready': () => say`컨테이너가 모두 준비됨`,
  'restart-withheld-gate': () => say`새 파드에도 같은 레디니스 게이트가 있습니다.`,
  'advice-gate-title': ({ gate }) => say`${code(gate)} 컨디션을 설정하는 컨트롤러를 찾으세요`,
  'advice-gate': ({ gate }) =>
    say`그 컨트롤러가 실행 중인지, 이 파드를 선택하는지, 로그에 무엇이 있는지 확인하세요. ${code(gate)} 컨디션을 설정할 컨트롤러가 없다면 파드 템플릿의 ${code('spec.readinessGates')}에서 지우세요.`,
  'advice-title': () => say`직접 요청해 보세요`,
  advice: ({ what }) =>
    say`파드 안에서 ${code(what)} 요청을 해 보세요. 준비되지 않은 이유를 알려 주거나, 프로브가 틀린 것입니다.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('readiness-failing');
