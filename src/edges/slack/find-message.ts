import type { WebClient } from '@slack/web-api';
import type { MessageRef } from '../../doctor/incidents/delivery.js';
import type { MessagePlace, Shown } from '../../service/deliver/incident-thread.js';
import { callSlack, type SlackAnswer, type SlackFailure } from './call-slack.js';

export const metadataType = 'rollout_doctor_message';
const pageSize = 100;
const maxPages = 10;
/** Clocks differ, and Slack's timestamp is of its own clock. */
const clockSkewSeconds = 60;

/**
 * Finds the message with this key in its metadata.
 *
 * @param since RFC3339, not later than the post
 * @returns `undefined` when it is not there, `unknown` when Slack does not answer
 */
export async function findMessage(
  client: WebClient,
  { channel, threadTs }: MessagePlace,
  key: string,
  since: string,
): Promise<MessageRef | 'unknown' | undefined> {
  const oldest = String(Math.floor(Date.parse(since) / 1000) - clockSkewSeconds);
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const asked = {
      channel,
      oldest,
      limit: pageSize,
      include_all_metadata: true,
      ...(cursor === undefined ? {} : { cursor }),
    };
    const answer = await callSlack(() =>
      threadTs === undefined
        ? client.conversations.history(asked)
        : client.conversations.replies({ ...asked, ts: threadTs }),
    );
    if (answer.type !== 'answered') return gone(answer) ? undefined : 'unknown';
    const { messages } = answer.result;
    if (!Array.isArray(messages)) return 'unknown';
    const found = messages.find((message) => hasKey(message, key));
    if (found?.ts !== undefined) return { channel, ts: found.ts } satisfies MessageRef;
    cursor = answer.result.response_metadata?.next_cursor || undefined;
    if (cursor === undefined) return undefined;
  }
  return 'unknown';
}

function hasKey(message: object, key: string): boolean {
  if (!('metadata' in message)) return false;
  const { metadata } = message;
  if (typeof metadata !== 'object' || metadata === null) return false;
  if (!('event_type' in metadata) || metadata.event_type !== metadataType) return false;
  const payload = 'event_payload' in metadata ? metadata.event_payload : undefined;
  return typeof payload === 'object' && payload !== null && 'key' in payload && payload.key === key;
}

/** An answer without the message's time does not say that the message is there. */
export function shownAt(channel: string, ts: unknown): Shown {
  return typeof ts === 'string' && ts !== '' ? { type: 'shown', channel, ts } : { type: 'doubtful' };
}

/** What a failed call means for a message. */
export function failed(failure: SlackFailure): Shown {
  switch (failure.type) {
    case 'throttled':
      return failure;
    case 'refused':
      return { type: 'refused', error: failure.error };
    case 'unavailable':
    case 'doubtful':
      return { type: failure.type };
  }
}

/** The place itself is gone for us: the message is not there, and posting will say so for good. */
export function gone(failure: SlackAnswer<unknown>): failure is Extract<SlackFailure, { type: 'refused' }> {
  return failure.type === 'refused' && goneErrors.has(failure.error);
}

const goneErrors: ReadonlySet<string> = new Set([
  'channel_not_found',
  'is_archived',
  'not_in_channel',
  'thread_not_found',
  'user_not_in_channel',
]);
