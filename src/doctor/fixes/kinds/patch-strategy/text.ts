import { code, say } from '../../../../engine/language/prose.js';
import { statementsOf } from '../../../../engine/language/statement.js';
import { duration, names } from '../../../../engine/language/words.js';

const en = {
  /** What the kind is called where no remediation of it is at hand. */
  name: () => say`change the strategy`,
  'title-in-place': () => say`Stop the old pod first`,
  'title-all-at-once': () => say`Stop all old pods first`,
  'title-recreate': () => say`Switch to Recreate (stop all pods, then start)`,
  /** The object that people own above the workload. */
  'in-owner': ({ owner }: { owner: string }) =>
    say`The strategy is set in ${code(owner)}, and its controller writes it into the workload.`,
  'replaces-all-nodes': () =>
    say`KServe replaces the head and all workers of a predictor on several nodes at each change of its InferenceService, so this change cannot be undone.`,
  'stops-first': ({ pods, graceSeconds }: { pods: readonly string[]; graceSeconds: number }) =>
    say`The controller stops ${names('en', pods)} (up to ${duration('en', graceSeconds)}).`,
  /** No rule of the ReplicaSet controller tells these apart from those named. */
  'or-else': ({ pods }: { pods: readonly string[] }) =>
    say`The controller may stop ${names('en', pods)} first instead, since no rule prefers one of them.`,
  'then-one-by-one': ({ replicas }: { replicas: number }) =>
    say`The other old pods follow one at a time until all ${replicas} are replaced.`,
  /** Of a LeaderWorkerSet. */
  'removes-surge-group': ({ pods }: { pods: readonly string[] }) =>
    say`The controller first removes the extra groups, with their pending pods ${names('en', pods)}.`,
  'stops-group-first': ({ pods, graceSeconds }: { pods: readonly string[]; graceSeconds: number }) =>
    say`The controller stops the leader ${names('en', pods)} (up to ${duration('en', graceSeconds)}), and the workers of its group with it. A new group starts in its place.`,
  'then-group-by-group': ({ replicas }: { replicas: number }) =>
    say`The other old groups follow one at a time until all ${replicas} are replaced.`,
  'then-node-by-node': ({ nodes }: { nodes: number }) =>
    say`The other nodes follow one at a time until all ${nodes} run the new version.`,
  /** True however long it stays, and whatever its downtime: both are stated elsewhere. */
  stays: ({ maxSurge, maxUnavailable }: { maxSurge: string; maxUnavailable: string }) =>
    say`While the strategy has maxSurge ${code(maxSurge)} and maxUnavailable ${code(maxUnavailable)}, each later update also stops old pods before the new ones start.`,
};

const ko: typeof en = {
  name: () => say`배포 전략 변경`,
  'title-in-place': () => say`이전 파드를 먼저 내리기`,
  'title-all-at-once': () => say`이전 파드를 모두 먼저 내리기`,
  'title-recreate': () => say`Recreate로 전환(모두 내린 뒤 시작)`,
  'in-owner': ({ owner }) => say`${code(owner)}에 전략을 설정하면 컨트롤러가 워크로드에 반영합니다.`,
  'replaces-all-nodes': () =>
    say`KServe는 InferenceService가 바뀔 때마다 여러 노드에 걸친 predictor의 헤드와 워커를 모두 교체하므로 이 변경은 되돌릴 수 없습니다.`,
  'stops-first': ({ pods, graceSeconds }) =>
    say`컨트롤러가 ${names('ko', pods)} 파드를 내립니다(최대 ${duration('ko', graceSeconds)}).`,
  'or-else': ({ pods }) =>
    say`컨트롤러가 대신 ${names('ko', pods)} 파드를 먼저 내릴 수도 있습니다. 이 파드들 사이에 정해진 순서는 없습니다.`,
  'then-one-by-one': ({ replicas }) => say`나머지 이전 파드도 하나씩 교체되어 ${replicas}개가 모두 바뀝니다.`,
  'removes-surge-group': ({ pods }) =>
    say`컨트롤러가 먼저 추가 그룹과 대기 중인 ${names('ko', pods)} 파드를 없앱니다.`,
  'stops-group-first': ({ pods, graceSeconds }) =>
    say`컨트롤러가 리더 ${names('ko', pods)} 파드를 내리고(최대 ${duration('ko', graceSeconds)}) 같은 그룹의 워커도 함께 내립니다. 그 자리에서 새 그룹이 시작됩니다.`,
  'then-group-by-group': ({ replicas }) =>
    say`나머지 이전 그룹도 하나씩 교체되어 ${replicas}개가 모두 바뀝니다.`,
  'then-node-by-node': ({ nodes }) =>
    say`나머지 노드도 하나씩 진행되어 ${nodes}개 모두 새 버전을 실행합니다.`,
  stays: ({ maxSurge, maxUnavailable }) =>
    say`배포 전략이 maxSurge ${code(maxSurge)}, maxUnavailable ${code(maxUnavailable)}인 동안에는 이후 업데이트도 새 파드를 시작하기 전에 이전 파드를 먼저 내립니다.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('patch-strategy');
