import type { Examination } from '../rule.js';
import { longestRefusedSeconds } from '../stuck-rollout.js';
import type { Block } from './block.js';
import type { WaitingFacts } from './facts.js';
import { nodesOf } from './nodes-of.js';
import { groupedRefusals } from './refusal.js';

/** Names that facts keep of waiting pods. */
const maxNames = 10;

export function waitingFactsOf(
  { snapshot }: Examination,
  blocks: readonly [Block, ...Block[]],
): WaitingFacts {
  const pods = blocks.flatMap((block) => [...block.pods]);
  const nodes = nodesOf(blocks);
  return {
    waiting: pods.length,
    pods: pods.slice(0, maxNames).map(({ metadata }) => metadata.name),
    waitingSeconds: longestRefusedSeconds(snapshot, pods),
    schedulerMessage: blocks[0].sentence?.text,
    nodesInAll: nodes.length,
    refusals: groupedRefusals(nodes),
  };
}
