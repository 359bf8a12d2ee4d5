import { type DeliveryRecord, type MessageRef, nextDeliveryStep } from '../../core/incident/delivery.js';
import type { Incident } from '../../core/incident/incident.js';
import { isWorthShowing } from '../../core/picture/picture-of.js';
import type { Turn } from '../records/process-ports.js';
import {
  alreadyDelivered,
  type Delivered,
  deliverMessage,
  type MessageDeps,
  withDelivery,
} from './deliver-message.js';
import { pictureKey } from './delivery-jobs.js';
import type { IncidentThread } from './incident-thread.js';

export interface PictureDeps extends MessageDeps {
  readonly thread: Pick<IncidentThread, 'find' | 'postPicture' | 'updatePicture'>;
}

/**
 * Brings the incident's one picture up to its record. A picture that Slack refused delays nothing else.
 *
 * @param thread where it is posted if there is something to show and no picture yet; absent: it is only edited
 */
export async function deliverPicture(
  deps: PictureDeps,
  incident: Incident,
  turn: Turn,
  thread?: MessageRef,
): Promise<Delivered> {
  const key = pictureKey(incident.id);
  if (!isDue(incident, await deps.deliveries.get(key), thread)) return alreadyDelivered;
  return withDelivery(
    deps,
    key,
    async () => undefined,
    async (delivery) => {
      const place = thread ?? delivery.record.message;
      if (place === undefined || !isDue(incident, delivery.record, thread)) return alreadyDelivered;
      return deliverMessage(deps, delivery, {
        channel: place.channel,
        threadTs: place.ts,
        version: versionOf(incident),
        turn,
        post: () => deps.thread.postPicture(incident, place, key),
        edit: (message) => deps.thread.updatePicture(incident, message, delivery.record.image),
      });
    },
  );
}

function isDue(incident: Incident, record: DeliveryRecord = {}, thread: MessageRef | undefined): boolean {
  const { diagnosis } = incident;
  if (record.refused !== undefined || diagnosis === undefined) return false;
  const step = nextDeliveryStep(record, versionOf(incident));
  if (step.type === 'edit') return true;
  return step.type !== 'done' && thread !== undefined && isWorthShowing(diagnosis);
}

/** While a diagnosis is under way, the one on record is the one before: a picture of it is edited later. */
function versionOf({ phase, look }: Incident): number {
  return phase === 'diagnosing' || phase === 'failed' ? 0 : look;
}
