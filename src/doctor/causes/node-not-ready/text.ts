import { code, moment, type Prose, quote, say, sentences, word } from '../../../engine/language/prose.js';
import { statementsOf } from '../../../engine/language/statement.js';
import { counted, names } from '../../../engine/language/words.js';

const nothing: Prose = [];

const en = {
  'shared-failure': () => say`nodes are not ready`,
  summary: ({
    workload,
    nodes,
    lost,
  }: {
    workload: string;
    nodes: readonly string[];
    /** Pods of the workload that are on them. */
    lost: number;
  }) =>
    lost === 0
      ? say`${code(workload)} is pending: ${names('en', nodes, 4)} ${word(nodes.length === 1 ? 'is' : 'are')} unhealthy`
      : say`${names('en', nodes, 4)} ${word(nodes.length === 1 ? 'is' : 'are')} NotReady: ${counted(lost, 'pod', 'pods')} of ${code(workload)} ${word(lost === 1 ? 'is' : 'are')} down`,
  'standing-lost': ({ at }: { at: string }) =>
    say`Kubernetes starts to evict them ${moment(at)} unless the node returns.`,
  /**
   * `status` and `reason` of the node's condition Ready; `message` in the kubelet's or the controller's
   * words.
   */
  'not-ready': (values: {
    node: string;
    status: string;
    reason: string;
    message: string;
    since: string | undefined;
  }) =>
    sentences(
      values.since === undefined
        ? say`${code(values.node)} reports ${code(`Ready=${values.status}`)} (${code(values.reason)}).`
        : say`${code(values.node)} has reported ${code(`Ready=${values.status}`)} (${code(values.reason)}) since ${moment(values.since)}.`,
      values.message === '' ? nothing : say`${quote(values.message)}`,
      values.status === 'Unknown'
        ? say`Its kubelet no longer reports: the node, its network or the kubelet is down.`
        : nothing,
    ),
  'cgroup-v1': ({ node, at }: { node: string; at: string }) =>
    sentences(
      say`The kubelet of ${code(node)} warned ${moment(at)} that the node uses cgroup v1.`,
      say`Since Kubernetes 1.35 a kubelet does not start on such a node, unless its setting ${code('failCgroupV1')} is ${code('false')}.`,
    ),
  'advice-cgroup-title': ({ node }: { node: string }) =>
    say`Check whether the kubelet of ${code(node)} refuses cgroup v1`,
  'advice-cgroup': () =>
    say`Its log then ends with that refusal. Boot the node with cgroup v2. Until then, set ${code('failCgroupV1: false')} in the configuration of the kubelet.`,
  /** Ready, but it says itself that it takes no pods. */
  trouble: ({ node, taints }: { node: string; taints: readonly string[] }) =>
    say`${code(node)} accepts no new pods at the moment: ${names('en', taints, 4)}.`,
  lost: ({ pods, node }: { pods: readonly string[]; node: string }) =>
    say`Pods on ${code(node)}: ${names('en', pods, 4)}.`,
  'leave-at': ({ pods, at }: { pods: readonly string[]; at: string }) =>
    say`Kubernetes evicts ${names('en', pods, 4)} ${moment(at)} if the node is not back, and replaces ${word(pods.length === 1 ? 'it' : 'them')}.`,
  'stays-without-limit': ({ pods }: { pods: readonly string[] }) =>
    say`${names('en', pods, 4)} ${word(pods.length === 1 ? 'tolerates' : 'tolerate')} this without a time limit and ${word(pods.length === 1 ? 'continues' : 'continue')} when the node is back.`,
  'stuck-there': ({ pods }: { pods: readonly string[] }) =>
    say`${names('en', pods, 4)} ${word(pods.length === 1 ? 'is' : 'are')} deleted, but only the kubelet of the node can confirm that ${word(pods.length === 1 ? 'it has' : 'they have')} stopped.`,
  'no-replacement-yet': () =>
    say`A StatefulSet creates no second pod of the same name. It replaces the lost pod only when the pod is certainly gone.`,
  'cordoned-as-well': ({ nodes }: { nodes: readonly string[] }) =>
    say`${names('en', nodes, 4)} ${word(nodes.length === 1 ? 'is' : 'are')} cordoned as well. Uncordoning an unhealthy node gives no pod a place.`,
  'would-take': ({ pod, nodes }: { pod: string; nodes: readonly string[] }) =>
    say`Once in service, ${names('en', nodes, 4)} can run ${code(pod)} without other changes.`,
  'short-as-well': ({ nodes }: { nodes: readonly string[] }) =>
    say`Only ${names('en', nodes, 4)} could run the pod, and ${word(nodes.length === 1 ? 'it is' : 'they are')} also too full at the moment.`,
  'others-wait': ({ pods }: { pods: readonly string[] }) =>
    say`Meanwhile ${names('en', pods, 3)} ${word(pods.length === 1 ? 'is' : 'are')} pending.`,
  'unready-before': ({ pods }: { pods: readonly string[] }) =>
    say`${names('en', pods, 3)} ${word(pods.length === 1 ? 'was' : 'were')} not ready before the node was lost, so the node is not the only cause.`,
  'ev-condition': ({ node }: { node: string }) => say`last known state of ${code(node)}`,
  'ev-pod-there': ({ pod }: { pod: string }) => say`${code(pod)} is on that node`,
  'because-node-went-first': ({ node }: { node: string }) =>
    say`${code(node)} failed first, and its pods with it`,
  'because-not-cordoned': () => say`the node is not cordoned, it is unhealthy`,
  'next-eviction': () =>
    say`At this time Kubernetes evicts and replaces the first pod on the node, if the node is not back.`,
  'next-node': () => say`As soon as the node is back or another node is added.`,
  'delete-withheld': () =>
    say`A forced deletion frees the name and the resources, but the process may still run on the node.`,
  'exclude-withheld': () => say`The taint of the node already keeps new pods away.`,
  'restart-withheld-here': () =>
    say`New pods would need the same capacity, and the lost pods would stay lost.`,
  uninitialised: () =>
    say`The cloud controller manager takes the taint ${code('uninitialized')} from a node once it has found the machine at the provider. It has not done so.`,
  'advice-cloud-title': () => say`Check the cloud controller manager`,
  'advice-cloud': () =>
    say`Check that it runs, that its own pods tolerate the taint, and what its log reports about the node: credentials, the provider ID, or a machine that it does not find.`,
  'advice-look-title': () => say`Check the node`,
  'advice-look': ({ nodes }: { nodes: readonly string[] }) =>
    say`The conditions and events of ${names('en', nodes, 4)} show whether the kubelet, the runtime, the network or the machine fails.`,
  'advice-off-title': () => say`Mark the node if the machine is off for good`,
  'advice-off': ({ node }: { node: string }) =>
    say`Do this only if ${code(node)} is certainly powered off. The taint releases its pods and their volumes. Remove the taint when the node returns.`,
};

const ko: typeof en = {
  'shared-failure': () => say`노드가 준비되지 않음`,
  summary: ({ workload, nodes, lost }) =>
    lost === 0
      ? say`${code(workload)} 파드 Pending: ${names('ko', nodes, 4)} 노드가 비정상입니다`
      : say`${names('ko', nodes, 4)} 노드 NotReady: ${code(workload)} 파드 ${lost}개가 중단되었습니다`,
  'standing-lost': ({ at }) =>
    say`노드가 복구되지 않으면 ${moment(at)}부터 Kubernetes가 이 파드를 축출합니다.`,
  'not-ready': ({ node, status, reason, message, since }) =>
    sentences(
      since === undefined
        ? say`${code(node)} 노드의 상태는 ${code(`Ready=${status}`)}(${code(reason)})입니다.`
        : say`${code(node)} 노드의 상태는 ${moment(since)}부터 ${code(`Ready=${status}`)}(${code(reason)})입니다.`,
      message === '' ? nothing : say`${quote(message)}`,
      status === 'Unknown'
        ? say`kubelet이 더 이상 보고하지 않습니다. 노드, 네트워크, kubelet 중 하나가 중단되었습니다.`
        : nothing,
    ),
  'cgroup-v1': ({ node, at }) =>
    sentences(
      say`${code(node)} 노드의 kubelet이 ${moment(at)}에 이 노드가 cgroup v1을 사용한다고 경고했습니다.`,
      say`Kubernetes 1.35부터 kubelet은 ${code('failCgroupV1')} 설정이 ${code('false')}가 아니면 이런 노드에서 시작하지 않습니다.`,
    ),
  'advice-cgroup-title': ({ node }) => say`${code(node)} 노드의 kubelet이 cgroup v1을 거부하는지 확인하기`,
  'advice-cgroup': () =>
    say`그렇다면 kubelet 로그의 끝에 그 이유가 남습니다. 노드를 cgroup v2로 부팅하세요. 그때까지는 kubelet 구성에 ${code('failCgroupV1: false')} 설정을 사용하세요.`,
  trouble: ({ node, taints }) =>
    say`${code(node)} 노드는 현재 새 파드를 받지 않습니다: ${names('ko', taints, 4)}.`,
  lost: ({ pods, node }) => say`${code(node)} 노드의 파드: ${names('ko', pods, 4)}.`,
  'leave-at': ({ pods, at }) =>
    say`노드가 복구되지 않으면 ${moment(at)}에 Kubernetes가 ${names('ko', pods, 4)} 파드를 축출하고 대체합니다.`,
  'stays-without-limit': ({ pods }) =>
    say`${names('ko', pods, 4)} 파드는 이 상태를 시간 제한 없이 허용하며, 노드가 복구되면 계속 실행됩니다.`,
  'stuck-there': ({ pods }) =>
    say`${names('ko', pods, 4)} 파드는 삭제되었지만, 종료되었는지는 그 노드의 kubelet만 확인할 수 있습니다.`,
  'no-replacement-yet': () =>
    say`StatefulSet은 같은 이름의 파드를 두 개 만들지 않습니다. 중단된 파드가 확실히 사라진 뒤에야 대체합니다.`,
  'cordoned-as-well': ({ nodes }) =>
    say`${names('ko', nodes, 4)} 노드는 cordon되어 있기도 합니다. 비정상 노드의 cordon을 해제해도 파드를 배치할 수 없습니다.`,
  'would-take': ({ pod, nodes }) =>
    say`노드가 복구되면 ${names('ko', nodes, 4)} 노드에 바로 ${code(pod)} 파드를 배치할 수 있습니다.`,
  'short-as-well': ({ nodes }) =>
    say`파드를 실행할 수 있는 노드는 ${names('ko', nodes, 4)}뿐인데, 현재 용량도 부족합니다.`,
  'others-wait': ({ pods }) => say`그동안 Pending 상태인 파드: ${names('ko', pods, 3)}.`,
  'unready-before': ({ pods }) =>
    say`${names('ko', pods, 3)} 파드는 노드가 중단되기 전부터 준비되지 않았으므로 노드만이 원인은 아닙니다.`,
  'ev-condition': ({ node }) => say`${code(node)} 노드의 마지막 상태`,
  'ev-pod-there': ({ pod }) => say`${code(pod)} 파드가 그 노드에 있음`,
  'because-node-went-first': ({ node }) => say`${code(node)} 노드가 먼저 중단되었고 파드도 함께 중단됨`,
  'because-not-cordoned': () => say`노드는 cordon된 것이 아니라 비정상 상태`,
  'next-eviction': () => say`노드가 복구되지 않으면 이때 그 노드의 첫 파드가 축출되고 대체됩니다.`,
  'next-node': () => say`노드가 복구되거나 다른 노드가 추가되면 바로 시도합니다.`,
  'delete-withheld': () =>
    say`강제 삭제는 이름과 리소스만 해제합니다. 프로세스는 그 노드에서 계속 실행되고 있을 수 있습니다.`,
  'exclude-withheld': () => say`노드의 taint가 이미 새 파드를 막고 있습니다.`,
  'restart-withheld-here': () => say`새 파드에도 같은 용량이 필요하고, 중단된 파드는 복구되지 않습니다.`,
  uninitialised: () =>
    say`cloud controller manager는 공급자에서 머신을 찾으면 노드의 ${code('uninitialized')} taint를 제거합니다. 아직 제거되지 않았습니다.`,
  'advice-cloud-title': () => say`cloud controller manager 확인하기`,
  'advice-cloud': () =>
    say`실행 중인지, 자신의 파드가 이 taint를 허용하는지, 노드에 대해 로그에 무엇이 나오는지(자격 증명, provider ID, 찾지 못한 머신) 확인하세요.`,
  'advice-look-title': () => say`노드 확인하기`,
  'advice-look': ({ nodes }) =>
    say`${names('ko', nodes, 4)} 노드의 컨디션과 이벤트에서 kubelet, 런타임, 네트워크, 장비 중 무엇이 문제인지 확인하세요.`,
  'advice-off-title': () => say`장비가 완전히 꺼졌다면 노드에 표시하기`,
  'advice-off': ({ node }) =>
    say`${code(node)} 노드의 전원이 확실히 꺼졌을 때만 사용하세요. 이 taint는 노드의 파드와 볼륨을 해제합니다. 노드가 복구되면 taint를 제거하세요.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('node-not-ready');
