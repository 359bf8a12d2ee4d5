import type { SameSentences } from '../../../language/catalogue.js';
import { code, quote, say } from '../../../language/prose.js';
import { statementsOf } from '../../../language/statement.js';
import { duration, names } from '../../../language/words.js';

const en = {
  summary: ({ workload, graceSeconds }: { readonly workload: string; readonly graceSeconds: number }) =>
    say`${code(workload)}: a pod does not stop within its ${duration('en', graceSeconds)}`,
  standing: ({ pods }: { readonly pods: readonly string[] }) =>
    say`Stopping longer than they may: ${names('en', pods)}.`,
  overdue: ({
    pod,
    node,
    overdueSeconds,
  }: {
    readonly pod: string;
    readonly node: string;
    readonly overdueSeconds: number;
  }) => say`${code(pod)} on ${code(node)} should have been gone ${duration('en', overdueSeconds)} ago.`,
  'grace-event': ({ message }: { readonly message: string }) => say`The node says: ${quote(message)}`,
  'pre-stop': ({ container, what }: { readonly container: string; readonly what: string }) =>
    say`Before it is told to stop, ${code(container)} runs a preStop hook (${code(what)}); its time counts too.`,
  'no-pre-stop': () =>
    say`It has no preStop hook: the program itself does not end on SIGTERM, or cannot be ended.`,
  'holds-up': () =>
    say`Until it is gone it holds what it requested, and a rollout that waits for that place waits too.`,
  'ev-deleted': ({ graceSeconds }: { readonly graceSeconds: number }) =>
    say`deleted, with ${duration('en', graceSeconds)} to stop`,
  'because-no-finalizer': () => say`the pod has no finalizer that somebody has to remove`,
  'because-node-ready': ({ node }: { readonly node: string }) =>
    say`${code(node)} is Ready, so its kubelet is at work`,
  'advice-title': () => say`Let the program end on SIGTERM`,
  advice: () =>
    say`Handle SIGTERM in the main process (a shell as process 1 does not pass it on), or allow more time.`,
};

const ko: SameSentences<typeof en> = {
  summary: ({ workload, graceSeconds }) =>
    say`${code(workload)}: 파드가 ${duration('ko', graceSeconds)} 안에 멈추지 않습니다`,
  standing: ({ pods }) => say`허용된 시간보다 오래 종료 중인 파드: ${names('ko', pods)}.`,
  overdue: ({ pod, node, overdueSeconds }) =>
    say`${code(node)} 노드의 ${code(pod)} 파드는 ${duration('ko', overdueSeconds)} 전에 없어졌어야 합니다.`,
  'grace-event': ({ message }) => say`노드 메시지: ${quote(message)}`,
  'pre-stop': ({ container, what }) =>
    say`멈추라는 신호 전에 ${code(container)} preStop 훅(${code(what)})이 실행되며, 그 시간도 포함됩니다.`,
  'no-pre-stop': () =>
    say`preStop 훅이 없습니다. 프로그램이 SIGTERM에 끝나지 않거나 끝낼 수 없는 상태입니다.`,
  'holds-up': () => say`없어질 때까지 요청한 자원을 계속 차지하므로, 그 자리를 기다리는 롤아웃도 기다립니다.`,
  'ev-deleted': ({ graceSeconds }) => say`삭제됨, 종료 유예 ${duration('ko', graceSeconds)}`,
  'because-no-finalizer': () => say`누군가 제거해야 할 finalizer가 없음`,
  'because-node-ready': ({ node }) => say`${code(node)} 노드가 Ready이므로 kubelet은 동작 중`,
  'advice-title': () => say`프로그램이 SIGTERM에 끝나게 하세요`,
  advice: () =>
    say`주 프로세스에서 SIGTERM을 처리하세요 (1번 프로세스가 셸이면 전달되지 않습니다). 또는 시간을 더 주세요.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('termination-grace-exceeded');
