import type { AlertReaction } from '#src/doctor/incidents/delivery.js';
import type { Incident } from '#src/doctor/incidents/incident.js';
import { createDeliver, type DeliverDeps } from '#src/service/deliver/deliver.js';
import { cardKey } from '#src/service/deliver/delivery-jobs.js';
import type { Shown } from '#src/service/deliver/incident-thread.js';
import type { DeliveryJob } from '#src/service/jobs/jobs.js';

/** A posted message with its latest content. */
export interface Posted {
  readonly key: string;
  readonly channel: string;
  readonly threadTs: string | undefined;
  readonly ts: string;
  /** The incident that the message shows. */
  incident: Incident;
}

/** A channel that keeps what is posted; `refuses` gives Slack's error for a post there. */
function createShownThread() {
  const posted: Posted[] = [];
  const world = {
    refuses: (_: Incident): string | undefined => undefined,
    /** The number of posts whose answer is lost although they are made. */
    losesAnswers: 0,
    /** By the message that they are on. */
    reactions: new Map<string, readonly AlertReaction[]>(),
  };
  const post = (incident: Incident, key: string, threadTs: string | undefined): Shown => {
    const error = world.refuses(incident);
    if (error !== undefined) return { type: 'refused', error };
    const ts = `1763700000.${String(posted.length + 1).padStart(6, '0')}`;
    posted.push({ key, channel: incident.channel, threadTs, ts, incident });
    if (world.losesAnswers > 0) {
      world.losesAnswers -= 1;
      return { type: 'doubtful' };
    }
    return { type: 'shown', channel: incident.channel, ts };
  };
  const thread: DeliverDeps['thread'] = {
    async post(content, { channel, threadTs }, key) {
      if ('user' in content || content.kind === 'question') return { type: 'shown', channel, ts: '1.1' };
      if (content.kind === 'pointer') return { type: 'shown', channel, ts: '1.3' };
      return post(content.incident, key, threadTs);
    },
    async edit(content, { channel, ts }) {
      if (content.kind === 'question') throw new Error('a question is never edited');
      const error = content.kind === 'card' ? world.refuses(content.incident) : undefined;
      if (error !== undefined) return { type: 'refused', error };
      const message = posted.find((each) => each.ts === ts);
      if (message !== undefined && content.kind !== 'picture') message.incident = content.incident;
      return { type: 'shown', channel, ts };
    },
    async react({ ts }, _, reaction, former) {
      const { reactions } = world;
      const kept = (reactions.get(ts) ?? []).filter((each) => !former.includes(each) && each !== reaction);
      reactions.set(ts, [...kept, reaction]);
      return { type: 'shown', channel: '', ts };
    },
    async find({ channel, threadTs }, key) {
      const found = posted.find(
        (each) => each.channel === channel && each.threadTs === threadTs && each.key === key,
      );
      return found && { channel, ts: found.ts };
    },
  };
  return { world, thread, posted, cards: () => posted.filter(({ key }) => key.endsWith('.card')) };
}

/** Delivers the records to Slack as the workers do. */
export function createDelivering(deps: Omit<DeliverDeps, 'thread'>) {
  const slack = createShownThread();
  const deliver = createDeliver({ ...deps, thread: slack.thread });
  const card = async (incidentId: string, version = 0) => {
    const job: DeliveryJob = { v: 1, kind: 'card', incidentId, version };
    return deliver(job);
  };
  const isBehind = async ({ id, version }: Incident) => {
    const record = await deps.deliveries.get(cardKey(id));
    return Math.max(record?.version ?? 0, record?.refusedVersion ?? 0) < version;
  };
  return {
    ...slack,
    deliver,
    card,
    /** Delivers until every card shows its record. Throws after 200 rounds. */
    async deliverAll() {
      for (let round = 0; round < 200; round += 1) {
        const incidents = await deps.incidents.recent(100);
        const behind = await Promise.all(incidents.map(isBehind));
        const due = incidents.filter((_, place) => behind[place]);
        if (due.length === 0) return;
        await Promise.all(due.map(({ id }) => card(id).catch(() => undefined)));
      }
      throw new Error('a card never shows its record');
    },
  };
}
