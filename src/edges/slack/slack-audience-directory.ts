import type { WebClient } from '@slack/web-api';
import type { Pages } from '../../doctor/incidents/page-links.js';
import type { Tell } from '../../engine/language/catalogue.js';
import type { Language } from '../../engine/language/language.js';
import type { ScanAudience } from '../../service/diagnose/scan.js';
import { DoctorError } from '../../service/errors.js';
import type { ReadHome } from '../../service/people/read-home.js';
import type { AudienceDirectory, KnownAudience } from '../../service/people/sights.js';
import type { Clock } from '../../service/records/process-ports.js';
import { createBoundedCache } from './bounded-cache.js';
import { callSlack } from './call-slack.js';
import type { LinkTo } from './card-link.js';
import { gone } from './find-message.js';
import type { HomePage } from './listeners/deps.js';
import { sendWithTable } from './plain-message.js';
import { renderHome, renderHomeFailure } from './render/home.js';
import { renderScan } from './render/scan.js';
import type { ReadWorkspaces } from './slack-workspaces.js';

/** A channel may be shared at any moment: never older than a minute. */
const knownMs = 60_000;
const maxChannels = 1_000;

/**
 * Who reads a channel, by `conversations.info`. Needs the scopes channels:read, and groups:read for private
 * channels.
 *
 * @throws DoctorError `slack-unavailable` or `slack-throttled`, retryable, while Slack does not answer
 */
export function createSlackAudienceDirectory({
  client,
  clock,
  workspaces,
}: {
  client: WebClient;
  clock: Clock;
  workspaces: ReadWorkspaces;
}): SlackAudienceDirectory {
  const known = createBoundedCache<KnownChannel>(maxChannels, () => clock.now().getTime());
  const asking = new Map<string, Promise<KnownChannel>>();

  async function ask(channel: string): Promise<KnownChannel> {
    const answer = await callSlack(() => client.conversations.info({ channel }));
    if (answer.type === 'answered') {
      const { channel: found } = answer.result;
      const all = await workspaces();
      return { audience: audienceIn(found, all), workspace: all && found?.context_team_id };
    }
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

  async function read(channel: string): Promise<KnownChannel> {
    const kept = known.get(channel, knownMs);
    if (kept !== undefined) return kept;
    const started =
      asking.get(channel) ??
      ask(channel)
        .then((found) => {
          known.set(channel, found);
          return found;
        })
        .finally(() => asking.delete(channel));
    asking.set(channel, started);
    return started;
  }

  return {
    async audienceOf(channel) {
      const { workspace: _, ...audience } = await read(channel);
      return audience;
    },
    async workspaceOf(channel) {
      const isOfOrganisation = await workspaces().catch(() => undefined);
      if (isOfOrganisation === undefined || !isChannel.test(channel)) return undefined;
      return (await read(channel).catch(() => undefined))?.workspace;
    },
  };
}

interface KnownChannel extends KnownAudience {
  readonly workspace?: string | undefined;
}

interface SlackAudienceDirectory extends AudienceDirectory {
  /**
   * The workspace of a channel, where the app is installed in an organisation and Slack names it. Never
   * fails: a workspace that is not known is limited together with all others.
   */
  workspaceOf(channel: string): Promise<string | undefined>;
}

/** Direct conversations are of no workspace. */
const isChannel = /^[CG]/u;

/**
 * A pending invitation counts as shared: it may be accepted before the next question. For an installation of
 * an organisation a channel is its own while only workspaces read it that an administrator added the app to.
 */
function audienceIn(
  channel: unknown,
  workspaces: ReadonlySet<string> | undefined,
): KnownAudience['audience'] {
  if (typeof channel !== 'object' || channel === null) return 'unknown';
  const flags = channel as Readonly<Record<string, unknown>>;
  if (sharing.some((flag) => flags[flag] === true)) return 'shared';
  if (workspaces === undefined) {
    if (flags.is_shared === true || flags.is_org_shared === true) return 'shared';
    return flags.is_shared === false && flags.is_ext_shared === false ? 'own-workspace' : 'unknown';
  }
  if (flags.is_ext_shared !== false || flags.is_shared === undefined) return 'unknown';
  if (flags.is_global_shared === true) return 'shared';
  const readers = listOf(flags.shared_team_ids);
  if (readers === undefined) return 'unknown';
  const others = [...readers, ...(listOf(flags.connected_team_ids) ?? [])];
  return others.every((team) => workspaces.has(team)) ? 'own-workspace' : 'shared';
}

const sharing = ['is_ext_shared', 'is_pending_ext_shared'] as const;

/** Nothing where Slack names no workspace at all: an empty list proves nothing about who reads. */
function listOf(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  return value.map(String);
}

interface SlackScanAudienceOptions {
  readonly client: WebClient;
  readonly tell: Tell;
  readonly languageOf: (user: string) => Promise<Language>;
  readonly hasTables: boolean;
}

/** Tells privately where it was asked; where the bot is not a member, in a direct message. */
export function createSlackScanAudience({
  client,
  tell,
  languageOf,
  hasTables,
}: SlackScanAudienceOptions): ScanAudience {
  return {
    async showScan(scan) {
      const { channel, by: user, threadTs } = scan;
      const message = renderScan(scan, { tell, language: await languageOf(user), hasTables });
      const thread = threadTs === undefined ? {} : { thread_ts: threadTs };
      const answer = await callSlack(() =>
        sendWithTable(message, ({ text, blocks }) =>
          client.chat.postEphemeral({ channel, user, text, blocks, ...thread }),
        ),
      );
      if (answer.type === 'answered') {
        return { type: 'shown', channel, ts: answer.result.message_ts ?? '' };
      }
      if (!gone(answer)) return answer;
      const direct = await callSlack(() =>
        sendWithTable(message, ({ text, blocks }) =>
          client.chat.postMessage({ channel: user, text, blocks }),
        ),
      );
      if (direct.type !== 'answered') return direct;
      return { type: 'shown', channel: direct.result.channel ?? user, ts: direct.result.ts ?? '' };
    },
  };
}

/** The page of one reader, in their language. */
export function createHomePage({
  tell,
  linkTo,
  pages,
  readHome,
}: {
  tell: Tell;
  linkTo: LinkTo;
  pages: Pages;
  readHome: ReadHome;
}): HomePage {
  return async ({ user, language }) => {
    const home = await readHome({ by: user });
    if (home.type === 'refused') return renderHomeFailure(tell(home.because, language), language);
    return renderHome(home, user, { tell, language, linkTo, pages });
  };
}
