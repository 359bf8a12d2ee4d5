import type { DeliveryRecord } from '../../doctor/incidents/delivery.js';
import { nextDeliveryStep, withAttempt, withMessage, withRefusal } from '../../doctor/incidents/delivery.js';
import { DoctorError } from '../errors.js';
import type { Clock, Turn } from '../records/process-ports.js';
import type {
  Content,
  DeliveryStore,
  IncidentThread,
  MessagePlace,
  PrivateContent,
  Shown,
  ThreadOwner,
} from './incident-thread.js';

export type Delivered =
  /** `fresh`: this call posted or edited it; otherwise there was nothing to do. */
  | { readonly type: 'delivered'; readonly fresh: boolean }
  /**
   * Run the job again without counting an attempt: the channel's turn, Slack's Retry-After, or a card that is
   * missing.
   */
  | { readonly type: 'later'; readonly afterMs: number }
  /** Slack's final refusal. */
  | { readonly type: 'refused'; readonly error: string };

export const alreadyDelivered: Delivered = { type: 'delivered', fresh: false };

/** A delivery holds the lock of its message for at most this time. */
const lockMs = 30_000;
const busyMs = 250;

export interface MessageDeps {
  readonly clock: Clock;
  readonly deliveries: DeliveryStore;
  readonly thread: Pick<IncidentThread, 'post' | 'edit' | 'find'>;
  /**
   * The workspace that Slack counts the messages of a channel for; undefined where all are counted together.
   * Absent: the app is in one workspace.
   */
  readonly workspaceOf?: (channel: string) => Promise<string | undefined>;
}

/** One message while this process holds its lock. Its record and thread are stored when the delivery ends. */
export interface OpenDelivery {
  readonly key: string;
  record: DeliveryRecord;
  /** The record as it is stored now. */
  stored: DeliveryRecord;
  /** The thread that the message opened. */
  thread?: ThreadOwner;
}

export interface Message {
  readonly content: Content | PrivateContent;
  readonly place: MessagePlace;
  /** Its place among those that wait; absent for a message to one person, which waits for no turn. */
  readonly turn?: Turn;
  /** What it is to show; absent for a message that is never edited. */
  readonly version?: number;
}

/** For a delivery that reads nothing besides its record. */
export const nothing = async (): Promise<undefined> => undefined;

/**
 * Delivers one message under its lock. The record is read and written once, in the same round trips as the
 * lock; what the delivery needs besides is read in the first one.
 */
export async function withDelivery<Read>(
  { deliveries }: Pick<MessageDeps, 'deliveries'>,
  key: string,
  read: () => Promise<Read>,
  deliver: (delivery: OpenDelivery, read: Read) => Promise<Delivered>,
): Promise<Delivered> {
  const opening = deliveries.open(key, lockMs);
  const reading = read();
  reading.catch(() => undefined);
  const opened = await opening;
  if (opened.type !== 'open') {
    return { type: 'later', afterMs: opened.type === 'held' ? opened.forMs : busyMs };
  }
  const delivery: OpenDelivery = { key, record: opened.record, stored: opened.record };
  try {
    return await deliver(delivery, await reading);
  } finally {
    const { record, stored, thread } = delivery;
    await opened.close(record === stored ? undefined : record, thread);
  }
}

/**
 * Brings one message up to its version, step by step. Before a post is tried, the attempt is stored. After a
 * doubtful post the message is searched by its key, so that nothing is posted twice. Edits can be repeated.
 * After doubt, a message to one person is sent again, since silence would be worse.
 *
 * @throws DoctorError `slack-unavailable`, retryable, if Slack gave no usable answer
 */
export async function deliverMessage(
  deps: MessageDeps,
  delivery: OpenDelivery,
  { content, place, turn, version = 0 }: Message,
): Promise<Delivered> {
  const { deliveries, clock, thread } = deps;
  const { key } = delivery;
  const { channel } = place;
  const workspace = await deps.workspaceOf?.(channel);
  const isPrivate = 'user' in content;
  // Nobody can search for a message to one person.
  let isAbsent = isPrivate;
  for (;;) {
    const step = nextDeliveryStep(delivery.record, version, isAbsent);
    switch (step.type) {
      case 'done':
        return alreadyDelivered;
      case 'refused':
        return step;
      case 'find': {
        const found = await thread.find(place, key, step.since);
        if (found === 'unknown') throw slackUnavailable();
        if (found === undefined) isAbsent = true;
        else delivery.record = withMessage(delivery.record, found, 0);
        break;
      }
      case 'post': {
        if (turn !== undefined) {
          const attempt = withAttempt(delivery.record, clock.now().toISOString());
          const wait = await deliveries.reserve(channel, key, turn, attempt, workspace);
          if (wait > 0) return { type: 'later', afterMs: wait };
          delivery.record = attempt;
          delivery.stored = attempt;
        }
        return recordOutcome(deps, delivery, version, await thread.post(content, place, key), workspace);
      }
      case 'edit': {
        if (isPrivate) return alreadyDelivered;
        const wait = await waitToEdit(deliveries, key, turn, workspace);
        if (wait > 0) return { type: 'later', afterMs: wait };
        const shown = await thread.edit(content, step.message, delivery.record.image);
        return recordOutcome(deps, delivery, version, shown, workspace);
      }
    }
  }
}

/** An edit for people takes no turn; a delay of its workspace it meets as well. */
async function waitToEdit(
  deliveries: DeliveryStore,
  key: string,
  turn: Turn | undefined,
  workspace: string | undefined,
): Promise<number> {
  if (turn !== undefined && turn.urgency !== 'person') return deliveries.reserveEdit(key, turn, workspace);
  return workspace === undefined ? 0 : deliveries.held(workspace);
}

/**
 * Notes in the record what Slack answered to a call.
 *
 * @param workspace whose limit the call met, should Slack ask to wait; absent: all deliveries wait
 */
async function recordOutcome(
  { deliveries }: Pick<MessageDeps, 'deliveries'>,
  delivery: OpenDelivery,
  version: number,
  shown: Shown,
  workspace?: string,
): Promise<Delivered> {
  switch (shown.type) {
    case 'shown':
      delivery.record = withMessage(
        delivery.record,
        { channel: shown.channel, ts: shown.ts },
        version,
        shown.image,
      );
      return { type: 'delivered', fresh: true };
    case 'throttled':
      await deliveries.hold(shown.retryAfterMs, workspace);
      return { type: 'later', afterMs: shown.retryAfterMs };
    case 'refused':
      delivery.record = withRefusal(delivery.record, shown.error, version);
      return { type: 'refused', error: shown.error };
    case 'doubtful':
    case 'unavailable':
      throw slackUnavailable();
  }
}

function slackUnavailable(): DoctorError {
  return new DoctorError({
    code: 'slack-unavailable',
    message: 'Slack gave no usable answer to a delivery',
    retryable: true,
  });
}
