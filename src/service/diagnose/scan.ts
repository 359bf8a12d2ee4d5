import type { Diagnosis } from '../../doctor/findings/diagnosis.js';
import { visibleDiagnosis } from '../../doctor/findings/visible-diagnosis.js';
import { isClusterVisible, isUnlimited, type Sight, visibleIn } from '../../doctor/policy/view.js';
import { type ScanRecord, scanReport, troubledFirst } from '../../doctor/scans/scan-record.js';
import type { Snapshot, Unseen } from '../../engine/objects/snapshot.js';
import type { DeliveryStore, Shown } from '../deliver/incident-thread.js';
import { DoctorError } from '../errors.js';
import type { ScanJob } from '../jobs/jobs.js';
import type { Refused } from '../people/conversation.js';
import type { ScanStore } from '../people/people-ports.js';
import { type Sights, sightOrRefused } from '../people/sights.js';
import type { Clock, JobQueue, NewId } from '../records/process-ports.js';
import type { ClusterReader, NotFound, Unreadable } from './cluster-reader.js';
import { diagnosisUnlessEnded } from './diagnosis-back-off.js';
import type { DiagnosisEngine } from './engine.js';

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

/** Tells the one who asked for a scan, so that only they see it. One call, one attempt. */
export type ScanAudience = { showScan(scan: ScanRecord): Promise<Shown> };

interface RunScanDeps {
  readonly audience: ScanAudience;
  readonly clock: Clock;
  readonly cluster: Pick<ClusterReader, 'scope'>;
  readonly deliveries: Pick<DeliveryStore, 'held'>;
  readonly engine: Pick<DiagnosisEngine, 'needs' | 'diagnose'>;
  readonly scans: ScanStore;
  readonly sights: Pick<Sights, 'ofPerson'>;
  /** Time for reading the cluster, and again for diagnosing what was read, in milliseconds. */
  readonly withinMs: number;
}

/** Workloads that one scan diagnoses. */
const maxWorkloads = 500;

/**
 * Looks once at every workload of a namespace that the person who asked may see, and sends that person what
 * was found. What was found is on record before Slack is asked, so that a Slack that is away costs no second
 * diagnosis.
 *
 * @returns when to come back, where Slack asked to wait
 * @throws DoctorError `slack-unavailable`, retryable
 */
export function createRunScan(deps: RunScanDeps) {
  return async ({ scanId }: ScanJob): Promise<{ readonly afterMs: number } | undefined> => {
    const scan = await deps.scans.get(scanId);
    if (scan === undefined) return undefined;
    const done = scan.outcome === undefined ? { ...scan, outcome: await scanNamespace(deps, scan) } : scan;
    if (scan.outcome === undefined) await deps.scans.put(done);
    return tell(deps, done);
  };
}

/** Tells that a scan failed by itself. */
export function createFailScan(deps: Pick<RunScanDeps, 'audience' | 'scans'>) {
  return async (scanId: string | undefined, reference: string): Promise<void> => {
    const scan = scanId === undefined ? undefined : await deps.scans.get(scanId);
    if (scan === undefined || scan.outcome !== undefined) return;
    const outcome = { type: 'failure', because: 'inside', detail: reference } as const;
    await deps.scans.put({ ...scan, outcome });
    await deps.audience.showScan({ ...scan, outcome });
  };
}

async function scanNamespace(
  deps: RunScanDeps,
  scan: ScanRecord,
): Promise<NonNullable<ScanRecord['outcome']>> {
  const { cluster, namespace } = scan;
  const sight = await deps.sights.ofPerson(scan.by);
  const isVisible = (name: string) => visibleIn(sight, { cluster, namespace: name }).workload;
  // Decided by the name alone: whether such a namespace exists must not show.
  if (namespace !== '' && !isVisible(namespace)) {
    return { type: 'failure', because: 'namespace-unknown', detail: namespace };
  }
  const signal = AbortSignal.timeout(deps.withinMs);
  const scope = await deps.cluster.scope({ cluster, namespace }, deps.engine.needs, signal);
  if (scope.type !== 'scope') return failureOf(scope);
  const { takenAt } = scope;
  const snapshots = scope.snapshots.filter(({ workload }) => isVisible(workload.metadata.namespace));
  const until = deps.clock.now().getTime() + deps.withinMs;
  const { diagnoses, late } = await diagnosed(deps, troubledFirst(snapshots).slice(0, maxWorkloads), until);
  const skipped = snapshots.length - diagnoses.length;
  return scanReport(
    diagnoses.map((diagnosis) => visibleDiagnosis(diagnosis, sight)),
    {
      takenAt,
      skipped,
      ...(skipped === 0 ? {} : { skippedBecause: late ? 'time' : 'number' }),
      unseen: scope.unseen
        .filter(({ namespace: of }) => isUnseenVisible(of, sight, isVisible))
        .map(({ what, namespace: where, because }: Unseen) => ({ what, namespace: where, because })),
    },
  );
}

/** What could not be read of the whole cluster concerns every reader. */
function isUnseenVisible(
  namespace: string,
  sight: Sight,
  isVisible: (namespace: string) => boolean,
): boolean {
  return namespace === '' || isUnlimited(sight) || isVisible(namespace);
}

async function diagnosed(
  { engine, clock }: RunScanDeps,
  snapshots: readonly Snapshot[],
  until: number,
): Promise<{ readonly diagnoses: readonly Diagnosis[]; readonly late: boolean }> {
  const diagnoses: Diagnosis[] = [];
  let late = false;
  for (const snapshot of snapshots) {
    if (clock.now().getTime() >= until) return { diagnoses, late: true };
    const diagnosis = await diagnosisUnlessEnded(engine, snapshot);
    if (diagnosis === undefined) late = true;
    else diagnoses.push(diagnosis);
  }
  return { diagnoses, late };
}

function failureOf(read: NotFound | Unreadable): NonNullable<ScanRecord['outcome']> {
  if (read.type === 'unreadable') return { type: 'failure', because: 'unreadable', detail: read.because };
  const because = read.what === 'cluster' ? 'cluster-unknown' : 'namespace-unknown';
  return { type: 'failure', because, detail: read.name };
}

async function tell(
  { audience, deliveries }: RunScanDeps,
  scan: ScanRecord,
): Promise<{ readonly afterMs: number } | undefined> {
  const held = await deliveries.held();
  if (held > 0) return { afterMs: held };
  const shown = await audience.showScan(scan);
  switch (shown.type) {
    case 'shown':
    case 'refused':
      return undefined;
    case 'throttled':
      return { afterMs: shown.retryAfterMs };
    case 'doubtful':
    case 'unavailable':
      throw new DoctorError({
        code: 'slack-unavailable',
        message: 'Slack did not take what a scan found',
        retryable: true,
      });
  }
}
