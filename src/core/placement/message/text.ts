import type { SameSentences } from '../../language/catalogue.js';
import { code, type Prose, quote, say } from '../../language/prose.js';
import { counted } from '../../language/words.js';
import { clausesEn, subjectEn } from './reason-clauses-en.js';
import { clausesKo, subjectKo } from './reason-clauses-ko.js';
import { reasonTellers } from './reason-text.js';

const nodesEn = (count: number | undefined): Prose =>
  count === undefined ? say`Nodes` : counted(count, 'node', 'nodes');
const nodesKo = (count: number | undefined): Prose =>
  count === undefined ? say`노드` : say`노드 ${count}개`;

type PreemptionValues = { readonly count: number | undefined; readonly text: string };

/** The explanation of a scheduler's sentence, in every language. */
const en = {
  ...reasonTellers(clausesEn, subjectEn),
  'nodes-refused': ({ nodes }: { readonly nodes: number }) =>
    nodes === 1 ? say`The only node cannot take the pod.` : say`None of the ${nodes} nodes can take the pod.`,
  /** No kube-scheduler writes this: it says how many nodes would do. */
  'nodes-feasible': ({ nodes, feasible }: { readonly nodes: number; readonly feasible: number }) =>
    say`${feasible} of ${counted(nodes, 'node', 'nodes')} would take the pod.`,
  refused: () => say`The pod has no place. The sentence does not say how many nodes there are.`,
  'scale-up-declined': () =>
    say`The cluster autoscaler adds no node for this pod: none would help, or none may be added.`,
  'scale-up-triggered': ({ groups }: { readonly groups: string }) =>
    say`The cluster autoscaler has ordered nodes: ${code(groups)}. The pod waits for them.`,
  'karpenter-declined': () => say`Karpenter adds no node for this pod.`,
  'karpenter-nominated': ({ where }: { readonly where: string }) =>
    say`Karpenter has a place in mind: ${code(where)}. The pod waits for it.`,
  gang: ({ text: said }: { readonly text: string }) =>
    say`The pods of this group start together or not at all, and not all of them can: ${quote(said)}.`,
  queue: ({ text: said }: { readonly text: string }) =>
    say`The queue does not let this in yet: ${quote(said)}.`,
  'not-a-sentence': ({ text: said }: { readonly text: string }) =>
    say`We know no reason in these words: ${quote(said)}.`,
  empty: () => say`The sentence gives no reason.`,
  'cut-off': () =>
    say`The sentence is cut off: events hold 1024 bytes. The pod's condition PodScheduled has all of it.`,
  /** The text stops within known words, and nothing marks it as cut off. */
  'cut-short': () =>
    say`The text ends in the middle of a reason. The pod's condition PodScheduled has all of it.`,
  /** The text holds several events; `position` counts from 1. */
  'further-sentence': ({ position }: { readonly position: number }) => say`Sentence ${position} of the text:`,
  'preemption-alone': () =>
    say`The text holds only the part about eviction. The reasons stand before that part in the pod's condition PodScheduled.`,
  /** Nodes are counted under their first objection; several for one node come from one plugin. */
  'first-objection-only': () =>
    say`Each node is counted with its first objection only. Once that is gone, another may show.`,
  'several-for-one-node': ({ sum, nodes }: { readonly sum: number; readonly nodes: number }) =>
    say`The counts add up to ${sum} for ${counted(nodes, 'node', 'nodes')}: one node can lack several things.`,
  'preemption-no-victims': ({ count }: PreemptionValues) =>
    count === undefined
      ? say`Eviction: there is no pod of lower priority to evict.`
      : say`Eviction: on ${nodesEn(count)} there is no pod of lower priority to evict.`,
  'preemption-not-helpful': ({ count }: PreemptionValues) =>
    count === undefined
      ? say`Eviction: it would not help.`
      : say`Eviction: on ${nodesEn(count)} it would not help.`,
  'preemption-policy-never': () => say`The pod may not evict others (preemptionPolicy: Never).`,
  'preemption-under-way': ({ text: said }: { readonly text: string }) =>
    say`Room is being made for the pod: ${quote(said)}.`,
  'preemption-not-eligible': ({ text: said }: { readonly text: string }) =>
    say`The pod may not evict others: ${quote(said)}.`,
  'preemption-unknown': ({ count, text: said }: PreemptionValues) =>
    count === undefined
      ? say`The scheduler adds: ${quote(said)}.`
      : say`Eviction: on ${nodesEn(count)} it would not be enough (${quote(said)}).`,
  'pod-level': () =>
    say`This is about the pod, not about room on nodes. Freeing nodes or adding some does not help.`,
  'leaving-could-help': ({
    nodes,
    could,
    never,
    exact,
  }: {
    readonly nodes: number;
    readonly could: number;
    readonly never: number;
    readonly exact: boolean;
  }) => {
    const rest =
      never === 0 ? [] : say` ${counted(never, 'node stays', 'nodes stay')} closed whoever leaves.`;
    return exact
      ? say`Other pods' leaving could make room on ${could} of ${nodesEn(nodes)}.${rest}`
      : say`Other pods' leaving could make room on at most ${could} of ${nodesEn(nodes)}: full nodes and nodes that are too small are counted alike.${rest}`;
  },
  'leaving-unclear': ({ unclear }: { readonly nodes: number; readonly unclear: number }) =>
    say`Whether other pods' leaving helps on ${nodesEn(unclear)}, the sentence does not tell.`,
  'leaving-cannot-help': ({ nodes }: { readonly nodes: number }) =>
    nodes === 1
      ? say`No pod's leaving opens this node: the node, the pod or its volume has to change.`
      : say`No pod's leaving opens any of the ${nodes} nodes: nodes, pod or volume have to change.`,
  shortage: ({
    resource,
    count,
    inUse,
    tooSmall,
  }: {
    readonly resource: string;
    readonly count: number;
    readonly inUse: number;
    readonly tooSmall: number;
  }) => {
    if (tooSmall === 0)
      return say`${nodesEn(count)} short of ${code(resource)}: enough of it is there, but in use.`;
    if (inUse === 0)
      return say`${nodesEn(count)} short of ${code(resource)}: too little or none of it, even when empty.`;
    const inUseOn = inUse === 1 ? say`1 has` : say`${inUse} have`;
    const tooSmallOn = tooSmall === 1 ? say`1 has` : say`${tooSmall} have`;
    return say`Of ${nodesEn(count)} short of ${code(resource)}, ${inUseOn} enough but it is in use; ${tooSmallOn} too little or none even when empty.`;
  },
};

const ko: SameSentences<typeof en> = {
  ...reasonTellers(clausesKo, subjectKo),
  'nodes-refused': ({ nodes }) =>
    nodes === 1
      ? say`하나뿐인 노드가 파드를 받지 못합니다.`
      : say`노드 ${nodes}개 중 파드를 받을 수 있는 노드가 없습니다.`,
  'nodes-feasible': ({ nodes, feasible }) => say`노드 ${nodes}개 중 ${feasible}개가 파드를 받을 수 있습니다.`,
  refused: () => say`파드가 갈 곳이 없습니다. 노드가 몇 개인지는 메시지에 없습니다.`,
  'scale-up-declined': () =>
    say`클러스터 오토스케일러가 이 파드를 위해 노드를 늘리지 않습니다. 늘려도 소용없거나 더 늘릴 수 없기 때문입니다.`,
  'scale-up-triggered': ({ groups }) =>
    say`클러스터 오토스케일러가 노드를 요청했습니다: ${code(groups)}. 파드는 그 노드를 기다립니다.`,
  'karpenter-declined': () => say`Karpenter가 이 파드를 위해 노드를 늘리지 않습니다.`,
  'karpenter-nominated': ({ where }) =>
    say`Karpenter가 갈 곳을 정했습니다: ${code(where)}. 파드는 그곳을 기다립니다.`,
  gang: ({ text: said }) =>
    say`이 그룹의 파드는 모두 함께 시작해야 하는데, 아직 모두 갈 곳이 없습니다: ${quote(said)}.`,
  queue: ({ text: said }) => say`큐가 아직 들여보내지 않습니다: ${quote(said)}.`,
  'not-a-sentence': ({ text: said }) => say`알려진 이유가 없는 메시지입니다: ${quote(said)}.`,
  empty: () => say`메시지에 이유가 없습니다.`,
  'cut-off': () =>
    say`메시지가 잘렸습니다. 이벤트에는 1024바이트까지만 들어갑니다. 전체는 파드의 PodScheduled 컨디션에 있습니다.`,
  'cut-short': () => say`메시지가 이유 중간에서 끊겼습니다. 전체는 파드의 PodScheduled 컨디션에 있습니다.`,
  'further-sentence': ({ position }) => say`메시지의 ${position}번째 문장:`,
  'preemption-alone': () =>
    say`메시지에 축출에 관한 부분만 있습니다. 이유는 파드의 PodScheduled 컨디션에서 그 앞에 있습니다.`,
  'first-objection-only': () =>
    say`노드마다 첫 번째 이유만 셉니다. 그 이유가 사라지면 다른 이유가 나올 수 있습니다.`,
  'several-for-one-node': ({ sum, nodes }) =>
    say`노드는 ${nodes}개인데 합은 ${sum}입니다. 한 노드에 부족한 것이 여럿일 수 있습니다.`,
  'preemption-no-victims': ({ count }) =>
    count === undefined
      ? say`축출: 내보낼 더 낮은 우선순위의 파드가 없습니다.`
      : say`축출: ${nodesKo(count)}에는 내보낼 더 낮은 우선순위의 파드가 없습니다.`,
  'preemption-not-helpful': ({ count }) =>
    count === undefined
      ? say`축출: 도움이 되지 않습니다.`
      : say`축출: ${nodesKo(count)}에서는 도움이 되지 않습니다.`,
  'preemption-policy-never': () => say`이 파드는 다른 파드를 축출할 수 없습니다(preemptionPolicy: Never).`,
  'preemption-under-way': ({ text: said }) => say`파드의 자리를 비우는 중입니다: ${quote(said)}.`,
  'preemption-not-eligible': ({ text: said }) =>
    say`이 파드는 다른 파드를 축출할 수 없습니다: ${quote(said)}.`,
  'preemption-unknown': ({ count, text: said }) =>
    count === undefined
      ? say`스케줄러가 덧붙인 말: ${quote(said)}.`
      : say`축출: ${nodesKo(count)}에서는 축출해도 부족합니다(${quote(said)}).`,
  'pod-level': () => say`노드의 자리가 아니라 파드 자체의 문제입니다. 노드를 비우거나 늘려도 소용없습니다.`,
  'leaving-could-help': ({ nodes, could, never, exact }) => {
    const rest = never === 0 ? [] : say` 노드 ${never}개는 누가 떠나도 열리지 않습니다.`;
    return exact
      ? say`다른 파드가 떠나면 노드 ${nodes}개 중 ${could}개에 자리가 날 수 있습니다.${rest}`
      : say`다른 파드가 떠나면 노드 ${nodes}개 중 많아야 ${could}개에 자리가 날 수 있습니다. 꽉 찬 노드와 애초에 작은 노드가 함께 세어져 있습니다.${rest}`;
  },
  'leaving-unclear': ({ unclear }) =>
    say`노드 ${unclear}개는 다른 파드가 떠나면 자리가 나는지 메시지만으로는 알 수 없습니다.`,
  'leaving-cannot-help': ({ nodes }) =>
    nodes === 1
      ? say`어떤 파드가 떠나도 이 노드는 열리지 않습니다. 노드, 파드, 볼륨 중 하나가 바뀌어야 합니다.`
      : say`어떤 파드가 떠나도 노드 ${nodes}개 중 열리는 것은 없습니다. 노드, 파드, 볼륨 중 하나가 바뀌어야 합니다.`,
  shortage: ({ resource, count, inUse, tooSmall }) => {
    const start = say`노드 ${count}개에 ${code(resource)} 여유가 없습니다`;
    if (tooSmall === 0) return say`${start}: 충분히 있지만 사용 중입니다.`;
    if (inUse === 0) return say`${start}: 비어 있어도 모자라거나 아예 없습니다.`;
    return say`${start}: ${inUse}개는 충분히 있지만 사용 중이고, ${tooSmall}개는 비어 있어도 모자라거나 아예 없습니다.`;
  },
};

export const text = { en, ko };
