import * as z from 'zod';
import type { Immutable } from '../../engine/objects/wire.js';
import { conclusionOf, mainFindingOf } from '../findings/main-finding.js';
import type { Incident } from './incident.js';

/** What the reaction on the message of an alert says of its incident. */
export const alertReactions = ['looking', 'critical', 'warning', 'healthy', 'unknown'] as const;
export type AlertReaction = (typeof alertReactions)[number];

/**
 * The reaction on the message that the card of the incident answers; `undefined` where its card answers no
 * message of an alert, and where another incident goes on in its place. Further alerts of an incident have no
 * reaction of their own, so that their number costs nothing.
 */
export function reactionOf(incident: Incident): AlertReaction | undefined {
  const { origin, alerts, threadTs, successor, phase, diagnosis } = incident;
  if (origin.via !== 'alert' || alerts === undefined || threadTs === undefined || successor !== undefined) {
    return undefined;
  }
  if (phase === 'failed') return 'unknown';
  if (diagnosis === undefined) return 'looking';
  switch (conclusionOf(diagnosis)) {
    case 'nothing':
      return 'healthy';
    case 'unchecked':
      return 'unknown';
    case 'found':
      return mainFindingOf(diagnosis).main?.severity === 'warning' ? 'warning' : 'critical';
  }
}

/** Where a message is in the chat. */
export const MessageRef = z.object({ channel: z.string(), ts: z.string() });
export type MessageRef = Immutable<z.output<typeof MessageRef>>;

/** An image file that a message shows, and which drawing it is of. */
export const ShownImage = z.object({ id: z.string(), digest: z.string() });
export type ShownImage = Immutable<z.output<typeof ShownImage>>;

/**
 * What is known about one message to the chat: whether it exists, what it shows, and whether it was refused.
 */
export const DeliveryRecord = z.object({
  /**
   * RFC3339. Stored before a post is tried: from then on the message may exist although no answer arrived.
   */
  tryingSince: z.string().optional(),
  message: MessageRef.optional(),
  /** Version that the message shows: of a card the incident's version, of a picture the diagnosis run. */
  version: z.number().optional(),
  /** Absent where the message shows none. */
  image: ShownImage.optional(),
  /** The chat's code for a final refusal. */
  refused: z.string().optional(),
  /** Version that was refused. A later one is tried again, since people may have repaired the cause. */
  refusedVersion: z.number().optional(),
  /** Reactions that a message of others may have from us: stored before one is added. */
  reactions: z.array(z.enum(alertReactions)).optional(),
});
export type DeliveryRecord = Immutable<z.output<typeof DeliveryRecord>>;

/** What to do next for a message. */
export type DeliveryStep =
  | { readonly type: 'done' }
  | { readonly type: 'refused'; readonly error: string }
  /** A post was tried and its outcome is unknown: look for the message before another post. */
  | { readonly type: 'find'; readonly since: string }
  | { readonly type: 'post' }
  | { readonly type: 'edit'; readonly message: MessageRef };

/**
 * The next step for a message that is to show this version.
 *
 * @param version 0 for a message that is posted once and never edited
 * @param isAbsent true after a search did not find the message
 */
export function nextDeliveryStep(
  { tryingSince, message, version: shown = 0, refused, refusedVersion = 0 }: DeliveryRecord,
  version: number,
  isAbsent = false,
): DeliveryStep {
  if (refused !== undefined && refusedVersion >= version) return { type: 'refused', error: refused };
  if (message !== undefined) return shown >= version ? { type: 'done' } : { type: 'edit', message };
  return tryingSince === undefined || isAbsent ? { type: 'post' } : { type: 'find', since: tryingSince };
}

/** The record before a post. The time of the first attempt stays: its message may still be found. */
export function withAttempt(record: DeliveryRecord, at: string): DeliveryRecord {
  const { tryingSince = at, message, version } = record;
  return { tryingSince, message, version };
}

/**
 * The record after the message was posted or edited to show this version; 0 if it is unknown which one it
 * shows.
 */
export function withMessage(
  { tryingSince }: DeliveryRecord,
  message: MessageRef,
  version: number,
  image?: ShownImage,
): DeliveryRecord {
  return { tryingSince, message, version, ...(image === undefined ? {} : { image }) };
}

/** The record after this version was refused for good. */
export function withRefusal(record: DeliveryRecord, error: string, version: number): DeliveryRecord {
  return { ...record, refused: error, refusedVersion: version };
}
