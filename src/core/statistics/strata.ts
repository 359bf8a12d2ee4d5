import { compareText, groupBy } from '../collections/collections.js';
import { type Incarnation, stratumOf } from './incarnation.js';

/** What the pods of a node, or of all, did. */
export interface Count {
  readonly crashed: number;
  /** Crashed and healthy ones. */
  readonly total: number;
}

/** Incarnations that can fairly be compared: of one workload and, unless pooled, one revision. */
export interface Stratum extends Count {
  readonly byNode: ReadonlyMap<string, Count>;
}

/**
 * The strata that show something about nodes: some of their incarnations crashed, some did not, and they ran
 * on several nodes.
 */
export function strataOf(
  incarnations: readonly Incarnation[],
  by: 'revision' | 'workload' = 'revision',
): readonly Stratum[] {
  const groups = groupBy(incarnations, (one) => (by === 'workload' ? one.workload : stratumOf(one)));
  return [...groups.values()]
    .map((group) => ({ ...countOf(group), byNode: countsByNode(group) }))
    .filter(({ crashed, total, byNode }) => crashed > 0 && crashed < total && byNode.size > 1);
}

export function countsByNode(incarnations: readonly Incarnation[]): ReadonlyMap<string, Count> {
  const nodes = groupBy(incarnations, ({ node }) => node);
  return new Map([...nodes].map(([node, group]) => [node, countOf(group)]));
}

export function countOf(incarnations: readonly Incarnation[]): Count {
  return { crashed: incarnations.filter(({ crashed }) => crashed).length, total: incarnations.length };
}

/** What one node saw. */
export interface NodeCount extends Count {
  readonly node: string;
  /** Healthy ones too young to count. */
  readonly censored: number;
}

/** The nodes' counts, the worst first: by the share of crashed incarnations, then their number, then name. */
export function nodeTable(
  counted: readonly Incarnation[],
  censored: readonly Incarnation[] = [],
): readonly NodeCount[] {
  const counts = countsByNode(counted);
  const young = countsByNode(censored);
  return [...new Set([...counts.keys(), ...young.keys()])]
    .map((node) => ({ node, ...(counts.get(node) ?? countOf([])), censored: young.get(node)?.total ?? 0 }))
    .sort((a, b) => share(b) - share(a) || b.crashed - a.crashed || compareText(a.node, b.node));
}

function share({ crashed, total }: Count): number {
  return total === 0 ? 0 : crashed / total;
}
