import { type DeliveryRecord, type MessageRef, nextDeliveryStep } from '../../doctor/incidents/delivery.js';
import { groupRows, showsGroup } from '../../doctor/incidents/group-rows.js';
import type { Incident } from '../../doctor/incidents/incident.js';
import { isWorthShowing } from '../../doctor/pictures/picture-of.js';
import type { Turn } from '../records/process-ports.js';
import type { Delivered, Message, MessageDeps } from './deliver-message.js';
import { alreadyDelivered, deliverMessage, nothing, withDelivery } from './deliver-message.js';
import { announcementKey, laterPictureKey, pictureKey } from './delivery-jobs.js';
import type { MessagePlace } from './incident-thread.js';

/**
 * Brings the incident's picture up to its record. A picture that Slack refused delays nothing else. Once
 * people have approved a fix, the picture stays as it was before the fix, and a second one shows what
 * followed.
 *
 * @param thread where it is posted if there is something to show and no picture yet; absent: it is only
 *   edited
 */
export async function deliverPicture(
  deps: MessageDeps,
  incident: Incident,
  turn: Turn,
  thread?: MessageRef,
): Promise<Delivered> {
  const { beforeFix, id, look } = incident;
  if (beforeFix === undefined) return deliverOne(deps, { key: pictureKey(id), incident, turn, thread });
  const first = await deliverOne(deps, {
    key: pictureKey(id),
    turn,
    thread,
    incident: { ...incident, ...beforeFix, phase: 'diagnosed' },
  });
  if (first.type === 'later' || look <= beforeFix.look) return first;
  const isFirstShown = isWorthShowing(beforeFix.diagnosis);
  return deliverOne(deps, { key: laterPictureKey(id), incident, turn, thread, always: isFirstShown });
}

/** @param always whether it is posted although words would say as much */
function deliverOne(
  deps: MessageDeps,
  {
    key,
    incident,
    turn,
    thread,
    always = false,
  }: { key: string; incident: Incident; turn: Turn; thread: MessageRef | undefined; always?: boolean },
): Promise<Delivered> {
  const { diagnosis, phase, look } = incident;
  const isShown = diagnosis?.picture !== undefined && (always || isWorthShowing(diagnosis));
  return deliverIfDue(deps, key, (record) => {
    const at = record.message ?? (isShown ? thread : undefined);
    if (at === undefined || diagnosis === undefined || record.refused !== undefined) return undefined;
    return {
      content: { kind: 'picture', incident },
      place: { channel: at.channel, threadTs: at.ts },
      turn,
      // While a diagnosis is under way, the one on record is the one before: a picture of it is edited later.
      version: phase === 'diagnosing' || phase === 'failed' ? 0 : look,
    };
  });
}

/** What was found, for readers of the channel who do not open the thread of the alert. */
export function announcementOf(incident: Incident, place: MessagePlace, of: string, turn: Turn): Message {
  const entry = { kind: 'announcement', of } as const;
  return {
    content: { kind: 'entry', incident, entry },
    place,
    turn,
    // It changes only when a group grows: Slack limits edits, and the card shows everything else.
    version: showsGroup(incident) ? groupRows(incident).length : 0,
  };
}

/**
 * Edits the announcement of an incident that leads a group once further workloads have joined. It posts none.
 */
export async function updateAnnouncement(
  deps: MessageDeps,
  incident: Incident,
  turn: Turn,
): Promise<Delivered> {
  const { channel, threadTs } = incident;
  if (threadTs === undefined || !showsGroup(incident)) return alreadyDelivered;
  const of = `${channel}.${threadTs}`;
  const announcement = announcementOf(incident, { channel, threadTs }, of, turn);
  return deliverIfDue(deps, announcementKey(of), ({ message }) => message && announcement);
}

/**
 * Delivers the message unless its record shows that nothing is to be done. The record is looked at before the
 * lock is taken: most changes of a card leave what stands beside it as it is.
 */
async function deliverIfDue(
  deps: MessageDeps,
  key: string,
  messageFor: (record: DeliveryRecord) => Message | undefined,
): Promise<Delivered> {
  const dueOf = (record: DeliveryRecord): Message | undefined => {
    const message = messageFor(record);
    const step = message && nextDeliveryStep(record, message.version ?? 0);
    return step?.type === 'done' || step?.type === 'refused' ? undefined : message;
  };
  if (dueOf((await deps.deliveries.get(key)) ?? {}) === undefined) return alreadyDelivered;
  return withDelivery(deps, key, nothing, async (delivery) => {
    const message = dueOf(delivery.record);
    return message === undefined ? alreadyDelivered : deliverMessage(deps, delivery, message);
  });
}
