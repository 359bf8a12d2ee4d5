import { code, say, word } from '../../../engine/language/prose.js';
import { names } from '../../../engine/language/words.js';
import type { Pod } from '../../../engine/objects/pod.js';
import { qualifiedPodNames } from '../../../engine/objects/pod.js';
import { nowOf } from '../../../engine/objects/snapshot.js';
import { unreadOf } from '../../../engine/objects/unread.js';
import { loweredPodsThatFree } from '../../../engine/scheduler/lowered-pods.js';
import {
  nodesThatAreReplaced,
  nodesThatJoin,
  nodesThatMayReturn,
} from '../../../engine/scheduler/nodes-out-of-service.js';
import type { NodeVerdict } from '../../../engine/scheduler/verdict.js';
import type { Examination } from '../rule.js';
import { isAnswerPending, isScaleUpRetried, scaleUpUnderWay } from '../waiting/scale-up.js';
import { waiting as waitingStatement } from '../waiting/text.js';
import { type Answer, defineEscape, type Escape, type PlaceOf } from './contract.js';
import { isOfDaemonSet } from './own-workload.js';

type Nodes = { readonly nodes: readonly string[] };
const nodesIn = (found: Nodes) => found.nodes;

/** Asks about a new pod of those that wait, which are alike to the scheduler. */
function forNode<Facts>(ask: (pod: Pod, world: Examination, before: readonly Answer[]) => Facts) {
  return {
    node: ({ waiting }: PlaceOf<'node'>, world: Examination, before: readonly Answer[]) =>
      ask(waiting[0], world, before),
  };
}

const scaleUpIsUnderWay = defineEscape({
  id: 'scale-up-is-under-way',
  decides: true,
  opens: {
    node: ({ waiting }, { snapshot }) =>
      !isOfDaemonSet(snapshot) && scaleUpUnderWay(snapshot, waiting) !== undefined ? 'open' : undefined,
  },
  unread: {
    key: 'events-unread',
    of: (_, { snapshot }) => unreadOf(snapshot, 'Event'),
    says: {
      en: ({ because }) =>
        say`Events could not be read (${code(because)}), so an autoscaler may have ordered a node already.`,
      ko: ({ because }) =>
        say`이벤트를 읽지 못해(${code(because)}) 오토스케일러가 이미 노드를 요청했는지 알 수 없습니다.`,
    },
  },
  rulesOut: { cause: 'waiting-for-autoscaler', because: waitingStatement('because-no-order') },
});

export const autoscalerPending = defineEscape({
  id: 'autoscaler-pending',
  opens: forNode((pod, { snapshot }) => (isAnswerPending(snapshot, [pod]) ? {} : undefined)),
  says: {
    en: () =>
      say`The cluster has an autoscaler that has not responded yet. It may order a node within the next minute.`,
    ko: () => say`클러스터의 오토스케일러가 아직 응답하지 않았습니다. 1분 안에 노드를 요청할 수 있습니다.`,
  },
});

const scaleUpRetried = defineEscape({
  id: 'scale-up-retried',
  isAtAnyTime: true,
  opens: forNode((pod, { snapshot }) => (isScaleUpRetried(snapshot, [pod]) ? {} : undefined)),
  says: {
    en: () =>
      say`A scale-up for the pod failed or gave no node. The autoscaler retries it after a backoff, and the pod may fit on a new node then.`,
    ko: () =>
      say`이 파드를 위한 스케일 업이 실패했거나 노드가 추가되지 않았습니다. 오토스케일러가 백오프 후 다시 시도하면 새 노드에 파드를 배치할 수 있을지도 모릅니다.`,
  },
});

export const nodesJoining = defineEscape<Nodes>({
  id: 'nodes-joining',
  names: nodesIn,
  opens: forNode((pod, { snapshot, placement }) => ({
    nodes: nodesThatJoin(snapshot.index, placement.evaluate(pod).nodes, nowOf(snapshot)),
  })),
  says: {
    en: ({ nodes }) =>
      say`${names('en', nodes)} joined the cluster only minutes ago. The new pod may fit there once the node is ready and has reported its devices.`,
    ko: ({ nodes }) =>
      say`${names('ko', nodes)} 노드는 몇 분 전에 클러스터에 추가되었습니다. 노드가 준비되고 장치를 보고하면 새 파드를 배치할 수도 있습니다.`,
  },
});

export const nodesMayReturn = defineEscape<Nodes>({
  id: 'nodes-may-return',
  names: nodesIn,
  opens: forNode((pod, { snapshot, placement }, before) => {
    const joining = before.find(({ by }) => by === nodesJoining)?.names ?? [];
    const returning = nodesThatMayReturn(snapshot.index, placement.evaluate(pod).nodes, nowOf(snapshot));
    return { nodes: returning.filter((node) => !joining.includes(node)) };
  }),
  says: {
    en: ({ nodes }) =>
      say`${names('en', nodes, 3)} ${word(nodes.length === 1 ? 'has' : 'have')} been out of service only for minutes, or ${word(nodes.length === 1 ? 'reports' : 'report')} no healthy device at present. The pod may fit there without a change.`,
    ko: ({ nodes }) =>
      say`${names('ko', nodes, 3)} 노드는 몇 분 전부터 서비스 중이 아니거나 지금 정상 장치를 보고하지 않습니다. 변경하지 않아도 이 파드를 그곳에 배치할 수 있게 될지도 모릅니다.`,
  },
});

const volumesMayDetach = defineEscape<Nodes>({
  id: 'volumes-may-detach',
  names: nodesIn,
  opens: forNode((pod, { snapshot, placement }) => {
    // The reasons of thousands of nodes are worked out only where an attached volume can be one.
    const { VolumeAttachment } = snapshot.index.objects;
    const verdicts = VolumeAttachment.length === 0 ? [] : placement.evaluate(pod).nodes;
    return { nodes: verdicts.filter(isOnlyShortOfAttachments).map(({ node }) => node) };
  }),
  says: {
    en: ({ nodes }) =>
      say`Volumes that no pod uses are still attached to ${names('en', nodes, 3)}. When they are detached, the new pod may fit there.`,
    ko: ({ nodes }) =>
      say`어떤 파드도 쓰지 않는 볼륨이 아직 ${names('ko', nodes, 3)} 노드에 연결되어 있습니다. 연결이 해제되면 새 파드를 배치할 수 있을지도 모릅니다.`,
  },
});

/**
 * The attach/detach controller detaches a volume once no pod on the node uses it, and the limit counts it
 * until then.
 */
function isOnlyShortOfAttachments({ tooSmall, reasons, notSimulated }: NodeVerdict): boolean {
  return (
    !tooSmall &&
    reasons.length > 0 &&
    notSimulated.length === 0 &&
    reasons.every(
      (reason) =>
        reason.id === 'max-volumes' && reason.attached - reason.unused + reason.requested <= reason.limit,
    )
  );
}

export const resizesMayFree = defineEscape<{ readonly pods: readonly string[] }>({
  id: 'resizes-may-free',
  names: ({ pods }) => pods,
  opens: forNode((pod, { placement }) => ({ pods: qualifiedPodNames(loweredPodsThatFree(placement, pod)) })),
  says: {
    en: ({ pods }) =>
      say`${names('en', pods, 3)} ${word(pods.length === 1 ? 'is' : 'are')} being resized to lower requests. The pod may fit once the kubelet has made the resize.`,
    ko: ({ pods }) =>
      say`${names('ko', pods, 3)} 파드의 요청량이 줄어드는 중입니다. kubelet이 크기 조정을 마치면 이 파드를 배치할 수 있게 될지도 모릅니다.`,
  },
});

export const nodesAreReplaced = defineEscape<Nodes>({
  id: 'nodes-are-replaced',
  names: nodesIn,
  opens: forNode((pod, { snapshot, placement }) => ({
    nodes: nodesThatAreReplaced(placement, pod, nowOf(snapshot)),
  })),
  says: {
    en: ({ nodes }) =>
      say`Karpenter is about to replace ${names('en', nodes, 3)}. The pod may fit on a node that comes in return.`,
    ko: ({ nodes }) =>
      say`Karpenter가 ${names('ko', nodes, 3)} 노드를 곧 교체합니다. 대신 추가되는 노드에 이 파드를 배치할 수 있을지도 모릅니다.`,
  },
});

export const nodeEscapes: readonly Escape[] = [
  scaleUpIsUnderWay,
  autoscalerPending,
  scaleUpRetried,
  nodesJoining,
  nodesMayReturn,
  volumesMayDetach,
  resizesMayFree,
  nodesAreReplaced,
];
