import { type DeliveryStep, nextDeliveryStep } from '../../core/incident/delivery.js';
import { type Follower, isListedOnly, isUnasked } from '../../core/incident/group-transitions.js';
import type { Incident } from '../../core/incident/incident.js';
import { initiatorsOf } from '../../core/incident/initiators.js';
import { heldBackMs, isPrivateResult } from '../../core/incident/private-result.js';
import type { ApprovalStore } from '../approve/approval-ports.js';
import type { Turn, Urgency } from '../records/process-ports.js';
import { deliverPicture, updateAnnouncement } from './deliver-beside.js';
import {
  alreadyDelivered,
  type Delivered,
  deliverMessage,
  type MessageDeps,
  type OpenDelivery,
  withDelivery,
} from './deliver-message.js';
import { reportRefusal } from './deliver-privately.js';
import { enqueueReaction } from './deliver-reaction.js';
import { cardKey, turnOf } from './delivery-jobs.js';
import {
  type GroupIncidentDeps,
  groupIncident,
  leaveLostGroup,
  releaseMembers,
  reportToLead,
} from './group-incident.js';
import type { DeliveryStore, IncidentThread } from './incident-thread.js';

export interface CardDeps extends GroupIncidentDeps, MessageDeps {
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
export function deliverCard(deps: CardDeps, incidentId: string, urgency: Urgency): Promise<Delivered> {
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
