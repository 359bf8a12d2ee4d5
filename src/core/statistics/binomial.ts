import { type Distribution, normalised, pointAt, tailFrom } from './distribution.js';
import { logChoose } from './log-factorial.js';

/** How many of `trials` crashes fall on a node that holds the share `probability` (0 to 1) of the exposure. */
export function binomial(trials: number, probability: number): Distribution {
  if (!Number.isSafeInteger(trials) || trials < 0 || !(probability >= 0 && probability <= 1)) {
    throw new RangeError(`no ${trials} trials of probability ${probability}`);
  }
  if (probability === 0) return pointAt(0);
  if (probability === 1) return pointAt(trials);
  const logs = Array.from(
    { length: trials + 1 },
    (_, i) => logChoose(trials, i) + i * Math.log(probability) + (trials - i) * Math.log1p(-probability),
  );
  return normalised(0, logs);
}

/** The probability of `atLeast` or more of `trials` crashes on a node with that share of the pod-hours. */
export function binomialTail(trials: number, probability: number, atLeast: number): number {
  return tailFrom(binomial(trials, probability), atLeast);
}
