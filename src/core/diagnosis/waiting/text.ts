import type { SameSentences } from '../../language/catalogue.js';
import { code, moment, quote, say, sentences, word } from '../../language/prose.js';
import { statementsOf } from '../../language/statement.js';
import { counted, duration, joined, names } from '../../language/words.js';
import type { Refusal, RefusalGroup } from './refusal.js';
import { refusalsInFull, refusalsInShort } from './refusal-words.js';
/** A workload that holds what others wait for. */
export type HolderValue = {
  readonly kind: string;
  readonly workload: string;
  readonly priority: number;
  readonly pods: readonly string[];
  readonly nodes: readonly string[];
};

/** The words that all causes about waiting pods share; each spreads them into its own text. */
const en = {
  standing: ({
    waiting,
    forSeconds,
    ready,
    wanted,
  }: {
    readonly waiting: number;
    readonly forSeconds: number | undefined;
    readonly ready: number;
    readonly wanted: number;
  }) =>
    sentences(
      forSeconds === undefined
        ? say`${counted(waiting, 'pod waits', 'pods wait')} for a node.`
        : say`${counted(waiting, 'pod has', 'pods have')} waited ${duration('en', forSeconds)} for a node.`,
      say`${ready} of ${wanted} ${word(wanted === 1 ? 'pod is' : 'pods are')} ready.`,
    ),
  /** Every node in exactly one group. */
  tally: ({
    nodesInAll,
    groups,
  }: {
    readonly nodesInAll: number;
    readonly groups: readonly RefusalGroup[];
  }) =>
    sentences(
      ...groups.map(
        ({ nodes, refusals }) =>
          say`${nodes.length} of ${counted(nodesInAll, 'node', 'nodes')} (${names('en', nodes, 3)}) ${word(nodes.length === 1 ? 'refuses' : 'refuse')}: ${refusalsInShort('en', refusals)}.`,
      ),
    ),
  'node-lacks': ({ node, refusals }: { readonly node: string; readonly refusals: readonly Refusal[] }) =>
    say`${code(node)}: ${refusalsInFull('en', refusals)}.`,
  'autoscaler-declined': ({ by, said }: { readonly by: string; readonly said: string }) =>
    say`${code(by)} will not add a node for it: ${code(said)}.`,
  'autoscaler-expired': ({ by, since }: { readonly by: string; readonly since: string }) =>
    say`${code(by)} ordered a node at ${moment(since)}; it has not helped within 15 minutes and counts as failed.`,
  'ev-unschedulable': ({ pod }: { readonly pod: string }) =>
    say`the scheduler finds no node for ${code(pod)}`,
  'ev-declined': ({ by }: { readonly by: string }) => say`${code(by)} adds no node for it`,
  'ev-ordered': ({ by }: { readonly by: string }) => say`${code(by)} ordered a node`,
  'plugin-words': ({ said }: { readonly said: string }) =>
    say`The scheduler also gives a reason that is not simulated: ${quote(said)}`,
  'not-simulated': ({ parts }: { readonly parts: readonly string[] }) =>
    say`Not simulated: ${names('en', parts)}. The scheduler may refuse for that too.`,
  unread: ({ what, because }: { readonly what: string; readonly because: string }) =>
    say`Some objects of kind ${code(what)} could not be read (${code(because)}), so room there is not ruled out.`,
  disagrees: ({ said, found }: { readonly said: string; readonly found: readonly RefusalGroup[] }) =>
    say`The scheduler's own words differ from what the objects give: it says ${code(said)}; worked out is ${joined(
      'en',
      found.map(({ nodes, refusals }) => say`${nodes.length}: ${refusalsInShort('en', refusals)}`),
    )}.`,
  'next-attempt': () =>
    say`The scheduler tries again whenever a node or pod changes, and every five minutes in any case.`,
  'because-no-predecessor': () => say`no pod of an older revision is left to hold anything`,
  'because-predecessors-useless': ({ pods }: { readonly pods: readonly string[] }) =>
    say`it would not fit without the old ${names('en', pods, 3)} either`,
  'because-no-order': () => say`no autoscaler has ordered a node for it`,
  'because-in-service': () => say`no node that could take it is cordoned or in trouble`,
  'because-out-of-service': ({ nodes }: { readonly nodes: readonly string[] }) =>
    say`${names('en', nodes, 3)} could take it but for the node's state`,
  'because-could-fit': ({ node }: { readonly node: string }) =>
    say`${code(node)} could take it if pods there left`,
  'because-never': ({ nodes }: { readonly nodes: number }) =>
    say`whichever pods leave, none of the ${counted(nodes, 'node', 'nodes')} would take it`,
  'because-no-gates': () => say`the pod has no scheduling gates`,
  'because-claims-bound': () => say`none of its volume claims keeps it back`,
  'because-never-started': ({ pod }: { readonly pod: string }) =>
    say`${code(pod)} has no node, so no container of it ever ran`,
  'restart-withheld': () => say`It would swap one waiting pod for another.`,
  'patch-unknown': () =>
    say`Whether an old pod's leaving would open a node cannot be told from what was read.`,
  'patch-withheld': () => say`Stopping old pods first does not open any node, and costs ready pods.`,
  /** Domains that set the minimum, though no pod of the workload may ever go there. */
  'spread-counts': ({
    topologyKey,
    domains,
    minimum,
    maxSkew,
  }: {
    readonly topologyKey: string;
    readonly domains: readonly string[];
    readonly minimum: number;
    readonly maxSkew: number;
  }) =>
    say`The spread over ${code(topologyKey)} also counts ${names('en', domains)}, where these pods may never run: ${minimum} there and maxSkew ${maxSkew} allow no more than ${minimum + maxSkew} anywhere.`,
  'advice-spread-title': () => say`Leave out nodes that the pods may not use`,
  'advice-spread': ({ nodes }: { readonly nodes: readonly string[] }) =>
    say`With ${code('nodeTaintsPolicy: Honor')} the constraint no longer counts ${names('en', nodes)}. It changes the pod template and so starts a rollout.`,
  'advice-requests-title': ({ resource }: { readonly resource: string }) =>
    say`Ask for less ${code(resource)}`,
  'advice-requests': ({
    resource,
    free,
    node,
  }: {
    readonly resource: string;
    readonly free: string;
    readonly node: string;
  }) => say`With at most ${code(free)} of ${code(resource)} the pod fits on ${code(node)} as things are.`,
  'advice-node-title': () => say`Add a node`,
  'advice-node': ({ resource, requested }: { readonly resource: string; readonly requested: string }) =>
    say`A node with ${code(requested)} of ${code(resource)} free, and everything else these pods ask for, ends the wait.`,
  'advice-preference-title': () => say`Prefer to stay apart, rather than insist`,
  'advice-preference': ({ topologyKey }: { readonly topologyKey: string }) =>
    say`Required anti-affinity allows one pod for each ${code(topologyKey)}. As a preference it spreads the pods as far as there is room.`,
  'advice-limits-title': () => say`Let the autoscaler add a node`,
  'advice-limits': ({ by }: { readonly by: string }) =>
    say`${code(by)} has reached a limit that somebody set. Raise it, if the cost is wanted.`,
  unconfirmed: ({ said }: { readonly said: string }) =>
    say`The scheduler says ${code(said)}. What I could read neither confirms nor refutes it.`,
  counterfactual: ({
    pod,
    without,
    node,
  }: {
    readonly pod: string;
    readonly without: readonly string[];
    readonly node: string;
  }) => say`Without ${names('en', without)} the pod ${code(pod)} fits on ${code(node)}.`,
  'ev-finalizers': () => say`finalizers that are left`,
  'advice-uncordon-title': () => say`Uncordon, when the work on the node is done`,
};

const ko: SameSentences<typeof en> = {
  standing: ({ waiting, forSeconds, ready, wanted }) =>
    sentences(
      forSeconds === undefined
        ? say`파드 ${waiting}개가 노드를 기다립니다.`
        : say`파드 ${waiting}개가 ${duration('ko', forSeconds)}째 노드를 기다립니다.`,
      say`${wanted}개 중 ${ready}개가 준비되었습니다.`,
    ),
  tally: ({ nodesInAll, groups }) =>
    sentences(
      ...groups.map(
        ({ nodes, refusals }) =>
          say`노드 ${nodesInAll}개 중 ${nodes.length}개(${names('ko', nodes, 3)}) 거부: ${refusalsInShort('ko', refusals)}.`,
      ),
    ),
  'node-lacks': ({ node, refusals }) => say`${code(node)}: ${refusalsInFull('ko', refusals)}.`,
  'autoscaler-declined': ({ by, said }) => say`${code(by)}은(는) 노드를 추가하지 않습니다: ${code(said)}.`,
  'autoscaler-expired': ({ by, since }) =>
    say`${code(by)}이(가) ${moment(since)}에 노드를 요청했지만 15분 안에 도움이 되지 않아 실패로 봅니다.`,
  'ev-unschedulable': ({ pod }) => say`스케줄러가 ${code(pod)}의 노드를 찾지 못함`,
  'ev-declined': ({ by }) => say`${code(by)}이(가) 노드를 추가하지 않음`,
  'ev-ordered': ({ by }) => say`${code(by)}이(가) 노드를 요청함`,
  'plugin-words': ({ said }) => say`스케줄러가 시뮬레이션하지 않는 이유도 댔습니다: ${quote(said)}`,
  'not-simulated': ({ parts }) =>
    say`시뮬레이션하지 못한 부분: ${names('ko', parts)}. 스케줄러가 그 때문에 거부할 수도 있습니다.`,
  unread: ({ what, because }) =>
    say`일부 ${code(what)} 객체를 읽지 못해(${code(because)}) 그곳에 자리가 있을 가능성은 배제되지 않았습니다.`,
  disagrees: ({ said, found }) =>
    say`스케줄러의 말과 객체로 계산한 결과가 다릅니다. 스케줄러: ${code(said)}. 계산: ${joined(
      'ko',
      found.map(({ nodes, refusals }) => say`${nodes.length}개: ${refusalsInShort('ko', refusals)}`),
    )}.`,
  'next-attempt': () => say`스케줄러는 노드나 파드가 바뀔 때마다, 그리고 적어도 5분마다 다시 시도합니다.`,
  'because-no-predecessor': () => say`자리를 잡고 있는 이전 리비전 파드가 없음`,
  'because-predecessors-useless': ({ pods }) => say`이전 파드 ${names('ko', pods, 3)} 없이도 들어가지 않음`,
  'because-no-order': () => say`오토스케일러가 요청한 노드 없음`,
  'because-in-service': () => say`받을 수 있는 노드 중 cordon되거나 문제가 있는 노드 없음`,
  'because-out-of-service': ({ nodes }) => say`노드 상태만 아니면 ${names('ko', nodes, 3)}에 들어감`,
  'because-could-fit': ({ node }) => say`${code(node)}의 파드가 나가면 들어감`,
  'because-never': ({ nodes }) => say`어떤 파드가 나가도 노드 ${nodes}개 중 받을 노드 없음`,
  'because-no-gates': () => say`파드에 스케줄링 게이트 없음`,
  'because-claims-bound': () => say`볼륨 클레임 때문에 막힌 것이 아님`,
  'because-never-started': ({ pod }) => say`${code(pod)}에 노드가 없어 컨테이너가 실행된 적 없음`,
  'restart-withheld': () => say`기다리는 파드 하나가 다른 파드로 바뀔 뿐입니다.`,
  'patch-unknown': () => say`이전 파드를 내리면 노드가 열리는지는 읽은 것만으로 알 수 없습니다.`,
  'patch-withheld': () => say`이전 파드를 먼저 내려도 열리는 노드가 없고, 준비된 파드만 줄어듭니다.`,
  'spread-counts': ({ topologyKey, domains, minimum, maxSkew }) =>
    say`${code(topologyKey)} 분산은 이 파드가 갈 수 없는 ${names('ko', domains)}도 셉니다. 그곳이 ${minimum}개이고 maxSkew가 ${maxSkew}이므로 어디에도 ${minimum + maxSkew}개를 넘을 수 없습니다.`,
  'advice-spread-title': () => say`파드가 쓸 수 없는 노드는 세지 않기`,
  'advice-spread': ({ nodes }) =>
    say`${code('nodeTaintsPolicy: Honor')}를 쓰면 ${names('ko', nodes)} 노드를 세지 않습니다. 파드 템플릿이 바뀌므로 롤아웃이 시작됩니다.`,
  'advice-requests-title': ({ resource }) => say`${code(resource)} 요청 줄이기`,
  'advice-requests': ({ resource, free, node }) =>
    say`${code(resource)} 요청이 ${code(free)} 이하면 지금 상태로도 ${code(node)}에 들어갑니다.`,
  'advice-node-title': () => say`노드 추가하기`,
  'advice-node': ({ resource, requested }) =>
    say`${code(resource)} ${code(requested)} 여유가 있고 나머지 조건도 맞는 노드가 하나 있으면 대기가 끝납니다.`,
  'advice-preference-title': () => say`떨어져 있기를 강제하지 않고 선호하기`,
  'advice-preference': ({ topologyKey }) =>
    say`필수 안티어피니티는 ${code(topologyKey)}마다 파드 하나만 허용합니다. 선호로 바꾸면 자리가 되는 만큼만 떨어뜨려 놓습니다.`,
  'advice-limits-title': () => say`오토스케일러가 노드를 추가하게 하기`,
  'advice-limits': ({ by }) =>
    say`${code(by)}이(가) 설정된 한도에 이르렀습니다. 비용을 감수한다면 한도를 올리세요.`,
  unconfirmed: ({ said }) =>
    say`스케줄러의 말: ${code(said)}. 읽은 객체만으로는 맞다고도 틀리다고도 할 수 없습니다.`,
  counterfactual: ({ pod, without, node }) =>
    say`${names('ko', without)} 없이는 파드 ${code(pod)}가 ${code(node)}에 들어갑니다.`,
  'ev-finalizers': () => say`남은 파이널라이저`,
  'advice-uncordon-title': () => say`노드 작업이 끝났다면 cordon 풀기`,
};

export const waitingText = { en, ko };

/** Statements that several causes of this family make; their catalogue is the family's. */
export const waiting = statementsOf<typeof en>('waiting');
