import type { Downtime } from './downtime.js';

/** Sums up what `downtimeOf` asks of all steps, so that the steps need not be kept. */
export interface ImpactTally {
  /** Fewer ready pods than so many are a loss. */
  readonly baseline: number;
  /** At so many seconds since the start, so many pods are ready, and stay so until the next note. */
  readonly note: (at: number, ready: number) => void;
  /** The noted span since `before` comes round `times` more, each time unchanged. */
  readonly repeat: (before: ImpactMark, times: number) => void;
  readonly mark: () => ImpactMark;
  readonly downtime: (durationsKnown: boolean) => Downtime;
}

/** The sums at one moment. */
export interface ImpactMark {
  readonly at: number;
  /** Seconds without any ready pod, and with fewer than before the change. */
  readonly emptySeconds: number;
  readonly fewerSeconds: number;
}

/** From the ready pods before the change and those wanted: the same as `downtimeOf` over all steps. */
export function createImpactTally(readyBefore: number, replicas: number): ImpactTally {
  const baseline = Math.min(readyBefore, replicas);
  let readyMin = readyBefore;
  let emptySeconds = 0;
  let fewerSeconds = 0;
  let last: { readonly at: number; readonly ready: number } | undefined;
  return {
    baseline,
    note(at, ready) {
      if (last !== undefined && last.ready === 0) emptySeconds += at - last.at;
      if (last !== undefined && last.ready < baseline) fewerSeconds += at - last.at;
      readyMin = Math.min(readyMin, ready);
      last = { at, ready };
    },
    mark: () => ({ at: last?.at ?? 0, emptySeconds, fewerSeconds }),
    repeat(before, times) {
      if (last === undefined) return;
      emptySeconds += times * (emptySeconds - before.emptySeconds);
      fewerSeconds += times * (fewerSeconds - before.fewerSeconds);
      last = { at: last.at + times * (last.at - before.at), ready: last.ready };
    },
    downtime(durationsKnown) {
      if (readyMin >= baseline) {
        return { kind: 'none', readyMin, ofReplicas: replicas, seconds: undefined, ends: true };
      }
      const kind = readyMin === 0 ? 'gap' : 'reduced';
      const ready = last?.ready ?? 0;
      const ends = last !== undefined && !(kind === 'gap' ? ready === 0 : ready < baseline);
      const seconds = kind === 'gap' ? emptySeconds : fewerSeconds;
      return {
        kind,
        readyMin,
        ofReplicas: replicas,
        seconds: ends && durationsKnown ? seconds : undefined,
        ends,
      };
    },
  };
}
