import { type Distribution, normalised } from './distribution.js';

/** `drawn` of `population` pods ran on a node; `marked` of the population crashed. */
export interface Draw {
  readonly population: number;
  readonly marked: number;
  readonly drawn: number;
}

/**
 * How many crashed pods a node would hold if the crashes had fallen on pods at random: C(K,i)·C(N−K,n−i)/C(N,n), in
 * logarithms, so that no table is too large.
 */
export function hypergeometric({ population, marked, drawn }: Draw): Distribution {
  if (
    ![population, marked, drawn].every(Number.isSafeInteger) ||
    Math.min(marked, drawn) < 0 ||
    Math.max(marked, drawn) > population
  ) {
    throw new RangeError(`no draw of ${drawn} from ${population} of which ${marked} are marked`);
  }
  const low = Math.max(0, drawn + marked - population);
  const high = Math.min(drawn, marked);
  const logs = Array.from(
    { length: high - low + 1 },
    (_, i) => logChoose(marked, low + i) + logChoose(population - marked, drawn - low - i),
  );
  return normalised(low, logs);
}

/**
 * ln n! for whole n ≥ 0, by summing logarithms with Neumaier's compensation: the error stays within a few units in the
 * last place of the result (1e-15 of it), where the usual series for the gamma function give 1e-10. Sums are kept, so
 * that the cost is paid once for the largest n.
 */
export function logFactorial(n: number): number {
  if (!Number.isSafeInteger(n) || n < 0) throw new RangeError(`no factorial of ${n}`);
  for (let i = sums.length; i <= n; i += 1) extend(Math.log(i));
  return sums[n] ?? 0;
}

/** ln of the number of ways to choose k of n; -Infinity where there is none. */
export function logChoose(n: number, k: number): number {
  if (k < 0 || k > n) return Number.NEGATIVE_INFINITY;
  return logFactorial(n) - logFactorial(k) - logFactorial(n - k);
}

const sums: number[] = [0, 0];
let raw = 0;
let lost = 0;

function extend(term: number): void {
  const next = raw + term;
  lost += Math.abs(raw) >= Math.abs(term) ? raw - next + term : term - next + raw;
  raw = next;
  sums.push(raw + lost);
}
