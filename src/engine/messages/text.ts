import { code, type Prose, quote, say, word } from '../language/prose.js';
import { counted, names, particle } from '../language/words.js';
import type { ReasonClauses, ReasonKey, ReasonValues } from './reason-clauses-en.js';
import { clausesEn, subjectEn } from './reason-clauses-en.js';

const shown = (detail: string | undefined, otherwise: Prose): Prose =>
  detail === undefined ? otherwise : say`${code(detail)}`;

/** Korean: the reason that applies to the counted nodes. */
const clausesKo: ReasonClauses = {
  'node-affinity': () => say`레이블이 파드의 nodeSelector나 nodeAffinity와 맞지 않습니다.`,
  'node-name': () => say`파드가 다른 노드를 지정했습니다(spec.nodeName).`,
  'enforced-affinity': () =>
    say`레이블이 스케줄러 설정에서 모든 파드에 추가하는 노드 어피니티와 맞지 않습니다.`,
  'affinity-conflict': () => say`파드의 nodeAffinity 조건이 서로 모순됩니다. 맞는 노드가 있을 수 없습니다.`,
  taint: ({ detail }) =>
    detail === undefined
      ? say`파드가 허용하지 않는 테인트가 있습니다. 어떤 테인트인지는 메시지에 없습니다.`
      : say`테인트 ${code(detail)}${particle(detail, '이', '가')} 있지만, 파드에 이를 허용하는 톨러레이션이 없습니다.`,
  cordoned: () => say`cordon 상태입니다. uncordon할 때까지 새 파드를 배치하지 않습니다.`,
  'node-condition': ({ text }) => say`노드 상태 때문에 새 파드를 배치할 수 없습니다: ${quote(text)}.`,
  resource: ({ detail }) =>
    detail === undefined
      ? say`리소스가 부족합니다. 어떤 리소스인지는 메시지에 없습니다.`
      : say`파드가 요청한 ${code(detail)} 여유가 부족합니다.`,
  'pod-slots': () => say`노드의 파드 수 한도에 도달했습니다.`,
  'host-port': () => say`파드에 필요한 호스트 포트가 이미 사용 중입니다.`,
  'pod-affinity': () => say`파드의 podAffinity에 맞는 파드가 없습니다.`,
  'pod-anti-affinity': () => say`파드의 podAntiAffinity와 충돌하는 파드가 있습니다.`,
  'existing-anti-affinity': () => say`실행 중인 다른 파드의 podAntiAffinity가 이 파드를 제외합니다.`,
  'pod-affinity-either': () => say`podAffinity나 podAntiAffinity를 만족하지 않습니다.`,
  'topology-spread': () => say`파드가 하나 더 배치되면 topologySpreadConstraints를 위반합니다.`,
  'topology-label-missing': () => say`topologySpreadConstraints에서 사용하는 노드 레이블이 없습니다.`,
  'volume-affinity': () => say`파드의 볼륨을 사용할 수 없습니다(PersistentVolume의 nodeAffinity).`,
  'volume-zone': () => say`파드의 볼륨이 다른 존에 있습니다.`,
  'claim-unbound': () => say`파드의 PersistentVolumeClaim이 아직 볼륨에 바인딩되지 않았습니다.`,
  'storage-class-missing': ({ detail }) =>
    say`StorageClass ${shown(detail, say`(이름 없음)`)}: 존재하지 않습니다.`,
  'no-volume': () => say`파드의 클레임에 맞는 사용 가능한 PersistentVolume이 없습니다.`,
  'storage-full': () => say`새 볼륨을 만들 스토리지 용량이 부족합니다.`,
  'volume-lost': ({ detail }) =>
    detail === undefined
      ? say`파드의 PersistentVolumeClaim이 더 이상 존재하지 않는 볼륨에 바인딩되어 있습니다.`
      : say`${code(detail)}의 볼륨이 더 이상 존재하지 않습니다.`,
  'claim-missing': ({ detail }) =>
    say`파드에 지정된 PersistentVolumeClaim ${shown(detail, say`(이름 없음)`)}: 존재하지 않습니다.`,
  'claim-deleting': ({ detail }) =>
    say`PersistentVolumeClaim ${shown(detail, say`(이름 없음)`)}: 삭제되는 중입니다.`,
  'claim-awaited': ({ detail }) =>
    say`PersistentVolumeClaim ${shown(detail, say`(이름 없음)`)}: 임시 볼륨용으로 아직 생성되지 않았습니다.`,
  'read-write-once-pod': () =>
    say`다른 파드가 클레임을 사용 중이며, ReadWriteOncePod는 파드 하나만 허용합니다.`,
  'disk-in-use': () => say`다른 파드가 같은 디스크를 사용 중입니다.`,
  'volume-limit': () => say`드라이버의 볼륨 연결 한도에 도달했습니다.`,
  'driver-missing': ({ detail }) =>
    say`볼륨의 CSI 드라이버 ${shown(detail, say`(이름 없음)`)}: 설치되어 있지 않습니다.`,
  devices: ({ text }) => say`파드가 요청한 장치를 할당할 수 없습니다: ${quote(text)}.`,
  'device-claim-missing': ({ detail }) => say`파드의 ResourceClaim(${code(detail ?? '')})이 없습니다.`,
  'device-claim-awaited': ({ text }) => say`파드의 ResourceClaim이 아직 준비되지 않았습니다: ${quote(text)}.`,
  'device-class-missing': ({ detail }) =>
    say`DeviceClass ${shown(detail, say`(이름 없음)`)}: 존재하지 않습니다.`,
  features: () => say`파드에 필요한 기능을 노드의 kubelet이 지원하지 않습니다.`,
  gates: ({ detail }) =>
    detail === undefined
      ? say`파드에 스케줄링 게이트가 있습니다. 게이트를 설정한 쪽에서 먼저 제거해야 합니다.`
      : say`스케줄링 게이트가 파드를 막고 있습니다: ${names('ko', detail.split(', '))}. 게이트를 설정한 쪽에서 먼저 제거해야 합니다.`,
  gang: ({ text }) => say`파드가 같은 그룹의 다른 파드를 기다립니다: ${quote(text)}.`,
  'no-node': () => say`스케줄러가 사용할 수 있는 노드가 없습니다.`,
  prebind: ({ detail, text }) =>
    say`스케줄러가 노드를 찾았지만 준비 단계(${shown(detail, say`플러그인`)})에서 실패했습니다: ${quote(text)}. 스케줄러가 다시 시도합니다.`,
  'plugin-left-out': ({ detail }) =>
    detail === 'NodeAffinity'
      ? say`이 파드의 대상 노드가 아닙니다(NodeAffinity, DaemonSet 파드에서는 정상).`
      : say`스케줄러 플러그인(${shown(detail, say`이름 없음`)})이 미리 제외했습니다.`,
  'plugin-conflict': ({ detail }) =>
    say`플러그인(${shown(detail, say`이름 없음`)})에서 허용하는 노드가 없습니다.`,
  'plugin-failed': ({ detail, text }) =>
    say`스케줄러 플러그인(${shown(detail, say`이름 없음`)})이 실패했습니다: ${quote(text)}.`,
  'permit-rejected': ({ detail, text }) =>
    say`노드를 찾은 뒤 스케줄러 플러그인 ${shown(detail, say`(이름 없음)`)}에서 파드를 거부했습니다: ${quote(text)}.`,
  'preemption-awaited': () => say`이 파드를 위해 축출한 파드가 종료되기를 기다립니다.`,
  'being-deleted': () => say`파드가 삭제되는 중이라 더 이상 스케줄링하지 않습니다.`,
  'group-limit': ({ text }) => say`크기 한도에 도달했습니다(${quote(text)}).`,
  'group-backoff': ({ text }) => say`지금은 확장할 수 없습니다(${quote(text)}).`,
  'instance-types': ({ text }) => say`파드에 맞는 허용된 인스턴스 유형이 없습니다(${quote(text)}).`,
  'device-full': ({ text }) => say`장치의 메모리, 연산 능력 또는 슬롯 여유가 부족합니다(${quote(text)}).`,
  'device-mismatch': ({ text }) => say`파드가 요청한 종류의 장치가 아닙니다(${quote(text)}).`,
  'device-unhealthy': ({ text }) => say`장치가 파드를 받지 않습니다(${quote(text)}).`,
  'device-unregistered': ({ text }) =>
    say`디바이스 플러그인이 노드의 장치를 보고하지 않았습니다(${quote(text)}).`,
  'device-unfit': ({ text }) =>
    say`장치 스케줄러 HAMi가 사유 없이 파드를 거부합니다(${quote(text)}). 사유는 HAMi의 로그나 FilteringFailed 이벤트에 있습니다.`,
  alignment: ({ text }) => say`한 NUMA 노드에 CPU나 장치의 여유가 부족합니다(${quote(text)}).`,
  'node-load': ({ text }) => say`측정된 부하가 스케줄러의 한도를 넘습니다(${quote(text)}).`,
  reservation: ({ text }) => say`Koordinator의 Reservation을 파드가 쓸 수 없습니다: ${quote(text)}.`,
  'queue-closed': ({ text }) => say`파드의 큐나 네임스페이스의 할당량을 모두 사용했습니다: ${quote(text)}.`,
  preempted: ({ text }) =>
    say`스케줄러가 다른 파드의 자리를 확보하려고 이 파드를 선점(축출)했습니다: ${quote(text)}.`,
  'kubelet-rejects': ({ text }) =>
    say`스케줄러가 노드를 정했지만, 그 노드의 kubelet이 파드를 거부했습니다: ${quote(text)}.`,
  'kubelet-ends': ({ text }) => say`노드의 kubelet이 파드를 종료했습니다: ${quote(text)}.`,
  'resize-infeasible': ({ detail, text }) =>
    say`노드의 ${shown(detail, say`리소스`)} 용량이 작아 실행 중인 파드의 크기를 바꿀 수 없습니다: ${quote(text)}.`,
  'quota-exceeded': ({ text }) =>
    say`네임스페이스의 ResourceQuota를 다 써서 API 서버가 파드 생성을 거부합니다: ${quote(text)}.`,
  'creation-refused': ({ text }) => say`API 서버가 파드 생성을 거부합니다: ${quote(text)}.`,
  'timed-out': ({ text }) => say`스케줄러의 대기 시간이 초과되었습니다: ${quote(text)}.`,
  unknown: ({ text }) => say`${quote(text)}.`,
};

/** `노드 3개 모두`, `노드 1개`, the NodePool's name. */
function subjectKo({ count, nodes, unit, pool }: ReasonValues): Prose {
  if (pool !== undefined) return say`NodePool ${code(pool)}`;
  if (unit === 'node-pool') return say`NodePool`;
  if (count === undefined) return say`노드`;
  if (unit === 'node-group') return say`노드 그룹 ${count}개`;
  if (count === nodes) return nodes === 1 ? say`그 노드` : say`노드 ${count}개 모두`;
  return say`노드 ${count}개`;
}

type ReasonTellers = { readonly [Key in `reason-${ReasonKey}`]: (values: ReasonValues) => Prose };

/** Reasons that concern the pod: written without `Nodes:` when the message counts no nodes. */
const ofThePod: ReadonlySet<ReasonKey> = new Set<ReasonKey>([
  'affinity-conflict',
  'claim-unbound',
  'storage-class-missing',
  'volume-lost',
  'claim-missing',
  'claim-deleting',
  'claim-awaited',
  'device-claim-awaited',
  'device-claim-missing',
  'device-class-missing',
  'gates',
  'gang',
  'no-node',
  'prebind',
  'plugin-conflict',
  'plugin-failed',
  'permit-rejected',
  'preemption-awaited',
  'being-deleted',
  'queue-closed',
  'kubelet-rejects',
  'kubelet-ends',
  'resize-infeasible',
  'quota-exceeded',
  'creation-refused',
  'preempted',
  'timed-out',
  'unknown',
]);

/** Reasons whose count does not count nodes. */
const ofOthers: ReadonlySet<ReasonKey> = new Set<ReasonKey>(['reservation']);

/** Puts the counted nodes before each clause: `2 nodes: not enough free cpu.` */
function reasonTellers(clauses: ReasonClauses, subject: (values: ReasonValues) => Prose): ReasonTellers {
  const tellers = Object.entries(clauses).map(([key, clause]) => {
    const alone = ofThePod.has(key as ReasonKey);
    const tell = (values: ReasonValues): Prose =>
      ofOthers.has(key as ReasonKey) || (alone && values.count === undefined && values.pool === undefined)
        ? clause(values)
        : say`${subject(values)}${word(': ')}${clause(values)}`;
    return [`reason-${key}`, tell] as const;
  });
  // Object.fromEntries forgets the keys; they are those of the clauses, which the compiler has checked.
  return Object.fromEntries(tellers) as unknown as ReasonTellers;
}

const nodesEn = (count: number | undefined): Prose =>
  count === undefined ? say`Nodes` : counted(count, 'node', 'nodes');
const nodesKo = (count: number | undefined): Prose =>
  count === undefined ? say`노드` : say`노드 ${count}개`;

type PreemptionValues = { readonly count: number | undefined; readonly text: string };

/** The explanation of a scheduler message. */
const en = {
  ...reasonTellers(clausesEn, subjectEn),
  'nodes-refused': ({ nodes }: { nodes: number }) =>
    nodes === 1 ? say`The only node cannot run the pod.` : say`None of the ${nodes} nodes can run the pod.`,
  /** Other schedulers than kube-scheduler report how many nodes fit. */
  'nodes-feasible': ({ nodes, feasible }: { nodes: number; feasible: number }) =>
    say`${feasible} of ${counted(nodes, 'node', 'nodes')} can run the pod.`,
  refused: () => say`The pod cannot be scheduled. The message does not state the number of nodes.`,
  'scale-up-declined': () =>
    say`The cluster autoscaler adds no node for this pod: a new node would not help, or a limit is reached.`,
  'scale-up-triggered': ({ groups }: { groups: string }) =>
    say`The cluster autoscaler requested nodes: ${code(groups)}. The pod waits for them.`,
  'karpenter-declined': () => say`Karpenter adds no node for this pod.`,
  'karpenter-nominated': ({ where }: { where: string }) =>
    say`Karpenter plans to place the pod on ${code(where)}. The pod waits for it.`,
  gang: ({ text: said }: { text: string }) =>
    say`The pods of this group must start together, and not all of them can be scheduled: ${quote(said)}.`,
  queue: ({ text: said }: { text: string }) =>
    say`The queue has not admitted the workload yet: ${quote(said)}.`,
  'not-a-sentence': ({ text: said }: { text: string }) =>
    say`The message contains no known reason: ${quote(said)}. Give the message of an event, or the STATUS that kubectl get pods shows.`,
  empty: () => say`The message gives no reason.`,
  'cut-off': () =>
    say`The message is cut off, because events hold at most 1024 bytes. The pod's condition PodScheduled has the full message.`,
  /** The text ends within a known reason without a mark that it is cut off. */
  'cut-short': () =>
    say`The message ends in the middle of a reason. The pod's condition PodScheduled has the full message.`,
  /** The text holds several events; `position` counts from 1. */
  'further-sentence': ({ position }: { position: number }) => say`Message ${position}:`,
  'preemption-alone': () =>
    say`The message contains only the part about preemption. The reasons come before it in the pod's condition PodScheduled.`,
  /** Nodes are counted under their first reason; several for one node come from one plugin. */
  'first-objection-only': () =>
    say`Kubernetes reports only the first reason for each node. Another reason can appear once the first is resolved.`,
  'several-for-one-node': ({ sum, nodes }: { sum: number; nodes: number }) =>
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
  'preemption-under-way': ({ text: said }: { text: string }) =>
    say`The scheduler is making room for the pod: ${quote(said)}.`,
  'preemption-not-eligible': ({ text: said }: { text: string }) =>
    say`The pod may not preempt others: ${quote(said)}.`,
  'preemption-unknown': ({ count, text: said }: PreemptionValues) =>
    count === undefined
      ? say`The scheduler adds: ${quote(said)}.`
      : say`Preemption would not be sufficient on ${nodesEn(count)} (${quote(said)}).`,
  'pod-level': () =>
    say`The reason lies in the pod, not in the capacity of the nodes. Freeing or adding nodes does not help.`,
  'leaving-could-help': (values: { nodes: number; could: number; never: number; exact: boolean }) => {
    const rest =
      values.never === 0 ? [] : say` ${counted(values.never, 'node', 'nodes')} cannot run the pod even then.`;
    return values.exact
      ? say`Removing other pods could help on ${values.could} of ${nodesEn(values.nodes)}.${rest}`
      : say`Removing other pods could help on at most ${values.could} of ${nodesEn(values.nodes)}. Kubernetes counts full nodes and nodes that are too small together.${rest}`;
  },
  'leaving-unclear': ({ unclear }: { nodes: number; unclear: number }) =>
    say`The message does not show whether removing other pods would help on ${nodesEn(unclear)}.`,
  'leaving-cannot-help': ({ nodes }: { nodes: number }) =>
    nodes === 1
      ? say`Removing other pods does not help. The node, the pod or its volume must change.`
      : say`Removing other pods does not help on any of the ${nodes} nodes. The nodes, the pod or its volume must change.`,
  shortage: (values: { resource: string; count: number; inUse: number; tooSmall: number }) => {
    const lack = word(values.count === 1 ? 'lacks' : 'lack');
    if (values.tooSmall === 0)
      return say`${nodesEn(values.count)} ${lack} free ${code(values.resource)}. The capacity is sufficient, but in use.`;
    if (values.inUse === 0)
      return say`${nodesEn(values.count)} ${lack} ${code(values.resource)}. The capacity is too small or zero, even without other pods.`;
    const inUseOn = values.inUse === 1 ? say`1 has` : say`${values.inUse} have`;
    const tooSmallOn = values.tooSmall === 1 ? say`1 has` : say`${values.tooSmall} have`;
    return say`${nodesEn(values.count)} ${lack} free ${code(values.resource)}: ${inUseOn} enough capacity that is in use, and ${tooSmallOn} too little or none even without other pods.`;
  },
};

const ko: typeof en = {
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
    say`메시지에서 알려진 사유를 찾을 수 없습니다: ${quote(said)}. 이벤트 메시지나 kubectl get pods의 STATUS 값을 입력하세요.`,
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
      : say`다른 파드가 없어지면 노드 ${nodes}개 중 최대 ${could}개에 자리가 생길 수 있습니다. Kubernetes 메시지는 가득 찬 노드와 처음부터 용량이 작은 노드를 구분하지 않습니다.${rest}`;
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
