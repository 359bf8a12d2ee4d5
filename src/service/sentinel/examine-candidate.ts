import { fairnessKeyOf } from '../../doctor/alerts/label-names.js';
import type { Diagnosis } from '../../doctor/findings/diagnosis.js';
import type { Finding } from '../../doctor/findings/finding.js';
import { mainFindingOf } from '../../doctor/findings/main-finding.js';
import type { Incident } from '../../doctor/incidents/incident.js';
import { isChanging } from '../../doctor/incidents/incident-transitions.js';
import { visibleIn } from '../../doctor/policy/view.js';
import { provenDeadlockOf } from '../../doctor/sentinel/candidate.js';
import { nextDiagnosisMs } from '../../doctor/sentinel/intake.js';
import type { Ignored, SentinelSettings } from '../../doctor/sentinel/sentinel-settings.js';
import { quietUntil, wantedFor } from '../../doctor/sentinel/sentinel-settings.js';
import type { Language } from '../../engine/language/language.js';
import type { WorkloadRef } from '../../engine/objects/workload.js';
import { enqueueCard, enqueueEntry } from '../deliver/delivery-jobs.js';
import type { ClusterReader } from '../diagnose/cluster-reader.js';
import { diagnosisUnlessEnded } from '../diagnose/diagnosis-back-off.js';
import type { DiagnosisEngine } from '../diagnose/engine.js';
import type { SentinelJob } from '../jobs/jobs.js';
import type { SilenceStore } from '../people/people-ports.js';
import type { Sights } from '../people/sights.js';
import { incidentEntry } from '../records/audit-entries.js';
import type { IncidentStore } from '../records/incident-store.js';
import type { AuditLog, Clock, Counters, Digest, JobQueue } from '../records/process-ports.js';
import type {
  CandidateOutcome,
  CandidateReader,
  DeadlockIdentity,
  SentinelMeters,
  SentinelStore,
} from './sentinel-ports.js';

interface ExamineCandidateDeps extends TellDeadlockDeps {
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

type ComeBack = { readonly afterMs: number };

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

interface TellDeadlockDeps {
  readonly audit: AuditLog;
  readonly clock: Clock;
  readonly digest: Digest;
  readonly incidents: IncidentStore;
  readonly jobs: JobQueue;
  readonly metrics: Pick<Counters, 'found'>;
  readonly sentinel: Pick<SentinelStore, 'told' | 'noteTold'>;
  readonly languageOfChannel: (channel: string) => Language;
}

interface Proof {
  readonly identity: DeadlockIdentity;
  readonly diagnosis: Diagnosis;
  readonly finding: Finding;
}

/**
 * Opens the incident of a proven deadlock in the channel, with its diagnosis, and queues its card. One that
 * stands, of the sentinel's own, of an alert or of somebody who asked, is people's knowledge already and is
 * not spoken of again. Done twice, it gives one incident and one card.
 */
function createReportDeadlock(deps: TellDeadlockDeps) {
  const { audit, clock, digest, incidents, jobs, metrics, sentinel, languageOfChannel } = deps;
  return async (proof: Proof, channel: string, job: SentinelJob): Promise<'told' | 'known'> => {
    const { identity, diagnosis, finding } = proof;
    const former = await sentinel.told(identity);
    if (former !== undefined) {
      const incident = await incidents.get(former);
      if (incident !== undefined && stands(incident)) return 'known';
    }
    const at = clock.now().toISOString();
    const fresh: Incident = {
      v: 1,
      id: digest(JSON.stringify([identity, former ?? ''])).slice(0, 20),
      version: 1,
      phase: 'diagnosed',
      workload: identity.workload,
      origin: {
        via: 'sentinel',
        ...(job.since === undefined ? {} : { refusal: { reason: job.reason, at: job.since } }),
      },
      createdAt: at,
      updatedAt: at,
      language: languageOfChannel(channel),
      channel,
      occurrences: 0,
      look: 1,
      diagnosis,
    };
    const joins = (open: Incident): boolean => isAbout(open, identity);
    const { created, incident } = await incidents.open(fresh, { joins });
    if (created) {
      const details = { via: 'sentinel', cause: finding.cause, reason: job.reason };
      await audit.append(incidentEntry(incident, 'diagnosis-requested', { at, details }));
      const turn = { urgency: 'alert', fairnessKey: fairnessKeyOf(incident.workload) } as const;
      await enqueueCard(jobs, incident, turn);
      await enqueueEntry(jobs, incident.id, { kind: 'picture', of: String(incident.look) }, turn);
      for (const { cause, confidence } of diagnosis.findings) metrics.found(cause, confidence);
    }
    // Last, so that a worker that dies before is followed by one that queues the same card again.
    await sentinel.noteTold(identity, incident.id);
    return created ? 'told' : 'known';
  };
}

/** Somebody is at it, or its card says the same. */
function isAbout(open: Incident, { revision, cause }: DeadlockIdentity): boolean {
  if (open.phase === 'diagnosing' || open.phase === 'awaiting' || isChanging(open)) return true;
  const { diagnosis } = open;
  return diagnosis?.revision === revision && diagnosis.findings.some((each) => each.cause === cause);
}

/** As far as its last diagnosis knows, the trouble is there or in somebody's hands. */
function stands({ phase, successor, change, diagnosis }: Incident): boolean {
  if (successor !== undefined) return false;
  if (phase === 'settled') return change?.verdict !== 'recovered' && change?.verdict !== 'undone';
  return phase !== 'diagnosed' || (diagnosis !== undefined && mainFindingOf(diagnosis).main !== undefined);
}
