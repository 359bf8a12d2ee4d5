import type { WebClient } from '@slack/web-api';
import type { Clock } from '../../service/records/process-ports.js';
import { createBoundedCache } from './bounded-cache.js';
import { callSlack } from './call-slack.js';

const knownMs = 600_000;
const maxChannels = 1_000;

/**
 * Tells whether the bot may post in a conversation. A slash command works everywhere, a card only where the
 * bot was invited; without this question the card would be lost in silence. What Slack does not answer counts
 * as yes.
 */
export function createChannelMembership({
  client,
  clock,
}: {
  client: WebClient;
  clock: Clock;
}): (channel: string) => Promise<boolean> {
  const known = createBoundedCache<true>(maxChannels, () => clock.now().getTime());
  return async (channel) => {
    if (known.get(channel, knownMs)) return true;
    const answer = await callSlack(() => client.conversations.history({ channel, limit: 1 }));
    if (answer.type === 'refused' && absent.has(answer.error)) return false;
    if (answer.type === 'answered') known.set(channel, true);
    return true;
  };
}

const absent: ReadonlySet<string> = new Set(['not_in_channel', 'channel_not_found']);
