import type { ScanRecord } from '../../doctor/scans/scan-record.js';
import type { ScanStore } from '../people/people-ports.js';
import type { Clock } from '../records/process-ports.js';

/** After this nobody waits for the answer of a scan any more. */
const keptMs = 600_000;
const maxKept = 200;

interface KeptScans {
  /** The same store. Scans that are requested through it are kept in memory until they are done. */
  readonly scans: ScanStore;
  /**
   * Stores again the scans that the store has lost before they were done.
   *
   * @returns those that were lost
   * @throws DoctorError `redis-unavailable`, retryable
   */
  restoreLost(): Promise<readonly ScanRecord[]>;
}

/** Keeps requested scans in memory: a store that loses its data also loses their jobs. */
export function keepScans({ store, clock }: { readonly store: ScanStore; readonly clock: Clock }): KeptScans {
  const kept = new Map<string, ScanRecord>();
  return {
    scans: {
      ...store,
      async open(scan) {
        const opened = await store.open(scan);
        kept.set(opened.scan.id, opened.scan);
        const [oldest] = kept.keys();
        if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest);
        return opened;
      },
    },
    async restoreLost() {
      const lost: ScanRecord[] = [];
      for (const scan of [...kept.values()]) {
        const stored = await store.get(scan.id);
        const isOld = clock.now().getTime() - Date.parse(scan.askedAt) > keptMs;
        if (stored?.outcome !== undefined || isOld) kept.delete(scan.id);
        else if (stored === undefined) lost.push((await store.open(scan)).scan);
      }
      return lost;
    },
  };
}
