import { code, say, word } from '../../../engine/language/prose.js';
import { statementsOf } from '../../../engine/language/statement.js';
import { counted, names } from '../../../engine/language/words.js';

const en = {
  'shared-failure': () => say`the kubelet rejects pods`,
  summary: ({ workload, nodes, reason }: { workload: string; nodes: readonly string[]; reason: string }) =>
    say`${code(workload)}: the kubelet on ${names('en', nodes)} rejects its pods (${code(reason)})`,
  standing: ({ pods }: { pods: number }) =>
    say`Each pod fails immediately and the controller creates another one. ${counted(pods, 'failed pod is', 'failed pods are')} still listed.`,
  'fixed-node': ({ node }: { node: string }) =>
    say`The template sets ${code('nodeName')} to ${code(node)}, so no scheduler checked the node.`,
  'scheduler-disagrees': () =>
    say`The scheduler chose the node from the data in the API. The kubelet knows what is actually on the node.`,
  engine: ({ node, reasons }: { node: string; reasons: readonly string[] }) =>
    say`According to the API objects, ${code(node)} does not fit the pod: ${names('en', reasons)}.`,
  'too-large': ({ node }: { node: string }) =>
    say`The pod requests more than ${code(node)} can ever give, whatever else runs there.`,
  holders: ({ pods }: { pods: readonly string[] }) =>
    say`The resource is in use on this node by ${names('en', pods)}.`,
  'old-pods-hold': ({ pods }: { pods: readonly string[] }) =>
    say`On this node, ${names('en', pods)} of the previous revision ${word(pods.length === 1 ? 'uses' : 'use')} what the new pod needs. The controller stops no old pod before a new one is ready.`,
  'device-fault': () =>
    say`The message is about devices of the node. Their plugin, a device or its driver fails there.`,
  'not-preempted': ({ node }: { node: string }) =>
    say`The pod is critical. The kubelet found no pods on ${code(node)} that it may evict to make room for it.`,
  'keeps-creating': ({ kind, pods }: { kind: string; pods: number }) =>
    say`${code(kind)} creates a new pod for each rejected one. ${counted(pods, 'pod remains', 'pods remain')} in phase Failed.`,
  'ev-node-name': () => say`set in the pod template`,
  'because-has-node': () => say`the pod has a node, so the kubelet rejects it, not the scheduler`,
  'restart-withheld': () => say`New pods would go to the same node and be rejected too.`,
  'advice-node-name-title': () => say`Let the scheduler choose the node`,
  'advice-node-name': ({ node }: { node: string }) =>
    say`Use a node selector instead of ${code('nodeName')}. The pod then waits until ${code(node)} has room instead of failing again and again.`,
  'advice-selector-title': () => say`Remove ${code('nodeName')}, or change the selector`,
  'advice-selector': ({ node }: { node: string }) =>
    say`The node selector or affinity of the template excludes ${code(node)}, which its ${code('nodeName')} names. Waiting does not help.`,
  'advice-holder-title': () => say`Or decide which workload uses the resource`,
  'advice-holder': ({ pods }: { pods: readonly string[] }) =>
    say`Only one of them can use the resource on this node: ${names('en', pods)} or this workload.`,
  'advice-smaller-title': () => say`Lower the request, or use a larger node`,
  'advice-smaller': ({ node }: { node: string }) =>
    say`No other pod has to leave ${code(node)}: the node is too small for this request.`,
  'advice-asks-title': () => say`Ask only for what the kubelet allows`,
  'advice-asks': ({ nodes }: { nodes: readonly string[] }) =>
    say`Remove the setting that the message names from the pod template, or allow it in the kubelet of ${names('en', nodes)}.`,
  'advice-sysctl': ({ nodes }: { nodes: readonly string[] }) =>
    say`Remove the sysctl that the message names from ${code('spec.securityContext')}, or list it in ${code('allowedUnsafeSysctls')} of the kubelet configuration of ${names('en', nodes)} and restart the kubelet. Managed node pools have a setting for this list.`,
  'attach-limit': () =>
    say`The storage driver attaches no further volume to this node. The limit that it reports to the scheduler is higher, or volumes are attached outside Kubernetes.`,
  'not-aligned': ({ node }: { node: string }) =>
    say`The topology manager of ${code(node)} takes CPUs, memory and devices of a pod from as few NUMA nodes as its policy allows. The scheduler counts the node as a whole.`,
  'advice-aligned-title': () => say`Request what one NUMA node has free`,
  'advice-aligned': ({ node }: { node: string }) =>
    say`Lower the request, free CPUs or devices of one NUMA node on ${code(node)}, or relax ${code('topologyManagerPolicy')} of its kubelet. The policy aligns CPUs and memory only of Guaranteed pods.`,
  'advice-volumes-title': () => say`Compare the limit with the attached volumes`,
  'advice-volumes': ({ node }: { node: string }) =>
    say`Compare ${code('allocatable.count')} in the CSINode of ${code(node)} with the volumes that the storage provider has attached. Detach the others.`,
  'advice-node-title': () => say`Check the node`,
  'advice-node': ({ node }: { node: string }) =>
    say`The resources that ${code(node)} reports differ from what the kubelet can provide.`,
};

const ko: typeof en = {
  'shared-failure': () => say`kubelet이 파드를 거부함`,
  summary: ({ workload, nodes, reason }) =>
    say`${code(workload)}: ${names('ko', nodes)} 노드의 kubelet이 파드를 거부합니다(${code(reason)})`,
  standing: ({ pods }) =>
    say`파드가 바로 실패하고 컨트롤러가 새 파드를 만드는 일이 반복됩니다. 실패한 파드 ${pods}개가 남아 있습니다.`,
  'fixed-node': ({ node }) =>
    say`템플릿의 ${code('nodeName')} 값이 ${code(node)}이므로 스케줄러가 노드를 확인하지 않습니다.`,
  'scheduler-disagrees': () =>
    say`스케줄러는 API에 있는 정보로 노드를 골랐지만, 노드의 실제 상태는 kubelet이 압니다.`,
  engine: ({ node, reasons }) =>
    say`API 오브젝트에 따르면 ${code(node)} 노드에 파드를 배치할 수 없는 이유: ${names('ko', reasons)}.`,
  'too-large': ({ node }) =>
    say`파드가 요청하는 양은 다른 파드와 관계없이 ${code(node)} 노드가 줄 수 있는 양보다 많습니다.`,
  holders: ({ pods }) => say`이 노드에서 그 리소스를 사용 중인 파드: ${names('ko', pods)}.`,
  'old-pods-hold': ({ pods }) =>
    say`새 파드에 필요한 것을 이 노드에서 이전 리비전의 ${names('ko', pods)} 파드가 사용 중입니다. 컨트롤러는 새 파드가 준비되기 전에 이전 파드를 중지하지 않습니다.`,
  'device-fault': () =>
    say`노드의 장치에 관한 메시지입니다. 디바이스 플러그인, 장치 또는 드라이버에 문제가 있습니다.`,
  'not-preempted': ({ node }) =>
    say`중요(critical) 파드이지만, 자리를 내기 위해 kubelet이 축출할 수 있는 파드가 ${code(node)} 노드에 없습니다.`,
  'keeps-creating': ({ kind, pods }) =>
    say`${code(kind)} 컨트롤러가 거부될 때마다 새 파드를 만듭니다. 실패한 파드 ${pods}개가 남아 있습니다.`,
  'ev-node-name': () => say`파드 템플릿에 지정됨`,
  'because-has-node': () => say`파드에 노드가 지정되어 있어, 거부한 것은 스케줄러가 아니라 kubelet`,
  'restart-withheld': () => say`새 파드도 같은 노드로 가서 다시 거부됩니다.`,
  'advice-node-name-title': () => say`스케줄러가 노드를 고르게 하기`,
  'advice-node-name': ({ node }) =>
    say`${code('nodeName')} 대신 nodeSelector를 사용하세요. 그러면 파드가 계속 실패하지 않고 ${code(node)} 노드에 자리가 날 때까지 기다립니다.`,
  'advice-selector-title': () => say`${code('nodeName')}을 제거하거나 선택 조건 바꾸기`,
  'advice-selector': ({ node }) =>
    say`템플릿의 nodeSelector나 affinity가 ${code('nodeName')}에 적힌 ${code(node)} 노드를 제외합니다. 기다려도 해결되지 않습니다.`,
  'advice-holder-title': () => say`또는 리소스를 사용할 워크로드 정하기`,
  'advice-holder': ({ pods }) =>
    say`그 노드에서는 둘 중 하나만 리소스를 쓸 수 있습니다: ${names('ko', pods)} 또는 이 워크로드.`,
  'advice-smaller-title': () => say`요청을 줄이거나 더 큰 노드 사용하기`,
  'advice-smaller': ({ node }) =>
    say`${code(node)} 노드에서 다른 파드를 비울 필요는 없습니다. 이 요청에는 노드가 너무 작습니다.`,
  'advice-asks-title': () => say`kubelet이 허용하는 설정만 요청하기`,
  'advice-asks': ({ nodes }) =>
    say`메시지에 나온 설정을 파드 템플릿에서 제거하거나 ${names('ko', nodes)} 노드의 kubelet에서 허용하세요.`,
  'advice-sysctl': ({ nodes }) =>
    say`메시지에 나온 sysctl을 ${code('spec.securityContext')}에서 제거하거나, ${names('ko', nodes)} 노드의 kubelet 설정 ${code('allowedUnsafeSysctls')}에 추가하고 kubelet을 다시 시작하세요. 관리형 노드 풀에는 이 목록을 정하는 설정이 있습니다.`,
  'attach-limit': () =>
    say`스토리지 드라이버가 이 노드에 볼륨을 더 연결하지 못합니다. 스케줄러에 보고한 한도가 실제보다 높거나, Kubernetes 밖에서 연결된 볼륨이 있습니다.`,
  'not-aligned': ({ node }) =>
    say`${code(node)} 노드의 토폴로지 관리자는 파드의 CPU, 메모리, 장치를 정책이 허용하는 범위에서 되도록 적은 NUMA 노드에서 할당합니다. 스케줄러는 노드 전체만 계산합니다.`,
  'advice-aligned-title': () => say`NUMA 노드 하나에 남은 만큼 요청하기`,
  'advice-aligned': ({ node }) =>
    say`요청을 줄이거나, ${code(node)} 노드의 NUMA 노드 하나에서 CPU나 장치를 비우거나, kubelet의 ${code('topologyManagerPolicy')} 설정을 완화하세요. CPU와 메모리는 Guaranteed 파드만 정렬합니다.`,
  'advice-volumes-title': () => say`한도와 연결된 볼륨 비교하기`,
  'advice-volumes': ({ node }) =>
    say`${code(node)} 노드 CSINode의 ${code('allocatable.count')} 값을 스토리지 제공업체에서 실제로 연결된 볼륨과 비교하고, 그 밖의 볼륨은 분리하세요.`,
  'advice-node-title': () => say`노드 확인하기`,
  'advice-node': ({ node }) =>
    say`${code(node)} 노드가 보고한 리소스와 kubelet이 실제로 제공할 수 있는 리소스가 다릅니다.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('kubelet-rejected');
