import type { SameSentences } from '../../../language/catalogue.js';
import { code, say, sentences, word } from '../../../language/prose.js';
import { statementsOf } from '../../../language/statement.js';
import { counted, duration, names } from '../../../language/words.js';

const en = {
  summary: ({
    workload,
    pods,
    gates,
  }: {
    readonly workload: string;
    readonly pods: number;
    readonly gates: readonly string[];
  }) =>
    say`${counted(pods, 'pod', 'pods')} of ${code(workload)} ${word(pods === 1 ? 'waits' : 'wait')} for scheduling ${word(gates.length === 1 ? 'gate' : 'gates')} ${names('en', gates)}`,
  standing: ({
    waiting,
    forSeconds,
    ready,
    wanted,
  }: {
    readonly waiting: number;
    readonly forSeconds: number | undefined;
    readonly ready: number;
    readonly wanted: number;
  }) =>
    sentences(
      forSeconds === undefined
        ? say`${counted(waiting, 'pod is', 'pods are')} held back from the scheduler.`
        : say`${counted(waiting, 'pod has', 'pods have')} been held back from the scheduler for ${duration('en', forSeconds)}.`,
      say`${ready} of ${wanted} ${word(wanted === 1 ? 'pod is' : 'pods are')} ready.`,
    ),
  gated: ({ pods, gates }: { readonly pods: readonly string[]; readonly gates: readonly string[] }) =>
    say`${names('en', pods)} ${word(pods.length === 1 ? 'carries' : 'carry')} ${names('en', gates)} in ${code('spec.schedulingGates')}: the scheduler does not look at a pod until its last gate is removed.`,
  'from-template': ({ gates }: { readonly gates: readonly string[] }) =>
    say`The template itself sets ${names('en', gates)}, so every new pod gets ${word(gates.length === 1 ? 'it' : 'them')}.`,
  'from-webhook': ({ gates }: { readonly gates: readonly string[] }) =>
    say`The template does not name ${names('en', gates)}: a webhook adds ${word(gates.length === 1 ? 'it' : 'them')} to each new pod.`,
  kueue: ({ queue }: { readonly queue: string | undefined }) =>
    queue === undefined
      ? say`Kueue lifts it once it admits the pod's workload to a queue; the pod names no queue (${code('kueue.x-k8s.io/queue-name')}).`
      : say`Kueue lifts it once the queue ${code(queue)} has quota for it.`,
  'lifted-by': ({ gate, domain }: { readonly gate: string; readonly domain: string }) =>
    say`${code(gate)} is to be lifted by the controller of ${code(domain)}, which has not done so.`,
  'own-gate': ({ gate }: { readonly gate: string }) =>
    say`${code(gate)} names no owner: whoever put it there has to remove it.`,
  'ev-gates': () => say`gates that are left`,
  'ev-condition': () => say`the scheduler skips it`,
  'because-not-tried': ({ pod }: { readonly pod: string }) =>
    say`the scheduler has not tried ${code(pod)} on any node`,
  'because-not-room': () => say`it waits for its gate, whoever holds the room`,
  'because-never-started': () => say`it has no node, so no container of it ever ran`,
  'restart-withheld': () => say`New pods get the same gate.`,
  'patch-withheld': () => say`Stopping old pods lifts no gate, and costs ready pods.`,
  'next-attempt': () => say`At once when the last gate is removed; until then none.`,
  'advice-kueue-title': () => say`Ask Kueue why it does not admit it`,
  'advice-kueue': () =>
    say`The status of its Workload says what is missing: quota, an active ClusterQueue, or a queue name.`,
  'advice-template-title': () => say`Or take the gate out of the template`,
  'advice-template': () => say`If nothing is meant to lift it, it should not be there.`,
  'advice-owner-title': () => say`Find who lifts the gate`,
  'advice-owner': ({ gates }: { readonly gates: readonly string[] }) =>
    say`Look at the controller that ${names('en', gates)} ${word(gates.length === 1 ? 'belongs' : 'belong')} to: is it running, and what does its log say of this pod?`,
};

const ko: SameSentences<typeof en> = {
  summary: ({ workload, pods, gates }) =>
    say`${code(workload)}의 파드 ${pods}개가 스케줄링 게이트 ${names('ko', gates)} 해제를 기다립니다`,
  standing: ({ waiting, forSeconds, ready, wanted }) =>
    sentences(
      forSeconds === undefined
        ? say`파드 ${waiting}개가 스케줄러에 넘어가지 못하고 있습니다.`
        : say`파드 ${waiting}개가 ${duration('ko', forSeconds)}째 스케줄러에 넘어가지 못하고 있습니다.`,
      say`${wanted}개 중 ${ready}개 준비됨.`,
    ),
  gated: ({ pods, gates }) =>
    say`${names('ko', pods)} 파드의 ${code('spec.schedulingGates')}에 ${names('ko', gates)}가 있습니다. 마지막 게이트가 없어질 때까지 스케줄러는 파드를 보지 않습니다.`,
  'from-template': ({ gates }) => say`템플릿에 ${names('ko', gates)}가 들어 있어 새 파드마다 붙습니다.`,
  'from-webhook': ({ gates }) =>
    say`템플릿에는 ${names('ko', gates)}가 없습니다. 웹훅이 새 파드마다 붙입니다.`,
  kueue: ({ queue }) =>
    queue === undefined
      ? say`Kueue가 파드를 큐에 받아들이면 해제되는데, 파드에 큐 이름(${code('kueue.x-k8s.io/queue-name')})이 없습니다.`
      : say`큐 ${code(queue)}에 쿼터가 생기면 Kueue가 해제합니다.`,
  'lifted-by': ({ gate, domain }) =>
    say`${code(gate)} 게이트는 ${code(domain)} 컨트롤러가 해제해야 하는데 아직 하지 않았습니다.`,
  'own-gate': ({ gate }) => say`${code(gate)} 게이트에는 소유자가 없습니다. 넣은 사람이 없애야 합니다.`,
  'ev-gates': () => say`남은 게이트`,
  'ev-condition': () => say`스케줄러가 건너뜀`,
  'because-not-tried': ({ pod }) => say`스케줄러가 ${code(pod)}를 어느 노드에도 시도한 적 없음`,
  'because-not-room': () => say`자리를 누가 쥐고 있든 게이트를 기다림`,
  'because-never-started': () => say`노드가 없어 컨테이너가 실행된 적 없음`,
  'restart-withheld': () => say`새 파드에도 같은 게이트가 붙습니다.`,
  'patch-withheld': () => say`이전 파드를 내려도 게이트는 없어지지 않고, 준비된 파드만 줄어듭니다.`,
  'next-attempt': () => say`마지막 게이트가 없어지면 바로. 그때까지는 없음.`,
  'advice-kueue-title': () => say`Kueue가 받아들이지 않는 이유 보기`,
  'advice-kueue': () => say`Workload 상태에 무엇이 부족한지 나옵니다: 쿼터, 활성 ClusterQueue, 큐 이름.`,
  'advice-template-title': () => say`또는 템플릿에서 게이트 빼기`,
  'advice-template': () => say`해제할 주체가 없다면 있을 필요가 없습니다.`,
  'advice-owner-title': () => say`게이트를 해제하는 컨트롤러 찾기`,
  'advice-owner': ({ gates }) =>
    say`${names('ko', gates)} 담당 컨트롤러가 실행 중인지, 로그에 이 파드가 나오는지 보세요.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('scheduling-gated');
