import { podNames } from '../../../cluster/pod-key.js';
import { workloadKinds } from '../../../cluster/workload.js';
import type { Statement } from '../../../language/statement.js';
import { holdersOf } from '../../../placement/reason.js';
import { refOf } from '../../../remediation/price-of.js';
import type { FactsOf } from '../../facts.js';
import type { RuledOut } from '../../finding.js';
import { waitingNeeds } from '../../needs.js';
import type { Examination, Rule } from '../../rule.js';
import { workloadName } from '../../stuck-rollout.js';
import { capacityAdvice, spreadStatements } from '../../waiting/advice.js';
import type { Block } from '../../waiting/block.js';
import { blocksFor } from '../../waiting/cause-of.js';
import { waitingFactsOf } from '../../waiting/facts-of-blocks.js';
import { autoscalerStatements, ruledOutByWaiting, waitingFinding } from '../../waiting/finding.js';
import { holderValue } from '../../waiting/holder-value.js';
import { nearestOf, nodesOf } from '../../waiting/nodes-of.js';
import { keptPods } from '../../waiting/predecessors.js';
import { refusalsOf } from '../../waiting/refusal.js';
import { waiting } from '../../waiting/text.js';
import { InsufficientCapacityFacts } from './facts.js';
import { state, text } from './text.js';

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
    const held = nodesOf(blocks).filter(({ standing }) => standing === 'held');
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
      advice: capacityAdvice(examination, block),
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
  const ofGroups = examination.snapshot.workload.kind === 'LeaderWorkerSet';
  const { nearestNode, largestHolders } = facts;
  const held = nodes.filter(({ standing }) => standing === 'held');
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
