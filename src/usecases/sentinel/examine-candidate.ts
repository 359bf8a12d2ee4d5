import { visibleIn } from '../../core/authorization/view.js';
import type { WorkloadRef } from '../../core/cluster/workload.js';
import { type Ignored, wantedFor } from '../../core/sentinel/annotations.js';
import { nextDiagnosisMs } from '../../core/sentinel/next-look.js';
import { provenDeadlockOf } from '../../core/sentinel/proven-deadlock.js';
import { quietUntil } from '../../core/sentinel/quiet-hours.js';
import type { SentinelSettings } from '../../core/sentinel/sentinel-settings.js';
import type { SentinelJob } from '../../jobs/jobs.js';
import type { ClusterReader } from '../diagnose/cluster-reader.js';
import { diagnosisUnlessEnded } from '../diagnose/diagnosis-back-off.js';
import type { DiagnosisEngine } from '../diagnose/doctor.js';
import type { SilenceStore } from '../people/people-ports.js';
import type { Sights } from '../people/sights.js';
import type { Counters } from '../records/process-ports.js';
import { createReportDeadlock, type TellDeadlockDeps } from './open-proven-deadlock.js';
import type { CandidateOutcome, CandidateReader, SentinelMeters, SentinelStore } from './sentinel-ports.js';

export interface ExamineCandidateDeps extends TellDeadlockDeps {
  readonly candidates: CandidateReader;
  readonly cluster: Pick<ClusterReader, 'snapshot'>;
  readonly engine: DiagnosisEngine;
  readonly meters: Pick<SentinelMeters, 'countExamination' | 'reportedAfter'>;
  readonly metrics: Pick<Counters, 'found' | 'diagnosisTook'>;
  readonly sentinel: Pick<SentinelStore, 'proven' | 'unproven' | 'told' | 'noteTold'>;
  readonly sights: Pick<Sights, 'ofChannel'>;
  readonly silences: Pick<SilenceStore, 'of'>;
  /** `undefined` where the sentinel was turned off: what is queued still is dropped. */
  readonly settings: SentinelSettings | undefined;
  /** Who is told unless the settings of the sentinel or an annotation say otherwise. */
  readonly channel: string | undefined;
  readonly sayIgnored: (ignored: Ignored, workload: WorkloadRef) => void;
}

interface ComeBack {
  readonly afterMs: number;
}

/** Two diagnoses have to prove it: one may have read a rollout while it moved. */
const secondProofMs = 5_000;
/** A silence may be lifted before its end; asking costs one read of Redis. */
const silenceMs = 300_000;

/**
 * Looks once at what a candidate is, and says so only if it is a deadlock beyond doubt, twice in a row.
 * Everything else is silent and counted. Comes back with growing pauses, after the quiet hours, or not at
 * all.
 */
export function createExamineCandidate(deps: ExamineCandidateDeps) {
  const { candidates, cluster, clock, engine, meters, metrics, sentinel, silences, settings } = deps;
  const reportDeadlock = createReportDeadlock(deps);
  const fallback = settings?.channel ?? deps.channel;

  return async (job: SentinelJob): Promise<ComeBack | undefined> => {
    const now = clock.now().getTime();
    const ends = (outcome: CandidateOutcome): undefined => meters.countExamination(outcome) as undefined;
    const comesBack = (outcome: CandidateOutcome, afterMs: number | undefined): ComeBack | undefined => {
      meters.countExamination(outcome);
      return afterMs === undefined ? undefined : { afterMs };
    };
    const later = (outcome: CandidateOutcome) =>
      comesBack(outcome, nextDiagnosisMs(now - Date.parse(job.dueAt)));

    if (settings === undefined) return ends('not-watched');
    const { quietHours } = settings;
    const until = quietHours && quietUntil(quietHours, now);
    if (until !== undefined) return comesBack('quiet-hours', until - now);

    const behind = await candidates.behind(job.cluster, job.owner);
    if (behind.type === 'unreadable') return later('unreadable');
    if (behind.type === 'nothing') return ends('gone');
    const { workload, annotated, oldPods } = behind;
    if ((await silences.of(workload)) !== undefined) return comesBack('silenced', silenceMs);
    const { isWatched, channel, ignored } = wantedFor(workload.namespace, annotated, settings, fallback);
    for (const each of ignored) deps.sayIgnored(each, workload);
    if (!isWatched) return later('not-watched');
    if (oldPods === 'none') return ends('no-rollout');
    if (oldPods === 'unobserved') return later('no-deadlock');
    if (channel === undefined) return ends('no-channel');
    const { sight } = await deps.sights.ofChannel(channel);
    if (!visibleIn(sight, workload).workload) return later('not-shown');

    const read = await cluster.snapshot(workload, engine.needs);
    metrics.diagnosisTook(
      (clock.now().getTime() - now) / 1_000,
      read.type === 'unreadable' ? read.because : read.type,
    );
    if (read.type === 'unreadable') return later('unreadable');
    if (read.type === 'not-found') return ends('gone');
    const diagnosis = await diagnosisUnlessEnded(engine, read.snapshot);
    if (diagnosis === undefined) return later('not-proven');
    const finding = provenDeadlockOf(diagnosis);
    if (finding === undefined) {
      await sentinel.unproven(job.candidate);
      const isDoubtful = diagnosis.findings.some(({ waitCycle }) => waitCycle !== undefined);
      return later(isDoubtful ? 'not-proven' : 'no-deadlock');
    }
    const { uid, revision } = diagnosis;
    const identity = { workload, uid, revision, cause: finding.cause };
    const since = Date.parse(await sentinel.proven(job.candidate, identity, clock.now().toISOString()));
    const missingMs = secondProofMs - (now - since);
    if (missingMs > 0) return comesBack('proven-once', Math.min(secondProofMs, missingMs));

    const outcome = await reportDeadlock({ identity, diagnosis, finding }, channel, job);
    await sentinel.unproven(job.candidate);
    if (outcome === 'told' && job.since !== undefined) {
      meters.reportedAfter(Math.max(0, (clock.now().getTime() - Date.parse(job.since)) / 1_000));
    }
    return ends(outcome);
  };
}
