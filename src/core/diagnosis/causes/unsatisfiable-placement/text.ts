import type { SameSentences } from '../../../language/catalogue.js';
import { code, say } from '../../../language/prose.js';
import { statementsOf } from '../../../language/statement.js';
import { counted, names } from '../../../language/words.js';

type Volume = { readonly volume: string; readonly claim: string };

const en = {
  summary: ({ workload, nodesInAll }: { readonly workload: string; readonly nodesInAll: number }) =>
    nodesInAll === 1
      ? say`The only node can never take the pod that ${code(workload)} waits for`
      : say`None of ${nodesInAll} nodes can ever take the pod that ${code(workload)} waits for`,
  'summary-pinned': ({ workload, nodes }: { readonly workload: string; readonly nodes: readonly string[] }) =>
    say`${names('en', nodes)} can never take the pod of ${code(workload)} that is made for it`,
  'summary-missing': ({
    workload,
    nodes,
  }: {
    readonly workload: string;
    readonly nodes: readonly string[];
  }) => say`${code(workload)} may run only on ${names('en', nodes)}, and the cluster has no such node`,
  'node-missing': ({ nodes, field }: { readonly nodes: readonly string[]; readonly field: string }) =>
    say`${code(field)} asks for ${names('en', nodes)}. The cluster has no node of this name.`,
  'volume-node-missing': ({ nodes, volume, claim }: Volume & { readonly nodes: readonly string[] }) =>
    say`The volume ${code(volume)} of ${code(claim)} can be used only on ${names('en', nodes)} (${code('spec.nodeAffinity')}). The cluster has no such node.`,
  collected: () =>
    say`No scheduler sees a pod with ${code('spec.nodeName')}, and no kubelet starts it. Kubernetes deletes such a pod after about a minute, and the controller creates the next one.`,
  'ev-node-missing': () => say`the cluster has no such node`,
  'because-no-scheduler': () => say`the pod template names the node, so no scheduler looks for room`,
  'advice-pin-title': () => say`Remove the missing node from the pod template`,
  'advice-pin': ({ nodes, field }: { readonly nodes: readonly string[]; readonly field: string }) =>
    say`Remove or correct ${code(field)} in the pod template. If ${names('en', nodes)} comes back under the same name, the pod can start there.`,
  'advice-volume-node-title': () => say`Bring the node back, or give up the volume`,
  'advice-volume-node': ({ nodes, volume, claim }: Volume & { readonly nodes: readonly string[] }) =>
    say`If ${names('en', nodes)} comes back under the same name, the pod can start. If the node is gone for good, its local data is gone: restore a backup into a new claim in place of ${code(claim)}, and delete ${code(volume)}.`,
  nearest: ({ nodes }: { readonly nodes: number }) =>
    say`The ${counted(nodes, 'node that comes', 'nodes that come')} nearest:`,
  'no-change-helps': () => say`No pod that leaves changes that; the pod template or a node has to change.`,
  'terms-conflict': () =>
    say`The pod's node affinity names nodes in a way that no single node can satisfy, so the scheduler looks at none.`,
  'ev-label': ({ node, requirement }: { readonly node: string; readonly requirement: string }) =>
    say`${code(node)} does not satisfy ${code(requirement)}`,
  'ev-taint': ({ node }: { readonly node: string }) =>
    say`the pod does not tolerate this taint of ${code(node)}`,
  'ev-allocatable': ({ node, resource }: { readonly node: string; readonly resource: string }) =>
    say`all the ${code(resource)} that ${code(node)} offers`,
  'because-emptied': ({ nodes }: { readonly nodes: number }) =>
    nodes === 1
      ? say`the node would refuse it with no other pod on it, too`
      : say`all ${nodes} nodes would refuse it with no other pod on them, too`,
  'advice-selector-title': () => say`Ask for a node that exists`,
  'advice-selector': ({ node, labels }: { readonly node: string; readonly labels: readonly string[] }) =>
    say`Drop or change ${names('en', labels)} in the pod template, and ${code(node)} comes into question.`,
  'advice-label-title': () => say`Or label the node`,
  'advice-label': ({ node }: { readonly node: string }) =>
    say`If ${code(node)} is what was meant and only its label is missing.`,
  'advice-toleration-title': () => say`Tolerate the taint, if these pods belong there`,
  'advice-toleration': ({ node, taint }: { readonly node: string; readonly taint: string }) =>
    say`${code(node)} is kept free of pods that do not tolerate ${code(taint)}.`,
  'advice-size-title': ({ resource }: { readonly resource: string }) =>
    say`Ask for less ${code(resource)}, or add a larger node`,
  'advice-size': ({
    resource,
    node,
    allocatable,
    requested,
  }: {
    readonly resource: string;
    readonly node: string;
    readonly allocatable: string;
    readonly requested: string;
  }) =>
    say`${code(node)} offers ${code(allocatable)} of ${code(resource)} when it is empty; the pod asks for ${code(requested)}.`,
  'advice-device-title': ({ resource }: { readonly resource: string }) =>
    say`Find out why no node offers ${code(resource)}`,
  'advice-device': ({ resource }: { readonly resource: string }) =>
    say`A device plugin offers ${code(resource)}; if the hardware is there, look whether its pod runs on the node and whether devices are healthy. Otherwise the selector leads to the wrong nodes, or such a node is missing.`,
  'advice-volume-title': () => say`Bring volume and node together`,
  'advice-volume': ({ volume, claim }: { readonly volume: string; readonly claim: string }) =>
    say`The volume ${code(volume)} of ${code(claim)} exists only where its node affinity says. Aim the pod there, or give it a new claim and move the data.`,
};

const ko: SameSentences<typeof en> = {
  summary: ({ workload, nodesInAll }) =>
    say`${code(workload)}의 대기 파드를 받을 수 있는 노드가 없습니다(노드 ${nodesInAll}개)`,
  'summary-pinned': ({ workload, nodes }) =>
    say`${names('ko', nodes)} 노드는 자신을 위해 만들어진 ${code(workload)} 파드를 받을 수 없습니다`,
  'summary-missing': ({ workload, nodes }) =>
    say`${code(workload)} 파드는 ${names('ko', nodes)}에서만 실행할 수 있는데, 클러스터에 그런 노드가 없습니다`,
  'node-missing': ({ nodes, field }) =>
    say`${code(field)}에 ${names('ko', nodes)}이(가) 지정되어 있습니다. 클러스터에 이 이름의 노드가 없습니다.`,
  'volume-node-missing': ({ nodes, volume, claim }) =>
    say`${code(claim)}의 볼륨 ${code(volume)}은(는) ${names('ko', nodes)}에서만 쓸 수 있습니다(${code('spec.nodeAffinity')}). 클러스터에 그런 노드가 없습니다.`,
  collected: () =>
    say`${code('spec.nodeName')}이 있는 파드는 스케줄러가 보지 않고, 실행할 kubelet도 없습니다. 쿠버네티스는 약 1분 뒤 이런 파드를 지우고, 컨트롤러가 다음 파드를 만듭니다.`,
  'ev-node-missing': () => say`클러스터에 그런 노드 없음`,
  'because-no-scheduler': () => say`파드 템플릿이 노드를 지정해 스케줄러가 자리를 찾지 않음`,
  'advice-pin-title': () => say`파드 템플릿에서 없는 노드 빼기`,
  'advice-pin': ({ nodes, field }) =>
    say`파드 템플릿의 ${code(field)}을 지우거나 고치세요. ${names('ko', nodes)}이(가) 같은 이름으로 돌아오면 파드가 그곳에서 시작할 수 있습니다.`,
  'advice-volume-node-title': () => say`노드를 되살리거나 볼륨을 포기하기`,
  'advice-volume-node': ({ nodes, volume, claim }) =>
    say`${names('ko', nodes)}이(가) 같은 이름으로 돌아오면 파드가 시작할 수 있습니다. 노드가 영영 없다면 그곳의 데이터도 없습니다. ${code(claim)} 대신 새 클레임에 백업을 복구하고 ${code(volume)}을(를) 지우세요.`,
  nearest: ({ nodes }) => say`가장 가까운 노드 ${nodes}개:`,
  'no-change-helps': () => say`어떤 파드가 나가도 달라지지 않습니다. 파드 템플릿이나 노드가 바뀌어야 합니다.`,
  'terms-conflict': () =>
    say`파드의 노드 어피니티가 어떤 노드도 만족할 수 없게 노드를 지정해, 스케줄러가 어느 노드도 보지 않습니다.`,
  'ev-label': ({ node, requirement }) => say`${code(node)} 노드는 ${code(requirement)} 조건에 맞지 않음`,
  'ev-taint': ({ node }) => say`파드가 ${code(node)} 노드의 이 taint를 허용하지 않음`,
  'ev-allocatable': ({ node, resource }) => say`${code(node)} 노드가 제공하는 ${code(resource)} 전체`,
  'because-emptied': ({ nodes }) => say`다른 파드가 하나도 없어도 노드 ${nodes}개 모두 거부`,
  'advice-selector-title': () => say`있는 노드를 지정하기`,
  'advice-selector': ({ node, labels }) =>
    say`파드 템플릿에서 ${names('ko', labels)} 조건을 빼거나 바꾸면 ${code(node)} 노드가 후보가 됩니다.`,
  'advice-label-title': () => say`또는 노드에 레이블 붙이기`,
  'advice-label': ({ node }) => say`${code(node)} 노드가 맞는데 레이블만 빠졌다면.`,
  'advice-toleration-title': () => say`이 파드가 그곳에 맞다면 taint 허용하기`,
  'advice-toleration': ({ node, taint }) =>
    say`${code(node)} 노드는 ${code(taint)}를 허용하지 않는 파드를 받지 않습니다.`,
  'advice-size-title': ({ resource }) => say`${code(resource)} 요청을 줄이거나 더 큰 노드 추가하기`,
  'advice-size': ({ resource, node, allocatable, requested }) =>
    say`${code(node)} 노드는 비어 있어도 ${code(resource)} ${code(allocatable)}까지 제공하는데 파드는 ${code(requested)}를 요청합니다.`,
  'advice-device-title': ({ resource }) => say`${code(resource)} 자원을 제공하는 노드가 없는 까닭 찾기`,
  'advice-device': ({ resource }) =>
    say`${code(resource)} 자원은 디바이스 플러그인이 제공합니다. 하드웨어가 있다면 그 노드에서 플러그인 파드가 실행 중인지, 장치가 정상인지 보세요. 아니면 셀렉터가 다른 노드를 가리키거나 그런 노드가 없는 것입니다.`,
  'advice-volume-title': () => say`볼륨과 노드를 맞추기`,
  'advice-volume': ({ volume, claim }) =>
    say`${code(claim)}의 볼륨 ${code(volume)}은(는) 자신의 노드 어피니티가 정한 곳에만 있습니다. 파드를 그곳으로 보내거나, 새 클레임을 주고 데이터를 옮기세요.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('unsatisfiable-placement');
