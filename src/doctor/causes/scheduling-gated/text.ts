import { code, quote, say, sentences, word } from '../../../engine/language/prose.js';
import { statementsOf } from '../../../engine/language/statement.js';
import { counted, elapsed, isAtLeastOneSecond, names } from '../../../engine/language/words.js';
import { queueAdvice } from './queue-advice.js';

type Short = {
  readonly clusterQueue: string;
  readonly resource: string;
  readonly flavor: string;
  readonly requested: string;
  readonly available: string;
  readonly atMost: string;
};

const en = {
  ...queueAdvice.en,
  'shared-failure': () => say`scheduling gates hold pods back`,
  summary: ({ workload, pods, gates }: { workload: string; pods: number; gates: readonly string[] }) =>
    say`${counted(pods, 'pod', 'pods')} of ${code(workload)} ${word(pods === 1 ? 'is' : 'are')} held back by scheduling ${word(gates.length === 1 ? 'gate' : 'gates')} ${names('en', gates)}`,
  standing: (values: { waiting: number; forSeconds: number | undefined; ready: number; wanted: number }) =>
    !isAtLeastOneSecond(values.forSeconds)
      ? say`${counted(values.waiting, 'pod is', 'pods are')} held back from the scheduler.`
      : say`${counted(values.waiting, 'pod has', 'pods have')} been held back from the scheduler for ${elapsed('en', values.forSeconds)}.`,
  gated: ({ pods, gates }: { pods: readonly string[]; gates: readonly string[] }) =>
    say`${names('en', pods)} ${word(pods.length === 1 ? 'has' : 'have')} ${names('en', gates)} in ${code('spec.schedulingGates')}. The scheduler ignores a pod until its last gate is removed.`,
  /** Of text, which prints no gates. */
  'held-untried': ({ pods }: { pods: readonly string[] }) =>
    say`Kueue manages ${names('en', pods)}. ${code('PodScheduled')} is ${code('False')}, and no scheduler has tried ${word(pods.length === 1 ? 'the pod' : 'the pods')}. The API server sets this of a pod with a scheduling gate.`,
  'gate-assumed': () =>
    say`${code('spec.schedulingGates')} was not read. The condition, the labels and the events of the pods fit the gate of Kueue, so this finding assumes it.`,
  'ev-untried': () => say`no event of a scheduler is about this pod`,
  'from-template': ({ gates }: { gates: readonly string[] }) =>
    say`The pod template sets ${names('en', gates)}, so every new pod gets ${word(gates.length === 1 ? 'it' : 'them')}.`,
  'from-webhook': ({ gates }: { gates: readonly string[] }) =>
    say`The pod template does not contain ${names('en', gates)}. A webhook adds ${word(gates.length === 1 ? 'it' : 'them')} to each new pod.`,
  kueue: ({ queue }: { queue: string | undefined }) =>
    queue === undefined
      ? say`Kueue removes the gate once it admits the pod's workload to a queue. The pod names no queue (${code('kueue.x-k8s.io/queue-name')}).`
      : say`Kueue removes the gate once the queue ${code(queue)} has quota for the pod.`,
  'queue-unread': ({ because }: { because: string }) =>
    say`The queues of Kueue could not be read (${code(because)}), so what is missing is unknown.`,
  'queue-no-workload': () =>
    say`Kueue has made no Workload for the pod. Check that its controller runs and manages this namespace.`,
  'queue-group-incomplete': ({ found, total }: { found: number; total: number }) =>
    say`The pod belongs to a group of ${counted(total, 'pod', 'pods')}, of which ${word(found === 1 ? 'only 1 exists' : `only ${found} exist`)}. Kueue waits for all of them.`,
  'queue-missing': ({ queue }: { queue: string }) =>
    say`The LocalQueue ${code(queue)} does not exist in the namespace of the pod.`,
  'queue-cluster-queue-missing': ({ queue, clusterQueue }: { queue: string; clusterQueue: string }) =>
    say`The LocalQueue ${code(queue)} names the ClusterQueue ${code(clusterQueue)}, which does not exist.`,
  'queue-stopped': ({ kind, name, policy }: { kind: string; name: string; policy: string }) =>
    say`The ${code(kind)} ${code(name)} is stopped (stopPolicy ${code(policy)}), so Kueue admits nothing from it.`,
  'queue-inactive': ({ name, reason, said }: { name: string; reason: string; said: string }) =>
    say`The ClusterQueue ${code(name)} is inactive (${code(reason)}): ${quote(said)}`,
  'queue-namespace': ({ clusterQueue }: { clusterQueue: string }) =>
    say`The namespaceSelector of the ClusterQueue ${code(clusterQueue)} does not select the namespace of the pod.`,
  'queue-deactivated': () =>
    say`The Workload is deactivated (${code('spec.active: false')}), so Kueue does not admit it.`,
  'queue-held-by': ({ controllers }: { controllers: string }) =>
    say`An annotation of the Workload holds it back until ${code(controllers)} removes itself from ${code('kueue.x-k8s.io/admission-gated-by')}.`,
  'queue-check': ({ name, state, said }: { name: string; state: string; said: string }) =>
    said === ''
      ? say`The Workload has quota and waits for the AdmissionCheck ${code(name)} (${code(state)}).`
      : say`The Workload has quota and waits for the AdmissionCheck ${code(name)} (${code(state)}): ${quote(said)}`,
  'queue-checks-assigned': () => say`The Workload has quota. Kueue is about to admit it.`,
  'queue-admitted': () =>
    say`Kueue has admitted the Workload, so its controller should remove the gate soon.`,
  'queue-may-block': ({ clusterQueue, workloads }: { clusterQueue: string; workloads: readonly string[] }) =>
    sentences(
      say`The ClusterQueue ${code(clusterQueue)} has enough quota for the Workload, and Kueue has not evaluated it.`,
      say`With ${code('waitForPodsReady.blockAdmission')}, Kueue admits nothing until the pods of ${names('en', workloads, 3)} are ready.`,
    ),
  'queue-topology': ({ clusterQueue, flavors }: { clusterQueue: string; flavors: readonly string[] }) =>
    sentences(
      say`The ClusterQueue ${code(clusterQueue)} has enough quota for the Workload.`,
      say`Kueue also chooses the nodes by the topology of ${names('en', flavors, 3)}, and has not found a place there.`,
    ),
  'queue-pods-ready': () => say`Kueue waits until the pods of Workloads that it admitted earlier are ready.`,
  'queue-pods-ready-of': ({ workloads }: { workloads: readonly string[] }) =>
    say`Kueue waits until the pods of ${names('en', workloads, 3)} are ready, which it admitted earlier.`,
  'queue-no-flavor': ({ clusterQueue, flavors }: { clusterQueue: string; flavors: readonly string[] }) =>
    say`No flavor of the ClusterQueue ${code(clusterQueue)} (${names('en', flavors, 3)}) has nodes that the pod may use: its node selector, affinity or tolerations exclude them.`,
  'queue-uncovered': ({ clusterQueue, resources }: { clusterQueue: string; resources: readonly string[] }) =>
    say`The ClusterQueue ${code(clusterQueue)} has no quota for ${names('en', resources)}, which the pod requests. Kueue never admits it.`,
  'queue-beyond-maximum': ({ clusterQueue, resource, flavor, requested, atMost }: Short) =>
    say`The Workload requests ${code(requested)} of ${code(resource)}, and the ClusterQueue ${code(clusterQueue)} can have at most ${code(atMost)} in the flavor ${code(flavor)}. Kueue never admits it.`,
  'queue-said-to-exceed': ({ queue }: { queue: string }) =>
    say`Kueue reports ${code('ExceedsMaxQuota')}: the Workload requests more than the ClusterQueue of ${code(queue)} can ever have. Kueue admits it only after one of the two changes.`,
  'queue-short': ({ clusterQueue, resource, flavor, requested, available, atMost }: Short) =>
    say`The Workload requests ${code(requested)} of ${code(resource)}, and the ClusterQueue ${code(clusterQueue)} has ${code(available)} of at most ${code(atMost)} left in the flavor ${code(flavor)}.`,
  'queue-used-by': ({ workloads }: { workloads: readonly string[] }) =>
    say`This quota is in use by ${names('en', workloads, 3)}.`,
  'queue-preemption': ({ workloads }: { workloads: readonly string[] }) =>
    say`The preemption policy of the ClusterQueue allows Kueue to evict ${names('en', workloads, 3)} for it.`,
  'queue-turn': ({ clusterQueue }: { clusterQueue: string }) =>
    say`The ClusterQueue ${code(clusterQueue)} has enough quota for the Workload now.`,
  'queue-ahead': ({ workloads }: { workloads: readonly string[] }) =>
    say`${counted(workloads.length, 'Workload is', 'Workloads are')} before it in the queue: ${names('en', workloads, 3)}.`,
  'queue-said': ({ said }: { said: string }) => say`Kueue reports: ${quote(said)}`,
  'ev-queue': () => say`whether the Workload has quota`,
  'removed-by': ({ gate, domain }: { gate: string; domain: string }) =>
    say`The controller of ${code(domain)} should remove ${code(gate)} and has not done so.`,
  'own-gate': ({ gate }: { gate: string }) =>
    say`${code(gate)} names no owner. The person or program that added the gate has to remove it.`,
  'ev-gates': () => say`remaining gates`,
  'ev-condition': () => say`the scheduler skips the pod`,
  'because-not-tried': ({ pod }: { pod: string }) =>
    say`the scheduler has not tried ${code(pod)} on any node`,
  'because-not-room': () => say`the pod waits for its gate, not for capacity`,
  'because-never-started': () => say`the pod has no node, so no container of it was ever started`,
  'restart-withheld': () => say`New pods get the same gate.`,
  'patch-not-simulated': () =>
    say`Whether Kueue would place the new pod without an old one was not simulated. Check whether the old pods use the nodes of the topology.`,
  'patch-unread': () =>
    say`The objects of Kueue could not be read, so the effect of stopping an old pod is unknown.`,
  'patch-withheld': () => say`Stopping old pods removes no gate, and it reduces the number of ready pods.`,
  'next-attempt': () => say`As soon as the last gate is removed. No attempt before that.`,
  'advice-kueue-title': () => say`Check why Kueue does not admit the pod`,
  'advice-kueue': () =>
    say`The status of its Workload shows what is missing: quota, an active ClusterQueue, or a queue name.`,
  'advice-template-title': () => say`Or remove the gate from the template`,
  'advice-template': () => say`A gate that no controller removes does not belong in the template.`,
  'advice-owner-title': () => say`Find the controller of the gate`,
  'advice-owner': ({ gates }: { gates: readonly string[] }) =>
    say`Check that the controller of ${names('en', gates)} runs, and what it logs about this pod.`,
};

const ko: typeof en = {
  ...queueAdvice.ko,
  'shared-failure': () => say`스케줄링 게이트로 파드가 보류됨`,
  summary: ({ workload, pods, gates }) =>
    say`${code(workload)} 파드 ${pods}개가 스케줄링 게이트(${names('ko', gates)}) 때문에 대기 중입니다`,
  standing: ({ waiting, forSeconds }) =>
    !isAtLeastOneSecond(forSeconds)
      ? say`파드 ${waiting}개가 스케줄링 전에 보류되어 있습니다.`
      : say`파드 ${waiting}개가 ${elapsed('ko', forSeconds)}째 스케줄링 전에 보류되어 있습니다.`,
  gated: ({ pods, gates }) =>
    say`${names('ko', pods)} 파드의 ${code('spec.schedulingGates')}에 다음 게이트가 있습니다: ${names('ko', gates)}. 마지막 게이트가 제거될 때까지 스케줄러는 파드를 처리하지 않습니다.`,
  'held-untried': ({ pods }) =>
    say`Kueue가 관리하는 파드: ${names('ko', pods)}. ${code('PodScheduled')} 값이 ${code('False')}인데 배치를 시도한 스케줄러가 없습니다. 스케줄링 게이트가 있는 파드에 API 서버가 이렇게 표시합니다.`,
  'gate-assumed': () =>
    say`${code('spec.schedulingGates')} 값을 읽지 못했습니다. 파드의 컨디션, 레이블, 이벤트가 Kueue 게이트와 맞아 게이트가 있다고 가정합니다.`,
  'ev-untried': () => say`이 파드에 대한 스케줄러 이벤트 없음`,
  'from-template': ({ gates }) =>
    say`파드 템플릿에 ${names('ko', gates)} 게이트가 있어 새 파드마다 적용됩니다.`,
  'from-webhook': ({ gates }) =>
    say`파드 템플릿에는 ${names('ko', gates)} 게이트가 없습니다. 웹훅이 새 파드마다 추가합니다.`,
  kueue: ({ queue }) =>
    queue === undefined
      ? say`Kueue가 파드를 큐에 승인하면 게이트를 제거합니다. 그런데 파드에 큐 이름(${code('kueue.x-k8s.io/queue-name')})이 없습니다.`
      : say`큐 ${code(queue)}에 쿼터 여유가 생기면 Kueue가 게이트를 제거합니다.`,
  'queue-unread': ({ because }) =>
    say`Kueue 큐 오브젝트를 읽지 못해(${code(because)}) 무엇이 부족한지 알 수 없습니다.`,
  'queue-no-workload': () =>
    say`Kueue가 이 파드의 Workload를 만들지 않았습니다. Kueue 컨트롤러가 실행 중이고 이 네임스페이스를 관리하는지 확인하세요.`,
  'queue-group-incomplete': ({ found, total }) =>
    say`파드 ${total}개로 된 그룹에 속하는데 ${found}개만 있습니다. Kueue는 모두 생성될 때까지 기다립니다.`,
  'queue-missing': ({ queue }) => say`파드의 네임스페이스에 LocalQueue ${code(queue)} 오브젝트가 없습니다.`,
  'queue-cluster-queue-missing': ({ queue, clusterQueue }) =>
    say`LocalQueue ${code(queue)} 큐가 가리키는 ClusterQueue ${code(clusterQueue)} 오브젝트가 없습니다.`,
  'queue-stopped': ({ kind, name, policy }) =>
    say`${code(kind)} ${code(name)} 큐가 중지되어(stopPolicy ${code(policy)}) Kueue가 아무것도 승인하지 않습니다.`,
  'queue-inactive': ({ name, reason, said }) =>
    say`ClusterQueue ${code(name)} 큐가 비활성 상태입니다(${code(reason)}): ${quote(said)}`,
  'queue-namespace': ({ clusterQueue }) =>
    say`ClusterQueue ${code(clusterQueue)}의 namespaceSelector 조건에 파드의 네임스페이스가 맞지 않습니다.`,
  'queue-deactivated': () =>
    say`Workload가 비활성화되어(${code('spec.active: false')}) Kueue가 승인하지 않습니다.`,
  'queue-held-by': ({ controllers }) =>
    say`Workload 어노테이션 ${code('kueue.x-k8s.io/admission-gated-by')}에서 ${code(controllers)} 값이 제거될 때까지 보류됩니다.`,
  'queue-check': ({ name, state, said }) =>
    said === ''
      ? say`Workload에 쿼터는 있지만 AdmissionCheck ${code(name)}(${code(state)})를 기다립니다.`
      : say`Workload에 쿼터는 있지만 AdmissionCheck ${code(name)}(${code(state)})를 기다립니다: ${quote(said)}`,
  'queue-checks-assigned': () => say`Workload에 쿼터가 있으며 곧 승인됩니다.`,
  'queue-admitted': () => say`Kueue가 Workload를 승인했으므로 곧 게이트가 제거되어야 합니다.`,
  'queue-may-block': ({ clusterQueue, workloads }) =>
    sentences(
      say`ClusterQueue ${code(clusterQueue)}에 이 Workload를 위한 쿼터가 충분하지만 Kueue가 아직 평가하지 않았습니다.`,
      say`${code('waitForPodsReady.blockAdmission')} 설정이 있으면 Kueue는 ${names('ko', workloads, 3)} Workload의 파드가 준비될 때까지 아무것도 승인하지 않습니다.`,
    ),
  'queue-topology': ({ clusterQueue, flavors }) =>
    sentences(
      say`ClusterQueue ${code(clusterQueue)}에 이 Workload를 위한 쿼터가 충분합니다.`,
      say`Kueue는 플레이버(${names('ko', flavors, 3)})의 토폴로지에 따라 노드도 고르는데, 아직 배치할 곳을 찾지 못했습니다.`,
    ),
  'queue-pods-ready': () => say`Kueue는 먼저 승인한 Workload의 파드가 준비될 때까지 기다립니다.`,
  'queue-pods-ready-of': ({ workloads }) =>
    say`Kueue는 먼저 승인한 ${names('ko', workloads, 3)} Workload의 파드가 준비될 때까지 기다립니다.`,
  'queue-no-flavor': ({ clusterQueue, flavors }) =>
    say`ClusterQueue ${code(clusterQueue)}의 플레이버(${names('ko', flavors, 3)}) 중 이 파드를 배치할 수 있는 노드가 있는 것이 없습니다. 노드 셀렉터, 어피니티, 톨러레이션이 맞지 않습니다.`,
  'queue-uncovered': ({ clusterQueue, resources }) =>
    say`파드가 요청하는 리소스(${names('ko', resources)})에 대한 쿼터가 ClusterQueue ${code(clusterQueue)} 설정에 없습니다. Kueue가 승인할 수 없습니다.`,
  'queue-beyond-maximum': ({ clusterQueue, resource, flavor, requested, atMost }) =>
    say`Workload의 요청은 ${code(resource)} ${code(requested)}인데 ClusterQueue ${code(clusterQueue)}의 플레이버 ${code(flavor)} 최대치는 ${code(atMost)}입니다. Kueue가 승인할 수 없습니다.`,
  'queue-said-to-exceed': ({ queue }) =>
    say`Kueue가 ${code('ExceedsMaxQuota')} 상태를 알립니다. Workload의 요청이 ${code(queue)} 큐의 ClusterQueue가 가질 수 있는 최대치보다 커서, 둘 중 하나를 바꾸기 전에는 Kueue가 승인하지 않습니다.`,
  'queue-short': ({ clusterQueue, resource, flavor, requested, available, atMost }) =>
    say`Workload의 요청은 ${code(resource)} ${code(requested)}이고 ClusterQueue ${code(clusterQueue)}의 플레이버 ${code(flavor)} 최대 ${code(atMost)} 중 ${code(available)}만 남았습니다.`,
  'queue-used-by': ({ workloads }) => say`이 쿼터를 사용 중인 Workload: ${names('ko', workloads, 3)}.`,
  'queue-preemption': ({ workloads }) =>
    say`ClusterQueue의 선점 정책에 따라 Kueue가 ${names('ko', workloads, 3)} Workload를 축출할 수 있습니다.`,
  'queue-turn': ({ clusterQueue }) =>
    say`지금은 ClusterQueue ${code(clusterQueue)}에 이 Workload를 위한 쿼터가 충분합니다.`,
  'queue-ahead': ({ workloads }) =>
    say`큐에서 앞선 Workload ${workloads.length}개: ${names('ko', workloads, 3)}.`,
  'queue-said': ({ said }) => say`Kueue 메시지: ${quote(said)}`,
  'ev-queue': () => say`Workload의 쿼터 상태`,
  'removed-by': ({ gate, domain }) =>
    say`${code(gate)} 게이트는 ${code(domain)} 컨트롤러가 제거해야 하는데 아직 제거하지 않았습니다.`,
  'own-gate': ({ gate }) =>
    say`${code(gate)} 게이트에는 소유자 정보가 없습니다. 추가한 사람이나 프로그램이 제거해야 합니다.`,
  'ev-gates': () => say`남은 게이트`,
  'ev-condition': () => say`스케줄러가 파드를 건너뜀`,
  'because-not-tried': ({ pod }) => say`스케줄러가 ${code(pod)} 파드를 어느 노드에도 시도하지 않음`,
  'because-not-room': () => say`파드는 용량이 아니라 게이트 때문에 대기`,
  'because-never-started': () => say`파드에 노드가 없어 컨테이너가 시작된 적 없음`,
  'restart-withheld': () => say`새 파드에도 같은 게이트가 적용됩니다.`,
  'patch-not-simulated': () =>
    say`이전 파드를 내리면 Kueue가 새 파드를 배치할 수 있는지는 시뮬레이션하지 않았습니다. 토폴로지의 노드를 이전 파드가 차지하고 있는지 확인하세요.`,
  'patch-unread': () => say`Kueue 오브젝트를 읽을 수 없어, 이전 파드를 내리면 어떻게 되는지 알 수 없습니다.`,
  'patch-withheld': () => say`이전 파드를 내려도 게이트는 제거되지 않고, 준비된 파드만 줄어듭니다.`,
  'next-attempt': () => say`마지막 게이트가 제거되면 바로 시도하며, 그전에는 시도하지 않습니다.`,
  'advice-kueue-title': () => say`Kueue가 승인하지 않는 이유 확인하기`,
  'advice-kueue': () =>
    say`Workload 상태에서 무엇이 부족한지 확인할 수 있습니다: 쿼터, 활성 ClusterQueue, 큐 이름.`,
  'advice-template-title': () => say`또는 템플릿에서 게이트 제거하기`,
  'advice-template': () => say`제거할 컨트롤러가 없는 게이트는 템플릿에 있을 필요가 없습니다.`,
  'advice-owner-title': () => say`게이트를 제거하는 컨트롤러 찾기`,
  'advice-owner': ({ gates }) =>
    say`${names('ko', gates)} 게이트의 컨트롤러가 실행 중인지, 로그에 이 파드가 나오는지 확인하세요.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('scheduling-gated');
