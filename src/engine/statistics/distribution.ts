/** A distribution over the whole numbers from `low` on: `mass[i]` is the probability of `low + i`. */
export type Distribution = { readonly low: number; readonly mass: readonly number[] };

/** The distribution of the sum of two independent numbers. */
export function convolve(a: Distribution, b: Distribution): Distribution {
  const mass = new Array<number>(a.mass.length + b.mass.length - 1).fill(0);
  a.mass.forEach((p, i) => {
    b.mass.forEach((q, j) => {
      mass[i + j] = (mass[i + j] ?? 0) + p * q;
    });
  });
  return { low: a.low + b.low, mass };
}

/**
 * P(X ≥ low + i) for every i; the first is 1. Added from the far end, so that small tails keep their digits.
 */
export function upperTails({ mass }: Distribution): readonly number[] {
  const tails = new Array<number>(mass.length).fill(0);
  let sum = 0;
  for (let i = mass.length - 1; i >= 0; i -= 1) {
    sum += mass[i] ?? 0;
    tails[i] = Math.min(1, sum);
  }
  tails[0] = 1;
  return tails;
}

/** `drawn` of `population` pods ran on a node; `marked` of the population crashed. */
export type Draw = { readonly population: number; readonly marked: number; readonly drawn: number };

/**
 * How many crashed pods a node would hold if the crashes had fallen on pods at random. Each weight follows
 * from its neighbour, from the most likely number on, so that no table is too large.
 */
export function hypergeometric({ population, marked, drawn }: Draw): Distribution {
  const low = Math.max(0, drawn + marked - population);
  const high = Math.min(drawn, marked);
  const mode = Math.min(high, Math.floor(((drawn + 1) * (marked + 1)) / (population + 2)));
  /** P(i + 1) / P(i). */
  const ratio = (i: number): number =>
    ((marked - i) * (drawn - i)) / ((i + 1) * (population - marked - drawn + i + 1));
  const weights = new Array<number>(high - low + 1).fill(1);
  for (let i = mode; i < high; i += 1) weights[i + 1 - low] = (weights[i - low] ?? 0) * ratio(i);
  for (let i = mode; i > low; i -= 1) weights[i - 1 - low] = (weights[i - low] ?? 0) / ratio(i - 1);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return { low, mass: weights.map((weight) => weight / total) };
}

/** How many ways there are to choose some of so many. */
export function choose(of: number, chosen: number): number {
  let ways = 1;
  for (let i = 1; i <= chosen; i += 1) ways *= (of - chosen + i) / i;
  return ways;
}

/**
 * Two probabilities that differ by less than this part are taken as equal: tables with equal odds must tie.
 */
const rounding = 1e-9;

/** Whether p is at most the limit, rounding aside. */
export function atMost(p: number, limit: number): boolean {
  return p <= limit * (1 + rounding);
}
