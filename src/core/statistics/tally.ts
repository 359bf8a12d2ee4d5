import { compare, type Incarnation } from './incarnation.js';

/** The incarnations that can fairly be compared: of one workload and, unless pooled, one revision. */
export interface Stratum {
  readonly workload: string;
  /** Undefined where the revisions of the workload are pooled. */
  readonly revision: string | undefined;
  /** The node of every incarnation, as an index into the tally's nodes. */
  readonly places: readonly number[];
  readonly crashedPlaces: readonly number[];
  /** All incarnations on each node, by its index. */
  readonly totals: readonly number[];
}

export interface Tally {
  readonly nodes: readonly string[];
  readonly strata: readonly Stratum[];
  readonly crashed: readonly number[];
  readonly totals: readonly number[];
}

/** Counts crashed and all incarnations per stratum and node. Nodes and strata in alphabetical order. */
export function tally(incarnations: readonly Incarnation[], by: 'revision' | 'workload' = 'revision'): Tally {
  const nodes = [...new Set(incarnations.map((one) => one.node))].sort(compare);
  const indexes = new Map(nodes.map((node, i) => [node, i]));
  const groups = new Map<string, Incarnation[]>();
  for (const one of incarnations) {
    const key = by === 'workload' ? one.workload : JSON.stringify([one.workload, one.revision]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  const place = (one: Incarnation): number => indexes.get(one.node) ?? 0;
  const strata = [...groups.entries()]
    .sort(([a], [b]) => compare(a, b))
    .map(([, group]) => ({
      workload: group[0]?.workload ?? '',
      revision: by === 'workload' ? undefined : (group[0]?.revision ?? ''),
      places: group.map(place),
      crashedPlaces: group.filter((one) => one.crashed).map(place),
      totals: countsOf(group.map(place), nodes.length),
    }));
  return {
    nodes,
    strata,
    crashed: countsOf(incarnations.filter((one) => one.crashed).map(place), nodes.length),
    totals: countsOf(incarnations.map(place), nodes.length),
  };
}

/** Strata that say something about nodes: some of their incarnations crashed, some did not, and they ran on several nodes. */
export function informative(strata: readonly Stratum[]): readonly Stratum[] {
  return strata.filter(
    ({ places, crashedPlaces, totals }) =>
      crashedPlaces.length > 0 &&
      crashedPlaces.length < places.length &&
      totals.filter((total) => total > 0).length > 1,
  );
}

function countsOf(places: readonly number[], length: number): number[] {
  const counts = new Array<number>(length).fill(0);
  for (const place of places) counts[place] = (counts[place] ?? 0) + 1;
  return counts;
}

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
