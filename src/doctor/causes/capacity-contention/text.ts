import { code, say, sentences, word } from '../../../engine/language/prose.js';
import { statementsOf } from '../../../engine/language/statement.js';
import { names } from '../../../engine/language/words.js';
import type { HolderValue } from '../../findings/waiting/facts.js';
import { resourceWords } from '../../findings/waiting/sentence.js';
import { cycleText } from './cycle-text.js';

/** Workloads that one controller makes. */
type PartsOf = { readonly kind: string; readonly owner: string; readonly parts: readonly string[] };

/** Pods of another workload that make room for the waiting pod. */
type Leaving = { readonly neighbour: string; readonly leaving: readonly string[]; readonly pod: string };
type Contended = {
  readonly workload: string;
  readonly resource: string;
  readonly neighbours: readonly string[];
};

const en = {
  'shared-failure': () => say`other pods hold the resources that they need`,
  ...cycleText.en,
  summary: (values: { workload: string; resource: string; holders: readonly string[] }) =>
    say`${code(values.workload)} is pending: it needs ${resourceWords('en', values.resource)}, in use by ${names('en', values.holders, 3)}`,
  'summary-neighbour': ({ workload, resource, neighbours }: Contended) =>
    say`${code(workload)} is pending: it needs ${resourceWords('en', resource)}, which the rollout of ${names('en', neighbours, 3)} frees when it completes`,
  'neighbour-moves': ({ neighbour, starting, leaving, pod }: Leaving & { starting: readonly string[] }) =>
    sentences(
      say`The rollout of ${code(neighbour)} is in progress: ${names('en', starting, 3)} ${word(starting.length === 1 ? 'is' : 'are')} starting.`,
      say`When its new pods are ready, its controller stops ${names('en', leaving, 3)}, and ${code(pod)} fits on a node.`,
    ),
  /** Its controller has acted a moment ago or has not seen its update yet; no new pod is starting. */
  'neighbour-acts': ({ neighbour, leaving, pod }: Leaving) =>
    sentences(
      say`The rollout of ${code(neighbour)} has just begun, or has made a step within the last 10 seconds.`,
      say`If its controller stops ${names('en', leaving, 3)}, ${code(pod)} fits on a node.`,
    ),
  'neighbour-waits': ({ neighbour, waiting, leaving, pod }: Leaving & { waiting: readonly string[] }) =>
    sentences(
      say`The rollout of ${code(neighbour)} is pending too: ${names('en', waiting, 3)} ${word(waiting.length === 1 ? 'needs' : 'need')} what another rollout in progress frees.`,
      say`After that, its controller stops ${names('en', leaving, 3)}, and ${code(pod)} fits on a node.`,
    ),
  'summary-departing': ({ workload, resource, neighbours }: Contended) =>
    say`${code(workload)} is pending: it needs ${resourceWords('en', resource)}, which ${names('en', neighbours, 3)} ${word(neighbours.length === 1 ? 'frees' : 'free')} when pods there stop`,
  'neighbour-departs': ({ neighbour, leaving, pod }: Leaving) =>
    sentences(
      say`${code(neighbour)} is being deleted, or has more pods than replicas.`,
      say`Its controller stops ${names('en', leaving, 3)}, and ${code(pod)} fits on a node then.`,
    ),
  'neighbour-may-stay': ({ neighbours }: { neighbours: readonly string[] }) =>
    say`The pod is pending until the pods of ${names('en', neighbours, 3)} have stopped.`,
  'because-neighbour-departs': ({ neighbours }: { neighbours: readonly string[] }) =>
    say`pods of ${names('en', neighbours, 3)} stop and free what the pod needs`,
  'patch-needless-departing': ({ neighbours }: { neighbours: readonly string[] }) =>
    say`The pod is expected to start when the pods of ${names('en', neighbours, 3)} have stopped. Stopping an old pod now would interrupt the service without need.`,
  'neighbour-may-fail': ({ neighbours }: { neighbours: readonly string[] }) =>
    say`The pod is pending until the new pods of ${names('en', neighbours, 3)} become ready.`,
  'ev-starting': ({ pod }: { pod: string }) => say`${code(pod)} has a node and is starting`,
  'because-neighbour-moves': ({ neighbours }: { neighbours: readonly string[] }) =>
    say`the rollout of ${names('en', neighbours, 3)} is in progress and frees what the pod needs`,
  'patch-needless': ({ neighbours }: { neighbours: readonly string[] }) =>
    say`The pod is expected to start when the rollout of ${names('en', neighbours, 3)} completes. Stopping an old pod now would interrupt the service without need.`,
  'held-by': ({
    resource,
    holder: { kind, workload, priority, pods, nodes },
  }: {
    resource: string;
    holder: HolderValue;
  }) =>
    say`${code(workload)} (${code(kind)}, priority ${priority}) uses ${resourceWords('en', resource)}: ${names('en', pods, 4)} on ${names('en', nodes, 4)}.`,
  /** Others' pods alone do not open the node; own ones are in the set. */
  'own-too': ({ pods }: { pods: readonly string[] }) =>
    say`Stopping the pods of other workloads would not be enough: the workload's own ${names('en', pods)} would have to stop as well.`,
  'preempts-lower-only': ({ priority, lowest }: { priority: number; lowest: number }) =>
    say`Preemption does not help. The pending pod has priority ${priority}, the other pods have ${lowest} or higher, and the scheduler evicts only pods of lower priority.`,
  'preempts-never': ({ priority }: { priority: number }) =>
    say`The pending pod has priority ${priority} and ${code('preemptionPolicy: Never')}, so it preempts no other pod.`,
  'equal-priority': ({ priority }: { priority: number }) =>
    say`Preemption does not help. Both sides have priority ${priority}, and the scheduler evicts only pods of lower priority.`,
  'leaves-by-itself': ({ workload, kind }: { workload: string; kind: string }) =>
    say`${code(workload)} is a ${code(kind)}. Its pods end when their work is done, and the pending pod may start then.`,
  overdue: ({ pod }: { pod: string }) =>
    say`${code(pod)} was deleted and still exists after its grace period. Its capacity is in use until it is gone.`,
  cycle: (values: {
    other: string;
    otherWaiting: string;
    otherHolds: readonly string[];
    weHold: readonly string[];
    node: string;
  }) =>
    sentences(
      say`${code(values.other)} also waits for this workload: its new pod ${code(values.otherWaiting)} would fit on ${code(values.node)} without ${names('en', values.weHold)}.`,
      say`Each controller keeps its old pods (there ${names('en', values.otherHolds)}) until its new ones are ready. Neither rollout can move first, so the two workloads are deadlocked.`,
    ),
  'cycle-unproven': ({ other }: { other: string }) =>
    say`The rollout of ${code(other)} could not be read in full, so it may still make progress.`,
  'cycle-stalled': ({ other }: { other: string }) =>
    say`The rollout of ${code(other)} is stuck at a new pod that is not ready as well. If that pod becomes ready, its controller stops an old pod, and the cycle may open.`,
  'ev-holder': ({ pod, priority }: { pod: string; priority: number }) =>
    say`${code(pod)} runs there with priority ${priority}`,
  'ev-cycle': ({ pod }: { pod: string }) => say`${code(pod)} of the other workload is pending too`,
  'because-others': ({ holders }: { holders: readonly string[] }) =>
    say`${names('en', holders, 3)} ${word(holders.length === 1 ? 'uses' : 'use')} enough capacity to be the cause`,
  'advice-move-title': ({ workload }: { workload: string }) =>
    say`Agree with the owners of ${code(workload)}`,
  'advice-move': ({ workload, node }: { workload: string; node: string }) =>
    say`Ask the owners of ${code(workload)} for fewer replicas, a smaller request, or another node than ${code(node)}.`,
  'advice-parts-title': ({ kind, owner }: PartsOf) => say`Reduce the parts of ${code(kind)} ${code(owner)}`,
  'advice-parts': ({ kind, owner, parts }: PartsOf) =>
    say`${names('en', parts)} are parts of ${code(kind)} ${code(owner)}. Remove one of them, for example a canary, or reduce what it requests.`,
  'advice-port-title': () => say`Use another port, or no host port`,
  'advice-port': ({ port, holders }: { port: string; holders: readonly string[] }) =>
    say`${names('en', holders)} ${word(holders.length === 1 ? 'uses' : 'use')} ${code(port)} on every node it runs on. A Service reaches pods without ${code('hostPort')}.`,
  'advice-priority-title': () => say`Or set a higher priority`,
  'advice-priority': ({ holder, priority }: { holder: string; priority: number }) =>
    say`With a priority above ${priority}, the scheduler evicts pods of ${code(holder)} for these. Do this only if the owners of both agree.`,
};

const ko: typeof en = {
  'shared-failure': () => say`필요한 리소스를 다른 파드가 사용 중`,
  ...cycleText.ko,
  summary: ({ workload, resource, holders }) =>
    say`${code(workload)} 파드 Pending: 필요한 리소스(${resourceWords('ko', resource)})를 다른 워크로드(${names('ko', holders, 3)})가 사용 중입니다`,
  'summary-neighbour': ({ workload, resource, neighbours }) =>
    say`${code(workload)} 파드 Pending: ${names('ko', neighbours, 3)} 롤아웃이 완료되면 필요한 리소스(${resourceWords('ko', resource)})가 확보됩니다`,
  'neighbour-moves': ({ neighbour, starting, leaving, pod }) =>
    sentences(
      say`${code(neighbour)} 롤아웃이 진행 중이며 ${names('ko', starting, 3)} 파드가 시작되고 있습니다.`,
      say`새 파드가 준비되면 컨트롤러가 ${names('ko', leaving, 3)} 파드를 내리고, ${code(pod)} 파드를 노드에 배치할 수 있습니다.`,
    ),
  'neighbour-acts': ({ neighbour, leaving, pod }) =>
    sentences(
      say`${code(neighbour)} 롤아웃이 방금 시작되었거나 최근 10초 안에 진행되었습니다.`,
      say`컨트롤러가 ${names('ko', leaving, 3)} 파드를 내리면 ${code(pod)} 파드를 노드에 배치할 수 있습니다.`,
    ),
  'neighbour-waits': ({ neighbour, waiting, leaving, pod }) =>
    sentences(
      say`${code(neighbour)} 롤아웃도 대기 중입니다. ${names('ko', waiting, 3)} 파드는 진행 중인 다른 롤아웃이 비워 줄 리소스를 기다립니다.`,
      say`그 뒤 컨트롤러가 ${names('ko', leaving, 3)} 파드를 내리면 ${code(pod)} 파드를 노드에 배치할 수 있습니다.`,
    ),
  'summary-departing': ({ workload, resource, neighbours }) =>
    say`${code(workload)} 파드 Pending: ${names('ko', neighbours, 3)} 파드가 내려가면 필요한 리소스(${resourceWords('ko', resource)})가 확보됩니다`,
  'neighbour-departs': ({ neighbour, leaving, pod }) =>
    sentences(
      say`${code(neighbour)} 워크로드가 삭제되는 중이거나 파드가 복제본 수보다 많습니다.`,
      say`컨트롤러가 ${names('ko', leaving, 3)} 파드를 내리면 ${code(pod)} 파드를 노드에 배치할 수 있습니다.`,
    ),
  'neighbour-may-stay': ({ neighbours }) =>
    say`${names('ko', neighbours, 3)} 워크로드의 파드가 내려갈 때까지 이 파드는 Pending 상태입니다.`,
  'because-neighbour-departs': ({ neighbours }) =>
    say`${names('ko', neighbours, 3)} 파드가 내려가면 필요한 용량이 확보됨`,
  'patch-needless-departing': ({ neighbours }) =>
    say`${names('ko', neighbours, 3)} 워크로드의 파드가 내려가면 이 파드가 시작될 것으로 예상됩니다. 지금 이전 파드를 내리면 불필요하게 서비스가 중단됩니다.`,
  'neighbour-may-fail': ({ neighbours }) =>
    say`${names('ko', neighbours, 3)}의 새 파드가 준비될 때까지 이 파드는 Pending 상태입니다.`,
  'ev-starting': ({ pod }) => say`${code(pod)} 파드가 노드에 배치되어 시작 중`,
  'because-neighbour-moves': ({ neighbours }) =>
    say`${names('ko', neighbours, 3)} 롤아웃이 진행 중이며 완료되면 필요한 용량이 확보됨`,
  'patch-needless': ({ neighbours }) =>
    say`${names('ko', neighbours, 3)} 롤아웃이 완료되면 파드가 시작될 것으로 예상됩니다. 지금 이전 파드를 내리면 불필요하게 서비스가 중단됩니다.`,
  'held-by': ({ resource, holder: { kind, workload, priority, pods, nodes } }) =>
    say`${code(workload)}(${code(kind)}, 우선순위 ${priority}) 워크로드가 ${resourceWords('ko', resource)} 사용 중입니다: ${names('ko', nodes, 4)} 노드의 ${names('ko', pods, 4)}.`,
  'own-too': ({ pods }) =>
    say`다른 워크로드의 파드만 내려서는 부족합니다. 이 워크로드의 ${names('ko', pods)} 파드도 내려야 합니다.`,
  'preempts-lower-only': ({ priority, lowest }) =>
    say`선점은 도움이 되지 않습니다. Pending 파드의 우선순위는 ${priority}, 상대 파드는 ${lowest} 이상인데 스케줄러는 우선순위가 더 낮은 파드만 축출합니다.`,
  'preempts-never': ({ priority }) =>
    say`Pending 파드의 우선순위는 ${priority}이고 ${code('preemptionPolicy: Never')} 설정이라 다른 파드를 선점하지 않습니다.`,
  'equal-priority': ({ priority }) =>
    say`선점은 도움이 되지 않습니다. 양쪽의 우선순위가 모두 ${priority}인데 스케줄러는 우선순위가 더 낮은 파드만 축출합니다.`,
  'leaves-by-itself': ({ workload, kind }) =>
    say`${code(workload)} 워크로드는 ${code(kind)}입니다. 작업이 끝나면 파드가 종료되므로 그때 Pending 파드가 시작될 수 있습니다.`,
  overdue: ({ pod }) =>
    say`${code(pod)} 파드는 삭제되었지만 유예 기간이 지나도 남아 있습니다. 사라질 때까지 용량을 계속 사용합니다.`,
  cycle: ({ other, otherWaiting, otherHolds, weHold, node }) =>
    sentences(
      say`${code(other)} 워크로드도 이 워크로드를 기다립니다. 그쪽의 새 파드(${code(otherWaiting)})는 ${names('ko', weHold)} 파드가 없으면 ${code(node)} 노드에 배치할 수 있습니다.`,
      say`두 컨트롤러 모두 새 파드가 준비될 때까지 이전 파드(상대 쪽은 ${names('ko', otherHolds)})를 유지합니다. 어느 쪽도 먼저 진행할 수 없는, 두 워크로드에 걸친 교착 상태입니다.`,
    ),
  'cycle-unproven': ({ other }) =>
    say`${code(other)} 롤아웃을 모두 읽지 못했으므로 그 롤아웃이 진행될 가능성이 남아 있습니다.`,
  'cycle-stalled': ({ other }) =>
    say`${code(other)} 롤아웃에는 준비되지 않은 다른 새 파드도 있습니다. 그 파드가 준비되면 컨트롤러가 이전 파드를 내려 순환 대기가 풀릴 수 있습니다.`,
  'ev-holder': ({ pod, priority }) => say`${code(pod)} 파드가 그곳에서 실행 중, 우선순위 ${priority}`,
  'ev-cycle': ({ pod }) => say`다른 워크로드의 ${code(pod)} 파드도 Pending`,
  'because-others': ({ holders }) => say`원인이 될 만큼 용량을 사용하는 워크로드: ${names('ko', holders, 3)}`,
  'advice-move-title': ({ workload }) => say`${code(workload)} 담당자와 협의하기`,
  'advice-move': ({ workload, node }) =>
    say`${code(workload)} 담당자에게 복제본이나 요청을 줄이거나 ${code(node)} 아닌 다른 노드를 쓸 수 있는지 문의하세요.`,
  'advice-parts-title': ({ kind, owner }) => say`${code(kind)} ${code(owner)}의 구성 요소 줄이기`,
  'advice-parts': ({ kind, owner, parts }) =>
    say`${names('ko', parts)} 모두 ${code(kind)} ${code(owner)}의 일부입니다. 카나리처럼 뺄 수 있는 것을 빼거나 요청을 줄이세요.`,
  'advice-port-title': () => say`다른 포트를 쓰거나 호스트 포트를 쓰지 않기`,
  'advice-port': ({ port, holders }) =>
    say`이 포트(${code(port)})는 ${names('ko', holders)} 파드가 실행되는 모든 노드에서 사용 중입니다. Service는 ${code('hostPort')} 없이도 파드에 연결됩니다.`,
  'advice-priority-title': () => say`또는 우선순위 높이기`,
  'advice-priority': ({ holder, priority }) =>
    say`우선순위가 ${priority}보다 높으면 스케줄러가 이 파드를 위해 ${code(holder)} 파드를 축출합니다. 양쪽 담당자가 동의할 때만 사용하세요.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('capacity-contention');
