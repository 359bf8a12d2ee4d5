import type { SameSentences } from '../language/catalogue.js';
import { code, say, word } from '../language/prose.js';
import { statementsOf } from '../language/statement.js';
import { duration, names } from '../language/words.js';

const en = {
  'stops-all': ({ pods, graceSeconds }: { readonly pods: number; readonly graceSeconds: number }) =>
    say`The controller stops all ${pods} old ${word(pods === 1 ? 'pod' : 'pods')} at once (up to ${duration('en', graceSeconds)}) and starts the new ones when they are gone.`,
  'then-placed': ({ pod, node }: { readonly pod: string; readonly node: string }) =>
    say`The scheduler places ${code(pod)} on ${code(node)}.`,
  'ready-last-time': ({ seconds }: { readonly seconds: number }) =>
    say`Last time a pod of this workload was ready ${duration('en', seconds)} after its start.`,
  competitors: ({ pods }: { readonly pods: readonly string[] }) =>
    say`${names('en', pods)} could take what becomes free first. The new pod then keeps waiting.`,
  'no-competitors': () => say`No other workload could take what becomes free.`,
  'withheld-unknown': () => say`What would follow could not be simulated.`,
};

const ko: SameSentences<typeof en> = {
  'stops-all': ({ pods, graceSeconds }) =>
    say`컨트롤러가 이전 파드 ${pods}개를 한꺼번에 내리고(최대 ${duration('ko', graceSeconds)}), 모두 사라지면 새 파드를 시작합니다.`,
  'then-placed': ({ pod, node }) => say`스케줄러가 ${code(pod)} 파드를 ${code(node)}에 배치합니다.`,
  'ready-last-time': ({ seconds }) => say`지난번에는 시작 후 ${duration('ko', seconds)} 만에 준비되었습니다.`,
  competitors: ({ pods }) =>
    say`${names('ko', pods)} 쪽에서 비게 될 자원을 먼저 차지할 수 있습니다. 그러면 새 파드는 계속 기다립니다.`,
  'no-competitors': () => say`비게 될 자원을 차지할 수 있는 다른 워크로드는 없습니다.`,
  'withheld-unknown': () => say`그 뒤의 동작을 시뮬레이션할 수 없었습니다.`,
};

export const effectsText = { en, ko };

export const effect = statementsOf<typeof en>('effects');
