import { takesNotes } from '../../doctor/alerts/alert.js';
import { fairnessKeyOf } from '../../doctor/alerts/label-names.js';
import { isListedOnly, isUnasked } from '../../doctor/incidents/group-rows.js';
import type { Incident } from '../../doctor/incidents/incident.js';
import { hasFixResult } from '../../doctor/incidents/incident-transitions.js';
import { mayBePrivate } from '../../doctor/incidents/visible-incident.js';
import { type DeliveryJob, postedKinds, type ThreadEntry } from '../jobs/jobs.js';
import type { JobQueue, Turn, Urgency } from '../records/process-ports.js';
import type { DeliveryStore } from './incident-thread.js';

export type JobOf<Kind extends DeliveryJob['kind']> = Extract<DeliveryJob, { readonly kind: Kind }>;

/** Key of an incident's card among the delivery records. */
export function cardKey(incidentId: string): string {
  return `${incidentId}.card`;
}

/** Key of one message of an incident's thread among the delivery records. */
export function entryKey(incidentId: string, { kind, of }: ThreadEntry): string {
  return `${incidentId}.${kind}.${of}`;
}

/** Key of what one person alone is shown of a diagnosis, among the delivery records. */
export function resultKey(incidentId: string, look: number, user: string): string {
  return `${incidentId}.result.${look}.${user}`;
}

/** Key of an incident's picture among the delivery records. */
export function pictureKey(incidentId: string): string {
  return `${incidentId}.picture`;
}

/** Key of the second picture: what followed an approved fix. */
export function laterPictureKey(incidentId: string): string {
  return `${incidentId}.picture-after-fix`;
}

/** Key of the one announcement in the thread of an alert, among the delivery records. */
export function announcementKey(thread: string): string {
  return `${thread}.announcement`;
}

/** Key of our reaction on a message of others among the delivery records. */
export function reactionKey(channel: string, ts: string): string {
  return `${channel}.${ts}.reaction`;
}

/** The place of a delivery among those that wait. */
export function turnOf({ workload }: Pick<Incident, 'workload'>, urgency: Urgency): Turn {
  return { urgency, fairnessKey: urgency === 'person' ? '' : fairnessKeyOf(workload) };
}

type Options = Parameters<JobQueue['enqueue']>[2];

/** Queues the delivery of an incident's card: Slack then shows the newest record. */
export async function enqueueCard(
  jobs: JobQueue,
  { id, version }: Pick<Incident, 'id' | 'version'>,
  options?: Options,
): Promise<void> {
  await jobs.enqueue('delivery', { v: 1, kind: 'card', incidentId: id, version }, options);
}

/** Queues the delivery of one message to the thread of an incident. */
export async function enqueueEntry(
  jobs: JobQueue,
  incidentId: string,
  entry: ThreadEntry,
  options?: Options,
): Promise<void> {
  await jobs.enqueue('delivery', { v: 1, kind: 'thread', incidentId, entry }, options);
}

/**
 * Queues a note with the post-mortem for each alert of the incident whose sender keeps an incident under the
 * fingerprint of the alert and takes notes to it, once a fix has ended.
 */
export async function enqueueNotes(jobs: JobQueue, incident: Incident, approvalId: string): Promise<void> {
  if (!hasFixResult(incident)) return;
  for (const { id, source } of incident.alerts ?? []) {
    if (!takesNotes(source)) continue;
    await jobs.enqueue('delivery', { v: 1, kind: 'note', incidentId: incident.id, alertId: id, approvalId });
  }
}

interface NoteCardDeps {
  readonly deliveries: Pick<DeliveryStore, 'noteAttempt'>;
  /** Whether a command that finds no problem is answered to the person who asked alone. */
  readonly hasPrivateResults: boolean;
}

/**
 * Notes that Slack may have the card, the pictures and the thread of an incident, where the records of these
 * messages were lost. The next delivery then searches in Slack and edits what it finds, so that nothing is
 * posted twice.
 */
export function createNoteCard({ deliveries, hasPrivateResults }: NoteCardDeps) {
  return async (incident: Incident): Promise<void> => {
    const { id, createdAt, diagnosis, approvalId, change, pullRequest } = incident;
    const awaitsFirst = diagnosis === undefined && isUnasked(incident);
    const hasNone = (hasPrivateResults && mayBePrivate(incident)) || isListedOnly(incident) || awaitsFirst;
    if (hasNone) return;
    const approvals = new Set([approvalId, change?.approvalId, pullRequest?.approvalId]);
    const entries = [...approvals].flatMap((of) =>
      of === undefined ? [] : postedKinds.map((kind) => entryKey(id, { kind, of })),
    );
    for (const key of [cardKey(id), pictureKey(id), laterPictureKey(id), ...entries]) {
      await deliveries.noteAttempt(key, createdAt);
    }
  };
}
