/** Two probabilities that differ by less than this part are taken as equal: tables with equal odds must tie. */
const rounding = 1e-9;

/** Whether p is at most the limit, rounding aside. */
export function atMost(p: number, limit: number): boolean {
  return p <= limit * (1 + rounding);
}

/** The probability that the best of `tests` would look this good by chance, at most. */
export function bonferroni(p: number, tests: number): number {
  return Math.min(1, p * tests);
}

/**
 * Tarone (1990): how many tests count, given the smallest probability that each could have reached. A node that could
 * not have been significant whatever had happened (one pod, many crashes) does not make the others pay.
 */
export function taroneTests(smallest: readonly number[], alpha: number): number {
  for (let tests = 1; tests <= smallest.length; tests += 1) {
    if (smallest.filter((p) => atMost(p, alpha / tests)).length <= tests) return tests;
  }
  return smallest.length;
}
