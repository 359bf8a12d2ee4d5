import type { ExceededQuota } from '../../engine/creation/quota-block.js';
import { code, type Prose, quote, say, word } from '../../engine/language/prose.js';
import { statementsOf } from '../../engine/language/statement.js';
import { counted, duration, names, particle } from '../../engine/language/words.js';
import type { ObjectRef } from '../../engine/objects/metadata.js';
import type { Downtime } from '../../engine/workloads/contested-forecast.js';
import { type LimitValues, limitWords } from '../../engine/workloads/limit-range-defaults.js';

/** The strategy of a Deployment as written, and how many pods it allows. */
export type AllowedPods = {
  readonly maxSurge: string;
  readonly maxUnavailable: string;
  readonly replicas: number;
  readonly surge: number;
  readonly unavailable: number;
};

/** A sentence without its end. */
export const allowedPods = {
  en: ({ maxSurge, maxUnavailable, replicas, surge, unavailable }: AllowedPods) =>
    say`With ${counted(replicas, 'replica', 'replicas')}, maxSurge ${code(maxSurge)} allows ${counted(surge, 'extra pod', 'extra pods')} and maxUnavailable ${code(maxUnavailable)} allows ${counted(unavailable, 'unavailable pod', 'unavailable pods')}`,
  ko: ({ maxSurge, maxUnavailable, replicas, surge, unavailable }: AllowedPods) =>
    say`복제본이 ${replicas}개일 때 추가로 띄울 수 있는 파드는 ${surge}개(maxSurge ${code(maxSurge)}), 먼저 내릴 수 있는 파드는 ${unavailable}개(maxUnavailable ${code(maxUnavailable)})입니다`,
};

const impactEn = ({ kind, seconds, ready, of }: ImpactValues): Prose => {
  const time = seconds === undefined ? word('an unknown time') : say`about ${duration('en', seconds)}`;
  switch (kind) {
    case 'none':
      return say`no loss of ready pods`;
    case 'gap':
      return say`no pod ready for ${time}`;
    case 'reduced':
      return say`${ready} of ${counted(of, 'pod', 'pods')} ready for ${time}`;
  }
};

const impactKo = ({ kind, seconds, ready, of }: ImpactValues): Prose => {
  const time = seconds === undefined ? word('알 수 없는 시간') : say`약 ${duration('ko', seconds)}`;
  switch (kind) {
    case 'none':
      return say`준비된 파드 수가 줄지 않음`;
    case 'gap':
      return say`${time} 동안 서비스 중단`;
    case 'reduced':
      return say`${time} 동안 파드 일부만 준비됨(Ready ${ready}/${of})`;
  }
};

const strategyCode = (strategy: 'RollingUpdate' | 'Recreate') =>
  code(strategy === 'Recreate' ? 'strategy: Recreate' : 'maxSurge: 0, maxUnavailable: 1');
type Workload = { readonly workload: string };

/** The sentences of `rollout-doctor check`. */
const en = {
  deadlock: ({ workload, resource }: Workload & { readonly resource: string }) =>
    say`The update of ${code(workload)} would deadlock: its old pods block the new ones (${code(resource)}).`,
  'quota-deadlock': ({ workload, quota }: Workload & { readonly quota: string }) =>
    say`The update of ${code(workload)} would deadlock: its old pods use up quota ${code(quota)}, so the new pods are never created.`,
  stuck: ({ workload }: Workload) =>
    say`The update of ${code(workload)} would get stuck: its new pods cannot be scheduled.`,
  'stuck-by-quota': ({ workload, quota }: Workload & { readonly quota: string }) =>
    say`The update of ${code(workload)} would get stuck: quota ${code(quota)} does not allow its new pods.`,
  refused: ({ workload, field }: Workload & { readonly field: string }) =>
    say`The API server would reject ${code(workload)}: ${code(field)} is immutable.`,
  completes: ({ workload }: Workload) => say`The update of ${code(workload)} completes.`,
  starts: ({ workload }: Workload) => say`${code(workload)} is new, and all its pods can be scheduled.`,
  unchanged: ({ workload }: Workload) => say`The manifest of ${code(workload)} replaces no pods.`,
  'cannot-tell': ({ workload }: Workload) =>
    say`The result of the update of ${code(workload)} could not be determined.`,

  needs: ({ resource, pods }: { resource: string; pods: number }) =>
    resource === 'pods'
      ? say`${counted(pods, 'new pod needs', 'new pods need')} a pod slot, and no node has one free.`
      : say`${counted(pods, 'new pod needs', 'new pods need')} ${code(resource)}, and no node has enough free.`,
  'group-incomplete': ({ group, least }: { group: string; least: number }) =>
    say`kube-scheduler tries the new pod only once ${counted(least, 'pod', 'pods')} of its PodGroup ${code(group)} exist.`,
  'group-may-complete': ({ group, names: users }: { group: string; names: readonly string[] }) =>
    say`${names('en', users, 3)} may add pods to the PodGroup ${code(group)} or lower its minimum.`,
  'would-say': ({ message }: { message: string }) => say`The scheduler would report: ${quote(message)}`,
  'held-by': ({ pods, nodes }: { pods: readonly string[]; nodes: readonly string[] }) =>
    say`Blocked by ${names('en', pods)} on ${names('en', nodes)}.`,
  'rule-forbids': (budget: AllowedPods) =>
    say`${allowedPods.en(budget)}. The controller stops no more old pods until a new pod is ready.`,
  'would-have-to-move': ({ pods, node }: { pods: readonly string[]; node: string }) =>
    say`Without ${names('en', pods)}, the new pod fits on ${code(node)}.`,
  lacks: ({ node, texts }: { node: string; texts: readonly string[] }) =>
    say`${code(node)}: ${quote(texts.join('; '))}`,
  'quota-short': ({ quota, resource, requested, used, limited }: ExceededQuota) =>
    say`Quota ${code(quota)} allows ${code(limited)} of ${code(resource)}. ${code(used)} is in use, and a new pod needs ${code(requested)}.`,
  'quota-held-by': ({ pods, quota }: { pods: readonly string[]; quota: string }) =>
    say`Without the old pods (${names('en', pods)}), quota ${code(quota)} is sufficient.`,
  'way-out-in-place': (impact: ImpactValues) =>
    say`With ${code('maxSurge: 0, maxUnavailable: 1')} the update completes. Impact: ${impactEn(impact)}.`,
  'way-out-recreate': (impact: ImpactValues) =>
    say`With ${code('strategy: Recreate')} the update completes. Impact: ${impactEn(impact)}.`,
  'way-out-contested': (values: { strategy: 'RollingUpdate' | 'Recreate'; workloads: readonly string[] }) =>
    say`With ${strategyCode(values.strategy)} the update completes only if none of these workloads takes the freed resources first: ${names('en', values.workloads)}.`,
  'way-out-too-large': () =>
    say`The rollout is too large to simulate another strategy, so the check suggests none.`,
  'price-in-full': ({ stops, ...impact }: ImpactValues & { readonly stops: number }) =>
    say`The update stops ${counted(stops, 'pod', 'pods')}. Impact: ${impactEn(impact)}.`,
  'assumes-ready': () => say`The check assumes that the new pods become ready. A manifest cannot show this.`,
  'stuck-already': () => say`The rollout in the cluster is already stuck in this way.`,
  'next-update-deadlocks': ({ resource }: { resource: string }) =>
    say`The next update that changes the pods would deadlock: the old pods block the new ones (${code(resource)}).`,
  'rule-knative': () =>
    say`Knative stops the pods of the old revision only when all pods of the new one are ready. It has no field that changes this.`,
  'rule-ray': () =>
    say`KubeRay deletes the old RayCluster only when the Serve applications of the new one run. With ${code('spec.upgradeStrategy.type: None')}, it starts no second RayCluster.`,
  'rule-dynamo': () =>
    say`The Dynamo operator replaces the workers of each component by the annotations ${code('nvidia.com/deployment-rolling-update-max-surge')} and ${code('nvidia.com/deployment-rolling-update-max-unavailable')}, each 25% by default. Of one worker, that is a surge of 1 and none that may be missing.`,
  'keeps-ray-cluster': () =>
    say`With ${code('spec.upgradeStrategy.type: None')}, KubeRay makes no new RayCluster for a changed spec.`,
  'keeps-ray-numbers': () =>
    say`KubeRay compares the spec without the numbers of workers. The changed numbers take effect only with the next other change of ${code('spec.rayClusterConfig')}.`,
  'adds-ray-groups': ({ groups }: { groups: readonly string[] }) =>
    say`KubeRay adds the worker ${word(groups.length === 1 ? 'group' : 'groups')} ${names('en', groups)} to the RayCluster that serves. The check does not simulate whether the added workers find a node.`,
  'ray-upgrade-gate': () =>
    say`Without its feature gate ${code('RayServiceIncrementalUpgrade')}, the operator treats ${code('NewClusterWithIncrementalUpgrade')} as ${code('None')} and starts no second RayCluster. No object shows the gate.`,
  'because-revision-under-way': ({ revision }: { revision: string }) =>
    say`Another update is in progress: ${code(revision)} does not serve yet.`,
  'on-delete': () => say`With OnDelete, the controller replaces a pod only after someone deletes it.`,
  paused: () => say`The rollout is paused.`,
  'no-pods': () => say`The workload has 0 replicas.`,
  'choice-does-not-matter': () =>
    say`The scheduler can choose between nodes. Two opposite choices give the same result.`,

  'because-not-simulated': ({ parts }: { parts: readonly string[] }) =>
    say`The result depends on scheduler rules that are not simulated: ${names('en', parts)}.`,
  'because-unread': ({ what, because }: { what: string; because: string }) =>
    say`${code(what)} could not be read: ${code(because)}.`,
  'because-preemption': ({ victims }: { victims: readonly string[] }) =>
    say`The current nodes have no room, but the new pods have enough priority to preempt others: ${names('en', victims)}.`,
  'because-autoscaler': ({ by }: { by: string }) =>
    say`On the current nodes the update gets stuck, but ${word(by)} may add a node.`,
  'because-node-choice': () =>
    say`The result depends on the node that the scheduler chooses: some choices complete the update, others do not.`,
  'because-contested': ({ workloads }: { workloads: readonly string[] }) =>
    say`The update completes only if none of these workloads takes the freed resources first: ${names('en', workloads)}.`,
  'because-queue': ({ queue }: { queue: string }) =>
    say`The pods fit on nodes, but Kueue admits them only with quota of the queue ${code(queue)}, which a check does not simulate.`,
  'because-neighbours-move': ({ workloads }: { workloads: readonly string[] }) =>
    say`The update does not fit now, but a rollout of ${names('en', workloads)} is in progress and will free the missing resources. Try again when that rollout is complete.`,
  'neighbours-unread': ({ workloads }: { workloads: readonly string[] }) =>
    say`${names('en', workloads)} ${word(workloads.length === 1 ? 'runs' : 'run')} pods of several revisions and could not be read. A rollout there may still free the missing resources.`,
  'neighbours-may-free': ({ workloads }: { workloads: readonly string[] }) =>
    say`The rollout of ${names('en', workloads)} is not complete. If it continues, it may free the missing resources.`,
  'autoscaler-may-shrink': ({ autoscaler, minimum }: { autoscaler: string; minimum: number }) =>
    say`The autoscaler ${code(autoscaler)} may reduce the replicas to ${minimum}. Old pods stop then, which may free the missing resources.`,
  'autoscalers-unread': ({ because }: { because: string }) =>
    say`HorizontalPodAutoscalers could not be read (${code(because)}). One that reduces replicas may free the missing resources.`,
  'nodes-may-return': ({ nodes }: { nodes: readonly string[] }) =>
    say`${names('en', nodes, 3)} joined the cluster or left service only minutes ago, or ${word(nodes.length === 1 ? 'reports' : 'report')} no healthy device at present. The pod may fit there soon.`,
  'resizes-may-free': ({ pods }: { pods: readonly string[] }) =>
    say`${names('en', pods, 3)} ${word(pods.length === 1 ? 'is' : 'are')} being resized to lower requests, which may free the missing resources.`,
  'pods-may-leave': ({ pods }: { pods: readonly string[] }) =>
    say`${names('en', pods, 3)} may stop by ${word(pods.length === 1 ? 'itself' : 'themselves')}. The missing resources are free then.`,
  'because-too-large': (limit: LimitValues) =>
    say`The simulation stopped because ${word(limitWords(limit, 'en'))}.`,
  'because-counted': ({ stops }: { stops: string }) =>
    say`The rollout of ${code(stops)} stops before it completes. The simulation is too large to name the waiting pods and the reason.`,
  'because-unfinished': () => say`The rollout is too long to simulate to its end.`,
  'because-pods-unseen': () => say`Some pods of the workload could not be read.`,
  'because-rule': () =>
    say`The result depends on the feature gate ${code('MaxUnavailableStatefulSet')}, which the objects do not show.`,
  'because-not-ready': ({ pods }: { pods: readonly string[] }) =>
    pods.length === 0
      ? say`The rollout waits for new pods that do not become ready, for reasons other than capacity.`
      : say`The rollout waits for pods that are not ready, for reasons other than capacity: ${names('en', pods)}.`,
  'because-no-nodes': () =>
    say`The input contains no nodes, so no pod can be placed. Add them: ${code('kubectl get nodes -o json')}.`,
};

const ko: typeof en = {
  deadlock: ({ workload, resource }) =>
    say`${code(workload)} 업데이트는 교착 상태에 빠집니다. 이전 파드가 새 파드를 막습니다(${code(resource)}).`,
  'quota-deadlock': ({ workload, quota }) =>
    say`${code(workload)} 업데이트는 교착 상태에 빠집니다. 이전 파드가 쿼터 ${code(quota)} 한도를 모두 사용하여 새 파드가 생성되지 않습니다.`,
  stuck: ({ workload }) => say`${code(workload)} 업데이트가 중간에 멈춥니다. 새 파드를 배치할 수 없습니다.`,
  'stuck-by-quota': ({ workload, quota }) =>
    say`${code(workload)} 업데이트가 중간에 멈춥니다. 쿼터 ${code(quota)} 때문에 새 파드가 생성되지 않습니다.`,
  refused: ({ workload, field }) =>
    say`API 서버가 ${code(workload)} 매니페스트를 거부합니다. ${code(field)} 값은 바꿀 수 없습니다.`,
  completes: ({ workload }) => say`${code(workload)} 업데이트는 완료됩니다.`,
  starts: ({ workload }) => say`${code(workload)} 워크로드는 신규이며, 모든 파드를 배치할 수 있습니다.`,
  unchanged: ({ workload }) => say`${code(workload)} 매니페스트로 교체되는 파드는 없습니다.`,
  'cannot-tell': ({ workload }) => say`${code(workload)} 업데이트 결과를 판단할 수 없습니다.`,

  needs: ({ resource, pods }) =>
    resource === 'pods'
      ? say`새 파드 ${pods}개에 파드 슬롯이 필요하지만, 슬롯이 남은 노드가 없습니다.`
      : say`새 파드 ${pods}개에 ${code(resource)} 리소스가 필요하지만, 여유가 충분한 노드가 없습니다.`,
  'group-incomplete': ({ group, least }) =>
    say`kube-scheduler는 PodGroup ${code(group)}의 파드가 ${least}개 생성되어야 새 파드의 배치를 시도합니다.`,
  'group-may-complete': ({ group, names: users }) =>
    say`${names('ko', users, 3)}에서 PodGroup ${code(group)}에 파드를 추가하거나 최솟값을 낮출 수 있습니다.`,
  'would-say': ({ message }) => say`스케줄러 메시지는 다음과 같습니다: ${quote(message)}`,
  'held-by': ({ pods, nodes }) => say`막고 있는 파드: ${names('ko', pods)} (노드 ${names('ko', nodes)}).`,
  'rule-forbids': (budget) =>
    say`${allowedPods.ko(budget)}. 새 파드가 준비될 때까지 컨트롤러는 이전 파드를 더 내리지 않습니다.`,
  'would-have-to-move': ({ pods, node }) =>
    say`${names('ko', pods)} 파드가 없으면 새 파드를 ${code(node)} 노드에 배치할 수 있습니다.`,
  lacks: ({ node, texts }) => say`${code(node)}: ${quote(texts.join('; '))}`,
  'quota-short': ({ quota, resource, requested, used, limited }) =>
    say`쿼터 ${code(quota)}의 ${code(resource)} 한도는 ${code(limited)}입니다. 이미 ${code(used)}${particle(used, '을', '를')} 사용 중이고, 새 파드에는 ${code(requested)}${particle(requested, '이', '가')} 필요합니다.`,
  'quota-held-by': ({ pods, quota }) =>
    say`이전 파드(${names('ko', pods)})가 없으면 쿼터 ${code(quota)} 한도로 충분합니다.`,
  'way-out-in-place': (impact) =>
    say`${code('maxSurge: 0, maxUnavailable: 1')} 설정이면 업데이트가 완료됩니다. 영향: ${impactKo(impact)}.`,
  'way-out-recreate': (impact) =>
    say`${code('strategy: Recreate')} 설정이면 업데이트가 완료됩니다. 영향: ${impactKo(impact)}.`,
  'way-out-contested': ({ strategy, workloads }) =>
    say`${strategyCode(strategy)} 설정이면, 다음 워크로드가 비게 될 리소스를 먼저 차지하지 않을 때만 업데이트가 완료됩니다: ${names('ko', workloads)}.`,
  'way-out-too-large': () =>
    say`롤아웃이 너무 커서 다른 전략을 시뮬레이션하지 못하므로, 권장할 전략을 정하지 못했습니다.`,
  'price-in-full': ({ stops, ...impact }) => say`파드 ${stops}개가 중지됩니다. 영향: ${impactKo(impact)}.`,
  'assumes-ready': () =>
    say`새 파드가 준비된다고 가정한 결과입니다. 매니페스트만으로는 준비 여부를 알 수 없습니다.`,
  'stuck-already': () => say`클러스터의 롤아웃이 이미 이렇게 멈춰 있습니다.`,
  'next-update-deadlocks': ({ resource }) =>
    say`파드를 변경하는 다음 업데이트는 교착 상태에 빠집니다. 이전 파드가 새 파드를 막습니다(${code(resource)}).`,
  'rule-knative': () =>
    say`Knative는 새 리비전의 파드가 모두 준비되어야 이전 리비전의 파드를 내립니다. 이를 바꾸는 필드는 없습니다.`,
  'rule-ray': () =>
    say`KubeRay는 새 RayCluster의 Serve 애플리케이션이 실행되어야 이전 RayCluster를 삭제합니다. ${code('spec.upgradeStrategy.type: None')} 설정에서는 두 번째 RayCluster를 시작하지 않습니다.`,
  'rule-dynamo': () =>
    say`Dynamo 오퍼레이터는 컴포넌트마다 ${code('nvidia.com/deployment-rolling-update-max-surge')} 어노테이션과 ${code('nvidia.com/deployment-rolling-update-max-unavailable')} 어노테이션(기본값은 각각 25%)에 따라 워커를 교체합니다. 워커가 하나면 먼저 하나를 더 시작하고, 그동안 하나도 내리지 않습니다.`,
  'keeps-ray-cluster': () =>
    say`${code('spec.upgradeStrategy.type: None')} 설정에서는 스펙이 바뀌어도 KubeRay가 새 RayCluster를 만들지 않습니다.`,
  'keeps-ray-numbers': () =>
    say`KubeRay는 워커 수를 빼고 스펙을 비교합니다. 바뀐 워커 수는 다음에 ${code('spec.rayClusterConfig')}의 다른 필드가 바뀔 때 적용됩니다.`,
  'adds-ray-groups': ({ groups }) =>
    say`KubeRay는 서비스 중인 RayCluster에 워커 그룹(${names('ko', groups)})을 추가합니다. 추가되는 워커를 실행할 수 있는 노드가 있는지는 확인하지 않습니다.`,
  'ray-upgrade-gate': () =>
    say`오퍼레이터의 기능 게이트 ${code('RayServiceIncrementalUpgrade')} 설정이 꺼져 있으면 ${code('NewClusterWithIncrementalUpgrade')} 값은 ${code('None')} 값으로 처리되어 두 번째 RayCluster가 시작되지 않습니다. 게이트 설정은 클러스터 오브젝트에서 확인할 수 없습니다.`,
  'because-revision-under-way': ({ revision }) =>
    say`다른 업데이트가 진행 중입니다. 리비전 ${code(revision)}${particle(revision, '은', '는')} 아직 서비스하지 않습니다.`,
  'on-delete': () => say`OnDelete 전략에서는 파드를 직접 삭제해야 컨트롤러가 교체합니다.`,
  paused: () => say`롤아웃이 일시 중지되어 있습니다.`,
  'no-pods': () => say`워크로드의 복제본이 0개입니다.`,
  'choice-does-not-matter': () =>
    say`스케줄러가 고를 수 있는 노드가 여럿이지만, 정반대로 골라도 결과가 같습니다.`,

  'because-not-simulated': ({ parts }) =>
    say`결과가 시뮬레이션하지 않는 스케줄러 규칙에 따라 달라집니다: ${names('ko', parts)}.`,
  'because-unread': ({ what, because }) => say`${code(what)} 정보를 읽지 못했습니다: ${code(because)}.`,
  'because-preemption': ({ victims }) =>
    say`현재 노드에는 자리가 없지만, 새 파드의 우선순위가 높아 다른 파드를 선점할 수 있습니다: ${names('ko', victims)}.`,
  'because-autoscaler': ({ by }) =>
    say`현재 노드에서는 업데이트가 멈추지만, ${word(by)} 오토스케일러가 노드를 추가할 수 있습니다.`,
  'because-node-choice': () =>
    say`스케줄러가 선택하는 노드에 따라 결과가 달라집니다. 완료되는 경우도 있고 멈추는 경우도 있습니다.`,
  'because-contested': ({ workloads }) =>
    say`다음 워크로드가 비게 될 리소스를 먼저 차지하지 않을 때만 업데이트가 완료됩니다: ${names('ko', workloads)}.`,
  'because-queue': ({ queue }) =>
    say`파드를 노드에 배치할 수 있지만, Kueue가 큐 ${code(queue)}의 쿼터로만 승인합니다. 이 쿼터는 시뮬레이션에 포함되지 않습니다.`,
  'because-neighbours-move': ({ workloads }) =>
    say`지금은 업데이트할 자리가 없지만, ${names('ko', workloads)} 롤아웃이 진행 중이며 완료되면 부족한 리소스가 비워집니다. 그 롤아웃이 완료된 뒤 다시 확인하세요.`,
  'neighbours-unread': ({ workloads }) =>
    say`${names('ko', workloads)} 워크로드는 여러 리비전의 파드를 실행 중이지만 읽지 못했습니다. 이 워크로드의 롤아웃이 부족한 리소스를 비울 수 있습니다.`,
  'neighbours-may-free': ({ workloads }) =>
    say`${names('ko', workloads)} 롤아웃이 완료되지 않았습니다. 롤아웃이 계속되면 부족한 리소스가 확보될 수 있습니다.`,
  'autoscaler-may-shrink': ({ autoscaler, minimum }) =>
    say`${code(autoscaler)} 오토스케일러가 복제본을 ${minimum}개까지 줄일 수 있습니다. 그때 이전 파드가 내려가면 부족한 리소스가 확보될 수 있습니다.`,
  'autoscalers-unread': ({ because }) =>
    say`HorizontalPodAutoscaler를 읽지 못했습니다(${code(because)}). 복제본이 줄어들면 부족한 리소스가 확보될 수 있습니다.`,
  'nodes-may-return': ({ nodes }) =>
    say`${names('ko', nodes, 3)} 노드는 몇 분 전에 클러스터에 추가되었거나 서비스에서 빠졌고, 또는 지금 정상 장치를 보고하지 않습니다. 곧 파드를 그곳에 배치할 수 있게 될지도 모릅니다.`,
  'resizes-may-free': ({ pods }) =>
    say`${names('ko', pods, 3)} 파드의 요청량이 줄어드는 중이라, 부족한 리소스가 비워질 수 있습니다.`,
  'pods-may-leave': ({ pods }) =>
    say`${names('ko', pods, 3)} 파드는 저절로 종료될 수 있습니다. 그때 부족한 리소스가 확보됩니다.`,
  'because-too-large': (limit) => say`${word(limitWords(limit, 'ko'))} 시뮬레이션을 중단했습니다.`,
  'because-counted': ({ stops }) =>
    say`${code(stops)}의 롤아웃은 완료되기 전에 멈춥니다. 규모가 커서 대기하는 파드와 그 이유를 특정할 수 없습니다.`,
  'because-unfinished': () => say`롤아웃이 너무 길어 끝까지 시뮬레이션하지 못했습니다.`,
  'because-pods-unseen': () => say`워크로드의 일부 파드를 읽지 못했습니다.`,
  'because-rule': () =>
    say`결과가 기능 게이트 ${code('MaxUnavailableStatefulSet')}에 따라 달라지며, 오브젝트에는 이 게이트가 나타나지 않습니다.`,
  'because-not-ready': ({ pods }) =>
    pods.length === 0
      ? say`용량이 아닌 다른 이유로 준비되지 않는 새 파드를 롤아웃이 기다립니다.`
      : say`용량이 아닌 다른 이유로 준비되지 않은 파드를 롤아웃이 기다립니다: ${names('ko', pods)}.`,
  'because-no-nodes': () =>
    say`입력에 노드가 없어 파드를 배치할 수 없습니다. 노드를 추가하세요: ${code('kubectl get nodes -o json')}.`,
};

export const text = { en, ko };
export const checkCatalogueId = 'check';
export const state = statementsOf<typeof en>(checkCatalogueId);

/** What a change costs while it runs, as sentences need it. */
type ImpactValues = {
  readonly kind: Downtime['kind'];
  readonly seconds: number | undefined;
  readonly ready: number;
  readonly of: number;
};

/** A downtime as the values that sentences need. */
export function impactValues({ kind, seconds, readyMin, ofReplicas }: Downtime): ImpactValues {
  return { kind, seconds, ready: readyMin, of: ofReplicas };
}

/** `namespace/name` of each. */
export function qualified(
  pods: readonly { readonly metadata: Omit<ObjectRef, 'kind'> }[],
): readonly string[] {
  return pods.map(({ metadata }) => nameOf(metadata));
}

/** `namespace/name`. */
export function nameOf({ namespace, name }: Omit<ObjectRef, 'kind'>): string {
  return `${namespace}/${name}`;
}
