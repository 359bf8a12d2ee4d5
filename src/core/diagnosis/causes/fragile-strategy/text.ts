import type { SameSentences } from '../../../language/catalogue.js';
import { code, quote, say, word } from '../../../language/prose.js';
import { statementsOf } from '../../../language/statement.js';
import { counted, duration, names } from '../../../language/words.js';

const en = {
  summary: ({ workload, resource }: { readonly workload: string; readonly resource: string }) =>
    say`The next update of ${code(workload)} would wait for itself (${code(resource)})`,
  'summary-quota': ({ workload }: { readonly workload: string }) =>
    say`The next update of ${code(workload)} would wait for itself (quota)`,
  'summary-volume': ({ workload, volume }: { readonly workload: string; readonly volume: string }) =>
    say`The next update of ${code(workload)} hangs if its new pod comes to another node than ${code(volume)}`,
  standing: ({ ready, wanted }: { readonly ready: number; readonly wanted: number }) =>
    say`Nothing is wrong now: ${ready} of ${wanted} pods are ready.`,
  strategy: ({
    maxSurge,
    maxUnavailable,
    replicas,
    surge,
  }: {
    readonly maxSurge: string;
    readonly maxUnavailable: string;
    readonly replicas: number;
    readonly surge: number;
  }) =>
    say`With ${counted(replicas, 'replica', 'replicas')}, maxSurge ${code(maxSurge)} and maxUnavailable ${code(maxUnavailable)} mean ${surge} extra and none missing: an update starts with one more pod, and takes an old one only when that is ready.`,
  'strategy-surges': ({ maxSurge }: { readonly maxSurge: string }) =>
    say`With maxSurge ${code(maxSurge)}, an update starts a second pod on the same node, and takes the old one only when that is ready.`,
  'no-place': ({ resource }: { readonly resource: string }) =>
    say`There is no place for one more pod: no node has ${code(resource)} left for it.`,
  'no-quota': () => say`The quota does not allow one more pod.`,
  'would-say': ({ message }: { readonly message: string }) => say`Kubernetes would say ${quote(message)}`,
  held: ({
    pods,
    nodes,
    resource,
  }: {
    readonly pods: readonly string[];
    readonly nodes: readonly string[];
    readonly resource: string;
  }) =>
    nodes.length === 0
      ? say`Its own ${names('en', pods)} ${word(pods.length === 1 ? 'holds' : 'hold')} ${code(resource)}.`
      : say`Its own ${names('en', pods)} on ${names('en', nodes)} ${word(pods.length === 1 ? 'holds' : 'hold')} ${code(resource)}.`,
  moves: ({
    volume,
    nodes,
    pods,
  }: {
    readonly volume: string;
    readonly nodes: readonly string[];
    readonly pods: readonly string[];
  }) =>
    say`The volume ${code(volume)} can be on one node at a time, and is on ${names('en', nodes)} for ${names('en', pods)}. The scheduler does not look at that.`,
  'moves-always': ({ nodes }: { readonly nodes: readonly string[] }) =>
    say`On ${names('en', nodes)} there is no room for a second pod, so it must go elsewhere.`,
  'moves-perhaps': ({ nodes }: { readonly nodes: readonly string[] }) =>
    say`If it chooses ${names('en', nodes)} again, the update gets through; if another node, it hangs.`,
  'in-place': ({ seconds, gap }: { readonly seconds: number | undefined; readonly gap: boolean }) =>
    seconds === undefined
      ? say`With maxSurge ${code('0')} and maxUnavailable ${code('1')} it would get through.`
      : gap
        ? say`With maxSurge ${code('0')} and maxUnavailable ${code('1')} it would get through, with no pod ready for about ${duration('en', seconds)}.`
        : say`With maxSurge ${code('0')} and maxUnavailable ${code('1')} it would get through, with fewer pods ready for about ${duration('en', seconds)}.`,
  recreate: ({ seconds }: { readonly seconds: number | undefined }) =>
    seconds === undefined
      ? say`With the strategy ${code('Recreate')} it would get through.`
      : say`With the strategy ${code('Recreate')} it would get through, with no pod ready for about ${duration('en', seconds)}.`,
  'ev-strategy': ({ workload }: { readonly workload: string }) => say`how ${code(workload)} is updated`,
  'same-template': () =>
    say`This supposes that the next version needs what today's needs, and that the cluster stays as it is.`,
  'pods-unread': ({ because }: { readonly because: string }) =>
    say`Pods on some nodes could not be read (${code(because)}).`,
  'because-complete': () => say`the last rollout is complete`,
  'because-held': ({ pods }: { readonly pods: readonly string[] }) =>
    say`there would be room without ${names('en', pods)}`,
  'advice-change-title': () => say`Change the strategy before the next update`,
  'advice-change': ({ workload }: { readonly workload: string }) =>
    say`In the manifest of ${code(workload)}; it starts no new revision.`,
  'advice-room-title': () => say`Or keep room for one more pod`,
  'advice-room': ({ resource }: { readonly resource: string }) =>
    say`Then updates have no gap: one more ${code(resource)} than the replicas need.`,
};

const ko: SameSentences<typeof en> = {
  summary: ({ workload, resource }) =>
    say`${code(workload)}의 다음 업데이트는 자기 자신을 기다리게 됩니다(${code(resource)})`,
  'summary-quota': ({ workload }) =>
    say`${code(workload)}의 다음 업데이트는 자기 자신을 기다리게 됩니다(쿼터)`,
  'summary-volume': ({ workload, volume }) =>
    say`${code(workload)}의 다음 업데이트는 새 파드가 ${code(volume)} 볼륨과 다른 노드에 배치되면 멈춥니다`,
  standing: ({ ready, wanted }) => say`지금은 문제가 없습니다: 파드 ${wanted}개 중 ${ready}개 준비됨.`,
  strategy: ({ maxSurge, maxUnavailable, replicas, surge }) =>
    say`복제본 ${replicas}개에 maxSurge ${code(maxSurge)}, maxUnavailable ${code(maxUnavailable)}이면 추가 ${surge}개, 부족 0개입니다. 업데이트는 파드를 하나 더 띄우는 것으로 시작하고, 그것이 준비되어야 이전 파드를 내립니다.`,
  'strategy-surges': ({ maxSurge }) =>
    say`maxSurge ${code(maxSurge)}이면 같은 노드에 두 번째 파드를 띄우고, 그것이 준비되어야 이전 파드를 내립니다.`,
  'no-place': ({ resource }) =>
    say`파드 하나가 더 들어갈 자리가 없습니다. ${code(resource)} 자원이 남은 노드가 없습니다.`,
  'no-quota': () => say`쿼터 때문에 파드를 하나 더 만들 수 없습니다.`,
  'would-say': ({ message }) => say`Kubernetes 메시지는 이렇게 됩니다: ${quote(message)}`,
  held: ({ pods, nodes, resource }) =>
    nodes.length === 0
      ? say`자기 파드 ${names('ko', pods)}가 ${code(resource)} 자원을 쥐고 있습니다.`
      : say`${names('ko', nodes)}에서 자기 파드 ${names('ko', pods)}가 ${code(resource)} 자원을 쥐고 있습니다.`,
  moves: ({ volume, nodes, pods }) =>
    say`볼륨 ${code(volume)}은 한 번에 한 노드에만 연결되고, 지금은 ${names('ko', pods)} 때문에 ${names('ko', nodes)}에 있습니다. 스케줄러는 이것을 보지 않습니다.`,
  'moves-always': ({ nodes }) =>
    say`${names('ko', nodes)}에는 두 번째 파드가 들어갈 자리가 없어 다른 노드로 갈 수밖에 없습니다.`,
  'moves-perhaps': ({ nodes }) =>
    say`다시 ${names('ko', nodes)}를 고르면 업데이트가 끝까지 진행되고, 다른 노드를 고르면 멈춥니다.`,
  'in-place': ({ seconds, gap }) =>
    seconds === undefined
      ? say`maxSurge ${code('0')}, maxUnavailable ${code('1')}이면 끝까지 진행됩니다.`
      : gap
        ? say`maxSurge ${code('0')}, maxUnavailable ${code('1')}이면 끝까지 진행되며, 약 ${duration('ko', seconds)} 동안 준비된 파드가 없습니다.`
        : say`maxSurge ${code('0')}, maxUnavailable ${code('1')}이면 끝까지 진행되며, 약 ${duration('ko', seconds)} 동안 준비된 파드가 줄어듭니다.`,
  recreate: ({ seconds }) =>
    seconds === undefined
      ? say`${code('Recreate')} 전략이면 끝까지 진행됩니다.`
      : say`${code('Recreate')} 전략이면 끝까지 진행되며, 약 ${duration('ko', seconds)} 동안 준비된 파드가 없습니다.`,
  'ev-strategy': ({ workload }) => say`${code(workload)} 업데이트 방식`,
  'same-template': () => say`다음 버전이 지금과 같은 것을 필요로 하고 클러스터가 그대로라고 가정했습니다.`,
  'pods-unread': ({ because }) => say`일부 노드의 파드를 읽지 못했습니다(${code(because)}).`,
  'because-complete': () => say`지난 롤아웃은 끝남`,
  'because-held': ({ pods }) => say`${names('ko', pods)} 없이는 자리가 있음`,
  'advice-change-title': () => say`다음 업데이트 전에 전략 바꾸기`,
  'advice-change': ({ workload }) =>
    say`${code(workload)} 매니페스트에서 바꾸세요. 새 리비전은 시작되지 않습니다.`,
  'advice-room-title': () => say`또는 파드 하나만큼 자리 남겨 두기`,
  'advice-room': ({ resource }) =>
    say`${code(resource)} 자원이 복제본에 필요한 것보다 하나만큼 더 있으면 업데이트 때 중단이 없습니다.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('fragile-strategy');
