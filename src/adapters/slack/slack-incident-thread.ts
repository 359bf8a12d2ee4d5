import type { ChatPostMessageArguments, WebClient } from '@slack/web-api';
import type { AlertPlace } from '../../core/alert/alert-record.js';
import type { Approval } from '../../core/incident/approval.js';
import type { Incident } from '../../core/incident/incident.js';
import type { Tell } from '../../core/language/catalogue.js';
import type { Language } from '../../core/language/language.js';
import type { AlertThread } from '../../usecases/alert-ports.js';
import type { IncidentThread, MessageRef, Shown } from '../../usecases/incident-thread.js';
import { callSlack, type SlackAnswer, type SlackFailure } from './call-slack.js';
import type { LinkTo } from './card-link.js';
import { renderCard } from './render/card.js';
import { renderEntry } from './render/entry.js';
import type { Message } from './render/message.js';
import { renderNotice } from './render/notice.js';
import { renderPicture } from './render/picture.js';
import { renderPointer } from './render/pointer.js';
import { renderQuestion } from './render/question.js';

export interface SlackIncidentThreadOptions {
  readonly client: WebClient;
  readonly tell: Tell;
  readonly languageOf: (user: string) => Promise<Language>;
  /** Addresses of cards that another card names; asked of Slack once, and then known. */
  readonly links?: () => Promise<LinkTo | undefined>;
}

const metadataType = 'rollout_doctor_message';
const pageSize = 100;
const maxPages = 10;
/** Clocks differ, and Slack's timestamp is of its own clock. */
const clockSkewSeconds = 60;

/**
 * Shows incidents in Slack. Each call is one attempt. Posts carry their key in the message's metadata, which is how a
 * doubtful one is found again; the key holds ids only, since metadata is readable by every app in the channel.
 */
export function createSlackIncidentThread({
  client,
  tell,
  languageOf,
  links = async () => undefined,
}: SlackIncidentThreadOptions): IncidentThread & AlertThread {
  async function post(
    place: { readonly channel: string; readonly threadTs: string | undefined },
    message: Message,
    key: string,
  ): Promise<Shown> {
    const send = ({ text, blocks }: Message) =>
      callSlack(() =>
        client.chat.postMessage({
          channel: place.channel,
          text,
          blocks,
          unfurl_links: false,
          unfurl_media: false,
          metadata: { event_type: metadataType, event_payload: { key } },
          ...(place.threadTs === undefined ? {} : { thread_ts: place.threadTs }),
        } satisfies ChatPostMessageArguments),
      );
    let answer = await send(message);
    if (tooMuch(answer)) answer = await send(plainOnly(message));
    if (answer.type !== 'answered') return failed(answer);
    const { channel = place.channel, ts } = answer.result;
    return ts === undefined ? { type: 'doubtful' } : { type: 'shown', channel, ts };
  }

  async function edit(message: Message, { channel, ts }: MessageRef): Promise<Shown> {
    const send = ({ text, blocks }: Message) =>
      callSlack(() => client.chat.update({ channel, ts, text, blocks }));
    let answer = await send(message);
    if (tooMuch(answer)) answer = await send(plainOnly(message));
    if (answer.type === 'answered') return { type: 'shown', channel, ts };
    return answer.type === 'doubtful' ? { type: 'unavailable' } : failed(answer);
  }

  const card = async (incident: Incident, approval: Approval | undefined): Promise<Message> => {
    const linkTo = incident.group === undefined ? undefined : await links();
    return renderCard(incident, approval, { tell, linkTo });
  };

  return {
    postCard: async (incident, approval, key) => {
      const { channel, threadTs } = incident;
      return post({ channel, threadTs }, await card(incident, approval), key);
    },

    updateCard: async (incident, approval, message) => edit(await card(incident, approval), message),

    postEntry: (incident, approval, entry, thread, key) =>
      post(
        { channel: thread.channel, threadTs: thread.ts },
        renderEntry(incident, approval, entry, { tell }),
        key,
      ),

    postPicture: (incident, thread, key) =>
      post({ channel: thread.channel, threadTs: thread.ts }, renderPicture(incident), key),

    updatePicture: (incident, message) => edit(renderPicture(incident), message),

    postQuestion: (question, language, key) =>
      post(placeOf(question.place), renderQuestion(question, language), key),

    async postPointer(place, incident, card, key) {
      const answer = await callSlack(() =>
        client.chat.getPermalink({ channel: card.channel, message_ts: card.ts }),
      );
      if (answer.type === 'throttled') return failed(answer);
      const link = answer.type === 'answered' ? answer.result.permalink : undefined;
      return post(placeOf(place), renderPointer(incident, link), key);
    },

    async notify({ channel, threadTs, user, statement }) {
      const { text, blocks } = renderNotice(tell(statement, await languageOf(user)));
      const answer = await callSlack(() =>
        client.chat.postEphemeral({
          channel,
          user,
          text,
          blocks,
          ...(threadTs === undefined ? {} : { thread_ts: threadTs }),
        }),
      );
      if (gone(answer)) {
        const direct = await callSlack(() => client.chat.postMessage({ channel: user, text, blocks }));
        if (direct.type !== 'answered') return failed(direct);
        return { type: 'shown', channel: direct.result.channel ?? user, ts: direct.result.ts ?? '' };
      }
      if (answer.type !== 'answered') return failed(answer);
      return { type: 'shown', channel, ts: answer.result.message_ts ?? '' };
    },

    async find(channel, threadTs, key, since) {
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
        const found = answer.result.messages?.find((message) => hasKey(message, key));
        if (found?.ts !== undefined) return { channel, ts: found.ts } satisfies MessageRef;
        cursor = answer.result.response_metadata?.next_cursor || undefined;
        if (cursor === undefined) return undefined;
      }
      return 'unknown';
    },
  };
}

function placeOf({ channel, threadTs }: AlertPlace): {
  readonly channel: string;
  readonly threadTs: string | undefined;
} {
  return { channel, threadTs };
}

function failed(failure: SlackFailure): Shown {
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

/** Slack's true limit over all blocks is not documented: a message it finds too long is said in words alone. */
function tooMuch(answer: { readonly type: string; readonly error?: string }): boolean {
  return answer.type === 'refused' && answer.error !== undefined && tooMuchErrors.has(answer.error);
}

const tooMuchErrors: ReadonlySet<string> = new Set([
  'invalid_blocks',
  'invalid_blocks_format',
  'msg_blocks_too_long',
  'msg_too_long',
]);

function plainOnly({ text, blocks }: Message): Message {
  return {
    text,
    blocks: [
      { type: 'section', text: { type: 'mrkdwn', text: text.slice(0, 3_000), verbatim: true } },
      ...blocks.filter(({ type }) => type === 'actions').slice(0, 2),
    ],
  };
}

/** The place itself is gone for us: the message is not there, and posting will say so for good. */
function gone(failure: SlackAnswer<unknown>): failure is Extract<SlackFailure, { type: 'refused' }> {
  return failure.type === 'refused' && goneErrors.has(failure.error);
}

const goneErrors: ReadonlySet<string> = new Set([
  'channel_not_found',
  'is_archived',
  'not_in_channel',
  'thread_not_found',
  'user_not_in_channel',
]);

function hasKey(message: object, key: string): boolean {
  if (!('metadata' in message)) return false;
  const { metadata } = message;
  if (typeof metadata !== 'object' || metadata === null) return false;
  if (!('event_type' in metadata) || metadata.event_type !== metadataType) return false;
  const payload = 'event_payload' in metadata ? metadata.event_payload : undefined;
  return typeof payload === 'object' && payload !== null && 'key' in payload && payload.key === key;
}
