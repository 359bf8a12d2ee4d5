import type { AlertQuestion, AlertRecord } from '../../doctor/alerts/alert-record.js';
import { type Handled, handledUpTo, isHandled, uncountedFirings } from '../../doctor/alerts/alert-record.js';
import { fairnessKeyOf } from '../../doctor/alerts/label-names.js';
import type { KnownClusters } from '../../doctor/alerts/subject.js';
import { subjectOf } from '../../doctor/alerts/subject-of.js';
import type { Incident, IncidentAlert } from '../../doctor/incidents/incident.js';
import {
  alertFired,
  alertResolved,
  alertStatusOf,
  countsAll,
  freshFor,
} from '../../doctor/incidents/incident-alerts.js';
import { isChanging } from '../../doctor/incidents/incident-transitions.js';
import { codeOf } from '../../engine/language/statement.js';
import type { WorkloadRef } from '../../engine/objects/workload.js';
import { enqueueCard } from '../deliver/delivery-jobs.js';
import { DoctorError } from '../errors.js';
import type { AlertJob, JobSubject } from '../jobs/jobs.js';
import type { SilenceStore } from '../people/people-ports.js';
import { type Sights, whyChannelIsBlind } from '../people/sights.js';
import { incidentEntry } from '../records/audit-entries.js';
import type { IncidentStore } from '../records/incident-store.js';
import { updateIncident } from '../records/incident-store.js';
import type { AuditLog, Clock, Digest, JobQueue } from '../records/process-ports.js';
import type { AlertCounters, AlertStore, WorkloadLocator } from './alert-ports.js';
import { createLocateSubject, type SubjectLocated } from './locate-subject.js';

interface HandleAlertDeps {
  readonly alerts: AlertStore;
  readonly audit: AuditLog;
  readonly clock: Clock;
  readonly digest: Digest;
  readonly incidents: IncidentStore;
  readonly jobs: JobQueue;
  readonly locator: WorkloadLocator;
  readonly metrics: AlertCounters;
  readonly sights: Pick<Sights, 'ofChannel'>;
  readonly silences: Pick<SilenceStore, 'of'>;
  /** What senders call the configured clusters. */
  readonly clusterAliases: KnownClusters['aliases'];
  /** An alert came to nothing because its channel may show no namespace. */
  readonly onNotShown: (channel: string, because: string) => void;
}

const urgency = { urgency: 'alert' } as const;
const detail = { urgency: 'alert-detail' } as const;

/** A question about the same alert is not asked again within this time. */
const askAgainMs = 6 * 3_600_000;

/**
 * Acts on what an alert says now: finds its workload, opens or joins the incident and queues a diagnosis;
 * asks people where it cannot be told; lets the rule check what is said to be over. Signals that came in
 * meanwhile are acted on together.
 *
 * @param lastAttempt no retry follows: the record stays open, and the sweep takes it up again
 * @throws DoctorError `cluster-unavailable`, retryable, while attempts are left
 */
export function createHandleAlert(deps: HandleAlertDeps) {
  const locate = createLocateSubject(deps.locator);
  return async (job: AlertJob, { lastAttempt }: { lastAttempt: boolean }): Promise<void> => {
    const record = await deps.alerts.get(job.alertId);
    if (record === undefined || isHandled(record)) return;
    if (record.alert.status === 'resolved') {
      const isCounted = await resolve(deps, record);
      const counted = record.firings - (isCounted ? 0 : uncountedFirings(record));
      await done(deps, record, { incidents: [], counted });
      return;
    }
    const shown = await deps.sights.ofChannel(record.place.channel);
    const refused = whyChannelIsBlind(shown);
    if (refused !== undefined) {
      deps.onNotShown(record.place.channel, codeOf(refused.because));
      await done(deps, record, { incidents: [], counted: record.firings });
      deps.metrics.alert(record.alert.source, 'not-shown');
      return;
    }
    const clusters = { names: deps.locator.clusters, aliases: deps.clusterAliases };
    const located = await locate(subjectOf(record.alert, clusters), shown.sight);
    if (located.type === 'unreadable') {
      if (lastAttempt) return;
      throw new DoctorError({
        code: 'cluster-unavailable',
        message: 'the cluster could not be asked what an alert is about',
        retryable: true,
        ...(located.retryAfterMs === undefined ? {} : { retryAfterMs: located.retryAfterMs }),
      });
    }
    const incidents: string[] = [];
    const workloads = located.type === 'workloads' ? located.workloads : [];
    for (const workload of workloads) {
      // While it is silenced nothing is opened; the alert's next repetition is heard again.
      if ((await deps.silences.of(workload)) !== undefined) continue;
      incidents.push((await openFor(deps, record, workload)).id);
    }
    const question = questionFor(record, located, deps.clock.now());
    await done(deps, record, { incidents, question, counted: record.firings });
    if (question !== undefined) {
      const { id } = record;
      await deps.jobs.enqueue('delivery', { v: 1, kind: 'question', alertId: id, of: question.of }, urgency);
    }
    const silenced = workloads.length > 0 && incidents.length === 0;
    deps.metrics.alert(record.alert.source, silenced ? 'silenced' : outcomeOf(located));
  };
}

/** An alert that breaks our own code is not tried for ever. */
export function createFailAlert({ alerts }: Pick<HandleAlertDeps, 'alerts'>) {
  return async ({ alertId }: JobSubject): Promise<void> => {
    const record = alertId === undefined ? undefined : await alerts.get(alertId);
    if (record !== undefined) await done({ alerts }, record, { incidents: [], counted: record.firings });
  };
}

async function openFor(deps: HandleAlertDeps, record: AlertRecord, workload: WorkloadRef): Promise<Incident> {
  const { incidents, jobs, audit } = deps;
  const at = deps.clock.now().toISOString();
  const fresh = incidentFor(deps, record, workload, at);
  const opened = await incidents.open(fresh, { reopen: true });
  const joined = opened.created
    ? undefined
    : await updateIncident(incidents, opened.incident.id, (current) =>
        alertFired(current, entryOf(record), at, uncountedFirings(record)),
      );
  const incident = joined ?? (await incidents.get(opened.incident.id)) ?? opened.incident;
  if (opened.created || joined !== undefined) {
    const details = { via: 'alert', alert: record.alert.name, occurrences: incident.occurrences };
    await audit.append(incidentEntry(incident, 'diagnosis-requested', { at, details }));
  }
  await follow(jobs, incident, at);
  const { threadTs, channel } = record.place;
  if (threadTs !== undefined && incident.channel === channel && incident.threadTs !== threadTs) {
    const incidentId = incident.id;
    await jobs.enqueue('delivery', { v: 1, kind: 'pointer', incidentId, channel, threadTs }, detail);
  }
  return incident;
}

/** The id is made of record, firing and workload, so that a job that is done twice opens one incident. */
function incidentFor(
  { digest }: HandleAlertDeps,
  record: AlertRecord,
  workload: WorkloadRef,
  at: string,
): Incident {
  const { channel, threadTs } = record.place;
  return {
    v: 1,
    id: digest(JSON.stringify([record.id, record.firstAt, record.firings, workload])).slice(0, 20),
    version: 1,
    phase: 'diagnosing',
    workload,
    origin: { via: 'alert', text: record.alert.name },
    createdAt: at,
    updatedAt: at,
    language: record.language,
    channel,
    ...(threadTs === undefined ? {} : { threadTs }),
    occurrences: uncountedFirings(record),
    alerts: [entryOf(record)],
    look: 1,
  };
}

/** @returns whether an incident counts all firings of the alert so far */
async function resolve({ incidents, jobs, clock }: HandleAlertDeps, record: AlertRecord): Promise<boolean> {
  const at = clock.now().toISOString();
  let isCounted = false;
  for (const id of record.incidents) {
    await updateIncident(incidents, id, (current) => alertResolved(current, entryOf(record), at));
    const incident = await incidents.get(id);
    if (incident === undefined) continue;
    isCounted ||= countsAll(incident, entryOf(record));
    await follow(jobs, incident, at);
    await answerResolved(jobs, record, incident);
  }
  return isCounted;
}

/**
 * Says under the message that the alert is resolved whether the cause is gone. Of several alerts of a
 * workload in a group the last one is answered, so that the end of a storm is not another one.
 */
async function answerResolved(
  jobs: JobQueue,
  { place: { channel, threadTs }, signals }: AlertRecord,
  incident: Incident,
): Promise<void> {
  if (threadTs === undefined || incident.channel !== channel) return;
  if (incident.group !== undefined && alertStatusOf(incident) === 'firing') return;
  const turn = { ...detail, fairnessKey: fairnessKeyOf(incident.workload) };
  const job = { v: 1, kind: 'resolution', incidentId: incident.id, channel, threadTs, of: signals } as const;
  await jobs.enqueue('delivery', job, turn);
}

/**
 * Queues the diagnosis that the record waits for, or that it owes to alerts after a fresh one, and brings its
 * card up.
 */
async function follow(jobs: JobQueue, incident: Incident, at: string): Promise<void> {
  const { id, phase, look, workload, successor } = incident;
  const turn = { ...urgency, fairnessKey: fairnessKeyOf(workload) };
  if (phase === 'diagnosing') {
    await jobs.enqueue('diagnosis', { v: 1, incidentId: id, look }, turn);
  } else if (!isChanging(incident) && successor === undefined && alertStatusOf(incident) === 'firing') {
    const delayMs = freshFor(incident, at);
    await jobs.enqueue('diagnosis', { v: 1, incidentId: id, look: look + 1 }, { ...turn, delayMs });
  }
  await enqueueCard(jobs, incident, turn);
}

async function done(
  { alerts }: Pick<HandleAlertDeps, 'alerts'>,
  { id, firstAt, signals }: AlertRecord,
  handled: Handled,
): Promise<void> {
  for (;;) {
    const current = await alerts.get(id);
    // Another record was begun where the alert was forgotten meanwhile: nobody has acted on its signals.
    const next = current?.firstAt === firstAt ? handledUpTo(current, signals, handled) : undefined;
    if (next === undefined || !('type' in (await alerts.replace(next)))) return;
  }
}

function questionFor(record: AlertRecord, located: SubjectLocated, now: Date): AlertQuestion | undefined {
  const choices =
    located.type === 'choices' ? located.workloads : located.type === 'workloads' ? located.more : [];
  if (choices.length === 0 || located.type === 'nothing' || located.type === 'unreadable') return undefined;
  const asked = record.question;
  if (asked !== undefined && now.getTime() - Date.parse(asked.at) < askAgainMs) return undefined;
  return {
    of: record.signals,
    at: now.toISOString(),
    place: record.place,
    about: located.type === 'choices' ? located.about : 'name',
    called: located.called,
    choices: choices.slice(0, 50),
  };
}

function entryOf({ id, alert, firings, firstAt, lastAt }: AlertRecord): IncidentAlert {
  const { name, source, status } = alert;
  return { id, name, source, status, firings, at: lastAt, recordedAt: firstAt };
}

function outcomeOf(located: Exclude<SubjectLocated, { readonly type: 'unreadable' }>) {
  switch (located.type) {
    case 'workloads':
      return 'answered';
    case 'choices':
      return 'asked';
    case 'nothing':
      return located.because;
  }
}
