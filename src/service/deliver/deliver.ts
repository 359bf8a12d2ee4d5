import type { DeliveryStep, MessageRef } from '../../doctor/incidents/delivery.js';
import { nextDeliveryStep, reactionOf } from '../../doctor/incidents/delivery.js';
import { type Follower, isListedOnly, isUnasked } from '../../doctor/incidents/group-rows.js';
import type { Incident } from '../../doctor/incidents/incident.js';
import { initiatorsOf, isChanging } from '../../doctor/incidents/incident-transitions.js';
import { heldBackMs, isPrivateResult } from '../../doctor/incidents/visible-incident.js';
import type { ApprovalStore } from '../approve/approval-ports.js';
import type { DeliveryJob } from '../jobs/jobs.js';
import { jobIdOf } from '../jobs/jobs.js';
import type { JobQueue, Turn, Urgency } from '../records/process-ports.js';
import { announcementOf, deliverPicture, updateAnnouncement } from './deliver-beside.js';
import type { Delivered, MessageDeps, OpenDelivery } from './deliver-message.js';
import { alreadyDelivered, deliverMessage, nothing, withDelivery } from './deliver-message.js';
import { deliverNote, type NoteDeps } from './deliver-note.js';
import { deliverNotice, deliverResult, reportRefusal } from './deliver-privately.js';
import { announcementKey, cardKey, entryKey, type JobOf, reactionKey, turnOf } from './delivery-jobs.js';
import type { GroupIncidentDeps } from './group-incident.js';
import { groupIncident, leaveLostGroup, releaseMembers, reportToLead } from './group-incident.js';
import type { DeliveryStore, IncidentThread } from './incident-thread.js';

export interface DeliverDeps extends CardDeps, NoteDeps {}

/**
 * Brings Slack up to the records: the card of an incident, an entry of its thread, a pointer to it, a
 * question about an alert, a private notice, or a note to the sender of an alert. A delivery reads its
 * record once, `doctor/incidents/delivery` decides what to do, and the outcome is stored once. When Slack
 * asks to wait, all deliveries to that workspace wait: its limits count calls, not messages, and those of
 * each workspace by themselves.
 *
 * @throws DoctorError `slack-unavailable`, retryable, if Slack gave no usable answer
 */
export function createDeliver(deps: DeliverDeps) {
  return async (job: DeliveryJob, urgency: Urgency = 'person'): Promise<Delivered> => {
    switch (job.kind) {
      case 'card':
        return deliverCard(deps, job.incidentId, urgency);
      case 'thread':
        return deliverEntry(deps, job, urgency);
      case 'pointer':
      case 'resolution':
        return deliverAnswer(deps, job);
      case 'question':
        return deliverQuestion(deps, job);
      case 'reaction':
        return deliverReaction(deps, await deps.incidents.get(job.incidentId));
      case 'note':
        return deliverNote(deps, job);
      case 'result':
        return deliverResult(deps, job);
      case 'notice':
        return deliverNotice(deps, job);
    }
  };
}

const alertTurn: Turn = { urgency: 'alert', fairnessKey: '' };

/** The wait for a card that is not posted yet. */
const cardMissing: Delivered = { type: 'later', afterMs: 1_000 };

/** The card that a message refers to. */
type ShownCard = { readonly type: 'card'; readonly incident: Incident; readonly card: MessageRef };

/** The card of the incident: entries of its thread wait until it is posted, and are refused if it is. */
async function findCard(
  { deliveries, incidents, hasPrivateResults }: DeliverDeps,
  incidentId: string,
): Promise<ShownCard | Delivered> {
  // The card before the incident: once the card is posted, the incident states its thread.
  const reading = [deliveries.get(cardKey(incidentId)), incidents.get(incidentId)] as const;
  const [record = {}, incident] = await Promise.all(reading);
  if (incident === undefined) return alreadyDelivered;
  const step = nextDeliveryStep(record, incident.version);
  if (step.type === 'refused') return step;
  if (record.message !== undefined) return { type: 'card', incident, card: record.message };
  const isElsewhere = isListedOnly(incident) || (hasPrivateResults === true && isPrivateResult(incident));
  return isElsewhere ? alreadyDelivered : cardMissing;
}

function deliverEntry(
  deps: DeliverDeps,
  { incidentId, entry: { kind, of } }: JobOf<'thread'>,
  urgency: Urgency,
): Promise<Delivered> {
  // One of all incidents in a thread announces itself.
  const key = kind === 'announcement' ? announcementKey(of) : entryKey(incidentId, { kind, of });
  const read = () => findCard(deps, incidentId);
  return withDelivery(deps, key, read, async (delivery, found) => {
    if (found.type !== 'card') return found;
    const { incident, card } = found;
    const { channel, ts } = card;
    const place = { channel, threadTs: incident.threadTs ?? ts };
    const turn = turnOf(incident, urgency);
    if (kind === 'picture') return deliverPicture(deps, incident, turn, { channel, ts: place.threadTs });
    if (kind === 'announcement') {
      // The diagnosis may be on record before the card shows it, and the card decides on the group.
      const grouped = await groupIncident(deps, incident, card);
      if (grouped.group?.role === 'follows') return alreadyDelivered;
      return deliverMessage(deps, delivery, announcementOf(grouped, place, of, turn));
    }
    const approval = await deps.approvals.get(of);
    const content = { kind: 'entry', incident, approval, entry: { kind, of } } as const;
    return deliverMessage(deps, delivery, { content, place, turn });
  });
}

/** The diagnosis that a resolved alert asks for, or the change that is under way, is awaited. */
const checkMs = 2_000;

/**
 * Posts in the thread of a further alert where the card of its incident is, or the one that lists it. Under
 * the message of a resolved alert it answers once it is known whether the cause is gone.
 */
function deliverAnswer(deps: DeliverDeps, job: JobOf<'pointer' | 'resolution'>): Promise<Delivered> {
  const { kind, channel, threadTs } = job;
  const place = { channel, threadTs };
  const isPointer = kind === 'pointer';
  const read = () => findCardInItsPlace(deps, job.incidentId);
  return withDelivery(deps, jobIdOf('delivery', job), read, async (delivery, found) => {
    if (found.type !== 'card') return found;
    const { incident, card } = found;
    if (!isPointer && (incident.phase === 'diagnosing' || isChanging(incident)))
      return { type: 'later', afterMs: checkMs };
    const turn = isPointer ? alertTurn : turnOf(incident, 'alert-detail');
    const content = { kind, incident, card };
    const outcome = await deliverMessage(deps, delivery, { content, place, turn });
    if (isPointer && outcome.type === 'delivered') {
      delivery.thread = { ...place, incidentId: incident.id, keepsFormer: false };
    }
    return outcome;
  });
}

/**
 * The incident, or the one that goes on in its place, and the card that shows it: its own, or the one that
 * lists it.
 */
async function findCardInItsPlace(
  { deliveries, incidents }: DeliverDeps,
  incidentId: string,
): Promise<ShownCard | Delivered> {
  const first = await incidents.get(incidentId);
  const next = first?.successor === undefined ? undefined : await incidents.get(first.successor);
  const incident = next ?? first;
  if (incident === undefined) return alreadyDelivered;
  const own = await deliveries.get(cardKey(incident.id));
  const isElsewhere = own?.message === undefined && isListedOnly(incident);
  const shown = isElsewhere ? await deliveries.get(cardKey(incident.group.lead)) : own;
  if (shown?.message !== undefined) return { type: 'card', incident, card: shown.message };
  return shown?.refused === undefined ? cardMissing : alreadyDelivered;
}

/** Asks people which workload an alert is about. */
function deliverQuestion(deps: DeliverDeps, job: JobOf<'question'>): Promise<Delivered> {
  const read = () => deps.alerts.get(job.alertId);
  return withDelivery(deps, jobIdOf('delivery', job), read, async (delivery, alert) => {
    const question = alert?.question;
    if (alert === undefined || question?.of !== job.of) return alreadyDelivered;
    const { channel, threadTs } = question.place;
    const content = { kind: 'question', question, language: alert.language } as const;
    return deliverMessage(deps, delivery, { content, place: { channel, threadTs }, turn: alertTurn });
  });
}

interface CardDeps extends GroupIncidentDeps, MessageDeps {
  readonly approvals: ApprovalStore;
  readonly deliveries: DeliveryStore;
  readonly thread: IncidentThread;
  /**
   * Whether a command that finds no problem is answered to the person who asked alone; absent: in the
   * channel.
   */
  readonly hasPrivateResults?: boolean;
}

/**
 * The first card of what nobody asked for waits this long for its diagnosis, which decides where the card
 * belongs.
 */
const firstDiagnosisMs = 60_000;

/**
 * Brings the card of an incident up to its record, and then what stands beside it: picture, announcement,
 * reaction.
 */
function deliverCard(deps: CardDeps, incidentId: string, urgency: Urgency): Promise<Delivered> {
  const read = () => deps.incidents.get(incidentId);
  return withDelivery(deps, cardKey(incidentId), read, async (delivery, incident) => {
    if (incident === undefined) return alreadyDelivered;
    const turn = turnOf(incident, urgency);
    const step = nextDeliveryStep(delivery.record, incident.version);
    const outcome = await showCard(deps, delivery, incident, step, turn);
    if (outcome.type === 'refused') await reportRefusal(deps, incident, incident.origin.by, outcome.error);
    // A picture is posted only after the card.
    if (outcome.type === 'delivered' && outcome.fresh) await enqueueReaction(deps.jobs, incident);
    if (outcome.type !== 'delivered' || step.type === 'post') return outcome;
    for (const deliverBeside of [deliverPicture, updateAnnouncement]) {
      const beside = await deliverBeside(deps, incident, turn);
      if (beside.type === 'later') return beside;
    }
    return outcome;
  });
}

/** Shows the card where its group wants it, and updates the leading card of the group. */
async function showCard(
  deps: CardDeps,
  delivery: OpenDelivery,
  read: Incident,
  step: DeliveryStep,
  turn: Turn,
): Promise<Delivered> {
  if (step.type === 'refused') return step;
  if (step.type === 'done') {
    await reportToLead(deps, read, delivery.record.message);
    return alreadyDelivered;
  }
  const isTried = step.type !== 'post';
  if (!isTried && awaitsFirstDiagnosis(read, deps.clock.now())) return alreadyDelivered;
  if (!isTried && deps.hasPrivateResults === true) {
    const afterMs = heldBackMs(read, deps.clock.now());
    if (afterMs > 0) return { type: 'later', afterMs };
    if (isPrivateResult(read)) return showToAskers(deps, delivery, read);
  }
  const incident = await groupIncident(deps, read, delivery.record.message);
  const { id, channel, threadTs, version, group, approvalId } = incident;
  if (!isTried && isListedOnly(incident)) return listOnly(deps, delivery, incident);
  const approval = approvalId === undefined ? undefined : await deps.approvals.get(approvalId);
  const outcome = await deliverMessage(deps, delivery, {
    content: { kind: 'card', incident, approval },
    place: { channel, threadTs },
    turn,
    version,
  });
  if (outcome.type === 'refused') await releaseMembers(deps, incident);
  const { message } = delivery.record;
  if (message !== undefined && step.type !== 'edit') {
    // What people say in the thread of a leading card is about the incident that leads.
    const thread = { channel: message.channel, threadTs: threadTs ?? message.ts };
    delivery.thread = { ...thread, incidentId: id, keepsFormer: group?.role === 'follows' };
  }
  if (outcome.type === 'delivered') await reportToLead(deps, incident, message);
  return outcome;
}

/** The record notes what they are shown, for the sweep. */
async function showToAskers(deps: CardDeps, delivery: OpenDelivery, incident: Incident): Promise<Delivered> {
  const { id, look, version } = incident;
  for (const user of initiatorsOf(incident)) {
    await deps.jobs.enqueue('delivery', { v: 1, kind: 'result', incidentId: id, look, user });
  }
  delivery.record = { ...delivery.record, version };
  return alreadyDelivered;
}

/**
 * The leading card lists the incident in place of its own card. The record notes what is listed, for the
 * sweep.
 */
async function listOnly(deps: CardDeps, delivery: OpenDelivery, incident: Follower): Promise<Delivered> {
  const lead = await deps.deliveries.get(cardKey(incident.group.lead));
  if (lead?.refused === undefined) {
    await reportToLead(deps, incident, undefined);
    delivery.record = { ...delivery.record, version: incident.version };
  } else {
    await leaveLostGroup(deps, incident);
  }
  return alreadyDelivered;
}

/**
 * The sweep queues it again once it has waited long enough: a cluster that does not answer is reported as
 * well.
 */
function awaitsFirstDiagnosis(incident: Incident, now: Date): boolean {
  const { phase, diagnosis, threadTs, createdAt } = incident;
  if (phase !== 'diagnosing' || diagnosis !== undefined || threadTs !== undefined) return false;
  return isUnasked(incident) && now.getTime() - Date.parse(createdAt) < firstDiagnosisMs;
}

interface ReactionDeps extends MessageDeps {
  readonly thread: IncidentThread;
}

/** Queues the reaction on the message that the card answers, after all cards. */
async function enqueueReaction(jobs: JobQueue, incident: Incident): Promise<void> {
  if (reactionOf(incident) === undefined) return;
  const job = { v: 1, kind: 'reaction', incidentId: incident.id, version: incident.version } as const;
  await jobs.enqueue('delivery', job, turnOf(incident, 'alert-detail'));
}

/**
 * Brings the reaction on the alert's message up to the record. Adding comes before removing, so that a
 * message is never without one. What is about to be added is stored first: a worker that dies leaves nothing
 * that is not removed later.
 */
async function deliverReaction(deps: ReactionDeps, incident: Incident | undefined): Promise<Delivered> {
  const wanted = incident && reactionOf(incident);
  if (incident?.threadTs === undefined || wanted === undefined) return alreadyDelivered;
  const message = { channel: incident.channel, ts: incident.threadTs };
  const key = reactionKey(message.channel, message.ts);
  return withDelivery(deps, key, nothing, async (delivery) => {
    const { reactions = [], refused } = delivery.record;
    const isThere =
      reactions.length === 1 && reactions[0] === wanted && delivery.record.version !== undefined;
    if (refused !== undefined || isThere) return alreadyDelivered;
    const attempt = { reactions: [...new Set([...reactions, wanted])] };
    const workspace = await deps.workspaceOf?.(message.channel);
    const turn = turnOf(incident, 'alert-detail');
    const wait = await deps.deliveries.reserveReaction(key, turn, attempt, workspace);
    if (wait > 0) return { type: 'later', afterMs: wait };
    delivery.record = attempt;
    delivery.stored = attempt;
    const former = reactions.filter((each) => each !== wanted);
    const shown = await deps.thread.react(message, incident, wanted, former);
    switch (shown?.type) {
      case undefined:
        return alreadyDelivered;
      case 'shown':
        delivery.record = { reactions: [wanted], version: 1 };
        return { type: 'delivered', fresh: true };
      case 'refused':
        delivery.record = { ...attempt, refused: shown.error };
        return alreadyDelivered;
      case 'throttled':
        // The limit is that of reactions: cards need not wait for it.
        return { type: 'later', afterMs: shown.retryAfterMs };
      case 'doubtful':
      case 'unavailable':
        return { type: 'later', afterMs: againMs };
    }
  });
}

const againMs = 30_000;
