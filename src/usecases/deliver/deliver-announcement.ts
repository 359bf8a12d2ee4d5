import type { MessageRef } from '../../core/incident/delivery.js';
import { groupRows, showsGroup } from '../../core/incident/group-rows.js';
import type { Incident } from '../../core/incident/incident.js';
import type { Turn } from '../records/process-ports.js';
import {
  alreadyDelivered,
  type Delivered,
  deliverMessage,
  type MessageDeps,
  type OpenDelivery,
  withDelivery,
} from './deliver-message.js';
import { announcementKey } from './delivery-jobs.js';
import type { IncidentThread } from './incident-thread.js';

export interface AnnouncementDeps extends MessageDeps {
  readonly thread: Pick<IncidentThread, 'find' | 'postEntry' | 'updateAnnouncement'>;
}

/** What was found, for readers of the channel who do not open the thread of the alert. */
export function postAnnouncement(
  deps: AnnouncementDeps,
  delivery: OpenDelivery,
  incident: Incident,
  { thread, of, turn }: { readonly thread: MessageRef; readonly of: string; readonly turn: Turn },
): Promise<Delivered> {
  const entry = { kind: 'announcement', of } as const;
  return deliverMessage(deps, delivery, {
    channel: thread.channel,
    threadTs: thread.ts,
    version: versionOf(incident),
    turn,
    post: () => deps.thread.postEntry(incident, undefined, entry, thread, delivery.key),
    edit: (message) => deps.thread.updateAnnouncement(incident, of, message),
  });
}

/** Edits the announcement of an incident that leads a group once further workloads have joined. It posts none. */
export async function updateAnnouncement(
  deps: AnnouncementDeps,
  incident: Incident,
  turn: Turn,
): Promise<Delivered> {
  const { channel, threadTs } = incident;
  if (threadTs === undefined || !showsGroup(incident)) return alreadyDelivered;
  const thread = { channel, ts: threadTs };
  const of = `${channel}.${threadTs}`;
  const key = announcementKey(of);
  const known = await deps.deliveries.get(key);
  if (known?.message === undefined || (known.version ?? 0) >= versionOf(incident)) return alreadyDelivered;
  return withDelivery(
    deps,
    key,
    async () => undefined,
    async (delivery) =>
      delivery.record.message === undefined
        ? alreadyDelivered
        : postAnnouncement(deps, delivery, incident, { thread, of, turn }),
  );
}

/** It changes only when a group grows: Slack limits edits, and the card shows everything else. */
function versionOf(incident: Incident): number {
  return showsGroup(incident) ? groupRows(incident).length : 0;
}
