import { type Candidate, candidate, crashesToReach } from './candidate.js';
import { setSizes, setWeight } from './node-sets.js';
import { type RandomBelow, seededRandom } from './seeded-random.js';
import type { Stratum } from './tally.js';

export interface PermutationOptions {
  readonly seed: number;
  readonly permutations: number;
  /** The test ends early once the result can no longer be at or below this. */
  readonly alpha: number;
  /** Whether sets of nodes were among the candidates. */
  readonly sets: boolean;
}

/**
 * How often, when the crash labels are dealt anew within each stratum, some candidate scores `limit` or below: the
 * max-statistic test of Westfall and Young, valid for any mixture of sizes and overlapping candidates. The estimate
 * counts the observed deal as one, so that it is never 0. `singles` come one for each node that takes part.
 */
export function permutationP(
  strata: readonly Stratum[],
  singles: readonly Candidate[],
  groups: readonly Candidate[],
  limit: number,
  { seed, permutations, alpha, sets }: PermutationOptions,
): number {
  const random = seededRandom(seed);
  const decks = strata.map(({ places, crashedPlaces }) => ({
    cards: Int32Array.from(places),
    crashed: crashedPlaces.length,
  }));
  const reached = reaches(strata, singles, groups, limit, sets);
  const dealt: Deal = {
    counts: new Int32Array(Math.max(0, ...strata.map(({ totals }) => totals.length))),
    hit: [],
  };
  let hits = 0;
  for (let done = 1; done <= permutations; done += 1) {
    collect(dealt);
    for (const { cards, crashed } of decks) deal(cards, crashed, random, dealt);
    if (reached(dealt)) hits += 1;
    if (hits + 1 > alpha * (permutations + 1)) return (hits + 1) / (done + 1);
  }
  return (hits + 1) / (permutations + 1);
}

/** Crashes on each node in one deal; the nodes that have any are kept apart, since few of many do. */
interface Deal {
  readonly counts: Int32Array;
  readonly hit: number[];
}

function collect({ counts, hit }: Deal): void {
  for (const place of hit) counts[place] = 0;
  hit.length = 0;
}

/** Deals the first `crashed` cards of a fair shuffle; the cards stay where they land, which leaves the next deal fair. */
function deal(cards: Int32Array, crashed: number, random: RandomBelow, dealt: Deal): void {
  for (let i = 0; i < crashed; i += 1) {
    const j = i + random(cards.length - i);
    const place = cards[j] ?? 0;
    cards[j] = cards[i] ?? 0;
    cards[i] = place;
    const before = dealt.counts[place] ?? 0;
    if (before === 0) dealt.hit.push(place);
    dealt.counts[place] = before + 1;
  }
}

type Reaches = (dealt: Deal) => boolean;

function reaches(
  strata: readonly Stratum[],
  singles: readonly Candidate[],
  groups: readonly Candidate[],
  limit: number,
  sets: boolean,
): Reaches {
  const needed = new Map(singles.map((one) => [one.members[0] ?? 0, crashesToReach(one, limit)]));
  const neededAt = Array.from(
    { length: Math.max(0, ...needed.keys()) + 1 },
    (_, i) => needed.get(i) ?? Number.POSITIVE_INFINITY,
  );
  const groupsNeed = groups
    .map((group) => ({ members: group.members, crashes: crashesToReach(group, limit) }))
    .filter(({ crashes }) => crashes < Number.POSITIVE_INFINITY);
  const setReached: Reaches = sets ? setReaches(strata, singles, limit) : () => false;
  return (dealt) => {
    const { counts, hit } = dealt;
    for (const place of hit)
      if ((counts[place] ?? 0) >= (neededAt[place] ?? Number.POSITIVE_INFINITY)) return true;
    for (const { members, crashes } of groupsNeed) {
      let sum = 0;
      for (const member of members) sum += counts[member] ?? 0;
      if (sum >= crashes) return true;
    }
    return setReached(dealt);
  };
}

/**
 * Whether the most suspicious nodes of this deal, taken together, reach the limit. What a set needs depends on how many
 * nodes it has (its weight) and how many pods of each stratum, and is kept by these.
 */
function setReaches(strata: readonly Stratum[], singles: readonly Candidate[], limit: number): Reaches {
  const sizes = setSizes(singles.length);
  const largest = sizes.at(-1);
  if (largest === undefined) return () => false;
  const byPlace: (Candidate | undefined)[] = [];
  for (const one of singles) byPlace[one.members[0] ?? 0] = one;
  const needs = new Map<string, number>();
  const need = (members: readonly number[]): number => {
    const drawn = strata.map(({ totals }) => members.reduce((sum, member) => sum + (totals[member] ?? 0), 0));
    const key = [members.length, ...drawn].join();
    const known = needs.get(key);
    if (known !== undefined) return known;
    const crashes = crashesToReach(
      candidate(strata, members, [], setWeight(singles.length, members.length)),
      limit,
    );
    needs.set(key, crashes);
    return crashes;
  };
  return (dealt) => {
    const order = mostSuspicious(dealt, byPlace, largest);
    for (const size of sizes) {
      if (order.length < size) return false;
      const chosen = order.slice(0, size);
      const crashes = chosen.reduce((sum, { crashes: own }) => sum + own, 0);
      if (crashes >= need(chosen.map(({ place }) => place))) return true;
    }
    return false;
  };
}

interface Suspect {
  readonly place: number;
  readonly crashes: number;
  readonly p: number;
}

/** The same order as `bySuspicion`, of this deal. */
function mostSuspicious(
  { counts, hit }: Deal,
  byPlace: readonly (Candidate | undefined)[],
  size: number,
): readonly Suspect[] {
  const top: Suspect[] = [];
  for (const place of hit) {
    const single = byPlace[place];
    if (single === undefined) continue;
    const crashes = counts[place] ?? 0;
    const p = single.tails[crashes - single.low] ?? 1;
    if (top.length === size && p > (top[size - 1]?.p ?? 1)) continue;
    const suspect = { place, crashes, p };
    let at = top.length;
    while (at > 0 && isBefore(suspect, top[at - 1])) at -= 1;
    if (at >= size) continue;
    top.splice(at, 0, suspect);
    top.length = Math.min(top.length, size);
  }
  return top;
}

function isBefore(a: Suspect, b: Suspect | undefined): boolean {
  if (b === undefined) return false;
  return (a.p - b.p || b.crashes - a.crashes || a.place - b.place) < 0;
}
