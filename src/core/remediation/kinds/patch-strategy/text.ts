import type { SameSentences } from '../../../language/catalogue.js';
import { code, say, word } from '../../../language/prose.js';
import { statementsOf } from '../../../language/statement.js';
import { duration, names } from '../../../language/words.js';

const en = {
  'title-in-place': () => say`Replace in place`,
  'title-recreate': () => say`Stop all, then start all`,
  'stops-first': ({
    pods,
    graceSeconds,
  }: {
    readonly pods: readonly string[];
    readonly graceSeconds: number;
  }) => say`The controller stops ${names('en', pods)} (up to ${duration('en', graceSeconds)}).`,
  /** No rule of the ReplicaSet controller tells these apart from those named. */
  'or-else': ({ pods }: { readonly pods: readonly string[] }) =>
    say`It may as well begin with ${names('en', pods)}: no rule tells them apart.`,
  'stops-all': ({ pods, graceSeconds }: { readonly pods: number; readonly graceSeconds: number }) =>
    say`The controller stops all ${pods} old ${word(pods === 1 ? 'pod' : 'pods')} at once (up to ${duration('en', graceSeconds)}) and starts the new ones when they are gone.`,
  'then-placed': ({ pod, node }: { readonly pod: string; readonly node: string }) =>
    say`The scheduler places ${code(pod)} on ${code(node)}.`,
  'then-one-by-one': ({ replicas }: { readonly replicas: number }) =>
    say`The other old pods follow one at a time, until all ${replicas} are replaced.`,
  'then-node-by-node': ({ nodes }: { readonly nodes: number }) =>
    say`The other nodes follow one at a time, until all ${nodes} have the new version.`,
  'ready-last-time': ({ seconds }: { readonly seconds: number }) =>
    say`Last time a pod of this workload was ready ${duration('en', seconds)} after its start.`,
  stays: ({ maxSurge, maxUnavailable }: { readonly maxSurge: string; readonly maxUnavailable: string }) =>
    say`The strategy stays at maxSurge ${code(maxSurge)}, maxUnavailable ${code(maxUnavailable)} until somebody changes it; every later update then has the same gap.`,
  competitors: ({ pods }: { readonly pods: readonly string[] }) =>
    say`${names('en', pods)} could take what becomes free first. The new pod then keeps waiting.`,
  'no-competitors': () => say`No other workload could take what becomes free.`,
};

const ko: SameSentences<typeof en> = {
  'title-in-place': () => say`제자리에서 교체`,
  'title-recreate': () => say`모두 내린 뒤 모두 시작`,
  'stops-first': ({ pods, graceSeconds }) =>
    say`컨트롤러가 ${names('ko', pods)} 파드를 내립니다(최대 ${duration('ko', graceSeconds)}).`,
  'or-else': ({ pods }) =>
    say`대신 ${names('ko', pods)} 파드부터 내릴 수도 있습니다. 어느 쪽인지 정하는 규칙이 없습니다.`,
  'stops-all': ({ pods, graceSeconds }) =>
    say`컨트롤러가 이전 파드 ${pods}개를 한꺼번에 내리고(최대 ${duration('ko', graceSeconds)}), 모두 사라지면 새 파드를 시작합니다.`,
  'then-placed': ({ pod, node }) => say`스케줄러가 ${code(pod)} 파드를 ${code(node)}에 배치합니다.`,
  'then-one-by-one': ({ replicas }) => say`나머지 이전 파드도 하나씩 바뀌어 ${replicas}개 모두 교체됩니다.`,
  'then-node-by-node': ({ nodes }) => say`나머지 노드도 하나씩 바뀌어 ${nodes}개 모두 새 버전이 됩니다.`,
  'ready-last-time': ({ seconds }) => say`지난번에는 시작 후 ${duration('ko', seconds)} 만에 준비되었습니다.`,
  stays: ({ maxSurge, maxUnavailable }) =>
    say`전략은 누군가 바꿀 때까지 maxSurge ${code(maxSurge)}, maxUnavailable ${code(maxUnavailable)}로 남으며, 이후 업데이트마다 같은 공백이 생깁니다.`,
  competitors: ({ pods }) =>
    say`${names('ko', pods)} 쪽에서 비게 될 자원을 먼저 차지할 수 있습니다. 그러면 새 파드는 계속 기다립니다.`,
  'no-competitors': () => say`비게 될 자원을 차지할 수 있는 다른 워크로드는 없습니다.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('patch-strategy');
