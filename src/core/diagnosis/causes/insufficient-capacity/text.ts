import type { SameSentences } from '../../../language/catalogue.js';
import { code, say } from '../../../language/prose.js';
import { statementsOf } from '../../../language/statement.js';
import { counted } from '../../../language/words.js';
import { holdersInShort } from '../../waiting/holder-words.js';
import type { HolderValue } from '../../waiting/text.js';

const en = {
  summary: ({ workload, waiting }: { readonly workload: string; readonly waiting: number }) =>
    say`The cluster has no room for ${counted(waiting, 'pod', 'pods')} of ${code(workload)}`,
  'summary-possible': ({ workload, waiting }: { readonly workload: string; readonly waiting: number }) =>
    say`The cluster may have no room for ${counted(waiting, 'pod', 'pods')} of ${code(workload)}`,
  'no-node': ({ pod }: { readonly pod: string }) => say`The cluster has no node at all for ${code(pod)}.`,
  'own-revision': ({ pod }: { readonly pod: string }) =>
    say`Pods of the same revision hold part of it: there is not enough for all replicas, and ${code(pod)} came last.`,
  'used-by': ({ node, holders }: { readonly node: string; readonly holders: readonly HolderValue[] }) =>
    say`On ${code(node)} most of it is used by ${holdersInShort('en', holders)}.`,
  'because-nobody': () => say`no single workload holds enough to be the reason`,
  'because-not-scaled': () => say`nothing shows that a finished rollout was scaled up`,
};

const ko: SameSentences<typeof en> = {
  summary: ({ workload, waiting }) =>
    say`${code(workload)} 파드 ${waiting}개가 들어갈 자리가 클러스터에 없습니다`,
  'summary-possible': ({ workload, waiting }) =>
    say`${code(workload)} 파드 ${waiting}개가 들어갈 자리가 클러스터에 없는지도 모릅니다`,
  'no-node': ({ pod }) => say`${code(pod)} 파드를 받을 노드가 클러스터에 하나도 없습니다.`,
  'own-revision': ({ pod }) =>
    say`같은 리비전의 파드가 일부를 쓰고 있습니다. 모든 복제본에 충분하지 않고 ${code(pod)}가 마지막이었습니다.`,
  'used-by': ({ node, holders }) =>
    say`${code(node)}에서 대부분을 쓰는 쪽: ${holdersInShort('ko', holders)}.`,
  'because-nobody': () => say`혼자서 원인이 될 만큼 쓰는 워크로드 없음`,
  'because-not-scaled': () => say`끝난 롤아웃을 스케일업한 흔적 없음`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('insufficient-capacity');
