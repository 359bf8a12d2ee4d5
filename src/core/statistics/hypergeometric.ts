import { type Distribution, normalised } from './distribution.js';
import { logChoose } from './log-factorial.js';

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
