import * as z from 'zod';
import { code, say, sentences, word } from '../../../engine/language/prose.js';
import { type Statement, statementsOf } from '../../../engine/language/statement.js';
import { counted, names } from '../../../engine/language/words.js';
import type { ClusterIndex } from '../../../engine/objects/cluster-index.js';
import { isActive, refOf } from '../../../engine/objects/pod.js';
import type { NodeSelectorTerm, PodSpec } from '../../../engine/objects/pod-spec.js';
import { nowOf } from '../../../engine/objects/snapshot.js';
import { isUnread } from '../../../engine/objects/unread.js';
import type { Reason } from '../../../engine/scheduler/reason.js';
import { rolloutStateOf } from '../../../engine/workloads/rollout-state.js';
import { fact } from '../../findings/facts.js';
import type { Advice, Evidence } from '../../findings/finding.js';
import type { Detected, Examination } from '../../findings/rule.js';
import { workloadName } from '../../findings/stuck-rollout.js';
import type { Block } from '../../findings/waiting/block.js';
import { waitingFacts } from '../../findings/waiting/facts.js';
import { requirementText } from '../../findings/waiting/refusal-words.js';
import { waiting } from '../../findings/waiting/text.js';

/** The nodes that the waiting pods, or their volumes, ask for by name and that do not exist. */
export function missingNodes({ snapshot }: Examination, { pod, evaluation }: Block): readonly MissingNodes[] {
  const { index } = snapshot;
  if (isUnread(snapshot, 'Node')) return [];
  const own = missingForPod(pod.spec, index);
  const reasons = evaluation.nodes.flatMap((node) => [...node.reasons]);
  return [...(own === undefined ? [] : [own]), ...missingForVolumes(reasons, index)];
}

export function missingStatements(missing: readonly MissingNodes[]): readonly Statement[] {
  return missing.map(({ names, field, volume }) =>
    volume === undefined
      ? state('node-missing', { nodes: names, field })
      : state('volume-node-missing', { nodes: names, volume: volume.name, claim: volume.claim }),
  );
}

export function missingEvidence(missing: readonly MissingNodes[], pod: Block['pod']): readonly Evidence[] {
  return missing.map(({ names, field, volume }) => ({
    object:
      volume === undefined ? refOf(pod) : { kind: 'PersistentVolume', namespace: '', name: volume.name },
    field,
    value: names.join(', '),
    says: state('ev-node-missing'),
  }));
}

export function missingAdvice(missing: readonly MissingNodes[]): readonly Advice[] {
  return missing.map(({ names, field, volume }) =>
    volume === undefined
      ? { title: state('advice-pin-title'), text: state('advice-pin', { nodes: names, field }) }
      : {
          title: state('advice-volume-node-title'),
          text: state('advice-volume-node', { nodes: names, volume: volume.name, claim: volume.claim }),
        },
  );
}

/** The kubelet of the node would have taken the pod within seconds. */
const patienceMs = 15_000;

/**
 * The pod template sets `spec.nodeName` to a node that does not exist. No scheduler sees such a pod, and the
 * pod garbage collector deletes it after a minute (kubernetes `podgc/gc_controller.go: gcOrphaned`), so that
 * pods come and go.
 */
export function absentNodeFinding({
  snapshot,
}: Examination): Detected<typeof UnsatisfiablePlacementFacts> | undefined {
  const { workload, index } = snapshot;
  const { spec } = workload;
  const node = spec.template.spec.nodeName ?? '';
  if (node === '' || index.nodes.has(node) || isUnread(snapshot, 'Node')) return undefined;
  const pods = rolloutStateOf(snapshot).pods.filter(
    (pod) =>
      isActive(pod) &&
      pod.spec.nodeName === node &&
      nowOf(snapshot) - Date.parse(pod.metadata.creationTimestamp ?? '') >= patienceMs,
  );
  const [pod] = pods;
  if (pod === undefined) return undefined;
  const missing = [{ names: [node], field: 'spec.nodeName', volume: undefined }];
  return {
    confidence: index.objects.Node.length === 0 ? 'likely' : 'proven',
    nodes: [node],
    facts: {
      waiting: pods.length,
      pods: pods.map((each) => each.metadata.name),
      nodesInAll: 0,
      refusals: [],
      missingNodes: missing,
    },
    summary: state('summary-missing', { workload: workloadName(snapshot), nodes: [node] }),
    reasoning: [...missingStatements(missing), state('collected')],
    evidence: missingEvidence(missing, pod),
    ruledOut: [{ cause: 'insufficient-capacity', because: state('because-no-scheduler') }],
    withheld: [{ kind: 'restart-rollout', because: waiting('restart-withheld') }],
    advice: missingAdvice(missing),
  };
}

/** A pod, or a volume of it, may be used only on nodes of which the cluster has none. */
interface MissingNodes {
  readonly names: readonly string[];
  /** Where that is demanded, as the API spells it. */
  readonly field: string;
  /** The volume that demands it, with its claim; absent where the pod does. */
  readonly volume: { readonly name: string; readonly claim: string } | undefined;
}

const hostname = 'kubernetes.io/hostname';
/**
 * Labels that tell one node from all others: of the kubelet, and of drivers whose volumes stay on one node.
 */
const isOfOneNode = (key: string): boolean =>
  key === hostname ||
  key === 'metadata.name' ||
  (key.startsWith('topology.') && /\/(node|hostname)$/.test(key));

/** Nodes by name that the pod asks for and that the cluster does not have. All nodes must have been read. */
function missingForPod(spec: PodSpec, index: ClusterIndex): MissingNodes | undefined {
  const { nodeName = '', nodeSelector, affinity } = spec;
  const volume = undefined;
  if (nodeName !== '' && !index.nodes.has(nodeName))
    return { names: [nodeName], field: 'spec.nodeName', volume };
  const selected = nodeSelector[hostname];
  if (selected !== undefined && !hasNode(index, hostname, selected)) {
    return { names: [selected], field: `spec.nodeSelector[${hostname}]`, volume };
  }
  const terms =
    affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const names = missingIn(terms, index);
  return names.length === 0 ? undefined : { names, field: 'spec.affinity.nodeAffinity', volume };
}

/** The same for the volumes that nodes refuse a pod for. */
function missingForVolumes(reasons: readonly Reason[], index: ClusterIndex): readonly MissingNodes[] {
  const volumes = new Map(
    reasons.flatMap((reason) => (reason.id === 'volume-affinity' ? [[reason.volume, reason.claim]] : [])),
  );
  return [...volumes].flatMap(([name, claim]): readonly MissingNodes[] => {
    const found = index.objects.PersistentVolume.find(({ metadata }) => metadata.name === name);
    const names = missingIn(found?.spec.nodeAffinity?.required?.nodeSelectorTerms ?? [], index);
    const volume = { name: name ?? '', claim: claim ?? '' };
    return names.length === 0 ? [] : [{ names, field: 'spec.nodeAffinity', volume }];
  });
}

/**
 * On which nodes the volumes can be used that nodes refuse a pod for; only where no other term allows more.
 */
export function placesOfVolumes(
  { snapshot: { index } }: Examination,
  { evaluation }: Block,
): readonly Statement[] {
  const refused = evaluation.nodes.flatMap(({ reasons }) =>
    reasons.flatMap((reason) => (reason.id === 'volume-affinity' ? [reason] : [])),
  );
  const claims = new Map(refused.map(({ volume = '', claim = '' }) => [volume, claim] as const));
  return [...claims].flatMap(([volume, claim]) => {
    const found = index.objects.PersistentVolume.find(({ metadata }) => metadata.name === volume);
    const [term, ...others] = found?.spec.nodeAffinity?.required?.nodeSelectorTerms ?? [];
    const requirements = (term?.matchExpressions ?? []).map(requirementText);
    return requirements.length === 0 || others.length > 0
      ? []
      : [state('volume-places', { volume, claim, requirements })];
  });
}

/** Terms are alternatives: each must name nodes, and none of these may exist. */
function missingIn(terms: readonly NodeSelectorTerm[], index: ClusterIndex): readonly string[] {
  const names = terms.map(({ matchExpressions, matchFields }) => {
    const named = [...matchExpressions, ...matchFields].find(
      ({ key, operator }) => operator === 'In' && isOfOneNode(key),
    );
    if (named === undefined) return [];
    return named.values.some((value) => hasNode(index, named.key, value)) ? [] : named.values;
  });
  return names.every((each) => each.length > 0) ? [...new Set(names.flat())] : [];
}

function hasNode({ nodes, objects }: ClusterIndex, key: string, value: string): boolean {
  if (key === 'metadata.name') return nodes.has(value);
  return objects.Node.some(({ metadata }) => metadata.labels[key] === value);
}

export const UnsatisfiablePlacementFacts = z.strictObject({
  ...waitingFacts,
  missingNodes: z
    .array(
      z.strictObject({
        names: fact.names('Names of the nodes'),
        field: fact.text('Where the pod, or its volume, names them'),
        volume: z
          .strictObject({ name: fact.text('Name of the volume'), claim: fact.text('Name of its claim') })
          .describe('The PersistentVolume that names them; absent where the pod does')
          .optional(),
      }),
    )
    .describe('Nodes that are asked for by name and do not exist'),
});

type Volume = { readonly volume: string; readonly claim: string };
type Vertical = Readonly<Record<'autoscaler' | 'node' | 'allocatable' | 'requested', string>>;

const en = {
  'shared-failure': () => say`no node satisfies the placement rules`,
  summary: ({ workload, nodesInAll }: { workload: string; nodesInAll: number }) =>
    nodesInAll === 1
      ? say`${code(workload)} is unschedulable: the only node can never run its pod`
      : say`${code(workload)} is unschedulable: none of ${nodesInAll} nodes can ever run its pod`,
  'summary-pinned': ({ workload, nodes }: { workload: string; nodes: readonly string[] }) =>
    say`${code(workload)}: ${names('en', nodes)} can never run the pod that is pinned to ${word(nodes.length === 1 ? 'it' : 'them')}`,
  'summary-missing': ({ workload, nodes }: { workload: string; nodes: readonly string[] }) =>
    say`${code(workload)} is pinned to ${names('en', nodes)}, which the cluster does not have`,
  'summary-unoffered': (values: { workload: string; nodes: readonly string[]; resource: string }) =>
    values.nodes.length === 1
      ? say`${code(values.workload)} is unschedulable: ${names('en', values.nodes)} offers none of its ${code(values.resource)}`
      : say`${code(values.workload)} is unschedulable: ${names('en', values.nodes, 3)} offer none of their ${code(values.resource)}`,
  unoffered: ({ node, resource, capacity }: { node: string; resource: string; capacity: string }) =>
    say`${code(node)} has ${code(capacity)} of ${code(resource)} and offers none: the device plugin is gone, or it reports all of them as unhealthy.`,
  'node-missing': ({ nodes, field }: { nodes: readonly string[]; field: string }) =>
    say`${code(field)} requires ${names('en', nodes)}. The cluster has no node of this name.`,
  'volume-node-missing': ({ nodes, volume, claim }: Volume & { readonly nodes: readonly string[] }) =>
    say`The volume ${code(volume)} of ${code(claim)} can be used only on ${names('en', nodes)} (${code('spec.nodeAffinity')}), which the cluster does not have.`,
  collected: () =>
    say`No scheduler handles a pod with ${code('spec.nodeName')}, and no kubelet starts this one. Kubernetes deletes such a pod after about a minute, and the controller creates the next one.`,
  'ev-node-missing': () => say`the cluster has no such node`,
  'because-no-scheduler': () => say`the pod template names the node, so the scheduler does not place the pod`,
  'advice-pin-title': () => say`Remove the missing node from the pod template`,
  'advice-pin': ({ nodes, field }: { nodes: readonly string[]; field: string }) =>
    say`Remove or correct ${code(field)} in the pod template. If ${names('en', nodes)} comes back under the same name, the pod can start there.`,
  'advice-volume-node-title': () => say`Bring the node back, or give up the volume`,
  'advice-volume-node': ({ nodes, volume, claim }: Volume & { readonly nodes: readonly string[] }) =>
    say`If ${names('en', nodes)} comes back under the same name, the pod can start. If the node is gone for good, its local data is gone. Restore a backup into a new claim in place of ${code(claim)}, and delete ${code(volume)}.`,
  nearest: ({ nodes }: { nodes: number }) =>
    say`The ${counted(nodes, 'node', 'nodes')} with the fewest obstacles:`,
  'no-change-helps': () => say`Stopping other pods does not help. The pod template or a node has to change.`,
  'terms-conflict': () =>
    say`No single node can satisfy the pod's node affinity, so the scheduler checks none.`,
  'ev-label': ({ node, requirement }: { node: string; requirement: string }) =>
    say`${code(node)} does not satisfy ${code(requirement)}`,
  'ev-taint': ({ node }: { node: string }) => say`the pod does not tolerate this taint of ${code(node)}`,
  'ev-allocatable': ({ node, resource }: { node: string; resource: string }) =>
    say`the total ${code(resource)} of ${code(node)}`,
  'because-emptied': ({ nodes }: { nodes: number }) =>
    nodes === 1
      ? say`the node could not run the pod even without other pods on it`
      : say`none of ${nodes} nodes could run the pod even without other pods on them`,
  'advice-selector-title': () => say`Select a node that exists`,
  'advice-selector': ({ node, labels }: { node: string; labels: readonly string[] }) =>
    say`Remove or change ${names('en', labels)} in the pod template. ${code(node)} can then be considered.`,
  'advice-flavor-title': ({ flavor }: { flavor: string }) =>
    say`Compare the ResourceFlavor ${code(flavor)} with the nodes`,
  'advice-flavor': (values: { flavor: string; clusterQueue: string; label: string }) =>
    sentences(
      say`Kueue wrote ${code(values.label)} into the pod as it admitted the pod to the flavor ${code(values.flavor)}. The pod template does not contain it.`,
      say`The ClusterQueue ${code(values.clusterQueue)} has quota in this flavor, and no node of it can run the pod. Correct the quota or the labels of the flavor, or add such a node.`,
    ),
  'advice-added-title': () => say`Find what adds the node label to the pods`,
  'advice-added': ({ node, label }: { node: string; label: string }) =>
    say`The pod template does not contain ${code(label)}: a webhook or a controller added it to the pod. Without it, ${code(node)} can be considered.`,
  'advice-label-title': () => say`Or label the node`,
  'advice-label': ({ node }: { node: string }) =>
    say`Do this if ${code(node)} is the intended node and only its label is missing.`,
  'advice-toleration-title': () => say`Tolerate the taint if these pods belong there`,
  'advice-toleration': ({ node, taint }: { node: string; taint: string }) =>
    say`${code(node)} is reserved for pods that tolerate ${code(taint)}.`,
  'advice-size-title': ({ resource }: { resource: string }) =>
    say`Request less ${code(resource)}, or add a larger node`,
  'advice-size': (values: { resource: string; node: string; allocatable: string; requested: string }) =>
    say`${code(values.node)} has ${code(values.allocatable)} of ${code(values.resource)} in total, and the pod requests ${code(values.requested)}.`,
  'advice-vertical-title': ({ autoscaler, resource }: { autoscaler: string; resource: string }) =>
    say`Limit the ${code(resource)} that the VerticalPodAutoscaler ${code(autoscaler)} sets`,
  'advice-vertical': ({ autoscaler, node, allocatable, requested }: Vertical) =>
    say`${code(autoscaler)} has written ${code(requested)} into the pod, and ${code(node)} has ${code(allocatable)} in total. Set ${code('maxAllowed')} below what a node has. The pod template does not decide the request.`,
  'advice-pool-title': ({ pools }: { pools: readonly string[] }) =>
    say`Allow other instance types in NodePool ${names('en', pools, 3)}, or request less`,
  'advice-pool': ({ pools }: { pools: readonly string[] }) =>
    say`Among the instance types that ${names('en', pools, 3)} ${word(pools.length === 1 ? 'allows' : 'allow')}, Karpenter finds none for this pod. Compare the requirements of the NodePool with the resources and labels in the message. The pods of DaemonSets count as well.`,
  'advice-device-title': ({ resource }: { resource: string }) =>
    say`Find out why no node offers ${code(resource)}`,
  'advice-device': ({ resource }: { resource: string }) =>
    say`A device plugin provides ${code(resource)}. If the hardware exists, check that the pod of the plugin runs on the node and that the devices are healthy. Otherwise the selector points to the wrong nodes, or such a node is missing.`,
  'volume-places': ({ claim, requirements }: Volume & { readonly requirements: readonly string[] }) =>
    say`The volume of ${code(claim)} can be used only on nodes with ${names('en', requirements)}.`,
  'advice-volume-title': () => say`Place the pod where its volume is`,
  'advice-volume': ({ volume, claim }: { volume: string; claim: string }) =>
    say`The volume ${code(volume)} of ${code(claim)} is available only where its node affinity allows. Direct the pod there, or give it a new claim and move the data.`,
};

const ko: typeof en = {
  'shared-failure': () => say`배치 조건을 만족하는 노드가 없음`,
  summary: ({ workload, nodesInAll }) =>
    say`${code(workload)} 파드를 실행할 수 있는 노드가 없습니다(노드 ${nodesInAll}개)`,
  'summary-pinned': ({ workload, nodes }) =>
    say`${code(workload)}: ${names('ko', nodes)} 노드에 고정된 파드를 이 노드에서 실행할 수 없습니다`,
  'summary-missing': ({ workload, nodes }) =>
    say`${code(workload)} 파드가 클러스터에 없는 노드(${names('ko', nodes)})에 고정되어 있습니다`,
  'summary-unoffered': ({ workload, nodes, resource }) =>
    say`${code(workload)} 파드를 배치할 수 없습니다: ${names('ko', nodes, 3)} 노드의 ${code(resource)} 중 지금 쓸 수 있는 것이 없습니다`,
  unoffered: ({ node, resource, capacity }) =>
    say`${code(node)} 노드에는 ${code(resource)} ${code(capacity)}개가 있지만 하나도 제공하지 않습니다. 디바이스 플러그인이 없거나, 모두 비정상으로 보고합니다.`,
  'node-missing': ({ nodes, field }) =>
    say`${code(field)} 필드가 ${names('ko', nodes)} 노드를 지정합니다. 클러스터에 이 이름의 노드가 없습니다.`,
  'volume-node-missing': ({ nodes, volume, claim }) =>
    say`${code(claim)} 클레임의 볼륨(${code(volume)})은 ${names('ko', nodes)} 노드에서만 사용할 수 있는데(${code('spec.nodeAffinity')}), 클러스터에 이 노드가 없습니다.`,
  collected: () =>
    say`${code('spec.nodeName')} 필드가 있는 파드는 스케줄러를 거치지 않으며, 시작해 줄 kubelet도 없습니다. Kubernetes는 약 1분 뒤 이런 파드를 삭제하고, 컨트롤러가 다음 파드를 만듭니다.`,
  'ev-node-missing': () => say`클러스터에 그런 노드 없음`,
  'because-no-scheduler': () => say`파드 템플릿이 노드를 직접 지정하므로 스케줄러가 배치하지 않음`,
  'advice-pin-title': () => say`파드 템플릿에서 없는 노드 제거하기`,
  'advice-pin': ({ nodes, field }) =>
    say`파드 템플릿의 ${code(field)} 필드를 제거하거나 고치세요. ${names('ko', nodes)} 노드가 같은 이름으로 복구되면 파드를 그곳에서 시작할 수 있습니다.`,
  'advice-volume-node-title': () => say`노드를 복구하거나 볼륨을 포기하기`,
  'advice-volume-node': ({ nodes, volume, claim }) =>
    say`${names('ko', nodes)} 노드가 같은 이름으로 복구되면 파드를 시작할 수 있습니다. 노드가 완전히 사라졌다면 로컬 데이터도 사라졌습니다. ${code(claim)} 대신 새 클레임에 백업을 복구하고 ${code(volume)} 볼륨을 삭제하세요.`,
  nearest: ({ nodes }) => say`걸리는 조건이 가장 적은 노드 ${nodes}개:`,
  'no-change-helps': () => say`다른 파드를 내려도 해결되지 않습니다. 파드 템플릿이나 노드를 변경해야 합니다.`,
  'terms-conflict': () =>
    say`파드의 노드 어피니티를 만족하는 노드가 있을 수 없어 스케줄러가 어느 노드도 확인하지 않습니다.`,
  'ev-label': ({ node, requirement }) => say`${code(node)} 노드는 ${code(requirement)} 조건에 맞지 않음`,
  'ev-taint': ({ node }) => say`파드가 ${code(node)} 노드의 이 taint를 허용하지 않음`,
  'ev-allocatable': ({ node, resource }) => say`${code(node)} 노드의 ${code(resource)} 전체 용량`,
  'because-emptied': ({ nodes }) => say`다른 파드가 없어도 노드 ${nodes}개 모두 실행할 수 없음`,
  'advice-selector-title': () => say`존재하는 노드 지정하기`,
  'advice-selector': ({ node, labels }) =>
    say`파드 템플릿에서 ${names('ko', labels)} 조건을 제거하거나 바꾸면 ${code(node)} 노드가 후보가 됩니다.`,
  'advice-flavor-title': ({ flavor }) => say`ResourceFlavor ${code(flavor)} 설정과 노드 비교하기`,
  'advice-flavor': ({ flavor, clusterQueue, label }) =>
    sentences(
      say`Kueue가 플레이버 ${code(flavor)}에 파드를 승인하면서 ${code(label)} 조건을 파드에 추가했습니다. 파드 템플릿에는 이 조건이 없습니다.`,
      say`ClusterQueue ${code(clusterQueue)}에는 이 플레이버의 쿼터가 있지만 파드를 실행할 수 있는 노드가 없습니다. 플레이버의 쿼터나 레이블을 고치거나 그런 노드를 추가하세요.`,
    ),
  'advice-added-title': () => say`파드에 노드 레이블 조건을 추가하는 주체 찾기`,
  'advice-added': ({ node, label }) =>
    say`파드 템플릿에는 ${code(label)} 조건이 없습니다. 웹훅이나 컨트롤러가 파드에 추가했습니다. 이 조건이 없으면 ${code(node)} 노드가 후보가 됩니다.`,
  'advice-label-title': () => say`또는 노드에 레이블 붙이기`,
  'advice-label': ({ node }) => say`${code(node)} 노드가 의도한 노드이고 레이블만 빠진 경우에 사용하세요.`,
  'advice-toleration-title': () => say`이 파드가 실행되어야 할 노드라면 taint 허용하기`,
  'advice-toleration': ({ node, taint }) =>
    say`${code(node)} 노드는 ${code(taint)} taint를 허용하는 파드만 받습니다.`,
  'advice-size-title': ({ resource }) => say`${code(resource)} 요청을 줄이거나 더 큰 노드 추가하기`,
  'advice-size': ({ resource, node, allocatable, requested }) =>
    say`${code(node)} 노드의 ${code(resource)} 전체 용량은 ${code(allocatable)}인데 파드는 ${code(requested)} 용량을 요청합니다.`,
  'advice-vertical-title': ({ autoscaler, resource }) =>
    say`VerticalPodAutoscaler(${code(autoscaler)})가 설정하는 ${code(resource)} 제한하기`,
  'advice-vertical': ({ autoscaler, node, allocatable, requested }) =>
    say`${code(autoscaler)} VerticalPodAutoscaler가 파드의 요청을 ${code(requested)} 값으로 바꿨는데 ${code(node)} 노드의 전체 용량은 ${code(allocatable)}입니다. ${code('maxAllowed')}를 노드 용량보다 작게 설정하세요. 이 요청은 파드 템플릿이 정하지 않습니다.`,
  'advice-pool-title': ({ pools }) =>
    say`NodePool ${names('ko', pools, 3)}에 다른 인스턴스 유형을 허용하거나 요청 줄이기`,
  'advice-pool': ({ pools }) =>
    say`${names('ko', pools, 3)}에서 허용하는 인스턴스 유형 중에 이 파드에 맞는 것이 없다고 Karpenter가 보고합니다. NodePool의 requirements를 메시지에 나온 리소스와 레이블과 비교하세요. DaemonSet 파드의 요청도 포함됩니다.`,
  'advice-device-title': ({ resource }) => say`${code(resource)} 리소스를 제공하는 노드가 없는 이유 확인하기`,
  'advice-device': ({ resource }) =>
    say`${code(resource)} 리소스는 디바이스 플러그인이 제공합니다. 하드웨어가 있다면 그 노드에서 플러그인 파드가 실행 중인지, 장치가 정상인지 확인하세요. 그렇지 않다면 셀렉터가 다른 노드를 가리키거나 해당 노드가 없는 것입니다.`,
  'volume-places': ({ claim, requirements }) =>
    say`${code(claim)} 클레임의 볼륨은 ${names('ko', requirements)} 조건에 맞는 노드에서만 사용할 수 있습니다.`,
  'advice-volume-title': () => say`볼륨이 있는 곳에 파드 배치하기`,
  'advice-volume': ({ volume, claim }) =>
    say`${code(claim)} 클레임의 볼륨(${code(volume)})은 볼륨의 노드 어피니티가 허용하는 곳에서만 사용할 수 있습니다. 파드를 그곳에 배치하거나, 새 클레임을 주고 데이터를 옮기세요.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('unsatisfiable-placement');
