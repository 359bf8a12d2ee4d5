import type { WebClient } from '@slack/web-api';
import type { Pages } from '../../doctor/incidents/page-links.js';
import type { Tell } from '../../engine/language/catalogue.js';
import type { Language } from '../../engine/language/language.js';
import type { ScanAudience } from '../../service/diagnose/run-scan.js';
import type { ReadHome } from '../../service/people/read-home.js';
import { callSlack } from './call-slack.js';
import type { LinkTo } from './card-link.js';
import type { HomePage } from './listeners/deps.js';
import { sendWithTable } from './plain-message.js';
import { renderHome, renderHomeFailure } from './render/home.js';
import { renderScan } from './render/scan.js';

interface SlackScanAudienceOptions {
  readonly client: WebClient;
  readonly tell: Tell;
  readonly languageOf: (user: string) => Promise<Language>;
  readonly hasTables: boolean;
}

const goneErrors: ReadonlySet<string> = new Set([
  'channel_not_found',
  'is_archived',
  'not_in_channel',
  'thread_not_found',
  'user_not_in_channel',
]);

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
      if (answer.type !== 'refused' || !goneErrors.has(answer.error)) return answer;
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
