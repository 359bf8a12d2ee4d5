/** A distribution over the whole numbers from `low` on: `mass[i]` is the probability of `low + i`. */
export interface Distribution {
  readonly low: number;
  readonly mass: readonly number[];
}

/** All the mass on one number. */
export function pointAt(value: number): Distribution {
  return { low: value, mass: [1] };
}

/** The distribution of the sum of two independent numbers. */
export function convolve(a: Distribution, b: Distribution): Distribution {
  if (a.mass.length === 1) return shifted(b, a.low);
  if (b.mass.length === 1) return shifted(a, b.low);
  const mass = new Array<number>(a.mass.length + b.mass.length - 1).fill(0);
  a.mass.forEach((p, i) => {
    b.mass.forEach((q, j) => {
      mass[i + j] = (mass[i + j] ?? 0) + p * q;
    });
  });
  return { low: a.low + b.low, mass };
}

function shifted({ low, mass }: Distribution, by: number): Distribution {
  return { low: low + by, mass };
}

/** P(X ≥ value). Added from the far end, smallest first, so that small tails keep their digits. */
export function tailFrom(distribution: Distribution, value: number): number {
  return upperTails(distribution)[Math.max(0, value - distribution.low)] ?? 0;
}

/** P(X ≥ low + i) for every i; the first is 1. */
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

/** Scales logarithms of weights, at least one finite, to probabilities whose sum is 1. */
export function normalised(low: number, logWeights: readonly number[]): Distribution {
  const highest = logWeights.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const weights = logWeights.map((log) => Math.exp(log - highest));
  const total = weights.reduce((a, b) => a + b, 0);
  return { low, mass: weights.map((weight) => weight / total) };
}
