import type { Candidate } from '../../doctor/sentinel/candidate.js';
import type { Intake, IntakeLimits, Taken } from '../../doctor/sentinel/intake.js';
import { createIntake, firstDiagnosisMs } from '../../doctor/sentinel/intake.js';
import type { SentinelJob } from '../jobs/jobs.js';
import { type LeadingDeps, type LeadingOptions, leadTerm, takeTurns } from '../records/keep-lease.js';
import type { Digest, JobQueue } from '../records/process-ports.js';
import type { CandidateHears, CandidateWatcher, SentinelMeters, SentinelStore } from './sentinel-ports.js';

interface KeepSentinelDeps extends LeadingDeps {
  readonly watcher: CandidateWatcher;
  readonly sentinel: Pick<SentinelStore, 'lease'>;
  readonly jobs: JobQueue;
  readonly digest: Digest;
  readonly meters: Pick<SentinelMeters, 'candidate' | 'dropped' | 'state'>;
  readonly say: (what: SentinelNews) => void;
}

interface KeepSentinelOptions extends LeadingOptions {
  readonly limits: IntakeLimits;
  /** How long a refusal has to stand before it is looked at. */
  readonly afterSeconds: number;
  /** Between two rounds of queueing, in milliseconds. */
  readonly queueEveryMs: number;
}

/** What is worth a line in the log. */
export type SentinelNews =
  | {
      readonly type: 'leads' | 'hands-over' | 'lost-lease' | 'queue-away' | 'queue-back';
      readonly cluster: string;
    }
  | { readonly type: 'trouble'; readonly cluster: string; readonly because: string; readonly message: string }
  | { readonly type: 'dropped'; readonly cluster: string; readonly candidates: number };

/** Candidates queued in one go. */
const batch = 200;

/**
 * Watches one cluster for candidates until the signal: waits for the lease, and while it holds it turns what
 * the watches tell into jobs under ids that candidates determine. Several processes may run it; one at a time
 * leads. What the former leader has queued is there already for the next one, which hears again of everything
 * that stands; so a leader that lost its lease without knowing can only queue what is queued.
 */
export function createKeepSentinel(deps: KeepSentinelDeps, options: KeepSentinelOptions) {
  const { watcher, sentinel, jobs, clock, digest, elapsed, meters, say, pause } = deps;
  const { namespaces, limits, afterSeconds, leaseMs, queueEveryMs } = options;

  return (cluster: string, signal: AbortSignal): Promise<void> =>
    takeTurns(
      { lease: sentinel.lease(cluster), leaseMs, pause },
      signal,
      (token) => lead(cluster, token, signal),
      () => meters.state(cluster, { leads: false, lagSeconds: 0 }),
    );

  async function lead(cluster: string, first: number, signal: AbortSignal): Promise<void> {
    say({ type: 'leads', cluster });
    const intake = createIntake(limits);
    let lastInStep = elapsed();
    const hears: CandidateHears = {
      candidate(candidate) {
        intake.see(candidate, clock.now().getTime());
      },
      inStep() {
        lastInStep = elapsed();
      },
      trouble: (because, message) => say({ type: 'trouble', cluster, because, message }),
    };
    const lease = sentinel.lease(cluster);
    let dropped = 0;
    const token = await leadTerm({ lease, leaseMs, everyMs: queueEveryMs, elapsed, pause }, first, signal, {
      watch: (until) =>
        namespaces.map((namespace) =>
          watcher
            .watch(cluster, namespace, hears, until)
            .catch(() =>
              say({ type: 'trouble', cluster, because: 'failed', message: 'the watch ended by a defect' }),
            ),
        ),
      async round() {
        await queueAll(cluster, intake);
        return true;
      },
      storeIs: (state) => say({ type: `queue-${state}`, cluster }),
      report() {
        if (intake.dropped > dropped) {
          meters.dropped(intake.dropped - dropped);
          say({ type: 'dropped', cluster, candidates: intake.dropped - dropped });
          dropped = intake.dropped;
        }
        meters.state(cluster, { leads: true, lagSeconds: (elapsed() - lastInStep) / 1_000 });
      },
    });
    if (token === undefined) {
      say({ type: 'lost-lease', cluster });
      return;
    }
    say({ type: 'hands-over', cluster });
    await queueAll(cluster, intake).catch(() => undefined);
    await lease.release(token).catch(() => undefined);
  }

  async function queueAll(cluster: string, intake: Intake): Promise<void> {
    for (;;) {
      const taken = intake.take(batch, clock.now().getTime());
      if (taken.length === 0) return;
      for (const [number, one] of taken.entries()) {
        try {
          await queue(cluster, one);
        } catch (error) {
          intake.putBack(taken.slice(number));
          throw error;
        }
      }
    }
  }

  /** One whose looks have ended is only looked at again where something has changed. */
  async function queue(cluster: string, { candidate, changed }: Taken): Promise<void> {
    const now = clock.now().getTime();
    const delayMs = firstDiagnosisMs(candidate.since, now, afterSeconds);
    const job = jobFor(cluster, candidate, new Date(now + delayMs));
    await jobs.enqueue('sentinel', job, { urgency: 'alert', delayMs, again: changed });
    meters.candidate(candidate.reason);
  }

  function jobFor(cluster: string, { owner, key, reason, since }: Candidate, due: Date): SentinelJob {
    return {
      v: 1,
      candidate: digest(JSON.stringify([cluster, key])).slice(0, 32),
      cluster,
      owner,
      reason,
      ...(since === undefined ? {} : { since }),
      dueAt: due.toISOString(),
    };
  }
}
