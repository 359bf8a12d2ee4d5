/** Results of the mutants of one sample. */
export interface Outcome {
  readonly killed: number;
  readonly timedOut: number;
  readonly survived: number;
  /** Reached by no test: as bad as survived. */
  readonly uncovered: number;
}

export interface Score {
  /** Shares, 0 to 1. */
  readonly share: number;
  readonly low: number;
  readonly high: number;
}

export const detected = ({ killed, timedOut }: Outcome): number => killed + timedOut;
export const countedTrials = (outcome: Outcome): number =>
  detected(outcome) + outcome.survived + outcome.uncovered;

/**
 * The 95 % interval of Wilson around a share: honest for few trials and for shares near 0 and 1 (Wilson
 * 1927). `trials` need not be whole: a weighted share counts as many trials as its variance is worth.
 */
export function wilson(share: number, trials: number): Score {
  if (trials === 0) return { share, low: 0, high: 1 };
  const z = 1.959964;
  const spread = 1 + z ** 2 / trials;
  const centre = (share + z ** 2 / (2 * trials)) / spread;
  const reach = (z / spread) * Math.sqrt((share * (1 - share)) / trials + z ** 2 / (4 * trials ** 2));
  return { share, low: Math.max(0, centre - reach), high: Math.min(1, centre + reach) };
}

/**
 * What a run over everything would score, from samples of several parts: each part weighs as many mutants as
 * it has, however many of them were tried. Variances are those of a share with one success and one failure
 * added, so that a part where everything was killed is not taken for certain.
 */
export function totalScore(
  samples: readonly { readonly mutants: number; readonly outcome: Outcome }[],
): Score {
  const tried = samples.filter(({ outcome }) => countedTrials(outcome) > 0);
  const all = tried.reduce((sum, { mutants }) => sum + mutants, 0);
  let share = 0;
  let variance = 0;
  for (const { mutants, outcome } of tried) {
    const weight = mutants / all;
    const trials = countedTrials(outcome);
    const smoothed = (detected(outcome) + 1) / (trials + 2);
    share += weight * (detected(outcome) / trials);
    variance += weight ** 2 * ((smoothed * (1 - smoothed)) / trials);
  }
  const middle = Math.min(Math.max(share, 0.01), 0.99);
  return wilson(share, variance === 0 ? 0 : (middle * (1 - middle)) / variance);
}
