import { nearest } from '../../../engine/scheduler/nearest-nodes.js';
import type { Block } from './block.js';
import type { RefusingNode } from './refusing-node.js';

/** The nodes of all blocks, each once: pods of a DaemonSet have one node each, others share theirs. */
export function nodesOf(blocks: readonly Block[]): readonly RefusingNode[] {
  const nodes = new Map<string, RefusingNode>();
  for (const node of blocks.flatMap((block) => [...block.nodes])) {
    if (!nodes.has(node.name)) nodes.set(node.name, node);
  }
  return [...nodes.values()];
}

/** Those that lack least, the nearest first. */
export function nearestOf(nodes: readonly RefusingNode[], count: number): readonly RefusingNode[] {
  const order = nearest(
    nodes.map(({ name, reasons }) => ({
      node: name,
      outcome: 'refused',
      tooSmall: false,
      reasons,
      notSimulated: [],
    })),
    count,
  );
  return order.flatMap(({ node }) => nodes.find(({ name }) => name === node) ?? []);
}
