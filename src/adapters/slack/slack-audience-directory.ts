import type { WebClient } from '@slack/web-api';
import { DoctorError } from '../../errors.js';
import type { AudienceDirectory, KnownAudience } from '../../usecases/people/sights.js';
import type { Clock } from '../../usecases/records/process-ports.js';
import { createBoundedCache } from './bounded-cache.js';
import { callSlack } from './call-slack.js';

/** A channel may be shared at any moment: never older than a minute. */
const knownMs = 60_000;
const maxChannels = 1_000;

/**
 * Who reads a channel, by `conversations.info`. Needs the scopes channels:read, and groups:read for private channels.
 *
 * @throws DoctorError `slack-unavailable` or `slack-throttled`, retryable, while Slack does not answer
 */
export function createSlackAudienceDirectory({
  client,
  clock,
}: {
  readonly client: WebClient;
  readonly clock: Clock;
}): AudienceDirectory {
  const known = createBoundedCache<KnownAudience>(maxChannels, () => clock.now().getTime());
  const asking = new Map<string, Promise<KnownAudience>>();

  async function ask(channel: string): Promise<KnownAudience> {
    const answer = await callSlack(() => client.conversations.info({ channel }));
    if (answer.type === 'answered') return { audience: audienceIn(answer.result.channel) };
    if ('error' in answer && answer.error === 'missing_scope')
      return { audience: 'unknown', lacksScope: true };
    if (answer.type === 'refused') return { audience: 'unknown' };
    throw new DoctorError({
      code: answer.type === 'throttled' ? 'slack-throttled' : 'slack-unavailable',
      message: 'Slack did not report who reads a channel',
      retryable: true,
      ...(answer.type === 'throttled' ? { retryAfterMs: answer.retryAfterMs } : { cause: answer.error }),
    });
  }

  return {
    async audienceOf(channel) {
      const kept = known.get(channel, knownMs);
      if (kept !== undefined) return kept;
      const started =
        asking.get(channel) ??
        ask(channel)
          .then((audience) => {
            known.set(channel, audience);
            return audience;
          })
          .finally(() => asking.delete(channel));
      asking.set(channel, started);
      return started;
    },
  };
}

/** A pending invitation counts as shared: it may be accepted before the next question. */
function audienceIn(channel: unknown): KnownAudience['audience'] {
  if (typeof channel !== 'object' || channel === null) return 'unknown';
  const flags = channel as Readonly<Record<string, unknown>>;
  if (sharing.some((flag) => flags[flag] === true)) return 'shared';
  return flags.is_shared === false && flags.is_ext_shared === false ? 'own-workspace' : 'unknown';
}

const sharing = ['is_shared', 'is_ext_shared', 'is_org_shared', 'is_pending_ext_shared'] as const;
