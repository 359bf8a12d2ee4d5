import type { Lease } from './crash-history-ports.js';
import type { Clock } from './ports.js';

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
