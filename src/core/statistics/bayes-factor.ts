/** Crashed and all pods on one node and of the whole table. */
export interface NodeCounts {
  readonly crashedHere: number;
  readonly here: number;
  readonly crashed: number;
  readonly all: number;
}

/** Beta prior of a crash probability; Jeffreys' is a = b = 0.5. */
export interface BetaPrior {
  readonly a: number;
  readonly b: number;
}

export const jeffreys: BetaPrior = { a: 0.5, b: 0.5 };

/**
 * ln of how much better "this node has its own crash probability" explains the table than "one probability for all",
 * both drawn from the prior (Beta-binomial). Beta functions as products of rising factorials: exact for whole counts.
 */
export function logBayesFactor(
  { crashedHere, here, crashed, all }: NodeCounts,
  { a, b }: BetaPrior = jeffreys,
): number {
  const marginal = (k: number, n: number): number =>
    logRising(a, k) + logRising(b, n - k) - logRising(a + b, n);
  return marginal(crashedHere, here) + marginal(crashed - crashedHere, all - here) - marginal(crashed, all);
}

function logRising(x: number, n: number): number {
  let sum = 0;
  for (let i = 0; i < n; i += 1) sum += Math.log(x + i);
  return sum;
}

/**
 * The posterior probability that exactly one of the nodes is bad, and how it splits among them. `priorOdds`: odds,
 * before looking, that some node is bad. Only nodes with a crash rate above the rest's take part: a node that crashes
 * less than the others also differs from them.
 */
export function badNodePosterior(
  nodes: readonly NodeCounts[],
  priorOdds: number,
): { readonly any: number; readonly each: readonly number[] } {
  const factors = nodes.map((counts) =>
    isWorse(counts) ? Math.exp(Math.min(600, logBayesFactor(counts))) : 0,
  );
  const sum = factors.reduce((total, factor) => total + factor, 0);
  if (sum === 0) return { any: 0, each: nodes.map(() => 0) };
  const odds = (priorOdds * sum) / nodes.length;
  const any = odds / (1 + odds);
  return { any, each: factors.map((factor) => (any * factor) / sum) };
}

function isWorse({ crashedHere, here, crashed, all }: NodeCounts): boolean {
  return crashedHere * (all - here) > (crashed - crashedHere) * here;
}
