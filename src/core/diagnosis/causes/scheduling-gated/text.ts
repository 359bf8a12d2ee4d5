import type { SameSentences } from '../../../language/catalogue.js';
import { code, say, word } from '../../../language/prose.js';
import { statementsOf } from '../../../language/statement.js';
import { counted, duration, isAtLeastOneSecond, names } from '../../../language/words.js';

const en = {
  'shared-failure': () => say`scheduling gates hold pods back`,
  summary: ({
    workload,
    pods,
    gates,
  }: {
    readonly workload: string;
    readonly pods: number;
    readonly gates: readonly string[];
  }) =>
    say`${counted(pods, 'pod', 'pods')} of ${code(workload)} ${word(pods === 1 ? 'is' : 'are')} held back by scheduling ${word(gates.length === 1 ? 'gate' : 'gates')} ${names('en', gates)}`,
  standing: ({
    waiting,
    forSeconds,
  }: {
    readonly waiting: number;
    readonly forSeconds: number | undefined;
    readonly ready: number;
    readonly wanted: number;
  }) =>
    !isAtLeastOneSecond(forSeconds)
      ? say`${counted(waiting, 'pod is', 'pods are')} held back from the scheduler.`
      : say`${counted(waiting, 'pod has', 'pods have')} been held back from the scheduler for ${duration('en', forSeconds)}.`,
  gated: ({ pods, gates }: { readonly pods: readonly string[]; readonly gates: readonly string[] }) =>
    say`${names('en', pods)} ${word(pods.length === 1 ? 'has' : 'have')} ${names('en', gates)} in ${code('spec.schedulingGates')}. The scheduler ignores a pod until its last gate is removed.`,
  'from-template': ({ gates }: { readonly gates: readonly string[] }) =>
    say`The pod template sets ${names('en', gates)}, so every new pod gets ${word(gates.length === 1 ? 'it' : 'them')}.`,
  'from-webhook': ({ gates }: { readonly gates: readonly string[] }) =>
    say`The pod template does not contain ${names('en', gates)}. A webhook adds ${word(gates.length === 1 ? 'it' : 'them')} to each new pod.`,
  kueue: ({ queue }: { readonly queue: string | undefined }) =>
    queue === undefined
      ? say`Kueue removes the gate once it admits the pod's workload to a queue. The pod names no queue (${code('kueue.x-k8s.io/queue-name')}).`
      : say`Kueue removes the gate once the queue ${code(queue)} has quota for the pod.`,
  'removed-by': ({ gate, domain }: { readonly gate: string; readonly domain: string }) =>
    say`The controller of ${code(domain)} should remove ${code(gate)} and has not done so.`,
  'own-gate': ({ gate }: { readonly gate: string }) =>
    say`${code(gate)} names no owner. The person or program that added the gate has to remove it.`,
  'ev-gates': () => say`remaining gates`,
  'ev-condition': () => say`the scheduler skips the pod`,
  'because-not-tried': ({ pod }: { readonly pod: string }) =>
    say`the scheduler has not tried ${code(pod)} on any node`,
  'because-not-room': () => say`the pod waits for its gate, not for capacity`,
  'because-never-started': () => say`the pod has no node, so no container of it was ever started`,
  'restart-withheld': () => say`New pods get the same gate.`,
  'patch-withheld': () => say`Stopping old pods removes no gate, and it reduces the number of ready pods.`,
  'next-attempt': () => say`As soon as the last gate is removed. No attempt before that.`,
  'advice-kueue-title': () => say`Check why Kueue does not admit the pod`,
  'advice-kueue': () =>
    say`The status of its Workload shows what is missing: quota, an active ClusterQueue, or a queue name.`,
  'advice-template-title': () => say`Or remove the gate from the template`,
  'advice-template': () => say`A gate that no controller removes does not belong in the template.`,
  'advice-owner-title': () => say`Find the controller of the gate`,
  'advice-owner': ({ gates }: { readonly gates: readonly string[] }) =>
    say`Check that the controller of ${names('en', gates)} runs, and what it logs about this pod.`,
};

const ko: SameSentences<typeof en> = {
  'shared-failure': () => say`스케줄링 게이트로 파드가 보류됨`,
  summary: ({ workload, pods, gates }) =>
    say`${code(workload)} 파드 ${pods}개가 스케줄링 게이트(${names('ko', gates)}) 때문에 대기 중입니다`,
  standing: ({ waiting, forSeconds }) =>
    !isAtLeastOneSecond(forSeconds)
      ? say`파드 ${waiting}개가 스케줄링 전에 보류되어 있습니다.`
      : say`파드 ${waiting}개가 ${duration('ko', forSeconds)}째 스케줄링 전에 보류되어 있습니다.`,
  gated: ({ pods, gates }) =>
    say`${names('ko', pods)} 파드의 ${code('spec.schedulingGates')}에 다음 게이트가 있습니다: ${names('ko', gates)}. 마지막 게이트가 제거될 때까지 스케줄러는 파드를 처리하지 않습니다.`,
  'from-template': ({ gates }) =>
    say`파드 템플릿에 ${names('ko', gates)} 게이트가 있어 새 파드마다 적용됩니다.`,
  'from-webhook': ({ gates }) =>
    say`파드 템플릿에는 ${names('ko', gates)} 게이트가 없습니다. 웹훅이 새 파드마다 추가합니다.`,
  kueue: ({ queue }) =>
    queue === undefined
      ? say`Kueue가 파드를 큐에 승인하면 게이트를 제거합니다. 그런데 파드에 큐 이름(${code('kueue.x-k8s.io/queue-name')})이 없습니다.`
      : say`큐 ${code(queue)}에 쿼터 여유가 생기면 Kueue가 게이트를 제거합니다.`,
  'removed-by': ({ gate, domain }) =>
    say`${code(gate)} 게이트는 ${code(domain)} 컨트롤러가 제거해야 하는데 아직 제거하지 않았습니다.`,
  'own-gate': ({ gate }) =>
    say`${code(gate)} 게이트에는 소유자 정보가 없습니다. 추가한 사람이나 프로그램이 제거해야 합니다.`,
  'ev-gates': () => say`남은 게이트`,
  'ev-condition': () => say`스케줄러가 파드를 건너뜀`,
  'because-not-tried': ({ pod }) => say`스케줄러가 ${code(pod)} 파드를 어느 노드에도 시도하지 않음`,
  'because-not-room': () => say`파드는 용량이 아니라 게이트 때문에 대기`,
  'because-never-started': () => say`파드에 노드가 없어 컨테이너가 시작된 적 없음`,
  'restart-withheld': () => say`새 파드에도 같은 게이트가 적용됩니다.`,
  'patch-withheld': () => say`이전 파드를 내려도 게이트는 제거되지 않고, 준비된 파드만 줄어듭니다.`,
  'next-attempt': () => say`마지막 게이트가 제거되면 바로 시도하며, 그전에는 시도하지 않습니다.`,
  'advice-kueue-title': () => say`Kueue가 승인하지 않는 이유 확인하기`,
  'advice-kueue': () =>
    say`Workload 상태에서 무엇이 부족한지 확인할 수 있습니다: 쿼터, 활성 ClusterQueue, 큐 이름.`,
  'advice-template-title': () => say`또는 템플릿에서 게이트 제거하기`,
  'advice-template': () => say`제거할 컨트롤러가 없는 게이트는 템플릿에 있을 필요가 없습니다.`,
  'advice-owner-title': () => say`게이트를 제거하는 컨트롤러 찾기`,
  'advice-owner': ({ gates }) =>
    say`${names('ko', gates)} 게이트의 컨트롤러가 실행 중인지, 로그에 이 파드가 나오는지 확인하세요.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('scheduling-gated');
