import type { WebClient } from '@slack/web-api';
import type { Tell } from '../../engine/language/catalogue.js';
import type { Language } from '../../engine/language/language.js';
import type { DigestBoard } from '../../service/diagnose/run-digest.js';
import { callSlack } from './call-slack.js';
import { findMessage, metadataType } from './find-message.js';
import { sendWithTable } from './plain-message.js';
import { maxInChannel, renderDigest, renderDigestList } from './render/digest.js';

export interface SlackDigestBoardOptions {
  readonly client: WebClient;
  readonly tell: Tell;
  readonly languageOfChannel: (channel: string) => Language;
  readonly hasTables: boolean;
}

/**
 * Posts the weekly digest in its channel, and the full list in the thread of it where the message names only
 * some.
 */
export function createSlackDigestBoard({
  client,
  tell,
  languageOfChannel,
  hasTables,
}: SlackDigestBoardOptions): DigestBoard {
  const quiet = { unfurl_links: false, unfurl_media: false } as const;
  return {
    async postDigest(channel, digest, key) {
      const options = { tell, language: languageOfChannel(channel), hasTables };
      const { text, blocks } = renderDigest(digest, options);
      const metadata = { event_type: metadataType, event_payload: { key } };
      const answer = await callSlack(() =>
        client.chat.postMessage({ channel, text, blocks, metadata, ...quiet }),
      );
      if (answer.type !== 'answered') return answer;
      const { ts = '' } = answer.result;
      if (digest.items.length > maxInChannel) {
        // The message is there: a list that Slack does not take is no reason to post it again.
        await callSlack(() =>
          sendWithTable(renderDigestList(digest, options), (list) =>
            client.chat.postMessage({
              channel,
              text: list.text,
              blocks: list.blocks,
              thread_ts: ts,
              ...quiet,
            }),
          ),
        );
      }
      return { type: 'shown', channel, ts };
    },
    findDigest: (channel, key, since) => findMessage(client, { channel, threadTs: undefined }, key, since),
  };
}
