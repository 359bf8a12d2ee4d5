import { isClusterVisible } from '../../doctor/policy/view.js';
import type { ScanRecord } from '../../doctor/scans/scan-record.js';
import type { Refused } from '../people/conversation.js';
import type { ScanStore } from '../people/people-ports.js';
import { type Sights, sightOrRefused } from '../people/sights.js';
import type { Clock, JobQueue, NewId } from '../records/process-ports.js';

interface RequestScanDeps {
  readonly clock: Clock;
  /** Names of the clusters, the default one first. */
  readonly clusters: () => readonly string[];
  readonly jobs: JobQueue;
  readonly newId: NewId;
  readonly scans: ScanStore;
  readonly sights: Pick<Sights, 'ofPerson'>;
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
  | { readonly type: 'cluster-unknown'; readonly name: string; readonly known: readonly string[] }
  | Refused
>;

/** Queues a scan. The same person asking for the same again while it runs gets the one that runs. */
export function createRequestScan(deps: RequestScanDeps): RequestScan {
  const { clock, clusters, jobs, newId, scans, sights } = deps;
  return async ({ by, cluster: named, namespace = '', channel, threadTs }) => {
    const allowed = await sightOrRefused(sights, by);
    if (allowed.type === 'refused') return allowed;
    const visible = clusters().filter((name) => isClusterVisible(allowed.sight, name));
    const cluster = named ?? visible[0] ?? '';
    if (!visible.includes(cluster)) return { type: 'cluster-unknown', name: cluster, known: visible };
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
