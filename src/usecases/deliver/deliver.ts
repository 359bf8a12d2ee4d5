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
import {
  alreadyDelivered,
  cardMissing,
  type Delivered,
  deliverMessage,
  type OpenDelivery,
  withDelivery,
} from './deliver-message.js';
import { deliverNotice, deliverResult } from './deliver-privately.js';
import { deliverReaction } from './deliver-reaction.js';
import { announcementKey, cardKey, turnOf } from './delivery-jobs.js';
import { groupIncident } from './group-incident.js';

export interface DeliverDeps extends CardDeps {
  readonly alerts: Pick<AlertStore, 'get'>;
}

type JobOf<Kind extends DeliveryJob['kind']> = Extract<DeliveryJob, { readonly kind: Kind }>;

/**
 * Brings Slack up to the records: the card of an incident, an entry of its thread, a pointer to it, a question about an
 * alert, or a private notice. A delivery reads its record once, `core/incident/delivery` decides what to do, and the
 * outcome is stored once. When Slack asks to wait, all deliveries to that workspace wait: its limits count calls, not
 * messages, and those of each workspace by themselves.
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

/** For messages that refer to a card: they wait until it is posted, and are refused if it is. */
function withCard(
  deps: DeliverDeps,
  key: string,
  incidentId: string,
  deliver: (delivery: OpenDelivery, incident: Incident, card: MessageRef) => Promise<Delivered>,
): Promise<Delivered> {
  // The card before the incident: once the card is posted, the incident states its thread.
  const read = () => Promise.all([deps.deliveries.get(cardKey(incidentId)), deps.incidents.get(incidentId)]);
  return withDelivery(deps, key, read, async (delivery, [card = {}, incident]) => {
    if (incident === undefined) return alreadyDelivered;
    const step = nextDeliveryStep(card, incident.version);
    if (step.type === 'refused') return step;
    if (card.message !== undefined) return deliver(delivery, incident, card.message);
    const isElsewhere =
      isListedOnly(incident) || (deps.hasPrivateResults === true && isPrivateResult(incident));
    return isElsewhere ? alreadyDelivered : cardMissing;
  });
}

function deliverEntry(
  deps: DeliverDeps,
  { incidentId, entry }: JobOf<'thread'>,
  urgency: Urgency,
): Promise<Delivered> {
  const { kind, of } = entry;
  // One of all incidents in a thread announces itself.
  const key = kind === 'announcement' ? announcementKey(of) : `${incidentId}.${kind}.${of}`;
  return withCard(deps, key, incidentId, async (delivery, incident, card) => {
    const { channel, ts } = card;
    const thread = { channel, ts: incident.threadTs ?? ts };
    const turn = turnOf(incident, urgency);
    if (kind === 'picture') return deliverPicture(deps, incident, turn, thread);
    if (kind === 'announcement') {
      // The diagnosis may be on record before the card shows it, and the card decides on the group.
      const grouped = await groupIncident(deps, incident, card);
      if (grouped.group?.role === 'follows') return alreadyDelivered;
      return deliverMessage(deps, delivery, announcementOf(deps, grouped, thread, of, turn));
    }
    const approval = await deps.approvals.get(of);
    const post = () => deps.thread.postEntry(incident, approval, { kind, of }, thread, key);
    return deliverMessage(deps, delivery, { place: { channel, threadTs: thread.ts, turn }, post });
  });
}

/** The diagnosis that a resolved alert asks for, or the change that is under way, is awaited. */
const checkMs = 2_000;

/**
 * Posts in the thread of a further alert where the card of its incident is, or the one that lists it. Under the message of
 * a resolved alert it answers once it is known whether the cause is gone.
 */
function deliverAnswer(deps: DeliverDeps, job: JobOf<'pointer' | 'resolution'>): Promise<Delivered> {
  const key = jobIdOf('delivery', job);
  const { channel, threadTs } = job;
  const isPointer = job.kind === 'pointer';
  const read = () => cardOfIncident(deps, job.incidentId);
  return withDelivery(deps, key, read, async (delivery, shown) => {
    if (shown.type !== 'card') return shown.outcome;
    const { incident, card } = shown;
    if (!isPointer && (incident.phase === 'diagnosing' || isChanging(incident)))
      return { type: 'later', afterMs: checkMs };
    const turn = isPointer ? alertTurn : turnOf(incident, 'alert-detail');
    const answer = isPointer ? deps.thread.postPointer : deps.thread.postResolution;
    const post = () => answer({ channel, threadTs }, incident, card, key);
    const outcome = await deliverMessage(deps, delivery, { place: { channel, threadTs, turn }, post });
    if (isPointer && outcome.type === 'delivered') {
      delivery.thread = { channel, threadTs, incidentId: incident.id, keepsFormer: false };
    }
    return outcome;
  });
}

type CardOfIncident =
  | { readonly type: 'card'; readonly incident: Incident; readonly card: MessageRef }
  | { readonly type: 'none'; readonly outcome: Delivered };

/** The incident, or the one that goes on in its place, and the card that shows it: its own, or the one that lists it. */
async function cardOfIncident(
  { deliveries, incidents }: DeliverDeps,
  incidentId: string,
): Promise<CardOfIncident> {
  const first = await incidents.get(incidentId);
  const next = first?.successor === undefined ? undefined : await incidents.get(first.successor);
  const incident = next ?? first;
  if (incident === undefined) return { type: 'none', outcome: alreadyDelivered };
  const own = await deliveries.get(cardKey(incident.id));
  const { group } = incident;
  const isElsewhere = own?.message === undefined && group?.role === 'follows' && isListedOnly(incident);
  const shown = isElsewhere ? await deliveries.get(cardKey(group.lead)) : own;
  if (shown?.message !== undefined) return { type: 'card', incident, card: shown.message };
  return { type: 'none', outcome: shown?.refused === undefined ? cardMissing : alreadyDelivered };
}

/** Asks people which workload an alert is about. */
function deliverQuestion(deps: DeliverDeps, job: JobOf<'question'>): Promise<Delivered> {
  const key = jobIdOf('delivery', job);
  const read = () => deps.alerts.get(job.alertId);
  return withDelivery(deps, key, read, async (delivery, alert) => {
    const question = alert?.question;
    if (alert === undefined || question?.of !== job.of) return alreadyDelivered;
    const place = { ...question.place, turn: alertTurn };
    const post = () => deps.thread.postQuestion(question, alert.language, key);
    return deliverMessage(deps, delivery, { place, post });
  });
}
