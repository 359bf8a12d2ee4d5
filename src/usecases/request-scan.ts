import type { ScanRecord } from '../core/scan/scan-record.js';
import type { Refused } from './conversation.js';
import type { MayLook } from './may-look.js';
import type { ScanStore } from './people-ports.js';
import type { Clock, JobQueue, NewId } from './ports.js';

export interface RequestScanDeps {
  readonly clock: Clock;
  /** Names of the clusters, the default one first. */
  readonly clusters: readonly string[];
  readonly jobs: JobQueue;
  readonly mayLook: MayLook;
  readonly newId: NewId;
  readonly scans: ScanStore;
}

export type RequestScan = (request: {
  readonly by: string;
  readonly cluster?: string | undefined;
  /** Absent: all namespaces. */
  readonly namespace?: string | undefined;
  readonly channel: string;
  readonly threadTs?: string | undefined;
}) => Promise<
  | { readonly type: 'queued'; readonly scan: ScanRecord; readonly joined: boolean }
  | { readonly type: 'cluster-unknown'; readonly name: string }
  | Refused
>;

/** Queues a scan. The same person asking for the same again while it runs gets the one that runs. */
export function createRequestScan(deps: RequestScanDeps): RequestScan {
  const { clock, clusters, jobs, mayLook, newId, scans } = deps;
  return async ({ by, cluster = clusters[0] ?? '', namespace = '', channel, threadTs }) => {
    const allowed = await mayLook(by);
    if (allowed.type === 'refused') return allowed;
    if (!clusters.includes(cluster)) return { type: 'cluster-unknown', name: cluster };
    const { created, scan } = await scans.open({
      v: 1,
      id: newId(),
      cluster,
      namespace,
      by,
      channel,
      ...(threadTs === undefined ? {} : { threadTs }),
      askedAt: clock.now().toISOString(),
    });
    // Also for one that was there: a process may have died between its record and its job.
    await jobs.enqueue('scan', { v: 1, scanId: scan.id });
    return { type: 'queued', scan, joined: !created };
  };
}
