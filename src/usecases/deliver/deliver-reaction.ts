import { reactionOf } from '../../core/incident/alert-reaction.js';
import type { Incident } from '../../core/incident/incident.js';
import type { JobQueue } from '../records/process-ports.js';
import {
  alreadyDelivered,
  type Delivered,
  type MessageDeps,
  nothing,
  withDelivery,
} from './deliver-message.js';
import { reactionKey, turnOf } from './delivery-jobs.js';
import type { IncidentThread } from './incident-thread.js';

export interface ReactionDeps extends MessageDeps {
  readonly thread: IncidentThread;
}

/** Queues the reaction on the message that the card answers, after all cards. */
export async function enqueueReaction(jobs: JobQueue, incident: Incident): Promise<void> {
  if (reactionOf(incident) === undefined) return;
  const job = { v: 1, kind: 'reaction', incidentId: incident.id, version: incident.version } as const;
  await jobs.enqueue('delivery', job, turnOf(incident, 'alert-detail'));
}

/**
 * Brings the reaction on the alert's message up to the record. Adding comes before removing, so that a
 * message is never without one. What is about to be added is stored first: a worker that dies leaves nothing
 * that is not removed later.
 */
export async function deliverReaction(
  deps: ReactionDeps,
  incident: Incident | undefined,
): Promise<Delivered> {
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
