import { type Distribution, upperTails } from '#src/engine/statistics/distribution.js';

/** How often something of that probability (0 to 1) happens in so many trials. */
export function binomial(trials: number, probability: number): Distribution {
  const mass: number[] = [];
  const [yes, no] = [Math.log(probability), Math.log1p(-probability)];
  let ways = 0;
  for (let i = 0; i <= trials; i += 1) {
    mass.push(Math.exp(ways + (i === 0 ? 0 : i * yes) + (i === trials ? 0 : (trials - i) * no)));
    ways += Math.log((trials - i) / (i + 1));
  }
  return { low: 0, mass };
}

/** P(X ≥ value). */
export function tailFrom(distribution: Distribution, value: number): number {
  return upperTails(distribution)[Math.max(0, value - distribution.low)] ?? 0;
}

/**
 * A true share of successes of a binomial count: the exact (Clopper-Pearson) 95 % interval, found by halving.
 */
function interval(hits: number, trials: number): readonly [number, number] {
  const search = (tooLow: (p: number) => boolean): number => {
    let [low, high] = [0, 1];
    for (let i = 0; i < 50; i += 1) {
      const middle = (low + high) / 2;
      if (tooLow(middle)) low = middle;
      else high = middle;
    }
    return (low + high) / 2;
  };
  const upper = hits === trials ? 1 : search((p) => 1 - tailFrom(binomial(trials, p), hits + 1) > 0.025);
  const lower = hits === 0 ? 0 : search((p) => tailFrom(binomial(trials, p), hits) < 0.025);
  return [lower, upper];
}

function shown(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

/** The lower end of the interval. */
export function leastShare(hits: number, trials: number): number {
  return interval(hits, trials)[0];
}

export function report(what: string, hits: number, trials: number): void {
  const [low, high] = interval(hits, trials);
  console.log(`${what} ${shown(hits / trials)} of ${trials} (95 % CI ${shown(low)} to ${shown(high)})`);
}
