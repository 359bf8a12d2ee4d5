import { fairnessKeyOf } from '../../doctor/alerts/label-names.js';
import type { Diagnosis } from '../../doctor/findings/diagnosis.js';
import { mainFindingOf } from '../../doctor/findings/main-finding.js';
import type { Incident } from '../../doctor/incidents/incident.js';
import {
  anotherIncident,
  comesBack,
  earlierIncident,
  succeededBy,
  successorOf,
} from '../../doctor/incidents/incident-succession.js';
import { diagnosed, diagnosisFailed, diagnosisStarted } from '../../doctor/incidents/incident-transitions.js';
import type { Statement } from '../../engine/language/statement.js';
import type { CheckBrakes } from '../approve/check-brakes.js';
import { enqueueCard, enqueueEntry } from '../deliver/delivery-jobs.js';
import { DoctorError } from '../errors.js';
import type { DiagnosisJob, JobSubject } from '../jobs/jobs.js';
import { notice } from '../notices/notices.js';
import { type IncidentStore, updateIncident } from '../records/incident-store.js';
import type { Clock, Counters, JobQueue, Urgency } from '../records/process-ports.js';
import type { ClusterReader, NotFound, Unreadable } from './cluster-reader.js';
import { nameOf } from './diagnose-again.js';
import { isEnded } from './diagnosis-back-off.js';
import type { DiagnosisEngine } from './engine.js';

export interface RunDiagnosisDeps {
  readonly checkBrakes: CheckBrakes;
  readonly cluster: Pick<ClusterReader, 'snapshot'>;
  readonly incidents: IncidentStore;
  readonly jobs: JobQueue;
  readonly clock: Clock;
  readonly engine: DiagnosisEngine;
  readonly metrics: Counters;
}

/** Reasons that waiting may cure. */
const passing: ReadonlySet<Unreadable['because']> = new Set([
  'timeout',
  'unavailable',
  'throttled',
  'failed',
]);

/**
 * Looks at the incident's workload once. A diagnosis that the record no longer waits for does nothing.
 *
 * @param lastAttempt no retry follows: what cannot be read is written on the card
 * @throws DoctorError `cluster-unavailable`, retryable, while attempts are left and waiting may help
 */
export function createRunDiagnosis(deps: RunDiagnosisDeps) {
  const { cluster, incidents, jobs, clock, engine, metrics } = deps;
  return async (
    job: DiagnosisJob,
    { lastAttempt, urgency }: { lastAttempt: boolean; urgency: Urgency },
  ): Promise<void> => {
    if (job.follow === undefined) await beginOwed({ incidents, clock }, job);
    else await beginFollowing({ incidents, clock }, job);
    const incident = await incidents.get(job.incidentId);
    if (incident === undefined || incident.look !== job.look) return;
    if (incident.successor !== undefined) return openSuccessor({ incidents, jobs, clock }, incident, urgency);
    if (incident.phase !== 'diagnosing') return;

    const from = clock.now().getTime();
    const read = await cluster.snapshot(incident.workload, engine.needs);
    metrics.diagnosisTook(
      (clock.now().getTime() - from) / 1_000,
      read.type === 'unreadable' ? read.because : read.type,
    );
    if (read.type === 'unreadable' && passing.has(read.because) && !lastAttempt) {
      throw new DoctorError({
        code: 'cluster-unavailable',
        message: 'the cluster could not be read for a diagnosis',
        retryable: true,
        ...(read.retryAfterMs === undefined ? {} : { retryAfterMs: read.retryAfterMs }),
      });
    }
    const outcome = await outcomeOf(engine, incident, read);
    const at = clock.now().toISOString();
    const found = outcome.type === 'diagnosis' ? outcome.diagnosis : undefined;
    const about = found === undefined ? undefined : anotherIncident(incident, found);
    if (about !== undefined) {
      const successor = earlierIncident(incident, about) ?? `${incident.id.slice(0, 40)}-${job.look}`;
      const over = await updateIncident(incidents, incident.id, (current) =>
        succeededBy(current, job.look, successor, at),
      );
      if (over !== undefined) await openSuccessor({ incidents, jobs, clock }, over, urgency);
      return;
    }
    const brake = found === undefined ? undefined : await brakeOf(deps, incident, found);
    const stored = await updateIncident(incidents, job.incidentId, (current) =>
      outcome.type === 'diagnosis'
        ? diagnosed(current, job.look, outcome.diagnosis, at, brake)
        : diagnosisFailed(current, job.look, outcome, at),
    );
    if (stored === undefined) return;
    for (const { cause, confidence } of stored.diagnosis?.findings ?? []) {
      if (stored.phase === 'diagnosed') metrics.found(cause, confidence);
    }
    const fairnessKey = fairnessKeyOf(stored.workload);
    await enqueueCard(jobs, stored, { ...turnOf(urgency), fairnessKey });
    await followRollout(jobs, stored, job.follow ?? 0);
    if (stored.phase === 'diagnosed' && tellsMore(incident, stored, job)) {
      const turn = { ...turnOf(urgency === 'person' ? urgency : 'alert-detail'), fairnessKey };
      await enqueueEntry(jobs, stored.id, { kind: 'picture', of: String(job.look) }, turn);
      const { channel, threadTs } = stored;
      if (isForReadersOfAlert(stored) && threadTs !== undefined) {
        await enqueueEntry(jobs, stored.id, { kind: 'announcement', of: `${channel}.${threadTs}` }, turn);
      }
    }
  };
}

/** Its card is in the thread of an alert, where readers of the channel do not see what was found. */
function isForReadersOfAlert({ alerts, diagnosis }: Incident): boolean {
  return alerts !== undefined && diagnosis !== undefined && mainFindingOf(diagnosis).main !== undefined;
}

/** Why the fixes that the card shows may not be applied now. */
async function brakeOf(
  { checkBrakes }: RunDiagnosisDeps,
  { workload }: Incident,
  { findings, requested }: Diagnosis,
): Promise<Statement | undefined> {
  const isOffered = findings.some(({ remediations }) => remediations.length > 0);
  if (!isOffered && requested?.type !== 'possible') return undefined;
  return (await checkBrakes({ workload, undoes: false }))?.because;
}

/**
 * Begins the diagnosis that is owed to alerts which fired after a fresh one, unless somebody looked
 * meanwhile.
 */
async function beginOwed(
  { incidents, clock }: Pick<RunDiagnosisDeps, 'incidents' | 'clock'>,
  { incidentId, look }: DiagnosisJob,
): Promise<void> {
  const at = clock.now().toISOString();
  await updateIncident(incidents, incidentId, (current) =>
    current.look === look - 1 ? diagnosisStarted(current, at) : undefined,
  );
}

/** A job that a person waits for has no turn of its own. */
function turnOf(urgency: Urgency): { readonly urgency?: Urgency } {
  return urgency === 'person' ? {} : { urgency };
}

/**
 * A repeated alert and a diagnosis that nobody asked for edit the card; the thread hears of one that sees
 * something else.
 */
function tellsMore(
  { diagnosis: before }: Incident,
  { diagnosis: now, alerts }: Incident,
  { follow }: DiagnosisJob,
): boolean {
  const askedFor = alerts === undefined && follow === undefined;
  if (askedFor || before === undefined || now === undefined) return true;
  return mainFindingOf(before).main?.cause !== mainFindingOf(now).main?.cause;
}

/** Ends a diagnosis that failed by itself, so that people see it. */
export function createFailDiagnosis({
  incidents,
  jobs,
  clock,
}: Pick<RunDiagnosisDeps, 'incidents' | 'jobs' | 'clock'>) {
  return async ({ incidentId, look }: JobSubject, reference: string, code?: string): Promise<void> => {
    if (incidentId === undefined) return;
    const at = clock.now().toISOString();
    const stored = await updateIncident(incidents, incidentId, (current) =>
      diagnosisFailed(
        current,
        look ?? current.look,
        {
          failure:
            code === 'job-stalled'
              ? notice('diagnosis-stalled', { workload: nameOf(current), reference })
              : notice('failed-inside', { reference }),
          isGone: false,
        },
        at,
      ),
    );
    if (stored !== undefined) await enqueueCard(jobs, stored);
  };
}

type Outcome =
  | { readonly type: 'diagnosis'; readonly diagnosis: Diagnosis }
  | { readonly type: 'failure'; readonly failure: Statement; readonly isGone: boolean };

/** What the card shows: the diagnosis, or why there is none. */
async function outcomeOf(
  engine: DiagnosisEngine,
  incident: Incident,
  read: Awaited<ReturnType<ClusterReader['snapshot']>>,
): Promise<Outcome> {
  if (read.type !== 'snapshot') {
    const failure = failureOf(read, nameOf(incident), incident.workload.cluster);
    return { type: 'failure', failure, isGone: read.type === 'not-found' };
  }
  try {
    const diagnosis = await engine.diagnose(read.snapshot, incident.requested?.change);
    return { type: 'diagnosis', diagnosis };
  } catch (error) {
    if (!isEnded(error) || error.tells === undefined) throw error;
    return { type: 'failure', failure: error.tells, isGone: false };
  }
}

function failureOf(read: NotFound | Unreadable, workload: string, cluster: string): Statement {
  if (read.type === 'not-found') return notice('workload-gone', { workload, cluster });
  return notice('unreadable', { workload, cluster, because: read.because, message: read.message });
}

/**
 * Opens the incident that goes on where another one is over, or takes the earlier one up again, and has it
 * look. Its id stands in the one that is over, so that a job that is done twice opens it once.
 */
async function openSuccessor(
  { incidents, jobs, clock }: { incidents: IncidentStore; jobs: JobQueue; clock: Clock },
  over: Incident,
  urgency: Urgency = 'alert',
): Promise<void> {
  const { successor } = over;
  if (successor === undefined) return;
  const at = clock.now().toISOString();
  await incidents.open(successorOf(over, successor, at));
  await updateIncident(incidents, successor, (earlier) => comesBack(earlier, over, at));
  const now = await incidents.get(successor);
  const turn = { urgency, fairnessKey: fairnessKeyOf(over.workload) };
  for (const incident of now === undefined ? [over] : [over, now]) await enqueueCard(jobs, incident, turn);
  if (now?.phase !== 'diagnosing') return;
  await jobs.enqueue('diagnosis', { v: 1, incidentId: now.id, look: now.look }, turn);
}

/** Pauses before the diagnoses that nobody asked for, in milliseconds; together some five minutes. */
export const followAfterMs = [5_000, 10_000, 20_000, 40_000, 80_000, 160_000] as const;

/**
 * Queues a diagnosis that nobody asked for, where the one just made found nothing but the rollout is still
 * under way: what was seen between two steps of a controller may be a deadlock a second later.
 *
 * @param follow how many such diagnoses came before
 */
async function followRollout(
  jobs: JobQueue,
  { id, look, phase, diagnosis, workload, requested }: Incident,
  follow: number,
): Promise<void> {
  const delayMs = followAfterMs[follow];
  if (delayMs === undefined || phase !== 'diagnosed' || diagnosis?.underWay === undefined) return;
  // Another diagnosis would take the review of the requested change away from the people who read it.
  if (mainFindingOf(diagnosis).main !== undefined || requested !== undefined) return;
  const job: DiagnosisJob = { v: 1, incidentId: id, look: look + 1, follow: follow + 1 };
  await jobs.enqueue('diagnosis', job, { delayMs, urgency: 'alert', fairnessKey: fairnessKeyOf(workload) });
}

/** Begins a diagnosis that nobody asked for, unless somebody looked or changed something meanwhile. */
async function beginFollowing(
  { incidents, clock }: { incidents: IncidentStore; clock: Clock },
  { incidentId, look }: DiagnosisJob,
): Promise<void> {
  const at = clock.now().toISOString();
  await updateIncident(incidents, incidentId, (current) =>
    current.look === look - 1 && current.phase === 'diagnosed' ? diagnosisStarted(current, at) : undefined,
  );
}

/** Bounds how much of one key runs at the same time in this process. */
interface Slots {
  /**
   * Takes a slot of every key; gives the function that frees them, or `undefined` where one has all in use.
   */
  take(keys: readonly string[]): (() => void) | undefined;
}

export function createSlots(maxPerKey: number): Slots {
  const inUse = new Map<string, number>();
  const add = (key: string, count: number): void => {
    const next = (inUse.get(key) ?? 0) + count;
    if (next === 0) inUse.delete(key);
    else inUse.set(key, next);
  };
  return {
    take(keys) {
      if (keys.some((key) => (inUse.get(key) ?? 0) >= maxPerKey)) return undefined;
      for (const key of keys) add(key, 1);
      return () => {
        for (const key of keys) add(key, -1);
      };
    },
  };
}
