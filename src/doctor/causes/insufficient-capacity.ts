import * as z from 'zod';
import type { Language } from '../../engine/language/language.js';
import { code, type Prose, say, word } from '../../engine/language/prose.js';
import { type Statement, statementsOf } from '../../engine/language/statement.js';
import { counted, joined, names } from '../../engine/language/words.js';
import { podNames, refOf } from '../../engine/objects/pod.js';
import { hasGroups, workloadKinds } from '../../engine/objects/workload.js';
import { holdersOf } from '../../engine/scheduler/reason.js';
import { type FactsOf, fact } from '../findings/facts.js';
import type { Advice, RuledOut } from '../findings/finding.js';
import type { Examination, Rule } from '../findings/rule.js';
import { waitingNeeds } from '../findings/rule.js';
import { workloadName } from '../findings/stuck-rollout.js';
import { capacityAdvice, spreadStatements } from '../findings/waiting/advice.js';
import type { Block } from '../findings/waiting/block.js';
import { nearestOf, nodesOf, waitingFactsOf } from '../findings/waiting/block.js';
import { blocksFor } from '../findings/waiting/cause-of.js';
import { Holder, type HolderValue, waitingFacts } from '../findings/waiting/facts.js';
import { autoscalerStatements, ruledOutByWaiting, waitingFinding } from '../findings/waiting/finding.js';
import { keptPods } from '../findings/waiting/holding.js';
import { refusalsOf } from '../findings/waiting/refusal.js';
import { holderValue } from '../findings/waiting/sentence.js';
import { waiting } from '../findings/waiting/text.js';

const en = {
  'shared-failure': () => say`no node has enough free resources`,
  summary: ({ workload, waiting }: { workload: string; waiting: number }) =>
    say`Not enough capacity for ${counted(waiting, 'pod', 'pods')} of ${code(workload)}`,
  'summary-possible': ({ workload, waiting }: { workload: string; waiting: number }) =>
    say`Possibly not enough capacity for ${counted(waiting, 'pod', 'pods')} of ${code(workload)}`,
  'no-node': ({ pod }: { pod: string }) => say`The cluster has no node for ${code(pod)}.`,
  'own-revision': ({ pod }: { pod: string }) =>
    say`Pods of the same revision use part of the capacity. It does not suffice for all replicas, and ${code(pod)} came last.`,
  'advice-kept-title': () => say`If you rolled back by the traffic, leave it`,
  'advice-kept': () =>
    say`No request reaches the revision that waits. Knative scales it to zero after its progress deadline, unless one of its pods was ready.`,
  'kept-revision': ({ pods }: { pods: readonly string[] }) =>
    say`${names('en', pods, 3)} of an older revision ${word(pods.length === 1 ? 'uses' : 'use')} part of the capacity. The traffic names this revision, so it stays.`,
  'own-groups': ({ pod }: { pod: string }) =>
    say`Other groups of the same LeaderWorkerSet use part of the capacity. It does not suffice for all groups, and ${code(pod)} came last.`,
  'used-by': ({ node, holders }: { node: string; holders: readonly HolderValue[] }) =>
    say`On ${code(node)}, most of it is in use by ${holdersInShort('en', holders)}.`,
  'because-no-single-holder': () => say`no single workload uses enough capacity to be the cause`,
  'because-not-scaled': () => say`no evidence that a completed rollout was scaled up`,
};

const ko: typeof en = {
  'shared-failure': () => say`리소스가 충분한 노드가 없음`,
  summary: ({ workload, waiting }) =>
    say`${code(workload)} 파드 ${waiting}개를 배치할 클러스터 용량이 부족합니다`,
  'summary-possible': ({ workload, waiting }) =>
    say`${code(workload)} 파드 ${waiting}개를 배치할 클러스터 용량이 부족할 수 있습니다`,
  'no-node': ({ pod }) => say`${code(pod)} 파드를 배치할 노드가 클러스터에 없습니다.`,
  'own-revision': ({ pod }) =>
    say`같은 리비전의 파드가 용량 일부를 사용 중입니다. 모든 복제본을 배치하기에는 부족하며 ${code(pod)} 파드가 마지막이었습니다.`,
  'advice-kept-title': () => say`트래픽으로 롤백한 것이라면 그대로 두기`,
  'advice-kept': () =>
    say`대기 중인 리비전에는 요청이 가지 않습니다. 준비된 파드가 없었다면 진행 기한이 지난 뒤 Knative가 파드를 0개로 줄입니다.`,
  'kept-revision': ({ pods }) =>
    say`이전 리비전의 ${names('ko', pods, 3)} 파드가 용량 일부를 사용 중입니다. 트래픽이 이 리비전을 지정하므로 계속 유지됩니다.`,
  'own-groups': ({ pod }) =>
    say`같은 LeaderWorkerSet의 다른 그룹이 용량 일부를 사용 중입니다. 모든 그룹을 배치하기에는 부족하며 ${code(pod)} 파드가 마지막이었습니다.`,
  'used-by': ({ node, holders }) =>
    say`${code(node)} 노드의 용량을 가장 많이 사용하는 워크로드: ${holdersInShort('ko', holders)}.`,
  'because-no-single-holder': () => say`단독으로 원인이 될 만큼 용량을 사용하는 워크로드 없음`,
  'because-not-scaled': () => say`완료된 롤아웃을 스케일업했다는 증거 없음`,
};

const text = { en, ko };

const state = statementsOf<typeof en>('insufficient-capacity');

/** Workloads with the number of their pods. */
function holdersInShort(language: Language, holders: readonly HolderValue[]): Prose {
  return joined(language, holders.map(holderInShort[language]));
}

const holderInShort: { readonly [Each in Language]: (holder: HolderValue) => Prose } = {
  en: ({ workload, pods }) => say`${code(workload)} (${counted(pods.length, 'pod', 'pods')})`,
  ko: ({ workload, pods }) => say`${code(workload)}(파드 ${pods.length}개)`,
};

const InsufficientCapacityFacts = z.strictObject({
  ...waitingFacts,
  nearestNode: fact.text('The node that lacks least, or needs the fewest pods to leave').optional(),
  largestHolders: fact.list(Holder, 'Other workloads that use most of what is missing there'),
  fitsWithoutOwnRevision: fact.flag('Without pods of its own revision a waiting pod would fit'),
});

/** Nodes told in full; the rest is in the tally. */
const nearestShown = 4;

/**
 * Nodes that could carry the waiting pods have too little left, and nobody in particular is to blame: not the
 * workload's own old pods, and no one other workload. Names the nodes and what each is short of.
 */
export const insufficientCapacity: Rule<typeof InsufficientCapacityFacts> = {
  id: 'insufficient-capacity',
  facts: InsufficientCapacityFacts,
  text,
  origin: 'template',
  appliesTo: workloadKinds,
  needs: waitingNeeds,
  supersedes: ['progress-deadline-exceeded'],
  detect(examination) {
    const blocks = blocksFor(examination, 'insufficient-capacity');
    if (blocks === undefined) return undefined;
    const [block] = blocks;
    const autoscaler = autoscalerStatements(examination, blocks);
    const holding = holdingIn(block);
    const facts = {
      ...waitingFactsOf(examination, blocks),
      ...autoscaler.facts,
      nearestNode: holding?.node,
      largestHolders: (holding?.largest ?? []).map(holderValue),
      fitsWithoutOwnRevision: holding?.byOwnRevision === true,
    };
    const held = nodesOf(blocks).filter(({ refusal }) => refusal === 'held');
    return waitingFinding(examination, blocks, {
      summary: state(block.why.kind === 'unconfirmed' ? 'summary-possible' : 'summary', {
        workload: workloadName(examination.snapshot),
        waiting: facts.waiting,
      }),
      facts,
      resource: holding?.resource,
      nodes: held.map(({ name }) => name),
      holders: holding === undefined ? [] : holdersOf(holding.reason).slice(0, 10).map(refOf),
      reasoning: [...reasoningOf(examination, blocks, facts), ...autoscaler.reasoning],
      evidence: autoscaler.evidence,
      ruledOut: ruledOutOf(examination, block),
      undoHelps: true,
      advice: [...keptAdvice(examination, facts), ...capacityAdvice(examination, block)],
    });
  },
};

function holdingIn({ why }: Block) {
  return why.kind === 'held' ? why.holding : undefined;
}

function reasoningOf(
  examination: Examination,
  blocks: readonly [Block, ...Block[]],
  facts: FactsOf<typeof InsufficientCapacityFacts>,
): readonly Statement[] {
  const [block] = blocks;
  const pod = block.pod.metadata.name;
  if (block.why.kind === 'unconfirmed') {
    return [waiting('unconfirmed', { said: facts.schedulerMessage ?? '' })];
  }
  const nodes = nodesOf(blocks);
  if (nodes.length === 0) return [state('no-node', { pod })];
  const kept = podNames(keptPods(examination.snapshot));
  const ofGroups = hasGroups(examination.snapshot.workload);
  const { nearestNode, largestHolders } = facts;
  const held = nodes.filter(({ refusal }) => refusal === 'held');
  return [
    ...(nodes.length > nearestShown || held.length < nodes.length
      ? [waiting('tally', { nodesInAll: facts.nodesInAll, groups: facts.refusals })]
      : []),
    ...nearestOf(held, nearestShown).map(({ name, reasons }) =>
      waiting('node-lacks', { node: name, refusals: refusalsOf(reasons) }),
    ),
    ...spreadStatements(examination, block),
    ...(nearestNode !== undefined && largestHolders.length > 0
      ? [state('used-by', { node: nearestNode, holders: largestHolders })]
      : []),
    ...(!facts.fitsWithoutOwnRevision
      ? []
      : kept.length > 0
        ? [state('kept-revision', { pods: kept })]
        : [state(ofGroups ? 'own-groups' : 'own-revision', { pod })]),
  ];
}

/** Where the traffic names revisions, the newest one serves nobody: people may have gone back from it. */
function keptAdvice(
  { snapshot }: Examination,
  { fitsWithoutOwnRevision }: FactsOf<typeof InsufficientCapacityFacts>,
): readonly Advice[] {
  return fitsWithoutOwnRevision && keptPods(snapshot).length > 0
    ? [{ title: state('advice-kept-title'), text: state('advice-kept') }]
    : [];
}

function ruledOutOf(examination: Examination, block: Block): readonly RuledOut[] {
  if (block.why.kind === 'unconfirmed') return ruledOutByWaiting(examination, block);
  return [
    ...ruledOutByWaiting(examination, block),
    { cause: 'capacity-contention', because: state('because-no-single-holder') },
    ...(holdingIn(block) === undefined
      ? []
      : [
          {
            cause: 'unsatisfiable-placement',
            because: waiting('because-could-fit', { node: holdingIn(block)?.node ?? '' }),
          },
        ]),
    { cause: 'node-cordoned', because: waiting('because-in-service') },
    { cause: 'scale-up-pending', because: state('because-not-scaled') },
    { cause: 'waiting-for-autoscaler', because: waiting('because-no-order') },
  ];
}
