import type { SimulatedStep } from './simulation.js';

/** What a change costs the users of the workload. */
export interface Downtime {
  /** `gap`: a time with no ready pod. `reduced`: fewer than before, and than wanted, but never none. */
  readonly kind: 'none' | 'reduced' | 'gap';
  readonly readyMin: number;
  readonly ofReplicas: number;
  /**
   * Seconds without any ready pod (`gap`) or with fewer than before (`reduced`): an upper bound, since every
   * pod is given its whole grace period. `undefined` when it does not end by itself or a length was never
   * seen.
   */
  readonly seconds: number | undefined;
  /** False: as far as simulated, it stays so. */
  readonly ends: boolean;
}

/** From the ready pods before the change, those wanted, and the steps that follow it. */
export function downtimeOf(
  readyBefore: number,
  replicas: number,
  steps: readonly SimulatedStep[],
  durationsKnown: boolean,
): Downtime {
  const baseline = Math.min(readyBefore, replicas);
  const readyMin = steps.reduce((least, { ready }) => Math.min(least, ready), readyBefore);
  if (readyMin >= baseline) {
    return { kind: 'none', readyMin, ofReplicas: replicas, seconds: undefined, ends: true };
  }
  const kind = readyMin === 0 ? 'gap' : 'reduced';
  const isDown = ({ ready }: SimulatedStep) => (kind === 'gap' ? ready === 0 : ready < baseline);
  const last = steps.at(-1);
  const ends = last !== undefined && !isDown(last);
  const seconds = steps.reduce((total, step, position) => {
    const next = steps[position + 1];
    return isDown(step) && next !== undefined ? total + next.at - step.at : total;
  }, 0);
  return {
    kind,
    readyMin,
    ofReplicas: replicas,
    seconds: ends && durationsKnown ? seconds : undefined,
    ends,
  };
}
