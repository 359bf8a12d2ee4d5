import type { Incident } from '../core/incident/incident.js';
import { isWorthShowing } from '../core/picture/picture-of.js';
import type { MessageRef } from './incident-thread.js';
import {
  busyMs,
  type Delivered,
  lockMs,
  once,
  type PostDeps,
  settle,
  there,
  waitToEdit,
} from './post-once.js';

/** Key of an incident's picture among the deliveries. */
export function pictureKey(incidentId: string): string {
  return `${incidentId}.picture`;
}

/**
 * Posts the incident's one picture in its thread where there is something to see and none yet; where there is one,
 * brings it up to the record. A picture that Slack refuses keeps nothing else waiting.
 */
export async function showPicture(
  deps: PostDeps,
  incident: Incident,
  thread: MessageRef,
): Promise<Delivered> {
  const key = pictureKey(incident.id);
  const { diagnosis, look } = incident;
  const record = await deps.deliveries.get(key);
  if (record?.message !== undefined) return bringUpPicture(deps, incident);
  if (record?.refused !== undefined || diagnosis === undefined || !isWorthShowing(diagnosis)) return there;
  return alone(deps, key, async () => {
    const outcome = await once(deps, key, thread.channel, thread.ts, () =>
      deps.thread.postPicture(incident, thread, key),
    );
    if (outcome.type === 'delivered' && outcome.fresh && isSettled(incident)) {
      await deps.deliveries.put(key, { ...(await deps.deliveries.get(key)), version: look });
    }
    return outcome;
  });
}

/** Edits the picture, where there is one, to what the last look saw. */
export async function bringUpPicture(deps: PostDeps, incident: Incident): Promise<Delivered> {
  const key = pictureKey(incident.id);
  const isOlder = async () => {
    const record = await deps.deliveries.get(key);
    const shows = record?.message !== undefined && record.refused === undefined;
    return shows && isSettled(incident) && (record.version ?? 0) < incident.look ? record : undefined;
  };
  if ((await isOlder()) === undefined) return there;
  return alone(deps, key, async () => {
    const record = await isOlder();
    if (record?.message === undefined) return there;
    const wait = await waitToEdit(deps, key);
    if (wait > 0) return { type: 'later', afterMs: wait };
    const shown = await deps.thread.updatePicture(incident, record.message);
    return settle(deps, key, shown.type === 'shown' ? { ...record, version: incident.look } : record, shown);
  });
}

/** While a look is under way, the diagnosis on record is of the look before. */
function isSettled({ phase, diagnosis }: Incident): boolean {
  return phase !== 'diagnosing' && phase !== 'failed' && diagnosis !== undefined;
}

async function alone(deps: PostDeps, key: string, deliver: () => Promise<Delivered>): Promise<Delivered> {
  const release = await deps.deliveries.lock(key, lockMs);
  if (release === undefined) return { type: 'later', afterMs: busyMs };
  try {
    return await deliver();
  } finally {
    await release();
  }
}
