import { DoctorError } from '../errors.js';
import type { DeliveryRecord, DeliveryStore, IncidentThread, Shown } from './incident-thread.js';
import type { Clock, Turn } from './ports.js';

export type Delivered =
  /** `fresh`: this call posted it; otherwise it was there. */
  | { readonly type: 'delivered'; readonly fresh: boolean }
  /** Come back without counting an attempt: the channel's turn, Slack's Retry-After, or the card is not there yet. */
  | { readonly type: 'later'; readonly afterMs: number }
  /** Slack's final word. */
  | { readonly type: 'refused'; readonly error: string };

export const there: Delivered = { type: 'delivered', fresh: false };

/** Longest that one delivery keeps another of the same message waiting, and how soon that one comes back. */
export const lockMs = 30_000;
export const busyMs = 250;

export interface PostDeps {
  readonly clock: Clock;
  readonly deliveries: DeliveryStore;
  readonly thread: Pick<IncidentThread, 'find' | 'postPicture' | 'updatePicture'>;
  /** In whose turn it is shown; a person's when absent. */
  readonly turn?: Turn;
}

const personal: Turn = { urgency: 'person', fairnessKey: '' };

/** The wait until a message may be edited, in milliseconds: what people wait for is edited at once. */
export async function waitToEdit({ deliveries, turn = personal }: PostDeps, key: string): Promise<number> {
  return turn.urgency === 'person' ? 0 : deliveries.reserveEdit(key, turn);
}

/** Posts one message once: written down before, looked for after doubt. */
export async function once(
  deps: PostDeps,
  key: string,
  channel: string,
  threadTs: string | undefined,
  post: () => Promise<Shown>,
): Promise<Delivered> {
  const { deliveries, clock, thread, turn = personal } = deps;
  let record = (await deliveries.get(key)) ?? {};
  if (record.message !== undefined) return there;
  if (record.refused !== undefined) return { type: 'refused', error: record.refused };
  if (record.tryingSince !== undefined) {
    const found = await thread.find(channel, threadTs, key, record.tryingSince);
    if (found === 'unknown') throw unavailable();
    if (found !== undefined) {
      await deliveries.put(key, { ...record, message: found });
      return there;
    }
  }
  const wait = await deliveries.reserve(channel, key, turn);
  if (wait > 0) return { type: 'later', afterMs: wait };
  record = { ...record, tryingSince: record.tryingSince ?? clock.now().toISOString() };
  await deliveries.put(key, record);
  return settle(deps, key, record, await post());
}

/** Writes down what became of a call. */
export async function settle(
  deps: PostDeps,
  key: string,
  record: DeliveryRecord,
  shown: Shown,
): Promise<Delivered> {
  switch (shown.type) {
    case 'shown':
      await deps.deliveries.put(key, { ...record, message: { channel: shown.channel, ts: shown.ts } });
      return { type: 'delivered', fresh: true };
    case 'throttled':
      await deps.deliveries.hold(shown.retryAfterMs);
      return { type: 'later', afterMs: shown.retryAfterMs };
    case 'refused':
      await deps.deliveries.put(key, { ...record, refused: shown.error });
      return { type: 'refused', error: shown.error };
    case 'doubtful':
    case 'unavailable':
      throw unavailable();
  }
}

export function unavailable(): DoctorError {
  return new DoctorError({
    code: 'slack-unavailable',
    message: 'Slack gave no usable answer to a delivery',
    retryable: true,
  });
}
