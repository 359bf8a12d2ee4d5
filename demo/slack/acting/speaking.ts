import { post } from '../delivery/posting.js';
import type { Desk } from '../desk.js';
import type { Json } from '../json.js';
import type { Bot, Channel, Message, Person } from '../workspace/model.js';
import { escapeText, withMentions } from './typed-text.js';

/** A person writes into a channel or thread. */
export function say(desk: Desk, person: Person, channel: Channel, text: string, threadTs?: string): Message {
  return post(desk, {
    channel: channel.id,
    user: person.id,
    text: withMentions(desk.workspace, escapeText(text)),
    threadTs,
  });
}

/** What a program posts. */
export interface BotPost {
  readonly text?: string;
  readonly blocks?: readonly Json[];
  /** Legacy attachments, as Alertmanager sends them. */
  readonly attachments?: readonly Json[];
  readonly threadTs?: string;
}

/** A program posts: a webhook as `bot_message` without a user, an app as its bot user. */
export function postAsBot(desk: Desk, bot: Bot, channel: Channel, content: BotPost): Message {
  return post(desk, {
    channel: channel.id,
    text: content.text ?? '',
    blocks: content.blocks ?? [],
    attachments: (content.attachments ?? []).map((attachment, index) => ({ id: index + 1, ...attachment })),
    threadTs: content.threadTs,
    botId: bot.id,
    appId: bot.userId === undefined ? undefined : bot.appId,
    user: bot.userId,
    username: bot.userId === undefined ? bot.displayName : undefined,
    subtype: bot.userId === undefined ? 'bot_message' : undefined,
  });
}
