import type { SameSentences } from '../../../language/catalogue.js';
import { code, say, sentences, word } from '../../../language/prose.js';
import { statementsOf } from '../../../language/statement.js';
import { names } from '../../../language/words.js';
import { resourceWords } from '../../waiting/resource-words.js';
import type { HolderValue } from '../../waiting/text.js';
import { cycleText } from './cycle-text.js';
/** One link of a cycle: the new pod of a workload waits for old pods of the next workload. */
export type CycleWait = {
  readonly workload: string;
  readonly waiting: string;
  readonly holder: string;
  readonly holds: readonly string[];
  readonly node: string;
};

/** A change of one member: one old pod at a time, all old pods first, or one replica less of an old ReplicaSet. */
export type CycleFixName = 'in-place' | 'recreate' | 'scale-down';

/** How one rollout of a cycle fares after a change. */
export type MemberForecast = {
  readonly workload: string;
  /** `contested`: it completes unless pods of others take what becomes free. */
  readonly ends: 'complete' | 'contested' | 'stuck';
  readonly downtime: 'none' | 'reduced' | 'gap';
  /** The lowest number of ready pods on the way, of `replicas` wanted. */
  readonly readyMin: number;
  readonly replicas: number;
  /** How long fewer pods, or none, are ready; absent where it is not known. */
  readonly seconds?: number;
};

const en = {
  ...cycleText.en,
  summary: ({
    workload,
    resource,
    holders,
  }: {
    readonly workload: string;
    readonly resource: string;
    readonly holders: readonly string[];
  }) =>
    say`${code(workload)} waits for ${resourceWords('en', resource)} that ${names('en', holders, 3)} ${word(holders.length === 1 ? 'holds' : 'hold')}`,
  'summary-neighbour': ({
    workload,
    resource,
    neighbours,
  }: {
    readonly workload: string;
    readonly resource: string;
    readonly neighbours: readonly string[];
  }) =>
    say`${code(workload)} waits for ${resourceWords('en', resource)} that the rollout of ${names('en', neighbours, 3)} frees when it completes`,
  'neighbour-moves': ({
    neighbour,
    starting,
    leaving,
    pod,
  }: {
    readonly neighbour: string;
    readonly starting: readonly string[];
    readonly leaving: readonly string[];
    readonly pod: string;
  }) =>
    sentences(
      say`The rollout of ${code(neighbour)} is in progress: ${names('en', starting, 3)} ${word(starting.length === 1 ? 'is' : 'are')} starting.`,
      say`When its new pods are ready, its controller stops ${names('en', leaving, 3)}, and ${code(pod)} fits on a node.`,
    ),
  /** Its controller has acted a moment ago or has not seen its update yet; no new pod is starting. */
  'neighbour-acts': ({
    neighbour,
    leaving,
    pod,
  }: {
    readonly neighbour: string;
    readonly leaving: readonly string[];
    readonly pod: string;
  }) =>
    sentences(
      say`The rollout of ${code(neighbour)} has just begun, or made a step within the last ten seconds.`,
      say`If its controller stops ${names('en', leaving, 3)}, ${code(pod)} fits on a node.`,
    ),
  'neighbour-may-fail': ({ neighbours }: { readonly neighbours: readonly string[] }) =>
    say`The wait ends only if the new pods of ${names('en', neighbours, 3)} become ready.`,
  'ev-starting': ({ pod }: { readonly pod: string }) => say`${code(pod)} has a node and is starting`,
  'because-neighbour-moves': ({ neighbours }: { readonly neighbours: readonly string[] }) =>
    say`the rollout of ${names('en', neighbours, 3)} is in progress and frees what the pod needs`,
  'patch-needless': ({ neighbours }: { readonly neighbours: readonly string[] }) =>
    say`The wait is expected to end when the rollout of ${names('en', neighbours, 3)} completes. Stopping an old pod now would interrupt the service without need.`,
  'held-by': ({
    resource,
    holder: { kind, workload, priority, pods, nodes },
  }: {
    readonly resource: string;
    readonly holder: HolderValue;
  }) =>
    say`${code(workload)} (${code(kind)}, priority ${priority}) holds ${resourceWords('en', resource)}: ${names('en', pods, 4)} on ${names('en', nodes, 4)}.`,
  /** Others' pods alone do not open the node; own ones are in the set. */
  'own-too': ({ pods }: { readonly pods: readonly string[] }) =>
    say`The others alone would not be enough: the workload's own ${names('en', pods)} would have to go as well.`,
  'preempts-lower-only': ({ priority, lowest }: { readonly priority: number; readonly lowest: number }) =>
    say`Preemption does not help: the waiting pod has priority ${priority}, the holders ${lowest} or more, and only lower ones make way.`,
  'preempts-never': ({ priority }: { readonly priority: number }) =>
    say`The waiting pod has priority ${priority} and ${code('preemptionPolicy: Never')}, so it evicts nobody.`,
  'equal-priority': ({ priority }: { readonly priority: number }) =>
    say`Preemption does not help: both sides have priority ${priority}, and only lower ones make way.`,
  'leaves-by-itself': ({ workload, kind }: { readonly workload: string; readonly kind: string }) =>
    say`${code(workload)} is a ${code(kind)}: its pods go when they are done, and the wait may end by itself.`,
  overdue: ({ pod }: { readonly pod: string }) =>
    say`${code(pod)} was deleted and is still there past its grace period; it holds its place until it is gone.`,
  cycle: ({
    other,
    otherWaiting,
    otherHolds,
    weHold,
    node,
  }: {
    readonly other: string;
    readonly otherWaiting: string;
    readonly otherHolds: readonly string[];
    readonly weHold: readonly string[];
    readonly node: string;
  }) =>
    sentences(
      say`And ${code(other)} waits for this workload in turn: its new pod ${code(otherWaiting)} would fit on ${code(node)} without ${names('en', weHold)}.`,
      say`Each controller keeps its old pods (there ${names('en', otherHolds)}) until its new ones are ready, so neither can move first: a deadlock through two workloads.`,
    ),
  'cycle-unproven': ({ other }: { readonly other: string }) =>
    say`The rollout of ${code(other)} could not be read whole, so it may still move by itself.`,
  'ev-holder': ({ pod, priority }: { readonly pod: string; readonly priority: number }) =>
    say`${code(pod)} has its place there, with priority ${priority}`,
  'ev-cycle': ({ pod }: { readonly pod: string }) => say`${code(pod)} of the other workload waits too`,
  'because-others': ({ holders }: { readonly holders: readonly string[] }) =>
    say`${names('en', holders, 3)} ${word(holders.length === 1 ? 'holds' : 'hold')} enough to be the reason`,
  'advice-move-title': ({ workload }: { readonly workload: string }) =>
    say`Make room with those who own ${code(workload)}`,
  'advice-move': ({ workload, node }: { readonly workload: string; readonly node: string }) =>
    say`Ask the owners of ${code(workload)}: fewer replicas, a smaller request, or another node than ${code(node)}.`,
  'advice-port-title': () => say`Use another port, or none of the host's`,
  'advice-port': ({ port, holders }: { readonly port: string; readonly holders: readonly string[] }) =>
    say`${code(port)} belongs to ${names('en', holders)} on every node it runs on. A Service reaches pods without ${code('hostPort')}.`,
  'advice-priority-title': () => say`Or decide who comes first`,
  'advice-priority': ({ holder, priority }: { readonly holder: string; readonly priority: number }) =>
    say`With a priority above ${priority} the scheduler evicts pods of ${code(holder)} for these. Only where that is what everybody wants.`,
  /** Only in records of earlier versions, as the next one. */
  'advice-cycle-title': () => say`Let one of the two go first`,
  'advice-cycle': ({ other }: { readonly other: string }) =>
    say`With this strategy on either workload its old pods go first, which opens the place the other one waits for. On ${code(other)} it costs that workload a gap, here this one.`,
};

const ko: SameSentences<typeof en> = {
  ...cycleText.ko,
  summary: ({ workload, resource, holders }) =>
    say`${code(workload)}이(가) 기다리는 것(${resourceWords('ko', resource)})을 ${names('ko', holders, 3)}이(가) 쓰고 있습니다`,
  'summary-neighbour': ({ workload, resource, neighbours }) =>
    say`${code(workload)}이(가) 기다리는 것(${resourceWords('ko', resource)})은 ${names('ko', neighbours, 3)} 롤아웃이 끝나면 풀립니다`,
  'neighbour-moves': ({ neighbour, starting, leaving, pod }) =>
    sentences(
      say`${code(neighbour)} 롤아웃이 진행 중이며 ${names('ko', starting, 3)} 파드가 시작되고 있습니다.`,
      say`새 파드가 준비되면 컨트롤러가 ${names('ko', leaving, 3)} 파드를 중지하고, ${code(pod)} 파드가 노드에 배치될 수 있습니다.`,
    ),
  'neighbour-acts': ({ neighbour, leaving, pod }) =>
    sentences(
      say`${code(neighbour)} 롤아웃이 방금 시작되었거나 최근 10초 안에 진행되었습니다.`,
      say`컨트롤러가 ${names('ko', leaving, 3)} 파드를 중지하면 ${code(pod)} 파드가 노드에 배치될 수 있습니다.`,
    ),
  'neighbour-may-fail': ({ neighbours }) =>
    say`${names('ko', neighbours, 3)}의 새 파드가 준비되어야만 대기가 끝납니다.`,
  'ev-starting': ({ pod }) => say`${code(pod)} 파드가 노드에 배치되어 시작 중`,
  'because-neighbour-moves': ({ neighbours }) =>
    say`${names('ko', neighbours, 3)} 롤아웃이 진행 중이며 필요한 것이 곧 풀림`,
  'patch-needless': ({ neighbours }) =>
    say`${names('ko', neighbours, 3)} 롤아웃이 끝나면 대기도 끝날 것으로 예상됩니다. 지금 이전 파드를 중지하면 불필요하게 서비스가 중단됩니다.`,
  'held-by': ({ resource, holder: { kind, workload, priority, pods, nodes } }) =>
    say`${code(workload)}(${code(kind)}, 우선순위 ${priority}) 점유: ${resourceWords('ko', resource)}. ${names('ko', nodes, 4)}의 ${names('ko', pods, 4)}.`,
  'own-too': ({ pods }) =>
    say`다른 워크로드만 비켜서는 부족합니다. 이 워크로드의 ${names('ko', pods)}도 나가야 합니다.`,
  'preempts-lower-only': ({ priority, lowest }) =>
    say`선점은 도움이 되지 않습니다. 대기 파드의 우선순위는 ${priority}, 점유한 쪽은 ${lowest} 이상인데 더 낮은 파드만 비켜 줍니다.`,
  'preempts-never': ({ priority }) =>
    say`대기 파드의 우선순위는 ${priority}이고 ${code('preemptionPolicy: Never')}라서 아무도 내보내지 않습니다.`,
  'equal-priority': ({ priority }) =>
    say`선점은 도움이 되지 않습니다. 양쪽 모두 우선순위가 ${priority}인데 더 낮은 파드만 비켜 줍니다.`,
  'leaves-by-itself': ({ workload, kind }) =>
    say`${code(workload)}은(는) ${code(kind)}입니다. 작업이 끝나면 파드가 사라져 대기가 저절로 끝날 수 있습니다.`,
  overdue: ({ pod }) =>
    say`${code(pod)}은(는) 삭제되었지만 유예 기간이 지나도 남아 있습니다. 사라질 때까지 자리를 차지합니다.`,
  cycle: ({ other, otherWaiting, otherHolds, weHold, node }) =>
    sentences(
      say`그리고 ${code(other)}도 이 워크로드를 기다립니다. 그쪽 새 파드 ${code(otherWaiting)}는 ${names('ko', weHold)} 없이는 ${code(node)}에 들어갑니다.`,
      say`두 컨트롤러 모두 새 파드가 준비될 때까지 이전 파드(그쪽은 ${names('ko', otherHolds)})를 유지하므로 어느 쪽도 먼저 움직일 수 없습니다. 두 워크로드에 걸친 교착 상태입니다.`,
    ),
  'cycle-unproven': ({ other }) =>
    say`${code(other)} 롤아웃을 모두 읽지 못해, 저절로 움직일 가능성이 남아 있습니다.`,
  'ev-holder': ({ pod, priority }) => say`${code(pod)} 파드가 그곳에 있음, 우선순위 ${priority}`,
  'ev-cycle': ({ pod }) => say`다른 워크로드의 ${code(pod)} 파드도 대기 중`,
  'because-others': ({ holders }) => say`${names('ko', holders, 3)}이(가) 원인이 될 만큼 점유`,
  'advice-move-title': ({ workload }) => say`${code(workload)} 쪽에서 자리 내기`,
  'advice-move': ({ workload, node }) =>
    say`${code(workload)} 담당자와 상의하세요: 복제본 줄이기, 요청 줄이기, ${code(node)} 아닌 다른 노드 쓰기.`,
  'advice-port-title': () => say`다른 포트를 쓰거나 호스트 포트를 쓰지 않기`,
  'advice-port': ({ port, holders }) =>
    say`${code(port)}는 ${names('ko', holders)}이(가) 실행되는 모든 노드에서 씁니다. 서비스는 ${code('hostPort')} 없이도 파드에 닿습니다.`,
  'advice-priority-title': () => say`또는 누가 먼저인지 정하기`,
  'advice-priority': ({ holder, priority }) =>
    say`우선순위가 ${priority}보다 높으면 스케줄러가 이 파드를 위해 ${code(holder)} 파드를 내보냅니다. 모두가 원할 때만 쓰세요.`,
  'advice-cycle-title': () => say`둘 중 하나가 먼저 비키게 하기`,
  'advice-cycle': ({ other }) =>
    say`둘 중 어느 쪽에든 이 전략을 쓰면 이전 파드가 먼저 나가고, 다른 쪽이 기다리는 자리가 열립니다. ${code(other)}에 쓰면 그쪽에, 여기에 쓰면 이쪽에 공백이 생깁니다.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('capacity-contention');
