import type { SameSentences } from '../../../language/catalogue.js';
import { code, say, sentences, word } from '../../../language/prose.js';
import { statementsOf } from '../../../language/statement.js';
import { counted, duration, names } from '../../../language/words.js';
import { needWords, thingWords } from './need-words.js';

const en = {
  summary: ({ workload }: { readonly workload: string; readonly resource: string }) =>
    say`${code(workload)} waits for itself`,
  'standing-but-for-jobs': ({
    revision,
    stillForSeconds,
  }: {
    readonly revision: string;
    readonly stillForSeconds: number | undefined;
  }) =>
    stillForSeconds === undefined
      ? say`The rollout to revision ${code(revision)} stands still and moves only if a job's pod ends.`
      : say`The rollout to revision ${code(revision)} has stood still for ${duration('en', stillForSeconds)} and moves only if a job's pod ends.`,
  /** The new pod and what it waits for. `nodes` are those that could ever carry it. */
  needs: ({
    pod,
    waiting,
    resource,
    amount,
    nodes,
    nodesInAll,
  }: {
    readonly pod: string;
    readonly waiting: number;
    readonly resource: string;
    readonly amount: string;
    readonly nodes: readonly string[];
    readonly nodesInAll: number;
  }) =>
    sentences(
      waiting === 1
        ? say`The new pod ${code(pod)} needs ${needWords('en', resource, amount)}.`
        : say`${waiting} new pods wait; ${code(pod)}, like the others, needs ${needWords('en', resource, amount)}.`,
      nodes.length === 1
        ? say`Of ${counted(nodesInAll, 'node', 'nodes')} only ${names('en', nodes)} could carry it.`
        : say`Of ${counted(nodesInAll, 'node', 'nodes')} these could carry it: ${names('en', nodes)}.`,
    ),
  held: ({
    pods,
    nodes,
    resource,
    amount,
  }: {
    readonly pods: readonly string[];
    readonly nodes: readonly string[];
    readonly resource: string;
    readonly amount: string;
  }) =>
    pods.length === 1
      ? say`On ${names('en', nodes)}, ${thingWords('en', resource, amount)} is taken by ${names('en', pods)}: the old pod of this same workload.`
      : say`On ${names('en', nodes)}, ${thingWords('en', resource, amount)} is taken by ${names('en', pods)}: old pods of this same workload.`,
  /** Of a DaemonSet. */
  'strategy-surges': ({
    maxSurge,
    maxUnavailable,
    waiting,
    surge,
    nodes,
  }: {
    readonly maxSurge: string;
    readonly maxUnavailable: string;
    readonly waiting: number;
    readonly surge: number;
    readonly nodes: number;
  }) =>
    say`The strategy (maxSurge ${code(maxSurge)}, maxUnavailable ${code(maxUnavailable)}) starts the new pod beside the old one on the same node and takes the old one only when the new one is ready; of ${surge} such ${word(surge === 1 ? 'node' : 'nodes')} at a time, out of ${nodes}, ${waiting} ${word(waiting === 1 ? 'stands' : 'stand')} still.`,
  /** Of a StatefulSet. */
  'strategy-ordinals': ({ pod }: { readonly pod: string }) =>
    say`A StatefulSet updates its pods from the highest ordinal down. It replaces no other pod before ${code(pod)} is available.`,
  counterfactual: ({
    pod,
    without,
    node,
  }: {
    readonly pod: string;
    readonly without: readonly string[];
    readonly node: string;
  }) =>
    without.length === 1
      ? say`Without ${names('en', without)} the new pod ${code(pod)} fits on ${code(node)}.`
      : say`Without ${names('en', without)} together the new pod ${code(pod)} fits on ${code(node)}.`,
  'no-rescue': (_: { readonly resource: string }) =>
    say`No autoscaler, preemption, finishing pod or retry is on its way to change that.`,
  'also-holding': ({ pods, resource }: { readonly pods: readonly string[]; readonly resource: string }) =>
    say`Pods of others hold ${code(resource)} there too: ${names('en', pods)}.`,
  /** Nodes that would take the new pod but for the state they are in. */
  'room-cordoned': ({ nodes }: { readonly nodes: readonly string[] }) =>
    say`${names('en', nodes)} would take the new pod, but ${word(nodes.length === 1 ? 'is' : 'are')} cordoned.`,
  'room-not-ready': ({ nodes }: { readonly nodes: readonly string[] }) =>
    say`${names('en', nodes)} would take the new pod, but ${word(nodes.length === 1 ? 'is' : 'are')} not in service.`,
  'nodes-joining': ({ nodes }: { readonly nodes: readonly string[] }) =>
    say`${names('en', nodes)} joined only minutes ago and may take the new pod once it is ready and has told its devices.`,
  'standing-but-for-evictions': ({
    revision,
    stillForSeconds,
  }: {
    readonly revision: string;
    readonly stillForSeconds: number | undefined;
  }) =>
    stillForSeconds === undefined
      ? say`The rollout to revision ${code(revision)} is stuck until a taint evicts a pod.`
      : say`The rollout to revision ${code(revision)} has been stuck for ${duration('en', stillForSeconds)}, until a taint evicts a pod.`,
  'evictions-may-free': ({ pods }: { readonly pods: readonly string[] }) =>
    say`A NoExecute taint evicts ${names('en', pods, 3)} when ${code('tolerationSeconds')} are over. The new pod may fit then.`,
  'standing-but-for-neighbours': ({
    revision,
    stillForSeconds,
  }: {
    readonly revision: string;
    readonly stillForSeconds: number | undefined;
  }) =>
    stillForSeconds === undefined
      ? say`The rollout to revision ${code(revision)} is stuck. Only another workload's rollout may still free its place.`
      : say`The rollout to revision ${code(revision)} has been stuck for ${duration('en', stillForSeconds)}. Only another workload's rollout may still free its place.`,
  'neighbours-unread': ({ neighbours }: { readonly neighbours: readonly string[] }) =>
    say`${names('en', neighbours, 3)} ${word(neighbours.length === 1 ? 'runs' : 'run')} pods of several revisions, and could not be read. A rollout there may still stop old pods, and the new pod may fit then.`,
  'jobs-may-finish': ({ pods }: { readonly pods: readonly string[] }) =>
    say`${names('en', pods, 3)} ${word(pods.length === 1 ? 'runs' : 'run')} to completion: what that frees may be the place that the new pod waits for.`,
  'other-scheduler': ({ scheduler }: { readonly scheduler: string }) =>
    say`These pods are placed by ${code(scheduler)}; what is said here are the rules of kube-scheduler, and it may have others.`,
  'refused-elsewhere': ({ node, reasons }: { readonly node: string; readonly reasons: readonly string[] }) =>
    say`${code(node)} refuses it: ${names('en', reasons)}.`,
  'pods-unread': ({ because }: { readonly because: string }) =>
    say`Pods on some nodes could not be read (${code(because)}), so room there is not ruled out.`,
  'events-unread': ({ because }: { readonly because: string }) =>
    say`Events could not be read (${code(because)}), so a node that an autoscaler has ordered would not be known.`,
  'autoscaler-pending': () =>
    say`The cluster has an autoscaler, and it has not answered yet: it may order a node within the next minute.`,
  'because-fits-without': ({ pods }: { readonly pods: readonly string[] }) =>
    say`it fits once ${names('en', pods)} ${word(pods.length === 1 ? 'is' : 'are')} gone`,
  'because-own-pods': ({ pods, resource }: { readonly pods: readonly string[]; readonly resource: string }) =>
    say`${code(resource)} is held by the workload's own ${names('en', pods)}`,
  'because-no-scale-up': () => say`no autoscaler has ordered a node`,
  'because-node-open': ({ node }: { readonly node: string }) =>
    say`${code(node)} is neither cordoned nor tainted against it`,
  'ev-ordinals': ({ pod }: { readonly pod: string }) => say`the controller waits for ${code(pod)}`,
  'restart-withheld-ordinals': ({ pod }: { readonly pod: string }) =>
    say`The restarted rollout would wait for ${code(pod)} as well.`,
  'exclude-withheld': ({ node }: { readonly node: string }) => say`${code(node)} is the node it needs.`,
  'patch-withheld': ({ resource }: { readonly resource: string }) =>
    say`Neither stopping old pods one by one nor all at once brings the rollout to its end: ${code(resource)} stays short.`,
  'next-attempt': () => say`The scheduler tries again whenever a pod or node changes, and finds the same.`,
  'advice-capacity-title': ({ resource }: { readonly resource: string }) =>
    say`Add room for ${code(resource)}`,
  'advice-capacity': ({ resource, amount }: { readonly resource: string; readonly amount: string }) =>
    say`One more node with ${code(amount)} of ${code(resource)} free takes the waiting pod, and no ready one has to stop for it.`,
  'advice-capacity-node': ({
    nodes,
    resource,
    amount,
  }: {
    readonly nodes: readonly string[];
    readonly resource: string;
    readonly amount: string;
  }) =>
    say`The new pod can go nowhere else: with ${code(amount)} more of ${code(resource)} to give on ${names('en', nodes)}, it starts beside the old one.`,
  'advice-uncordon': ({ nodes }: { readonly nodes: readonly string[] }) =>
    say`The new pod then starts on ${names('en', nodes)} without a gap. Somebody cordoned it on purpose: ask first.`,
  'advice-wait-title': () => say`Give the new node a moment`,
  'advice-wait': ({ nodes }: { readonly nodes: readonly string[] }) =>
    say`If ${names('en', nodes)} comes up with room for the new pod, the rollout goes on without a gap.`,
  'advice-sharing-title': () => say`Or let pods share the GPU`,
  'advice-sharing': ({ resource }: { readonly resource: string }) =>
    say`With time-slicing or MIG a node offers more ${code(resource)} than it has cards; old and new pod then fit side by side.`,
  'advice-match-label-keys-title': () => say`Or let revisions ignore each other`,
  'advice-match-label-keys': ({ field }: { readonly field: string }) =>
    say`With ${code('matchLabelKeys: [pod-template-hash]')} in ${code(field)}, only pods of the same revision count. It takes effect with the update after the next.`,
};

const ko: SameSentences<typeof en> = {
  summary: ({ workload }) => say`${code(workload)} 롤아웃이 자기 자신을 기다리고 있습니다`,
  'standing-but-for-jobs': ({ revision, stillForSeconds }) =>
    stillForSeconds === undefined
      ? say`리비전 ${code(revision)} 배포가 멈춰 있고, 잡의 파드가 끝나야만 움직입니다.`
      : say`리비전 ${code(revision)} 배포가 ${duration('ko', stillForSeconds)}째 멈춰 있고, 잡의 파드가 끝나야만 움직입니다.`,
  needs: ({ pod, waiting, resource, amount, nodes, nodesInAll }) =>
    sentences(
      waiting === 1
        ? say`새 파드 ${code(pod)}에 필요한 것: ${needWords('ko', resource, amount)}.`
        : say`새 파드 ${waiting}개가 기다립니다. ${code(pod)} 등에 필요한 것: ${needWords('ko', resource, amount)}.`,
      say`노드 ${nodesInAll}개 중 받을 수 있는 노드: ${names('ko', nodes)}.`,
    ),
  held: ({ pods, nodes, resource, amount }) =>
    say`${names('ko', nodes)}에서는 같은 워크로드의 이전 파드 ${names('ko', pods)} 때문에 자리가 없습니다(${thingWords('ko', resource, amount)}).`,
  'strategy-surges': ({ maxSurge, maxUnavailable, waiting, surge, nodes }) =>
    say`배포 전략(maxSurge ${code(maxSurge)}, maxUnavailable ${code(maxUnavailable)})은 같은 노드에서 이전 파드 옆에 새 파드를 띄우고, 새 파드가 준비되어야 이전 파드를 내립니다. 노드 ${nodes}개 중 한 번에 ${surge}개씩인데 ${waiting}개가 멈춰 있습니다.`,
  'strategy-ordinals': ({ pod }) =>
    say`StatefulSet은 가장 높은 순번부터 차례로 파드를 업데이트합니다. ${code(pod)} 파드가 사용 가능해지기 전에는 다른 파드를 교체하지 않습니다.`,
  counterfactual: ({ pod, without, node }) =>
    say`${names('ko', without)} 없이는 새 파드 ${code(pod)}가 ${code(node)}에 들어갑니다.`,
  'no-rescue': () => say`오토스케일러, 선점, 종료 중인 파드, 재시도 중 어느 것도 이 상황을 바꾸지 않습니다.`,
  'also-holding': ({ pods, resource }) =>
    say`다른 워크로드의 파드도 거기서 ${code(resource)} 자원을 쓰고 있습니다: ${names('ko', pods)}.`,
  'room-cordoned': ({ nodes }) =>
    say`${names('ko', nodes)} 노드는 새 파드를 받을 수 있지만 cordon 상태입니다.`,
  'room-not-ready': ({ nodes }) =>
    say`${names('ko', nodes)} 노드는 새 파드를 받을 수 있지만 서비스 중이 아닙니다.`,
  'nodes-joining': ({ nodes }) =>
    say`${names('ko', nodes)} 노드는 몇 분 전에 들어왔습니다. 준비되고 장치를 알리면 새 파드를 받을 수도 있습니다.`,
  'standing-but-for-evictions': ({ revision, stillForSeconds }) =>
    stillForSeconds === undefined
      ? say`리비전 ${code(revision)} 배포가 멈춰 있으며, taint가 파드를 축출하면 다시 진행될 수 있습니다.`
      : say`리비전 ${code(revision)} 배포가 ${duration('ko', stillForSeconds)}째 멈춰 있으며, taint가 파드를 축출하면 다시 진행될 수 있습니다.`,
  'evictions-may-free': ({ pods }) =>
    say`${code('tolerationSeconds')}가 지나면 NoExecute taint가 ${names('ko', pods, 3)} 파드를 축출합니다. 그러면 새 파드가 들어갈 수 있습니다.`,
  'standing-but-for-neighbours': ({ revision, stillForSeconds }) =>
    stillForSeconds === undefined
      ? say`리비전 ${code(revision)} 배포가 멈춰 있으며, 다른 워크로드의 롤아웃이 자리를 비울 때만 다시 진행됩니다.`
      : say`리비전 ${code(revision)} 배포가 ${duration('ko', stillForSeconds)}째 멈춰 있으며, 다른 워크로드의 롤아웃이 자리를 비울 때만 다시 진행됩니다.`,
  'neighbours-unread': ({ neighbours }) =>
    say`${names('ko', neighbours, 3)} 워크로드는 여러 리비전의 파드를 실행 중이지만 읽지 못했습니다. 그쪽 롤아웃이 이전 파드를 중지하면 새 파드가 들어갈 수 있습니다.`,
  'jobs-may-finish': ({ pods }) =>
    say`${names('ko', pods, 3)} 파드는 할 일을 마치면 끝납니다. 그때 나는 자리가 새 파드가 기다리는 자리일 수 있습니다.`,
  'other-scheduler': ({ scheduler }) =>
    say`이 파드는 ${code(scheduler)} 스케줄러가 배치합니다. 여기서 말하는 것은 kube-scheduler의 규칙이며, 다른 규칙이 있을 수 있습니다.`,
  'refused-elsewhere': ({ node, reasons }) => say`${code(node)} 거부 사유: ${names('ko', reasons)}.`,
  'pods-unread': ({ because }) =>
    say`일부 노드의 파드를 읽지 못해(${code(because)}) 그곳에 자리가 있을 가능성은 배제되지 않았습니다.`,
  'events-unread': ({ because }) =>
    say`이벤트를 읽지 못해(${code(because)}) 오토스케일러가 이미 주문한 노드가 있어도 알 수 없습니다.`,
  'autoscaler-pending': () =>
    say`클러스터에 오토스케일러가 있고 아직 응답하지 않았습니다. 1분 안에 노드를 주문할 수 있습니다.`,
  'because-fits-without': ({ pods }) => say`${names('ko', pods)} 없이는 들어감`,
  'because-own-pods': ({ pods, resource }) =>
    say`${code(resource)} 자원은 이 워크로드의 ${names('ko', pods)}가 점유`,
  'because-no-scale-up': () => say`오토스케일러가 요청한 노드 없음`,
  'because-node-open': ({ node }) => say`${code(node)}에는 cordon도 막는 taint도 없음`,
  'ev-ordinals': ({ pod }) => say`컨트롤러가 ${code(pod)} 파드를 기다림`,
  'restart-withheld-ordinals': ({ pod }) => say`재시작한 롤아웃도 ${code(pod)} 파드를 기다립니다.`,
  'exclude-withheld': ({ node }) => say`${code(node)}가 바로 필요한 노드입니다.`,
  'patch-withheld': ({ resource }) =>
    say`이전 파드를 하나씩 내려도, 한꺼번에 내려도 롤아웃이 끝나지 않습니다. ${code(resource)} 자원이 계속 모자랍니다.`,
  'next-attempt': () => say`스케줄러는 파드나 노드가 바뀔 때마다 다시 시도하지만 결과는 같습니다.`,
  'advice-capacity-title': ({ resource }) => say`${code(resource)} 자리 늘리기`,
  'advice-capacity': ({ resource, amount }) =>
    say`${code(resource)} ${code(amount)} 여유가 있는 노드가 하나 더 있으면, 준비된 파드를 내리지 않고도 기다리는 파드가 시작됩니다.`,
  'advice-capacity-node': ({ nodes, resource, amount }) =>
    say`새 파드는 다른 노드로 갈 수 없습니다. ${names('ko', nodes)}에 ${code(resource)} ${code(amount)} 여유가 더 생기면 이전 파드 옆에서 시작됩니다.`,
  'advice-uncordon': ({ nodes }) =>
    say`그러면 새 파드가 ${names('ko', nodes)}에서 중단 없이 시작됩니다. 누군가 일부러 cordon 한 것이니 먼저 물어보세요.`,
  'advice-wait-title': () => say`새 노드를 잠시 기다리기`,
  'advice-wait': ({ nodes }) =>
    say`${names('ko', nodes)} 노드가 자리를 갖고 준비되면 롤아웃은 중단 없이 이어집니다.`,
  'advice-sharing-title': () => say`또는 GPU 나눠 쓰기`,
  'advice-sharing': ({ resource }) =>
    say`타임 슬라이싱이나 MIG를 쓰면 노드가 카드 수보다 많은 ${code(resource)} 자원을 제공해 두 파드가 함께 들어갑니다.`,
  'advice-match-label-keys-title': () => say`또는 리비전끼리 서로 세지 않게 하기`,
  'advice-match-label-keys': ({ field }) =>
    say`${code(field)}에 ${code('matchLabelKeys: [pod-template-hash]')}를 넣으면 같은 리비전의 파드만 셉니다. 그다음 업데이트부터 효과가 있습니다.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('surge-deadlock');
