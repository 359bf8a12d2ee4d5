import type { Pod } from '../cluster/pod.js';
import type { OptionalPod, RelevantPods } from './relevant-pods.js';

/** Shared by the nodes of one question, so that all of it stays bounded. */
export interface Search {
  /** Full checks of a node. */
  checksLeft: number;
  /** Pods tried in a combination. */
  stepsLeft: number;
}

export interface SmallestSets {
  /** All of one size, the first being the choice; empty when no set helps. */
  readonly sets: readonly (readonly Pod[])[];
  /** False when the search was cut short: then the one set cannot lose a pod, but a smaller one may exist. */
  readonly exact: boolean;
}

const MAX_SETS = 16;
/** Combinations looked at per node, most of them dismissed by arithmetic alone. */
const MAX_COMBINATIONS = 200_000;

/**
 * Tries sets of growing size, the most useful pods first, until a size is found at which some set helps. Sums
 * of what the pods free rule most combinations out before `fitsWithout` is asked.
 */
export function smallestSets(
  relevant: RelevantPods,
  fitsWithout: (pods: readonly Pod[]) => boolean,
  search: Search,
): SmallestSets {
  const { required, optional } = relevant;
  const budget = { combinations: MAX_COMBINATIONS };
  const asks = (chosen: readonly OptionalPod[]): boolean => {
    search.checksLeft -= 1;
    return fitsWithout([...required, ...chosen.map(({ pod }) => pod)]);
  };
  for (let size = fewestNeeded(relevant); size <= optional.length; size += 1) {
    const sets: (readonly Pod[])[] = [];
    for (const chosen of combinations(relevant, size, budget, search)) {
      if (search.checksLeft <= 0) break;
      if (asks(chosen)) sets.push([...required, ...chosen.map(({ pod }) => pod)]);
      if (sets.length === MAX_SETS) break;
    }
    if (sets.length > 0) return { sets, exact: true };
    if (search.checksLeft <= 0 || budget.combinations <= 0) return reduced(relevant, fitsWithout);
  }
  return { sets: [], exact: true };
}

/** No fewer can free enough, even the largest ones. */
function fewestNeeded({ optional, short, atLeast }: RelevantPods): number {
  const needed = short.map((amount, index) => {
    const largest = optional
      .map(({ frees }) => frees[index] ?? 0n)
      .sort((a, b) => (a > b ? -1 : a < b ? 1 : 0));
    let left = amount;
    let count = 0;
    while (left > 0n && count < largest.length) {
      left -= largest[count] ?? 0n;
      count += 1;
    }
    return left > 0n ? Number.POSITIVE_INFINITY : count;
  });
  return Math.max(0, atLeast, ...needed);
}

/**
 * Combinations of one size that free enough, in order of usefulness. Not recursive: a node may run thousands
 * of pods.
 */
function* combinations(
  { optional, short }: RelevantPods,
  size: number,
  budget: { combinations: number },
  search: Search,
): Generator<readonly OptionalPod[]> {
  const chosen: number[] = [];
  const left: (readonly bigint[])[] = [short];
  let next = 0;
  while (budget.combinations > 0) {
    const missing = left.at(-1) ?? short;
    const item = optional[next];
    if (chosen.length < size && item !== undefined && next <= optional.length - (size - chosen.length)) {
      if (search.stepsLeft <= 0) budget.combinations = 0;
      search.stepsLeft -= 1;
      chosen.push(next);
      left.push(missing.map((amount, position) => amount - (item.frees[position] ?? 0n)));
      next += 1;
      continue;
    }
    if (chosen.length === size) {
      budget.combinations -= 1;
      if (missing.every((amount) => amount <= 0n)) yield chosen.flatMap((index) => optional[index] ?? []);
    }
    const last = chosen.pop();
    if (last === undefined) return;
    left.pop();
    next = last + 1;
  }
}

/**
 * Above it, each pod of a crowded node would be examined as often as there are pods. A kubelet runs about
 * 110.
 */
const MAX_REDUCED = 1_000;

/**
 * All relevant pods, less each one that is not needed, the least useful tried first. No set beyond
 * `MAX_REDUCED`.
 */
function reduced(
  { required, optional }: RelevantPods,
  fitsWithout: (pods: readonly Pod[]) => boolean,
): SmallestSets {
  let set = [...required, ...optional.map(({ pod }) => pod)];
  if (set.length > MAX_REDUCED || !fitsWithout(set)) return { sets: [], exact: false };
  for (const { pod } of [...optional].reverse()) {
    const fewer = set.filter((other) => other !== pod);
    if (fitsWithout(fewer)) set = fewer;
  }
  return { sets: [set], exact: false };
}
