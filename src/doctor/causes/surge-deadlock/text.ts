import type { Language } from '../../../engine/language/language.js';
import { code, type Prose, say, sentences, word } from '../../../engine/language/prose.js';
import { statementsOf } from '../../../engine/language/statement.js';
import { counted, names } from '../../../engine/language/words.js';
import { type Certainty, deadlocked } from '../../findings/deadlock/text.js';
import { resourceWords } from '../../findings/waiting/sentence.js';

/** The sentences of the cause, in English. */
const en = {
  'shared-failure': () => say`old pods hold what new pods need`,
  summary: ({ resource, ...rest }: Certainty & { readonly workload: string; readonly resource: string }) =>
    say`${deadlocked('en', rest)}: its new pod needs ${resourceWords('en', resource)}, in use by its own old pod`,
  /**
   * The new pod and what it waits for. `nodes` are those that own old pods keep it from, and `nodesOfOthers`
   * counts those that only other pods keep it from; earlier records lack it.
   */
  needs: ({
    pod,
    waiting,
    resource,
    amount,
    nodes,
    nodesOfOthers = 0,
    nodesInAll,
  }: {
    pod: string;
    waiting: number;
    resource: string;
    amount: string;
    nodes: readonly string[];
    nodesOfOthers?: number | undefined;
    nodesInAll: number;
  }) =>
    sentences(
      waiting === 1
        ? say`The new pod ${code(pod)} needs ${needWords('en', resource, amount)}.`
        : say`${waiting} new pods are pending. ${code(pod)}, like the others, needs ${needWords('en', resource, amount)}.`,
      nodesInAll === 1
        ? say`The cluster has only one node, ${names('en', nodes)}.`
        : nodesOfOthers > 0
          ? say`${nodes.length + nodesOfOthers} of ${nodesInAll} nodes could run it, and on ${nodesOfOthers} of them other pods are in the way.`
          : nodes.length === 1
            ? say`Only 1 of ${nodesInAll} nodes could run it: ${names('en', nodes)}.`
            : say`${nodes.length} of ${nodesInAll} nodes could run it: ${names('en', nodes)}.`,
    ),
  held: (values: { pods: readonly string[]; nodes: readonly string[]; resource: string; amount: string }) =>
    values.pods.length === 1
      ? say`On ${names('en', values.nodes)}, ${thingWords('en', values.resource, values.amount)} is in use by ${names('en', values.pods)}, the old pod of the same workload.`
      : say`On ${names('en', values.nodes)}, ${thingWords('en', values.resource, values.amount)} is in use by ${names('en', values.pods)}, old pods of the same workload.`,
  /** Of a DaemonSet. */
  'strategy-surges': (values: {
    maxSurge: string;
    maxUnavailable: string;
    waiting: number;
    surge: number;
    nodes: number;
  }) =>
    sentences(
      say`The strategy (maxSurge ${code(values.maxSurge)}, maxUnavailable ${code(values.maxUnavailable)}) starts the new pod beside the old one on the same node. The controller stops the old pod only when the new one is ready.`,
      say`The strategy updates ${values.surge} of ${counted(values.nodes, 'node', 'nodes')} at a time, and ${values.waiting} ${word(values.waiting === 1 ? 'is' : 'are')} stuck.`,
    ),
  /** Of a StatefulSet. */
  'strategy-ordinals': ({ pod }: { pod: string }) =>
    say`A StatefulSet updates its pods from the highest ordinal down. The controller replaces no other pod before ${code(pod)} is available.`,
  counterfactual: ({ pod, without, node }: { pod: string; without: readonly string[]; node: string }) =>
    without.length === 1
      ? say`Without ${names('en', without)}, the new pod ${code(pod)} fits on ${code(node)}.`
      : say`Without all of ${names('en', without)}, the new pod ${code(pod)} fits on ${code(node)}.`,
  'no-rescue': (_: { readonly resource: string }) =>
    say`No scale-up, preemption, terminating pod or retry is pending that would change this.`,
  'also-holding': ({ pods, resource }: { pods: readonly string[]; resource: string }) =>
    say`Pods of other workloads also use ${code(resource)} there: ${names('en', pods)}.`,
  /** Nodes that would take the new pod but for the state they are in. */
  'devices-tainted': ({ rules }: { rules: readonly string[] }) =>
    say`The new pod could use another device, but for the taint of the DeviceTaintRule ${names('en', rules)}.`,
  'driver-missing': ({ nodes }: { nodes: readonly string[] }) =>
    say`${names('en', nodes)} could run the new pod, but the CSI driver of its volume is not installed there.`,
  'room-cordoned': ({ nodes }: { nodes: readonly string[] }) =>
    say`${names('en', nodes)} could run the new pod, but ${word(nodes.length === 1 ? 'is' : 'are')} cordoned.`,
  'room-not-ready': ({ nodes }: { nodes: readonly string[] }) =>
    say`${names('en', nodes)} could run the new pod, but ${word(nodes.length === 1 ? 'is' : 'are')} not in service.`,
  'other-scheduler': ({ scheduler }: { scheduler: string }) =>
    say`${code(scheduler)} schedules these pods. This diagnosis applies the rules of kube-scheduler, and ${code(scheduler)} may have others.`,
  'gate-unsure': ({ version }: { version: string }) =>
    say`The version ${code(version)} decides only the default of the gate ${code('MaxUnavailableStatefulSet')}. If this cluster has another setting, the controller updates more pods at a time.`,
  'because-fits-without': ({ pods }: { pods: readonly string[] }) =>
    say`the pod fits once ${names('en', pods)} ${word(pods.length === 1 ? 'is' : 'are')} gone`,
  'because-own-pods': ({ pods, resource }: { pods: readonly string[]; resource: string }) =>
    say`the workload's own ${names('en', pods)} ${word(pods.length === 1 ? 'uses' : 'use')} ${code(resource)}`,
  'because-node-open': ({ node }: { node: string }) =>
    say`${code(node)} is not cordoned and has no taint against the pod`,
  'ev-ordinals': ({ pod }: { pod: string }) => say`the controller waits for ${code(pod)}`,
  'restart-withheld-ordinals': ({ pod }: { pod: string }) =>
    say`The restarted rollout would also wait for ${code(pod)}.`,
  'exclude-withheld': ({ node }: { node: string }) => say`The pod needs ${code(node)} itself.`,
  'patch-withheld': ({ resource }: { resource: string }) =>
    say`The rollout does not complete whether old pods stop one by one or all at once. ${code(resource)} stays short.`,
  'next-attempt': () => say`The scheduler retries when a pod or node changes, with the same result.`,
  'advice-capacity-title': ({ resource }: { resource: string }) => say`Add capacity for ${code(resource)}`,
  'advice-capacity': ({ resource, amount }: { resource: string; amount: string }) =>
    say`With one more node that has ${code(amount)} of ${code(resource)} free, the new pod starts and no ready pod has to stop.`,
  'advice-capacity-group': ({ size, resource }: { size: number; resource: string }) =>
    say`With enough ${code(resource)} free for one more group of ${counted(size, 'pod', 'pods')}, the new group starts and no ready pod has to stop.`,
  'advice-capacity-node': (values: { nodes: readonly string[]; resource: string; amount: string }) =>
    say`The new pod can run nowhere else. With ${code(values.amount)} more of ${code(values.resource)} on ${names('en', values.nodes)}, it starts beside the old one.`,
  'advice-uncordon': ({ nodes }: { nodes: readonly string[] }) =>
    say`The new pod then starts on ${names('en', nodes)} without downtime. The node was cordoned on purpose, so ask before you uncordon it.`,
  'advice-wait-title': () => say`Wait for the new node`,
  'advice-wait': ({ nodes }: { nodes: readonly string[] }) =>
    say`If ${names('en', nodes)} becomes ready with room for the new pod, the rollout continues without downtime.`,
  'advice-sharing-title': () => say`Or let pods share the GPU`,
  'advice-sharing': ({ resource }: { resource: string }) =>
    say`With time-slicing or MIG, a node offers more ${code(resource)} than it has cards. The old and the new pod then fit side by side.`,
  'advice-match-label-keys-title': () => say`Or make revisions ignore each other`,
  'advice-match-label-keys': ({ field }: { field: string }) =>
    say`With ${code('matchLabelKeys: [pod-template-hash]')} in ${code(field)}, only pods of the same revision count. The setting takes effect with the update after the next.`,
};

const ko: typeof en = {
  'shared-failure': () => say`새 파드에 필요한 리소스를 이전 파드가 사용 중`,
  summary: ({ resource, ...rest }) =>
    say`${deadlocked('ko', rest)}: 새 파드에 필요한 리소스(${resourceWords('ko', resource)})를 이전 파드가 사용 중입니다`,
  needs: ({ pod, waiting, resource, amount, nodes, nodesOfOthers = 0, nodesInAll }) =>
    sentences(
      waiting === 1
        ? say`새 파드 ${code(pod)}에 필요한 리소스는 ${needWords('ko', resource, amount)}입니다.`
        : say`새 파드 ${waiting}개가 Pending 상태입니다. ${code(pod)} 등에 필요한 리소스는 ${needWords('ko', resource, amount)}입니다.`,
      nodesOfOthers > 0
        ? say`노드 ${nodesInAll}개 중 ${nodes.length + nodesOfOthers}개에 배치할 수 있는 파드인데, 그중 ${nodesOfOthers}개는 다른 파드가 차지하고 있습니다.`
        : nodes.length === nodesInAll && nodesInAll > 1
          ? say`노드 ${nodesInAll}개 모두에 배치할 수 있는 파드입니다: ${names('ko', nodes)}.`
          : nodes.length === 1
            ? say`노드 ${nodesInAll}개 중 ${names('ko', nodes)} 노드에만 배치할 수 있습니다.`
            : say`노드 ${nodesInAll}개 중 ${nodes.length}개에만 배치할 수 있습니다: ${names('ko', nodes)}.`,
    ),
  held: ({ pods, nodes, resource, amount }) =>
    say`${names('ko', nodes)} 노드에서 같은 워크로드의 이전 파드(${names('ko', pods)})가 ${thingWords('ko', resource, amount)} 사용 중입니다.`,
  'strategy-surges': ({ maxSurge, maxUnavailable, waiting, surge, nodes }) =>
    sentences(
      say`배포 전략(maxSurge ${code(maxSurge)}, maxUnavailable ${code(maxUnavailable)})은 같은 노드에서 이전 파드와 나란히 새 파드를 시작하고, 새 파드가 준비되어야 이전 파드를 내립니다.`,
      say`노드 ${nodes}개 중 한 번에 ${surge}개씩 업데이트하는데 ${waiting}개가 멈춰 있습니다.`,
    ),
  'strategy-ordinals': ({ pod }) =>
    say`StatefulSet은 순번이 가장 높은 파드부터 차례로 업데이트합니다. 컨트롤러는 ${code(pod)} 파드가 사용 가능해지기 전에는 다른 파드를 교체하지 않습니다.`,
  counterfactual: ({ pod, without, node }) =>
    say`${names('ko', without)} 파드가 종료되면 새 파드(${code(pod)})를 ${code(node)} 노드에 배치할 수 있습니다.`,
  'no-rescue': () => say`진행 중인 스케일업·선점·파드 종료·재시도가 없어 기다려도 해소되지 않습니다.`,
  'also-holding': ({ pods, resource }) =>
    say`다른 워크로드의 파드도 그곳에서 ${code(resource)} 리소스를 사용 중입니다: ${names('ko', pods)}.`,
  'devices-tainted': ({ rules }) =>
    say`DeviceTaintRule ${names('ko', rules)}의 taint가 없다면 새 파드가 다른 장치를 사용할 수 있습니다.`,
  'driver-missing': ({ nodes }) =>
    say`${names('ko', nodes)} 노드에 새 파드를 배치할 수 있지만 볼륨의 CSI 드라이버가 설치되어 있지 않습니다.`,
  'room-cordoned': ({ nodes }) =>
    say`${names('ko', nodes)} 노드에 새 파드를 배치할 수 있지만 cordon되어 있습니다.`,
  'room-not-ready': ({ nodes }) =>
    say`${names('ko', nodes)} 노드에 새 파드를 배치할 수 있지만 노드가 서비스 중이 아닙니다.`,
  'other-scheduler': ({ scheduler }) =>
    say`이 파드는 ${code(scheduler)} 스케줄러가 배치합니다. 이 진단은 kube-scheduler의 규칙을 따르므로 ${code(scheduler)} 스케줄러의 규칙과 다를 수 있습니다.`,
  'gate-unsure': ({ version }) =>
    say`${code(version)} 버전으로는 ${code('MaxUnavailableStatefulSet')} 게이트의 기본값만 알 수 있습니다. 이 클러스터의 설정이 다르다면 컨트롤러가 한 번에 더 많은 파드를 교체합니다.`,
  'because-fits-without': ({ pods }) => say`${names('ko', pods)} 파드가 없으면 배치할 수 있음`,
  'because-own-pods': ({ pods, resource }) =>
    say`이 워크로드의 ${names('ko', pods)} 파드가 ${code(resource)} 사용 중`,
  'because-node-open': ({ node }) => say`${code(node)} 노드는 cordon되지 않았고 파드를 막는 taint도 없음`,
  'ev-ordinals': ({ pod }) => say`컨트롤러가 ${code(pod)} 파드를 기다림`,
  'restart-withheld-ordinals': ({ pod }) => say`재시작한 롤아웃도 ${code(pod)} 파드를 기다립니다.`,
  'exclude-withheld': ({ node }) => say`파드에 필요한 노드가 바로 ${code(node)} 노드입니다.`,
  'patch-withheld': ({ resource }) =>
    say`이전 파드를 하나씩 내려도, 한꺼번에 내려도 롤아웃이 완료되지 않습니다. ${code(resource)} 리소스가 계속 부족합니다.`,
  'next-attempt': () => say`스케줄러는 파드나 노드가 바뀔 때마다 다시 시도하지만 결과는 같습니다.`,
  'advice-capacity-title': ({ resource }) => say`${code(resource)} 용량 늘리기`,
  'advice-capacity': ({ resource, amount }) =>
    say`${code(resource)} 여유가 ${code(amount)} 이상인 노드가 하나 더 있으면 준비된 파드를 내리지 않고 새 파드를 시작할 수 있습니다.`,
  'advice-capacity-group': ({ size, resource }) =>
    say`파드 ${size}개로 된 그룹 하나가 더 들어갈 만큼 ${code(resource)} 여유가 있으면 준비된 파드를 내리지 않고 새 그룹을 시작할 수 있습니다.`,
  'advice-capacity-node': ({ nodes, resource, amount }) =>
    say`새 파드는 다른 노드에 배치할 수 없습니다. ${names('ko', nodes)} 노드의 ${code(resource)} 여유가 ${code(amount)}만큼 늘어나면 이전 파드와 나란히 시작합니다.`,
  'advice-uncordon': ({ nodes }) =>
    say`그러면 새 파드가 ${names('ko', nodes)} 노드에서 중단 없이 시작됩니다. 의도적으로 cordon한 노드이므로 해제하기 전에 담당자에게 확인하세요.`,
  'advice-wait-title': () => say`새 노드 기다리기`,
  'advice-wait': ({ nodes }) =>
    say`${names('ko', nodes)} 노드가 준비되고 새 파드의 자리가 있으면 롤아웃이 중단 없이 이어집니다.`,
  'advice-sharing-title': () => say`또는 GPU 공유하기`,
  'advice-sharing': ({ resource }) =>
    say`타임 슬라이싱이나 MIG를 쓰면 노드가 카드 수보다 많은 ${code(resource)} 리소스를 제공하므로 두 파드를 함께 배치할 수 있습니다.`,
  'advice-match-label-keys-title': () => say`또는 리비전끼리 서로 세지 않게 하기`,
  'advice-match-label-keys': ({ field }) =>
    say`${code(field)}에 ${code('matchLabelKeys: [pod-template-hash]')} 값을 넣으면 같은 리비전의 파드만 셉니다. 다음다음 업데이트부터 적용됩니다.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('surge-deadlock');

/** What the new pod waits for, as the object of "needs". The form of `amount` depends on the resource. */
export function needWords(language: Language, resource: string, amount: string): Prose {
  const words = ownWords(special[language], resource);
  return words === undefined ? amountWords[language](resource, amount) : words(amount);
}

const amountWords: { readonly [Each in Language]: (resource: string, amount: string) => Prose } = {
  en: (resource, amount) => say`${code(amount)} ${code(resource)}`,
  ko: (resource, amount) => say`${code(resource)} ${code(amount)}${counterOf(resource, amount)}`,
};

/** The same as a thing that a pod uses: `nvidia.com/gpu`, "host port 8080/TCP". */
export function thingWords(language: Language, resource: string, amount: string): Prose {
  const words = ownWords(things[language], resource) ?? ownWords(special[language], resource);
  return words === undefined ? say`${code(resource)}` : words(amount);
}

/** Devices are counted; amounts of memory and CPU have units. */
function counterOf(resource: string, amount: string): Prose {
  return resource.includes('/') && /^\d+$/.test(amount) ? say`개` : [];
}

type Words = Readonly<Record<string, (amount: string) => Prose>>;

/** A resource may have the name of something that all objects have. */
function ownWords(words: Words, resource: string): Words[string] | undefined {
  return Object.hasOwn(words, resource) ? words[resource] : undefined;
}

const special: { readonly [Each in Language]: Words } = {
  en: {
    pods: () => say`one more pod slot on a node`,
    hostPort: (amount) => say`host port ${code(amount)}`,
    ReadWriteOncePod: (amount) => say`exclusive use of the volume claim ${code(amount)} (ReadWriteOncePod)`,
    csiVolumeLimit: (amount) => say`one more volume attachment of ${code(amount)}`,
    podAntiAffinity: (amount) => say`a ${code(amount)} without the pods that its anti-affinity excludes`,
    topologySpread: (amount) => say`a node that satisfies the topology spread over ${code(amount)}`,
    deviceClaim: (amount) => say`a free device of class ${code(amount)}`,
  },
  ko: {
    pods: () => say`노드의 파드 슬롯 1개`,
    hostPort: (amount) => say`호스트 포트 ${code(amount)}`,
    ReadWriteOncePod: (amount) => say`볼륨 클레임 ${code(amount)} 단독 사용(ReadWriteOncePod)`,
    csiVolumeLimit: (amount) => say`${code(amount)} 볼륨 연결 1개`,
    podAntiAffinity: (amount) => say`안티어피니티에 걸리는 파드가 없는 ${code(amount)} 도메인`,
    topologySpread: (amount) => say`${code(amount)} 분산 제약에 맞는 노드`,
    deviceClaim: (amount) => say`${code(amount)} 클래스의 빈 장치`,
  },
};

/** Where the thing in use has other words than the need. */
const things: typeof special = {
  en: {
    pods: () => say`the last pod slot`,
    ReadWriteOncePod: (amount) => say`the volume claim ${code(amount)} (ReadWriteOncePod)`,
    csiVolumeLimit: (amount) => say`the last volume attachment of ${code(amount)}`,
    podAntiAffinity: (amount) => say`the ${code(amount)} that its anti-affinity allows`,
    topologySpread: (amount) => say`the place that the topology spread over ${code(amount)} allows`,
    deviceClaim: (amount) => say`the device of class ${code(amount)}`,
  },
  ko: {
    pods: () => say`마지막 파드 슬롯`,
    ReadWriteOncePod: (amount) => say`볼륨 클레임 ${code(amount)}(ReadWriteOncePod)`,
    csiVolumeLimit: (amount) => say`${code(amount)} 볼륨의 마지막 연결`,
    podAntiAffinity: (amount) => say`안티어피니티가 허용하는 ${code(amount)} 도메인`,
    topologySpread: (amount) => say`${code(amount)} 분산 제약이 허용하는 자리`,
    deviceClaim: (amount) => say`${code(amount)} 클래스의 장치`,
  },
};
