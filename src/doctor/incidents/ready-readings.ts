import * as z from 'zod';
import type { Immutable } from '../../engine/objects/wire.js';
import type { Diagnosis } from '../findings/diagnosis.js';

/**
 * How long no pod was ready after a change, as far as readings of the workload's status can show. Nobody
 * reads between two readings, so that the length has a lower and an upper bound.
 */
export const ReadyReadings = z.object({
  count: z.number(),
  /** RFC3339: the last reading, before the first one the time of the change. */
  at: z.string(),
  /** At the last reading. */
  hasReady: z.boolean(),
  /** Time between readings that both found no ready pod. */
  atLeastMs: z.number(),
  /** The same with the time since the reading before, and until the reading after. */
  atMostMs: z.number(),
  /** The longest time between two readings. */
  longestPauseMs: z.number(),
});
export type ReadyReadings = Immutable<z.output<typeof ReadyReadings>>;

/** One reading of the workload's status. */
export interface ReadyReading {
  /** RFC3339 */
  readonly at: string;
  readonly readyPods: number;
}

/** The part of an incident that a measurement needs. */
interface MeasuredChange {
  readonly change?:
    | { readonly appliedAt?: string | undefined; readonly readings?: ReadyReadings | undefined }
    | undefined;
  /** Before the change. */
  readonly diagnosis?: Pick<Diagnosis, 'ready'> | undefined;
}

/**
 * The readings of the change that is being verified, with one more.
 *
 * @returns `undefined` where no pod was ready before the change: then the change did not cause the downtime
 */
export function withReading(
  { change, diagnosis }: MeasuredChange,
  { at, readyPods }: ReadyReading,
): ReadyReadings | undefined {
  if (change?.appliedAt === undefined || diagnosis === undefined || diagnosis.ready.pods === 0)
    return undefined;
  const last = change.readings ?? {
    count: 0,
    at: change.appliedAt,
    hasReady: true,
    atLeastMs: 0,
    atMostMs: 0,
    longestPauseMs: 0,
  };
  const passedMs = Date.parse(at) - Date.parse(last.at);
  // A worker that took the job over may report an older snapshot, and a snapshot may be older than the
  // change.
  if (!(passedMs >= 0)) return change.readings;
  const hasReady = readyPods > 0;
  return {
    count: last.count + 1,
    at,
    hasReady,
    atLeastMs: last.atLeastMs + (hasReady || last.hasReady ? 0 : passedMs),
    atMostMs: last.atMostMs + (hasReady && last.hasReady ? 0 : passedMs),
    longestPauseMs: Math.max(last.longestPauseMs, passedMs),
  };
}
