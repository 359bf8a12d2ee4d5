import { fairnessKeyOf } from '../../core/alert/fairness-keys.js';
import type { Diagnosis } from '../../core/diagnosis/diagnosis.js';
import type { Finding } from '../../core/diagnosis/finding.js';
import { mainFindingOf } from '../../core/diagnosis/main-finding.js';
import type { Incident } from '../../core/incident/incident.js';
import { isChanging } from '../../core/incident/incident-transitions.js';
import type { Language } from '../../core/language/language.js';
import type { SentinelJob } from '../../jobs/jobs.js';
import { enqueueCard, enqueueEntry } from '../deliver/delivery-jobs.js';
import { incidentEntry } from '../records/audit-entries.js';
import type { IncidentStore } from '../records/incident-store.js';
import type { AuditLog, Clock, Counters, Digest, JobQueue } from '../records/process-ports.js';
import type { DeadlockIdentity, SentinelStore } from './sentinel-ports.js';

export interface TellDeadlockDeps {
  readonly audit: AuditLog;
  readonly clock: Clock;
  readonly digest: Digest;
  readonly incidents: IncidentStore;
  readonly jobs: JobQueue;
  readonly metrics: Pick<Counters, 'found'>;
  readonly sentinel: Pick<SentinelStore, 'told' | 'noteTold'>;
  readonly languageOfChannel: (channel: string) => Language;
}

export interface Proof {
  readonly identity: DeadlockIdentity;
  readonly diagnosis: Diagnosis;
  readonly finding: Finding;
}

/**
 * Opens the incident of a proven deadlock in the channel, with its diagnosis, and queues its card. One that
 * stands, of the sentinel's own, of an alert or of somebody who asked, is people's knowledge already and is
 * not spoken of again. Done twice, it gives one incident and one card.
 */
export function createReportDeadlock(deps: TellDeadlockDeps) {
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
