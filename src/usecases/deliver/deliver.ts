import { type MessageRef, nextDeliveryStep } from '../../core/incident/delivery.js';
import { isListedOnly } from '../../core/incident/group-transitions.js';
import type { Incident } from '../../core/incident/incident.js';
import { isChanging } from '../../core/incident/incident-transitions.js';
import { isPrivateResult } from '../../core/incident/private-result.js';
import { jobIdOf } from '../../jobs/job-ids.js';
import type { DeliveryJob } from '../../jobs/jobs.js';
import type { AlertStore } from '../alerts/alert-ports.js';
import type { Turn, Urgency } from '../records/process-ports.js';
import { announcementOf, deliverPicture } from './deliver-beside.js';
import { type CardDeps, deliverCard } from './deliver-card.js';
import { alreadyDelivered, type Delivered, deliverMessage, withDelivery } from './deliver-message.js';
import { deliverNotice, deliverResult } from './deliver-privately.js';
import { deliverReaction } from './deliver-reaction.js';
import { announcementKey, cardKey, type JobOf, turnOf } from './delivery-jobs.js';
import { groupIncident } from './group-incident.js';

export interface DeliverDeps extends CardDeps {
  readonly alerts: Pick<AlertStore, 'get'>;
}

/**
 * Brings Slack up to the records: the card of an incident, an entry of its thread, a pointer to it, a
 * question about an alert, or a private notice. A delivery reads its record once, `core/incident/delivery`
 * decides what to do, and the outcome is stored once. When Slack asks to wait, all deliveries to that
 * workspace wait: its limits count calls, not messages, and those of each workspace by themselves.
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
interface ShownCard {
  readonly type: 'card';
  readonly incident: Incident;
  readonly card: MessageRef;
}

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
  const key = kind === 'announcement' ? announcementKey(of) : `${incidentId}.${kind}.${of}`;
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
