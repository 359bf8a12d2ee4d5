import { code, type Prose, say } from '../../../engine/language/prose.js';

/** What the advice about a queue may name. */
type QueueNames = { readonly namespace: string; readonly clusterQueue: string | undefined };

const queueLabel = code('kueue.x-k8s.io/queue-name');

function named(clusterQueue: string | undefined, unnamed: Prose): Prose {
  return clusterQueue === undefined ? unnamed : [code(clusterQueue)];
}

/** What people can do, by what Kueue waits for. */
const en = {
  'do-no-workload-title': () => say`Check that Kueue runs`,
  'do-no-workload': ({ namespace }: QueueNames) =>
    say`Kueue makes a Workload for each pod that it gates. Check that its controller runs and manages the namespace ${code(namespace)}.`,
  'do-group-title': () => say`Create the missing pods of the group`,
  'do-group': () =>
    say`Kueue admits a group as a whole. Check what creates its pods, and the size that they state.`,
  'do-no-local-queue-title': () => say`Create the LocalQueue, or name another one`,
  'do-no-local-queue': ({ namespace }: QueueNames) =>
    say`The label ${queueLabel} has to name a LocalQueue of the namespace ${code(namespace)}.`,
  'do-no-cluster-queue-title': () => say`Create the ClusterQueue, or use another LocalQueue`,
  'do-no-cluster-queue': ({ clusterQueue }: QueueNames) =>
    say`Create the ClusterQueue ${named(clusterQueue, say`of the LocalQueue`)}, or name a LocalQueue of another one.`,
  'do-stopped-title': () => say`Ask who stopped the queue`,
  'do-stopped': (_: QueueNames) =>
    say`Someone set ${code('stopPolicy')} on purpose. Kueue admits pods again when it is ${code('None')}.`,
  'do-inactive-title': () => say`Make the queue active again`,
  'do-inactive': (_: QueueNames) =>
    say`Its condition ${code('Active')} names what is missing, for example a ResourceFlavor or an AdmissionCheck.`,
  'do-namespace-title': () => say`Let the ClusterQueue serve the namespace`,
  'do-namespace': ({ clusterQueue, namespace }: QueueNames) =>
    say`Extend ${code('namespaceSelector')} of ${named(clusterQueue, say`the ClusterQueue`)} to ${code(namespace)}, or use a LocalQueue of another ClusterQueue.`,
  'do-deactivated-title': () => say`Ask who deactivated the Workload`,
  'do-deactivated': (_: QueueNames) =>
    say`With ${code('spec.active: true')}, Kueue puts the Workload into its queue again. Kueue itself deactivates one that it had to requeue too often.`,
  'do-held-by-title': () => say`Check the controller that holds the Workload back`,
  'do-held-by': (_: QueueNames) => say`Only that controller removes its name from the annotation.`,
  'do-checks-title': () => say`Check the AdmissionCheck`,
  'do-checks': (_: QueueNames) =>
    say`Its controller decides when the Workload may start. Check that it runs, and what it reports.`,
  'do-admitted-title': () => say`Check that Kueue runs`,
  'do-admitted': (_: QueueNames) =>
    say`The Workload is admitted, and only Kueue's controller removes the gate.`,
  'do-pods-ready-title': () => say`Find out why the earlier pods are not ready`,
  'do-pods-ready': (_: QueueNames) =>
    say`Kueue goes on when they are ready or gone. Diagnose their workloads.`,
  'do-topology-title': () => say`Make room in the topology`,
  'do-topology': (_: QueueNames) => say`Free places on nodes of one domain, or request less.`,
  'do-no-flavor-title': () => say`Let the pod use a flavor`,
  'do-no-flavor': (_: QueueNames) =>
    say`Change the node selector, affinity or tolerations of the template, or add a flavor whose nodes suit the pod.`,
  'do-uncovered-title': () => say`Add the resource to the ClusterQueue`,
  'do-uncovered': ({ clusterQueue }: QueueNames) =>
    say`Add a quota for it to ${named(clusterQueue, say`the ClusterQueue`)}, or remove the request from the template.`,
  'do-beyond-maximum-title': () => say`Request less, or raise the quota`,
  'do-beyond-maximum': ({ clusterQueue }: QueueNames) =>
    say`The quota of ${named(clusterQueue, say`the ClusterQueue`)} is too small for the Workload, even if nothing else uses it.`,
  'do-quota-title': () => say`Free quota, or raise it`,
  'do-quota': ({ clusterQueue }: QueueNames) =>
    say`Kueue admits the pod when ${named(clusterQueue, say`the ClusterQueue`)} has enough quota: stop what uses it, or raise it.`,
  'do-turn-title': () => say`Check the queue`,
  'do-turn': (_: QueueNames) =>
    say`Kueue admits Workloads by priority, then by age. If none of them moves, check that its controller runs.`,
};

const ko: typeof en = {
  'do-no-workload-title': () => say`Kueue가 실행 중인지 확인하기`,
  'do-no-workload': ({ namespace }) =>
    say`Kueue는 게이트를 건 파드마다 Workload를 만듭니다. 컨트롤러가 실행 중이고 ${code(namespace)} 네임스페이스를 관리하는지 확인하세요.`,
  'do-group-title': () => say`그룹에 빠진 파드 만들기`,
  'do-group': () =>
    say`Kueue는 그룹 전체를 한 번에 승인합니다. 파드를 만드는 쪽과 파드에 적힌 그룹 크기를 확인하세요.`,
  'do-no-local-queue-title': () => say`LocalQueue를 만들거나 다른 이름 지정하기`,
  'do-no-local-queue': ({ namespace }) =>
    say`${queueLabel} 레이블에는 ${code(namespace)} 네임스페이스에 있는 LocalQueue의 이름이 있어야 합니다.`,
  'do-no-cluster-queue-title': () => say`ClusterQueue를 만들거나 다른 LocalQueue 사용하기`,
  'do-no-cluster-queue': ({ clusterQueue }) =>
    say`LocalQueue가 가리키는 ClusterQueue(${named(clusterQueue, say`이름 없음`)})를 만들거나, 다른 ClusterQueue의 LocalQueue를 지정하세요.`,
  'do-stopped-title': () => say`큐를 중지한 사람에게 확인하기`,
  'do-stopped': () =>
    say`누군가 의도적으로 ${code('stopPolicy')} 값을 설정했습니다. 값이 ${code('None')}이 되면 Kueue가 다시 파드를 승인합니다.`,
  'do-inactive-title': () => say`큐를 다시 활성 상태로 만들기`,
  'do-inactive': () =>
    say`${code('Active')} 컨디션에 빠진 것이 나와 있습니다. 예를 들어 ResourceFlavor나 AdmissionCheck입니다.`,
  'do-namespace-title': () => say`ClusterQueue가 이 네임스페이스를 받게 하기`,
  'do-namespace': ({ clusterQueue, namespace }) =>
    say`${named(clusterQueue, say`ClusterQueue`)}의 ${code('namespaceSelector')}에 ${code(namespace)} 네임스페이스를 포함하거나, 다른 ClusterQueue의 LocalQueue를 사용하세요.`,
  'do-deactivated-title': () => say`Workload를 비활성화한 사람에게 확인하기`,
  'do-deactivated': () =>
    say`${code('spec.active: true')}로 바꾸면 Kueue가 Workload를 다시 큐에 넣습니다. 너무 여러 번 큐로 돌아간 Workload는 Kueue가 스스로 비활성화합니다.`,
  'do-held-by-title': () => say`Workload를 붙잡고 있는 컨트롤러 확인하기`,
  'do-held-by': () => say`어노테이션에서 이름을 지우는 것은 그 컨트롤러뿐입니다.`,
  'do-checks-title': () => say`AdmissionCheck 확인하기`,
  'do-checks': () =>
    say`Workload를 언제 시작할지는 그 컨트롤러가 정합니다. 컨트롤러가 실행 중인지, 무엇을 보고하는지 확인하세요.`,
  'do-admitted-title': () => say`Kueue가 실행 중인지 확인하기`,
  'do-admitted': () => say`Workload는 승인되었고, 게이트는 Kueue 컨트롤러만 제거합니다.`,
  'do-pods-ready-title': () => say`먼저 승인된 파드가 준비되지 않는 이유 찾기`,
  'do-pods-ready': () =>
    say`그 파드가 준비되거나 없어지면 Kueue가 승인을 이어 갑니다. 해당 워크로드를 진단하세요.`,
  'do-topology-title': () => say`토폴로지에 자리 만들기`,
  'do-topology': () => say`한 도메인의 노드에 자리를 비우거나 요청량을 줄이세요.`,
  'do-no-flavor-title': () => say`파드가 플레이버를 쓸 수 있게 하기`,
  'do-no-flavor': () =>
    say`템플릿의 노드 셀렉터, 어피니티, 톨러레이션을 바꾸거나, 파드에 맞는 노드가 있는 플레이버를 추가하세요.`,
  'do-uncovered-title': () => say`ClusterQueue에 리소스 추가하기`,
  'do-uncovered': ({ clusterQueue }) =>
    say`${named(clusterQueue, say`ClusterQueue`)}에 이 리소스의 쿼터를 추가하거나, 템플릿에서 요청을 빼세요.`,
  'do-beyond-maximum-title': () => say`요청을 줄이거나 쿼터 늘리기`,
  'do-beyond-maximum': ({ clusterQueue }) =>
    say`아무도 쓰지 않아도 ${named(clusterQueue, say`ClusterQueue`)}의 쿼터가 이 Workload에 부족합니다.`,
  'do-quota-title': () => say`쿼터를 비우거나 늘리기`,
  'do-quota': ({ clusterQueue }) =>
    say`${named(clusterQueue, say`ClusterQueue`)}에 쿼터가 충분해지면 Kueue가 파드를 승인합니다. 쿼터를 쓰는 파드를 내리거나 쿼터를 늘리세요.`,
  'do-turn-title': () => say`큐 확인하기`,
  'do-turn': () =>
    say`Kueue는 우선순위가 높은 Workload부터, 같으면 오래된 것부터 승인합니다. 아무것도 진행되지 않으면 컨트롤러가 실행 중인지 확인하세요.`,
};

export const queueAdvice = { en, ko };
