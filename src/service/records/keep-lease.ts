import type { Lease } from '../history/crash-history-ports.js';
import type { Clock } from './process-ports.js';

/** What somebody needs who watches a cluster while no other process does. */
export interface LeadingDeps {
  readonly clock: Clock;
  /** Milliseconds since some moment; never set back, as a wall clock is. */
  readonly elapsed: () => number;
  /** Settles after so many milliseconds, or when the signal comes; never throws. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
}

export interface LeadingOptions {
  /** Namespaces to watch; '' is all of them. */
  readonly namespaces: readonly string[];
  /** Of the lease, in milliseconds. */
  readonly leaseMs: number;
}

/**
 * Waits for the lease and leads while it holds, again and again until the signal.
 *
 * @param lead settles once it leads no more
 */
export async function takeTurns(
  {
    lease,
    leaseMs,
    pause,
  }: Pick<LeadingDeps & LeadingOptions, 'pause' | 'leaseMs'> & { readonly lease: Lease },
  signal: AbortSignal,
  lead: (token: number) => Promise<void>,
  leadsNot: () => void,
): Promise<void> {
  while (!signal.aborted) {
    const token = await lease.acquire().catch(() => undefined);
    if (token === undefined) await pause(leaseMs / 3, signal);
    else await lead(token);
    leadsNot();
  }
}

/** What is done while a process leads. */
interface Term {
  /** Begins the watches; they end with the signal. */
  readonly watch: (signal: AbortSignal) => readonly Promise<unknown>[];
  /**
   * One round of work under the lease; false when the lease turns out to be lost. Throws while the store is
   * away: the watches go on, and the next round comes under a lease that stands.
   */
  readonly round: (token: number, now: number) => Promise<boolean>;
  readonly storeIs: (state: 'away' | 'back') => void;
  /** After each round, whatever became of it. */
  readonly report: () => void;
}

/**
 * Leads for one term: watches, and works in rounds while the lease is renewed in time, until the signal comes
 * or somebody else leads. The watches have ended by then.
 *
 * @returns the lease as it is still held; `undefined` when it was lost
 */
export async function leadTerm(
  {
    lease,
    leaseMs,
    everyMs,
    elapsed,
    pause,
  }: Pick<LeadingDeps & LeadingOptions, 'elapsed' | 'pause' | 'leaseMs'> & {
    readonly lease: Lease;
    /** Between two rounds, in milliseconds. */
    readonly everyMs: number;
  },
  first: number,
  signal: AbortSignal,
  { watch, round, storeIs, report }: Term,
): Promise<number | undefined> {
  const term = new AbortController();
  const end = (): void => term.abort();
  signal.addEventListener('abort', end);
  const watches = watch(term.signal);
  let token: number | undefined = first;
  let away = false;
  let renewed = elapsed();
  while (token !== undefined && !signal.aborted) {
    await pause(everyMs, signal);
    try {
      const now = elapsed();
      if (away || now - renewed >= leaseMs / 3) {
        if (!(await lease.renew(token))) token = await lease.acquire();
        if (token === undefined) break;
        renewed = now;
      }
      if (!(await round(token, now))) token = undefined;
      if (away) storeIs('back');
      away = false;
    } catch {
      if (!away) storeIs('away');
      away = true;
    }
    report();
  }
  end();
  signal.removeEventListener('abort', end);
  await Promise.all(watches);
  return token;
}
