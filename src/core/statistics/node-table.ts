import { compare, type Incarnation } from './incarnation.js';

/** What one node saw. */
export interface NodeCount {
  readonly node: string;
  readonly crashed: number;
  /** Crashed and healthy incarnations, censored ones not included. */
  readonly total: number;
  /** Healthy ones too young to count. */
  readonly censored: number;
}

/** The nodes' counts, the worst first: by the share of crashed incarnations, then their number, then name. */
export function nodeTable(
  counted: readonly Incarnation[],
  censored: readonly Incarnation[],
): readonly NodeCount[] {
  const counts = new Map<string, { crashed: number; total: number; censored: number }>();
  const of = (node: string): { crashed: number; total: number; censored: number } => {
    const known = counts.get(node) ?? { crashed: 0, total: 0, censored: 0 };
    counts.set(node, known);
    return known;
  };
  for (const one of counted) {
    const count = of(one.node);
    count.total += 1;
    if (one.crashed) count.crashed += 1;
  }
  for (const one of censored) of(one.node).censored += 1;
  return [...counts]
    .map(([node, count]) => ({ node, ...count }))
    .sort((a, b) => share(b) - share(a) || b.crashed - a.crashed || compare(a.node, b.node));
}

function share({ crashed, total }: NodeCount): number {
  return total === 0 ? 0 : crashed / total;
}
