import { type Candidate, candidate, type NodeAttribute } from './candidate.js';
import type { Incarnation } from './incarnation.js';
import { atMost } from './multiplicity.js';
import { type Selection, type SelectionOptions, strongestCandidate } from './strongest-candidate.js';
import { informative, type Tally, tally } from './tally.js';

/** Nodes on which crashes concentrate beyond chance. */
export interface BadNodes {
  readonly nodes: readonly string[];
  /** What these nodes, and no others, share; empty where they were found one by one. */
  readonly attributes: readonly NodeAttribute[];
  readonly p: number;
  readonly pAdjusted: number;
}

export interface Search {
  readonly found: readonly BadNodes[];
  /** The strongest candidate of all, whether or not it is beyond chance. */
  readonly strongest: Selection | undefined;
}

/** The strongest first, then what is still beyond chance among the remaining nodes, each step at the same level (Holm). */
export function searchBadNodes(incarnations: readonly Incarnation[], options: SelectionOptions): Search {
  const found: BadNodes[] = [];
  let rest = incarnations;
  let strongest: Selection | undefined;
  for (;;) {
    const table = tally(rest);
    const selection = strongestCandidate(table, options);
    strongest ??= selection;
    const next = significant(rest, table, selection, options);
    if (next === undefined) return { found, strongest };
    found.push(next);
    if (next.attributes.length > 0) return { found, strongest };
    const bad = new Set(next.nodes);
    rest = rest.filter((one) => !bad.has(one.node));
  }
}

function significant(
  incarnations: readonly Incarnation[],
  table: Tally,
  selection: Selection | undefined,
  options: SelectionOptions,
): BadNodes | undefined {
  if (selection === undefined || !atMost(selection.pAdjusted, options.alpha)) return undefined;
  if (crashedOn(table, selection.candidate) < 2) return undefined;
  const { attributes, members } = selection.candidate;
  if (attributes.length > 0) {
    const single = carriedByOne(incarnations, table, selection, options);
    return single ?? named(table, selection, members);
  }
  if (members.length === 1) return named(table, selection, members);
  const guilty = members.filter((member) =>
    isWorseAlone(incarnations, table, members, member, options.alpha),
  );
  return guilty.length > 0 ? named(table, selection, guilty) : undefined;
}

function named(
  table: Tally,
  { candidate: { attributes, p }, pAdjusted }: Selection,
  members: readonly number[],
): BadNodes {
  return { nodes: members.flatMap((member) => table.nodes[member] ?? []), attributes, p, pAdjusted };
}

/** A single crash is no concentration, however rare crashes are. */
function crashedOn(table: Tally, { members }: Candidate): number {
  return members.reduce((sum, member) => sum + (table.crashed[member] ?? 0), 0);
}

/** One bad node makes its whole zone look bad: where the zone's other nodes are not, the node is named in its place. */
function carriedByOne(
  incarnations: readonly Incarnation[],
  table: Tally,
  { candidate: group }: Selection,
  options: SelectionOptions,
): BadNodes | undefined {
  const rate = (member: number): number =>
    (table.crashed[member] ?? 0) / Math.max(1, table.totals[member] ?? 0);
  const worst = [...group.members].sort(
    (a, b) => rate(b) - rate(a) || (table.crashed[b] ?? 0) - (table.crashed[a] ?? 0),
  )[0];
  if (worst === undefined) return undefined;
  const others = group.members
    .filter((member) => member !== worst)
    .flatMap((member) => table.nodes[member] ?? []);
  const without = tally(incarnations.filter((one) => one.node !== table.nodes[worst]));
  if (atMost(probabilityOf(without, others), options.alpha)) return undefined;
  const ungrouped = { ...options, attributes: new Map() };
  return significant(incarnations, table, strongestCandidate(table, ungrouped), ungrouped);
}

/** Whether a node of a set is worse than the nodes outside the set, the set's others left out. */
function isWorseAlone(
  incarnations: readonly Incarnation[],
  table: Tally,
  members: readonly number[],
  member: number,
  alpha: number,
): boolean {
  const name = table.nodes[member];
  if (name === undefined) return false;
  const left = new Set(members.filter((other) => other !== member).map((other) => table.nodes[other]));
  return atMost(probabilityOf(tally(incarnations.filter((one) => !left.has(one.node))), [name]), alpha);
}

function probabilityOf(table: Tally, nodes: readonly string[]): number {
  const members = nodes.map((node) => table.nodes.indexOf(node)).filter((member) => member >= 0);
  return candidate(informative(table.strata), members).p;
}
