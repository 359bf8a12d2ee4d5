import type { SameSentences } from '../../../language/catalogue.js';
import { code, say, word } from '../../../language/prose.js';
import { statementsOf } from '../../../language/statement.js';
import { counted, names } from '../../../language/words.js';
import type { HolderValue } from '../../waiting/facts.js';
import { holdersInShort } from '../../waiting/holder-words.js';

const en = {
  'shared-failure': () => say`no node has enough free resources`,
  summary: ({ workload, waiting }: { readonly workload: string; readonly waiting: number }) =>
    say`Not enough capacity for ${counted(waiting, 'pod', 'pods')} of ${code(workload)}`,
  'summary-possible': ({ workload, waiting }: { readonly workload: string; readonly waiting: number }) =>
    say`Possibly not enough capacity for ${counted(waiting, 'pod', 'pods')} of ${code(workload)}`,
  'no-node': ({ pod }: { readonly pod: string }) => say`The cluster has no node for ${code(pod)}.`,
  'own-revision': ({ pod }: { readonly pod: string }) =>
    say`Pods of the same revision use part of the capacity. It does not suffice for all replicas, and ${code(pod)} came last.`,
  'kept-revision': ({ pods }: { readonly pods: readonly string[] }) =>
    say`${names('en', pods, 3)} of an older revision ${word(pods.length === 1 ? 'uses' : 'use')} part of the capacity. The traffic names this revision, so it stays.`,
  'own-groups': ({ pod }: { readonly pod: string }) =>
    say`Other groups of the same LeaderWorkerSet use part of the capacity. It does not suffice for all groups, and ${code(pod)} came last.`,
  'used-by': ({ node, holders }: { readonly node: string; readonly holders: readonly HolderValue[] }) =>
    say`On ${code(node)}, most of it is in use by ${holdersInShort('en', holders)}.`,
  'because-no-single-holder': () => say`no single workload uses enough capacity to be the cause`,
  'because-not-scaled': () => say`no evidence that a completed rollout was scaled up`,
};

const ko: SameSentences<typeof en> = {
  'shared-failure': () => say`리소스가 충분한 노드가 없음`,
  summary: ({ workload, waiting }) =>
    say`${code(workload)} 파드 ${waiting}개를 배치할 클러스터 용량이 부족합니다`,
  'summary-possible': ({ workload, waiting }) =>
    say`${code(workload)} 파드 ${waiting}개를 배치할 클러스터 용량이 부족할 수 있습니다`,
  'no-node': ({ pod }) => say`${code(pod)} 파드를 배치할 노드가 클러스터에 없습니다.`,
  'own-revision': ({ pod }) =>
    say`같은 리비전의 파드가 용량 일부를 사용 중입니다. 모든 복제본을 배치하기에는 부족하며 ${code(pod)} 파드가 마지막이었습니다.`,
  'kept-revision': ({ pods }) =>
    say`이전 리비전의 ${names('ko', pods, 3)} 파드가 용량 일부를 사용 중입니다. 트래픽이 이 리비전을 지정하므로 계속 유지됩니다.`,
  'own-groups': ({ pod }) =>
    say`같은 LeaderWorkerSet의 다른 그룹이 용량 일부를 사용 중입니다. 모든 그룹을 배치하기에는 부족하며 ${code(pod)} 파드가 마지막이었습니다.`,
  'used-by': ({ node, holders }) =>
    say`${code(node)} 노드의 용량을 가장 많이 사용하는 워크로드: ${holdersInShort('ko', holders)}.`,
  'because-no-single-holder': () => say`단독으로 원인이 될 만큼 용량을 사용하는 워크로드 없음`,
  'because-not-scaled': () => say`완료된 롤아웃을 스케일업했다는 증거 없음`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('insufficient-capacity');
