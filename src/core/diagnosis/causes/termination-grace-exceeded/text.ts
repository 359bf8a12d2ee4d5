import type { SameSentences } from '../../../language/catalogue.js';
import { code, quote, say } from '../../../language/prose.js';
import { statementsOf } from '../../../language/statement.js';
import { duration, elapsed, names } from '../../../language/words.js';

const en = {
  'shared-failure': () => say`pods exceed their termination grace period`,
  summary: ({ workload, graceSeconds }: { readonly workload: string; readonly graceSeconds: number }) =>
    say`${code(workload)}: a pod is still terminating after its grace period of ${duration('en', graceSeconds)}`,
  standing: ({ pods }: { readonly pods: readonly string[] }) =>
    say`Pods past their grace period: ${names('en', pods)}.`,
  overdue: ({
    pod,
    node,
    overdueSeconds,
  }: {
    readonly pod: string;
    readonly node: string;
    readonly overdueSeconds: number;
  }) => say`${code(pod)} on ${code(node)} should have been gone ${elapsed('en', overdueSeconds)} ago.`,
  'grace-event': ({ message }: { readonly message: string }) => say`An event reports: ${quote(message)}`,
  'pre-stop': ({ container, what }: { readonly container: string; readonly what: string }) =>
    say`${code(container)} runs a preStop hook (${code(what)}) before it receives SIGTERM. The hook's time counts towards the grace period.`,
  'no-pre-stop': () =>
    say`The container has no preStop hook. Either the program ignores SIGTERM, or the runtime cannot stop it.`,
  'holds-up': () =>
    say`The pod keeps its requested resources until it is gone. A rollout that needs them waits.`,
  'ev-deleted': ({ graceSeconds }: { readonly graceSeconds: number }) =>
    say`deleted, with a grace period of ${duration('en', graceSeconds)}`,
  'because-no-finalizer': () => say`the pod has no finalizer that blocks its deletion`,
  'because-node-ready': ({ node }: { readonly node: string }) =>
    say`${code(node)} is Ready, so its kubelet is running`,
  'advice-title': () => say`Make the program exit on SIGTERM`,
  advice: () =>
    say`Handle SIGTERM in the main process, or allow more time. A shell as process 1 does not forward SIGTERM.`,
};

const ko: SameSentences<typeof en> = {
  'shared-failure': () => say`파드가 종료 유예 시간을 초과함`,
  summary: ({ workload, graceSeconds }) =>
    say`${code(workload)}: 종료 유예 시간(${duration('ko', graceSeconds)})이 지나도 파드가 종료되지 않습니다`,
  standing: ({ pods }) => say`종료 유예 시간을 넘긴 파드: ${names('ko', pods)}.`,
  overdue: ({ pod, node, overdueSeconds }) =>
    say`${code(node)} 노드의 ${code(pod)} 파드는 ${elapsed('ko', overdueSeconds)} 전에 종료되었어야 합니다.`,
  'grace-event': ({ message }) => say`이벤트 메시지: ${quote(message)}`,
  'pre-stop': ({ container, what }) =>
    say`${code(container)} 컨테이너는 SIGTERM을 받기 전에 preStop 훅(${code(what)})을 실행합니다. 훅의 실행 시간도 유예 시간에 포함됩니다.`,
  'no-pre-stop': () =>
    say`컨테이너에 preStop 훅이 없습니다. 프로그램이 SIGTERM을 무시하거나, 런타임이 컨테이너를 종료하지 못하는 상태입니다.`,
  'holds-up': () =>
    say`파드가 종료될 때까지 요청한 리소스를 계속 점유하므로, 그 리소스가 필요한 롤아웃도 기다립니다.`,
  'ev-deleted': ({ graceSeconds }) => say`삭제됨, 종료 유예 시간 ${duration('ko', graceSeconds)}`,
  'because-no-finalizer': () => say`삭제를 막는 finalizer가 없음`,
  'because-node-ready': ({ node }) => say`${code(node)} 노드가 Ready이므로 kubelet은 실행 중`,
  'advice-title': () => say`프로그램이 SIGTERM을 받으면 종료되게 하기`,
  advice: () =>
    say`메인 프로세스에서 SIGTERM을 처리하거나 시간을 더 주세요. 1번 프로세스가 셸이면 SIGTERM을 전달하지 않습니다.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('termination-grace-exceeded');
