import {
  candidate,
  type NodeGroup,
  type Selection,
  type SelectionOptions,
  strongestCandidate,
} from './candidate.js';
import { atMost } from './distribution.js';
import type { Incarnation } from './incarnation.js';
import { countOf, nodeTable, strataOf } from './strata.js';

/**
 * Nodes on which crashes concentrate beyond chance. Attributes are empty where they were found one by one.
 */
export interface BadNodes extends NodeGroup {
  readonly p: number;
  readonly pAdjusted: number;
}

export interface Search {
  readonly found: readonly BadNodes[];
  /** The strongest candidate of all, whether or not it is beyond chance. */
  readonly strongest: Selection | undefined;
}

/**
 * The strongest first, then what is still beyond chance among the remaining nodes, each step at the same
 * level (Holm).
 */
export function searchBadNodes(
  incarnations: readonly Incarnation[],
  options: SelectionOptions,
  alpha: number,
): Search {
  const strongest = strongestCandidate(strataOf(incarnations), options);
  const bad = strongest && beyondChance(incarnations, strongest, options, alpha);
  if (bad === undefined) return { found: [], strongest };
  if (bad.attributes.length > 0) return { found: [bad], strongest };
  const rest = without(bad.nodes, incarnations);
  return { found: [bad, ...searchBadNodes(rest, options, alpha).found], strongest };
}

function beyondChance(
  incarnations: readonly Incarnation[],
  { nodes, attributes, p, pAdjusted }: Selection,
  options: SelectionOptions,
  alpha: number,
): BadNodes | undefined {
  const members = new Set(nodes);
  const there = incarnations.filter(({ node }) => members.has(node));
  // A single crash is no concentration, however rare crashes are.
  if (!atMost(pAdjusted, alpha) || countOf(there).crashed < 2) return undefined;
  const isBad = (suspects: readonly string[], others: readonly string[]): boolean => {
    const strata = strataOf(without(others, incarnations));
    return atMost(candidate(strata, { nodes: suspects, attributes: [] }, 1).p, alpha);
  };
  if (attributes.length === 0) {
    // Of a set, those that are worse than the nodes outside it, each without the others.
    const guilty = nodes.filter((node) =>
      isBad(
        [node],
        nodes.filter((other) => other !== node),
      ),
    );
    return guilty.length > 0 ? { nodes: guilty, attributes, p, pAdjusted } : undefined;
  }
  // One bad node makes its whole zone look bad: where the zone's other nodes are not, the node is named in
  // its place.
  const [worst, ...others] = nodeTable(there).map(({ node }) => node);
  const group = { nodes, attributes, p, pAdjusted };
  if (worst === undefined || isBad(others, [worst])) return group;
  const ungrouped = { ...options, attributes: new Map() };
  const strongest = strongestCandidate(strataOf(incarnations), ungrouped);
  return (strongest && beyondChance(incarnations, strongest, ungrouped, alpha)) ?? group;
}

function without(nodes: readonly string[], incarnations: readonly Incarnation[]): readonly Incarnation[] {
  const left = new Set(nodes);
  return incarnations.filter(({ node }) => !left.has(node));
}
