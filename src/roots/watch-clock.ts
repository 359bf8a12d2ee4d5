import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { SharedClock } from '../service/records/process-ports.js';

interface ClockWatchOptions {
  readonly sharedClock: SharedClock;
  readonly log: Logger;
  /** How far the clocks may differ, in milliseconds. */
  readonly maxApartMs?: number;
  readonly everyMs?: number;
}

interface ClockWatch {
  /** Whether the clocks differ by more than is tolerated. */
  isApart(): boolean;
  /** Resolves when they do. */
  readonly untilApart: Promise<'clock'>;
  stop(): void;
}

/**
 * With five minutes, which Slack and tokens of a cluster tolerate, everything works; an hour is beyond each
 * deadline.
 */
const usualMaxApartMs = 360_000;
const usualEveryMs = 15_000;
/** Redis may be away at the start. */
const firstWithinMs = 3_000;

/**
 * Compares the clock of this machine with that of Redis, by which approvals expire. BullMQ hands delayed jobs
 * out by the clock of the worker, and deadlines are moments of one process that another one reads: with a
 * clock that is an hour off, an approved change would wait for an hour, or a verification end at once. Such a
 * process does no work.
 *
 * The first comparison is awaited, so that no job is taken before it.
 */
export async function watchClock({
  sharedClock,
  log,
  maxApartMs = usualMaxApartMs,
  everyMs = usualEveryMs,
}: ClockWatchOptions): Promise<ClockWatch> {
  let isApart = false;
  const { promise: untilApart, resolve: onApart } = deferred<'clock'>();
  const compare = async (): Promise<void> => {
    const from = Date.now();
    const shared = await sharedClock.now().catch(() => undefined);
    // Redis read its clock at some moment in between.
    const [behindMs, aheadMs] = [
      (shared?.getTime() ?? from) - Date.now(),
      from - (shared?.getTime() ?? from),
    ];
    if (Math.max(behindMs, aheadMs) <= maxApartMs) return;
    const seconds = Math.round(Math.max(behindMs, aheadMs) / 1_000);
    const side = behindMs > aheadMs ? 'behind' : 'ahead';
    log.fatal({ seconds, side }, 'the clock of this machine differs from that of Redis; no work is done');
    isApart = true;
    onApart('clock');
  };
  await Promise.race([compare(), setTimeout(firstWithinMs, undefined, { ref: false })]);
  const timer = setInterval(() => void compare(), everyMs);
  timer.unref();
  return { isApart: () => isApart, untilApart, stop: () => clearInterval(timer) };
}

function deferred<Value>() {
  let resolve: (value: Value) => void = () => undefined;
  const promise = new Promise<Value>((settle) => {
    resolve = settle;
  });
  return { promise, resolve: (value: Value) => resolve(value) };
}
