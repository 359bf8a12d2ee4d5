import type { SameSentences } from '../../language/catalogue.js';
import { code, type Prose, quote, say, word } from '../../language/prose.js';
import { counted } from '../../language/words.js';
import { clausesEn, subjectEn } from './reason-clauses-en.js';
import { clausesKo, subjectKo } from './reason-clauses-ko.js';
import { reasonTellers } from './reason-text.js';

const nodesEn = (count: number | undefined): Prose =>
  count === undefined ? say`Nodes` : counted(count, 'node', 'nodes');
const nodesKo = (count: number | undefined): Prose =>
  count === undefined ? say`노드` : say`노드 ${count}개`;

type PreemptionValues = { readonly count: number | undefined; readonly text: string };

/** The explanation of a scheduler message. */
const en = {
  ...reasonTellers(clausesEn, subjectEn),
  'nodes-refused': ({ nodes }: { readonly nodes: number }) =>
    nodes === 1 ? say`The only node cannot run the pod.` : say`None of the ${nodes} nodes can run the pod.`,
  /** Other schedulers than kube-scheduler report how many nodes fit. */
  'nodes-feasible': ({ nodes, feasible }: { readonly nodes: number; readonly feasible: number }) =>
    say`${feasible} of ${counted(nodes, 'node', 'nodes')} can run the pod.`,
  refused: () => say`The pod cannot be scheduled. The message does not state the number of nodes.`,
  'scale-up-declined': () =>
    say`The cluster autoscaler adds no node for this pod: a new node would not help, or a limit is reached.`,
  'scale-up-triggered': ({ groups }: { readonly groups: string }) =>
    say`The cluster autoscaler requested nodes: ${code(groups)}. The pod waits for them.`,
  'karpenter-declined': () => say`Karpenter adds no node for this pod.`,
  'karpenter-nominated': ({ where }: { readonly where: string }) =>
    say`Karpenter plans to place the pod on ${code(where)}. The pod waits for it.`,
  gang: ({ text: said }: { readonly text: string }) =>
    say`The pods of this group must start together, and not all of them can be scheduled: ${quote(said)}.`,
  queue: ({ text: said }: { readonly text: string }) =>
    say`The queue has not admitted the workload yet: ${quote(said)}.`,
  'not-a-sentence': ({ text: said }: { readonly text: string }) =>
    say`The message contains no known scheduler reason: ${quote(said)}.`,
  empty: () => say`The message gives no reason.`,
  'cut-off': () =>
    say`The message is cut off, because events hold at most 1024 bytes. The pod's condition PodScheduled has the full message.`,
  /** The text ends within a known reason without a mark that it is cut off. */
  'cut-short': () =>
    say`The message ends in the middle of a reason. The pod's condition PodScheduled has the full message.`,
  /** The text holds several events; `position` counts from 1. */
  'further-sentence': ({ position }: { readonly position: number }) => say`Message ${position}:`,
  'preemption-alone': () =>
    say`The message contains only the part about preemption. The reasons come before it in the pod's condition PodScheduled.`,
  /** Nodes are counted under their first reason; several for one node come from one plugin. */
  'first-objection-only': () =>
    say`Kubernetes reports only the first reason for each node. Another reason can appear once the first is resolved.`,
  'several-for-one-node': ({ sum, nodes }: { readonly sum: number; readonly nodes: number }) =>
    say`The counts add up to ${sum} for ${counted(nodes, 'node', 'nodes')}, because one node can lack several resources.`,
  'preemption-no-victims': ({ count }: PreemptionValues) =>
    count === undefined
      ? say`Preemption: no pod of lower priority can be evicted.`
      : say`Preemption: ${nodesEn(count)} ${word(count === 1 ? 'has' : 'have')} no pod of lower priority to evict.`,
  'preemption-not-helpful': ({ count }: PreemptionValues) =>
    count === undefined
      ? say`Preemption would not help.`
      : say`Preemption would not help on ${nodesEn(count)}.`,
  'preemption-policy-never': () => say`The pod may not preempt others (preemptionPolicy: Never).`,
  'preemption-under-way': ({ text: said }: { readonly text: string }) =>
    say`The scheduler is making room for the pod: ${quote(said)}.`,
  'preemption-not-eligible': ({ text: said }: { readonly text: string }) =>
    say`The pod may not preempt others: ${quote(said)}.`,
  'preemption-unknown': ({ count, text: said }: PreemptionValues) =>
    count === undefined
      ? say`The scheduler adds: ${quote(said)}.`
      : say`Preemption would not be sufficient on ${nodesEn(count)} (${quote(said)}).`,
  'pod-level': () =>
    say`The reason lies in the pod, not in the capacity of the nodes. Freeing or adding nodes does not help.`,
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
    const rest = never === 0 ? [] : say` ${counted(never, 'node', 'nodes')} cannot run the pod even then.`;
    return exact
      ? say`Removing other pods could help on ${could} of ${nodesEn(nodes)}.${rest}`
      : say`Removing other pods could help on at most ${could} of ${nodesEn(nodes)}. Kubernetes counts full nodes and nodes that are too small together.${rest}`;
  },
  'leaving-unclear': ({ unclear }: { readonly nodes: number; readonly unclear: number }) =>
    say`The message does not show whether removing other pods would help on ${nodesEn(unclear)}.`,
  'leaving-cannot-help': ({ nodes }: { readonly nodes: number }) =>
    nodes === 1
      ? say`Removing other pods does not help. The node, the pod or its volume must change.`
      : say`Removing other pods does not help on any of the ${nodes} nodes. The nodes, the pod or its volume must change.`,
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
    const lack = word(count === 1 ? 'lacks' : 'lack');
    if (tooSmall === 0)
      return say`${nodesEn(count)} ${lack} free ${code(resource)}. The capacity is sufficient, but in use.`;
    if (inUse === 0)
      return say`${nodesEn(count)} ${lack} ${code(resource)}. The capacity is too small or zero, even without other pods.`;
    const inUseOn = inUse === 1 ? say`1 has` : say`${inUse} have`;
    const tooSmallOn = tooSmall === 1 ? say`1 has` : say`${tooSmall} have`;
    return say`${nodesEn(count)} ${lack} free ${code(resource)}: ${inUseOn} enough capacity that is in use, and ${tooSmallOn} too little or none even without other pods.`;
  },
};

const ko: SameSentences<typeof en> = {
  ...reasonTellers(clausesKo, subjectKo),
  'nodes-refused': ({ nodes }) =>
    nodes === 1
      ? say`하나뿐인 노드에서 파드를 실행할 수 없습니다.`
      : say`노드 ${nodes}개 중 파드를 실행할 수 있는 노드가 없습니다.`,
  'nodes-feasible': ({ nodes, feasible }) =>
    say`노드 ${nodes}개 중 ${feasible}개에서 파드를 실행할 수 있습니다.`,
  refused: () => say`파드를 배치할 수 없습니다. 노드가 몇 개인지는 메시지에 없습니다.`,
  'scale-up-declined': () =>
    say`클러스터 오토스케일러가 이 파드를 위해 노드를 추가하지 않습니다. 노드를 추가해도 도움이 되지 않거나 한도에 도달했습니다.`,
  'scale-up-triggered': ({ groups }) =>
    say`클러스터 오토스케일러가 노드를 요청했습니다: ${code(groups)}. 파드는 그 노드를 기다립니다.`,
  'karpenter-declined': () => say`Karpenter가 이 파드를 위해 노드를 추가하지 않습니다.`,
  'karpenter-nominated': ({ where }) =>
    say`Karpenter가 파드를 배치할 곳을 정했습니다: ${code(where)}. 파드는 그 노드를 기다립니다.`,
  gang: ({ text: said }) =>
    say`이 그룹의 파드는 모두 함께 시작해야 하는데, 일부를 배치할 수 없습니다: ${quote(said)}.`,
  queue: ({ text: said }) => say`큐가 아직 이 워크로드를 승인하지 않았습니다: ${quote(said)}.`,
  'not-a-sentence': ({ text: said }) =>
    say`메시지에서 알려진 스케줄러 사유를 찾을 수 없습니다: ${quote(said)}.`,
  empty: () => say`메시지에 사유가 없습니다.`,
  'cut-off': () =>
    say`메시지가 잘렸습니다. 이벤트에는 1024바이트까지만 들어갑니다. 전체 메시지는 파드의 PodScheduled 컨디션에 있습니다.`,
  'cut-short': () =>
    say`메시지가 사유 중간에서 끊겼습니다. 전체 메시지는 파드의 PodScheduled 컨디션에 있습니다.`,
  'further-sentence': ({ position }) => say`${position}번째 메시지:`,
  'preemption-alone': () =>
    say`메시지에 선점(preemption)에 관한 부분만 있습니다. 사유는 파드의 PodScheduled 컨디션에서 그 앞부분에 있습니다.`,
  'first-objection-only': () =>
    say`Kubernetes는 노드마다 첫 번째 사유만 표시합니다. 그 사유가 해결되면 다른 사유가 나타날 수 있습니다.`,
  'several-for-one-node': ({ sum, nodes }) =>
    say`노드는 ${nodes}개인데 합계는 ${sum}입니다. 한 노드에 여러 가지가 부족할 수 있습니다.`,
  'preemption-no-victims': ({ count }) =>
    count === undefined
      ? say`선점: 축출할 수 있는 낮은 우선순위 파드가 없습니다.`
      : say`선점: ${nodesKo(count)}에는 축출할 수 있는 낮은 우선순위 파드가 없습니다.`,
  'preemption-not-helpful': ({ count }) =>
    count === undefined
      ? say`선점은 도움이 되지 않습니다.`
      : say`${nodesKo(count)}에서는 선점이 도움이 되지 않습니다.`,
  'preemption-policy-never': () => say`이 파드는 다른 파드를 선점할 수 없습니다(preemptionPolicy: Never).`,
  'preemption-under-way': ({ text: said }) =>
    say`스케줄러가 파드의 자리를 확보하고 있습니다: ${quote(said)}.`,
  'preemption-not-eligible': ({ text: said }) =>
    say`이 파드는 다른 파드를 선점할 수 없습니다: ${quote(said)}.`,
  'preemption-unknown': ({ count, text: said }) =>
    count === undefined
      ? say`스케줄러의 추가 메시지: ${quote(said)}.`
      : say`${nodesKo(count)}에서는 선점해도 부족합니다(${quote(said)}).`,
  'pod-level': () =>
    say`원인이 노드의 용량이 아니라 파드 자체에 있습니다. 노드를 비우거나 추가해도 도움이 되지 않습니다.`,
  'leaving-could-help': ({ nodes, could, never, exact }) => {
    const rest = never === 0 ? [] : say` 노드 ${never}개에는 그래도 배치할 수 없습니다.`;
    return exact
      ? say`다른 파드가 없어지면 노드 ${nodes}개 중 ${could}개에 자리가 생길 수 있습니다.${rest}`
      : say`다른 파드가 없어지면 노드 ${nodes}개 중 최대 ${could}개에 자리가 생길 수 있습니다. Kubernetes는 가득 찬 노드와 애초에 작은 노드를 함께 셉니다.${rest}`;
  },
  'leaving-unclear': ({ unclear }) =>
    say`노드 ${unclear}개는 다른 파드가 없어지면 자리가 생기는지 메시지만으로는 알 수 없습니다.`,
  'leaving-cannot-help': ({ nodes }) =>
    nodes === 1
      ? say`다른 파드가 없어져도 도움이 되지 않습니다. 노드, 파드, 볼륨 중 하나를 바꿔야 합니다.`
      : say`다른 파드가 없어져도 노드 ${nodes}개 모두 도움이 되지 않습니다. 노드, 파드, 볼륨 중 하나를 바꿔야 합니다.`,
  shortage: ({ resource, count, inUse, tooSmall }) => {
    const start = say`노드 ${count}개에 ${code(resource)} 여유가 부족합니다`;
    if (tooSmall === 0) return say`${start}. 용량은 충분하지만 사용 중입니다.`;
    if (inUse === 0) return say`${start}. 노드가 비어 있어도 부족하거나 아예 없습니다.`;
    return say`${start}. ${inUse}개는 용량이 충분하지만 사용 중이고, ${tooSmall}개는 비어 있어도 부족하거나 아예 없습니다.`;
  },
};

export const text = { en, ko };
