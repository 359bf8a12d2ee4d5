import { isUnasked } from '../core/incident/group-transitions.js';
import type { Incident } from '../core/incident/incident.js';
import type { DeliveryJob } from '../jobs/jobs.js';
import { bringUpPicture, showPicture } from './deliver-picture.js';
import { cardKey } from './delivery-jobs.js';
import { fairnessKeyOf } from './fairness-key.js';
import { grouped, placed, standAlone, tellLead } from './group-incident.js';
import {
  type DeliveryRecord,
  type DeliveryStore,
  type IncidentThread,
  type MessageRef,
  notShownHere,
} from './incident-thread.js';
import { nameOf } from './look-again.js';
import { notice } from './notices.js';
import type { ApprovalStore, Clock, IncidentStore, JobQueue, RootClaims, Turn, Urgency } from './ports.js';
import { busyMs, type Delivered, lockMs, once, settle, there, unavailable, waitToEdit } from './post-once.js';

export interface DeliverDeps {
  readonly approvals: ApprovalStore;
  readonly clock: Clock;
  readonly deliveries: DeliveryStore;
  readonly incidents: IncidentStore;
  readonly jobs: JobQueue;
  readonly roots: RootClaims;
  readonly thread: IncidentThread;
  readonly turn?: Turn;
}

/** Deliveries about incidents; the others are about alerts. */
export type IncidentDelivery = Exclude<DeliveryJob, { readonly kind: 'question' | 'pointer' }>;

const absentMs = 1_000;

/** For so long the card of what nobody asked for waits for its first look, which tells where it is to stand. */
const firstLookMs = 60_000;

/**
 * Brings Slack up to the record. Before a post is tried, that is written down; after a doubtful one the message is
 * looked for by its key before another is made, so that nothing is posted twice. Edits repeat harmlessly. When Slack
 * asks to wait, everything waits: its limits count calls, not messages.
 *
 * @throws DoctorError `slack-unavailable`, retryable, when Slack gave no usable answer
 */
export function createDeliver(given: DeliverDeps) {
  return async (job: IncidentDelivery, urgency: Urgency = 'person'): Promise<Delivered> => {
    const held = await given.deliveries.held();
    if (held > 0) return { type: 'later', afterMs: held };
    const deps = { ...given, turn: await turnOf(given, job, urgency) };
    const key = keyOf(job);
    const release = await deps.deliveries.lock(key, lockMs);
    if (release === undefined) return { type: 'later', afterMs: busyMs };
    try {
      switch (job.kind) {
        case 'card':
          return await deliverCardAndPicture(deps, job.incidentId, key);
        case 'thread':
          return await deliverEntry(deps, job, key);
        case 'notice':
          return await deliverNotice(deps, job, key);
      }
    } finally {
      await release();
    }
  };
}

async function turnOf({ incidents }: DeliverDeps, job: IncidentDelivery, urgency: Urgency): Promise<Turn> {
  const incident =
    urgency === 'person' || job.kind === 'notice' ? undefined : await incidents.get(job.incidentId);
  return { urgency, fairnessKey: incident === undefined ? '' : fairnessKeyOf(incident.workload) };
}

function keyOf(job: IncidentDelivery): string {
  switch (job.kind) {
    case 'card':
      return cardKey(job.incidentId);
    case 'thread':
      return `${job.incidentId}.${job.entry.kind}.${job.entry.of}`;
    case 'notice':
      return `notice.${job.id}`;
  }
}

async function deliverCardAndPicture(deps: DeliverDeps, incidentId: string, key: string): Promise<Delivered> {
  const outcome = await toldIfRefused(deps, incidentId, await deliverCard(deps, incidentId, key));
  const incident = outcome.type === 'delivered' ? await deps.incidents.get(incidentId) : undefined;
  const picture = incident && (await bringUpPicture(deps, incident));
  return picture?.type === 'later' ? picture : outcome;
}

/** The card is shown where its group wants it, and the group's leading card hears of it. */
async function deliverCard(deps: DeliverDeps, incidentId: string, key: string): Promise<Delivered> {
  const stored = await deps.incidents.get(incidentId);
  if (stored === undefined) return there;
  const record = await retriable(deps, key, stored);
  if (record?.refused !== undefined) return { type: 'refused', error: record.refused };
  if (record?.message !== undefined && (record.version ?? 0) >= stored.version) {
    await tellLead(deps, stored);
    return there;
  }
  const isTried = record?.message !== undefined || record?.tryingSince !== undefined;
  if (!isTried && awaitsFirstLook(stored, deps.clock.now())) return there;
  const joined = await grouped(deps, stored);
  const incident = isTried ? joined : await placed(deps, joined);
  if (incident === undefined) return { type: 'later', afterMs: absentMs };
  const outcome = await showCard(deps, key, incident);
  if (outcome.type === 'refused' && incident.group?.role === 'follows' && threadGone.has(outcome.error)) {
    await standAlone(deps, incident);
    return there;
  }
  if (outcome.type === 'delivered') await tellLead(deps, incident);
  return outcome;
}

const threadGone: ReadonlySet<string> = new Set(['thread_not_found', 'cannot_reply_to_message']);

/** The sweep brings it up once it has waited long enough: a cluster that does not answer is told of as well. */
function awaitsFirstLook(incident: Incident, now: Date): boolean {
  const { phase, diagnosis, threadTs, createdAt } = incident;
  if (phase !== 'diagnosing' || diagnosis !== undefined || threadTs !== undefined) return false;
  return isUnasked(incident) && now.getTime() - Date.parse(createdAt) < firstLookMs;
}

async function showCard(deps: DeliverDeps, key: string, incident: Incident): Promise<Delivered> {
  const approval = await approvalOf(deps, incident);
  const record = await deps.deliveries.get(key);
  if (record?.message === undefined) {
    const outcome = await once(deps, key, incident.channel, incident.threadTs, () =>
      deps.thread.postCard(incident, approval, key),
    );
    if (outcome.type === 'refused') await noteRefusedVersion(deps, key, incident);
    if (outcome.type !== 'delivered') return outcome;
    const shown = (await deps.deliveries.get(key))?.message;
    if (shown !== undefined) await rememberThread(deps, incident, shown);
    if (outcome.fresh) {
      await deps.deliveries.put(key, { ...(await deps.deliveries.get(key)), version: incident.version });
      return outcome;
    }
  }
  const posted = await deps.deliveries.get(key);
  if (posted?.message === undefined) throw unavailable();
  return updateCard(deps, key, posted, posted.message, incident, approval);
}

/** What is said in the thread of a leading card is about the incident that leads. */
async function rememberThread(
  { deliveries }: DeliverDeps,
  incident: Incident,
  shown: MessageRef,
): Promise<void> {
  const threadTs = incident.threadTs ?? shown.ts;
  const isTaken =
    incident.group?.role === 'follows' &&
    (await deliveries.incidentInThread(shown.channel, threadTs)) !== undefined;
  if (!isTaken) await deliveries.rememberThread(shown.channel, threadTs, incident.id);
}

async function updateCard(
  deps: DeliverDeps,
  key: string,
  record: DeliveryRecord,
  message: MessageRef,
  incident: Incident,
  approval: Awaited<ReturnType<typeof approvalOf>>,
): Promise<Delivered> {
  const wait = await waitToEdit(deps, key);
  if (wait > 0) return { type: 'later', afterMs: wait };
  const shown = await deps.thread.updateCard(incident, approval, message);
  if (shown.type === 'shown') {
    await deps.deliveries.put(key, { ...record, message, version: incident.version });
    return { type: 'delivered', fresh: true };
  }
  const outcome = await settle(deps, key, record, shown);
  if (outcome.type === 'refused') await noteRefusedVersion(deps, key, incident);
  return outcome;
}

/** The card's record, without a refusal that an earlier version of the incident met. */
async function retriable(
  { deliveries }: DeliverDeps,
  key: string,
  incident: Incident,
): Promise<DeliveryRecord | undefined> {
  const record = await deliveries.get(key);
  if (record?.refused === undefined || (record.refusedVersion ?? 0) >= incident.version) return record;
  const { refused: _refused, refusedVersion: _version, ...rest } = record;
  await deliveries.put(key, rest);
  return rest;
}

async function noteRefusedVersion(
  { deliveries }: DeliverDeps,
  key: string,
  { version }: Incident,
): Promise<void> {
  await deliveries.put(key, { ...(await deliveries.get(key)), refusedVersion: version });
}

/** Who asked learns privately, once for each look, that the card cannot be shown. */
async function toldIfRefused(deps: DeliverDeps, incidentId: string, outcome: Delivered): Promise<Delivered> {
  if (outcome.type !== 'refused') return outcome;
  const incident = await deps.incidents.get(incidentId);
  const user = incident?.origin.by;
  if (incident === undefined || user === undefined) return outcome;
  const { channel, threadTs, look } = incident;
  await deps.jobs.enqueue('delivery', {
    v: 1,
    kind: 'notice',
    id: `card-refused-${incidentId}-${look}`,
    channel,
    ...(threadTs === undefined ? {} : { threadTs }),
    user,
    ...(outcome.error === notShownHere
      ? { statement: notice('not-shown-here', {}) }
      : {
          statement: notice('card-refused', { workload: nameOf(incident), error: outcome.error }),
          workload: incident.workload,
        }),
  });
  return outcome;
}

async function deliverEntry(
  deps: DeliverDeps,
  job: Extract<DeliveryJob, { readonly kind: 'thread' }>,
  key: string,
): Promise<Delivered> {
  // The card first: the record says which thread it was posted in.
  const card = await deps.deliveries.get(cardKey(job.incidentId));
  const incident = await deps.incidents.get(job.incidentId);
  if (incident === undefined) return there;
  if (card?.refused !== undefined) return { type: 'refused', error: card.refused };
  if (card?.message === undefined) return { type: 'later', afterMs: absentMs };
  const thread: MessageRef = { channel: card.message.channel, ts: incident.threadTs ?? card.message.ts };
  const approval =
    job.entry.kind === 'reasoning'
      ? await approvalOf(deps, incident)
      : await deps.approvals.get(job.entry.of);
  if (job.entry.kind === 'reasoning') {
    const picture = await showPicture(deps, incident, thread);
    if (picture.type === 'later') return picture;
  }
  return once(deps, key, thread.channel, thread.ts, () =>
    deps.thread.postEntry(incident, approval, job.entry, thread, key),
  );
}

/** Nobody can look an ephemeral message up: after doubt it is said again, since silence would be worse. */
async function deliverNotice(
  deps: DeliverDeps,
  job: Extract<DeliveryJob, { readonly kind: 'notice' }>,
  key: string,
): Promise<Delivered> {
  const record = await deps.deliveries.get(key);
  if (record?.message !== undefined) return there;
  return settle(deps, key, record ?? {}, await deps.thread.notify(job));
}

async function approvalOf({ approvals }: DeliverDeps, incident: Incident) {
  return incident.approvalId === undefined ? undefined : approvals.get(incident.approvalId);
}
