import type { Collector, CollectorLimits } from '../../doctor/crash-history/collector.js';
import { createCollector } from '../../doctor/crash-history/collector.js';
import { coveredUntil } from '../../doctor/crash-history/merge-records.js';
import { type LeadingDeps, type LeadingOptions, leadTerm, takeTurns } from '../records/keep-lease.js';
import type { CrashHistoryStore, HistoryMeters, HistoryWritten, PodWatcher } from './crash-history-ports.js';

interface KeepCrashHistoryDeps extends LeadingDeps {
  readonly watcher: PodWatcher;
  readonly history: CrashHistoryStore;
  readonly meters: HistoryMeters;
  readonly say: (what: HistoryNews) => void;
}

interface KeepCrashHistoryOptions extends LeadingOptions {
  readonly limits: CollectorLimits;
  /** How long records are kept, in seconds. */
  readonly keepSeconds: number;
  /** Between two writes, in milliseconds. */
  readonly writeEveryMs: number;
}

/** What is worth a line in the log. */
export type HistoryNews =
  | { readonly type: 'leads' | 'hands-over' | 'lost-lease'; readonly cluster: string }
  | { readonly type: 'trouble'; readonly cluster: string; readonly because: string; readonly message: string }
  | { readonly type: 'dropped'; readonly cluster: string; readonly records: number }
  | { readonly type: 'full'; readonly cluster: string; readonly pods: number }
  | { readonly type: 'store-away' | 'store-back'; readonly cluster: string };

/** Records written in one go. */
const batch = 500;
/** Coverage is written this often while nothing happens, in milliseconds. */
const coverEveryMs = 15_000;

/** One namespace of a cluster under watch. */
interface Scope {
  readonly namespace: string;
  readonly collector: Collector;
  /** When the list began that the watch goes on from; `undefined` until the first list is complete. */
  listedFrom: number | undefined;
  lastInStep: number;
  dropped: number;
}

/**
 * Keeps the history of one cluster until the signal: waits for the lease, and while it holds it watches pods
 * and writes what they tell. Several processes may run it; one at a time leads. While the store is away the
 * watch goes on and records wait; the leader writes again only under a lease that stands.
 */
export function createKeepCrashHistory(deps: KeepCrashHistoryDeps, options: KeepCrashHistoryOptions) {
  const { watcher, history, clock, elapsed, meters, say, pause } = deps;
  const { namespaces, limits, keepSeconds, leaseMs, writeEveryMs } = options;
  const seconds = (): number => Math.floor(clock.now().getTime() / 1000);
  const limitsOfScope: CollectorLimits = {
    pods: Math.ceil(limits.pods / namespaces.length),
    waiting: Math.ceil(limits.waiting / namespaces.length),
  };

  return (cluster: string, signal: AbortSignal): Promise<void> =>
    takeTurns(
      { lease: history.lease(cluster), leaseMs, pause },
      signal,
      (token) => lead(cluster, token, signal),
      () => meters.state(cluster, { leads: false, pods: 0, lagSeconds: 0 }),
    );

  async function lead(cluster: string, first: number, signal: AbortSignal): Promise<void> {
    say({ type: 'leads', cluster });
    const scopes = namespaces.map(
      (namespace): Scope => ({
        namespace,
        collector: createCollector(limitsOfScope),
        listedFrom: undefined,
        lastInStep: seconds(),
        dropped: 0,
      }),
    );
    const lease = history.lease(cluster);
    let covered = Number.NEGATIVE_INFINITY;
    const token = await leadTerm({ lease, leaseMs, everyMs: writeEveryMs, elapsed, pause }, first, signal, {
      watch: (until) =>
        scopes.map((scope) =>
          watcher
            .watch(cluster, scope.namespace, hearsOf(cluster, scope), until)
            .catch(() =>
              say({ type: 'trouble', cluster, because: 'failed', message: 'the watch ended by a defect' }),
            ),
        ),
      async round(held, now) {
        const isDue = now - covered >= coverEveryMs;
        const written = await writeAll(cluster, held, scopes, isDue);
        if (isDue) covered = now;
        return written;
      },
      storeIs: (state) => say({ type: `store-${state}`, cluster }),
      report: () => report(cluster, scopes),
    });
    // Where somebody else leads: what is still waiting here, that one has seen as well.
    if (token === undefined) {
      say({ type: 'lost-lease', cluster });
      return;
    }
    say({ type: 'hands-over', cluster });
    await writeAll(cluster, token, scopes, true).catch(() => false);
    await lease.release(token).catch(() => undefined);
  }

  function hearsOf(cluster: string, scope: Scope): Parameters<PodWatcher['watch']>[2] {
    const { collector } = scope;
    let listBegan = 0;
    let isFull = false;
    return {
      listBegins() {
        listBegan = seconds();
        collector.beginList();
      },
      listEnds() {
        collector.endList(scope.lastInStep);
        scope.listedFrom = listBegan;
        scope.lastInStep = seconds();
      },
      pod(pod, gone) {
        collector.see(pod, gone, seconds());
        if (isFull || collector.followed < limitsOfScope.pods) return;
        isFull = true;
        say({ type: 'full', cluster, pods: collector.followed });
      },
      inStep() {
        scope.lastInStep = seconds();
      },
      trouble: (because, message) => say({ type: 'trouble', cluster, because, message }),
    };
  }

  /** False when the lease is gone. */
  async function writeAll(
    cluster: string,
    token: number,
    scopes: readonly Scope[],
    isCoverDue: boolean,
  ): Promise<boolean> {
    for (const scope of scopes) {
      if (!(await writeRecords(cluster, token, scope))) return false;
      const isNew = scope.listedFrom !== undefined;
      if ((isNew || isCoverDue) && !(await writeCoverage(cluster, token, scope))) return false;
    }
    return true;
  }

  async function writeRecords(cluster: string, token: number, { collector }: Scope): Promise<boolean> {
    while (collector.waiting > 0) {
      const observations = collector.take(batch);
      let written: HistoryWritten;
      try {
        written = await history.write(cluster, token, observations, clock.now());
      } catch (error) {
        collector.putBack(observations);
        throw error;
      }
      if (written.type === 'fenced') return false;
      meters.written(observations.length);
      if (written.dropped > 0) dropped(cluster, written.dropped);
    }
    return true;
  }

  /** What had to be dropped before it could be written is a gap: the history says that it did not see it. */
  async function writeCoverage(cluster: string, token: number, scope: Scope): Promise<boolean> {
    const { namespace, collector, listedFrom, lastInStep } = scope;
    const known = await history.coverage(cluster, namespace);
    if (known === undefined && listedFrom === undefined) return true;
    const lost = collector.dropped - scope.dropped;
    const from = lost > 0 ? lastInStep : (listedFrom ?? known?.upTo ?? lastInStep);
    const next = coveredUntil(known, from, lastInStep, keepSeconds);
    const written = await history.cover(cluster, token, namespace, next);
    if (written.type === 'fenced') return false;
    scope.listedFrom = undefined;
    if (lost > 0) dropped(cluster, lost);
    scope.dropped = collector.dropped;
    return true;
  }

  function dropped(cluster: string, records: number): void {
    meters.dropped(records);
    say({ type: 'dropped', cluster, records });
  }

  function report(cluster: string, scopes: readonly Scope[]): void {
    meters.state(cluster, {
      leads: true,
      pods: scopes.reduce((sum, { collector }) => sum + collector.followed, 0),
      lagSeconds: Math.max(0, ...scopes.map(({ lastInStep }) => seconds() - lastInStep)),
    });
  }
}
