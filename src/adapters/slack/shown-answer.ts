import type { Shown } from '../../usecases/deliver/incident-thread.js';
import type { SlackAnswer, SlackFailure } from './call-slack.js';

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
