import { z } from 'zod';
import { checkBlocks } from '../block-limits.js';
import { edit, erase, post } from '../delivery/posting.js';
import type { Desk } from '../desk.js';
import { isJson, type Json, jsonList } from '../json.js';
import { storeMessage } from '../workspace/messages.js';
import type { Message } from '../workspace/model.js';
import { wireMessage } from '../workspace/wire.js';
import {
  ApiError,
  flag,
  knownChannel,
  knownMessage,
  type Method,
  method,
  writableChannel,
} from './method.js';

const content = {
  text: z.string().optional(),
  blocks: z.unknown().optional(),
  attachments: z.unknown().optional(),
  metadata: z.unknown().optional(),
};

/** Characters of `text` from which on Slack refuses or cuts. */
const textCharacters = 40_000;

const write = ['chat:write'];

interface Content {
  readonly text: string;
  readonly blocks: readonly Json[];
  readonly attachments: readonly Json[];
}

/** Text, blocks and attachments of a call, judged as Slack judges them. */
function contentOf(
  desk: Desk,
  args: { text?: string | undefined; blocks?: unknown; attachments?: unknown },
): Content {
  const text = args.text ?? '';
  if (text.length > textCharacters) throw new ApiError('msg_too_long');
  if (args.blocks !== undefined) refuseBadBlocks(args.blocks, '');
  if (args.attachments !== undefined && !Array.isArray(args.attachments))
    throw new ApiError('invalid_attachments');
  const attachments = jsonList(args.attachments);
  if (attachments.length > 100) throw new ApiError('too_many_attachments');
  attachments.forEach((attachment, index) => {
    if (attachment.blocks !== undefined) refuseBadBlocks(attachment.blocks, `/attachments/${index}`);
  });
  const blocks = jsonList(args.blocks);
  if (text === '' && blocks.length === 0 && attachments.length === 0) throw new ApiError('no_text');
  for (const block of blocks) {
    const file = isJson(block.slack_file) ? block.slack_file.id : undefined;
    if (typeof file === 'string' && !desk.workspace.files.has(file)) {
      throw invalidBlocks('invalid_blocks', ['invalid slack file [json-pointer:/blocks/slack_file]']);
    }
  }
  return { text, blocks, attachments };
}

function refuseBadBlocks(blocks: unknown, base: string): void {
  const problems = checkBlocks(blocks, 'message');
  const first = problems[0];
  if (first === undefined) return;
  const error = problems.find((problem) => problem.error !== 'invalid_blocks')?.error ?? first.error;
  throw invalidBlocks(
    error,
    problems.map(({ pointer, message }) => `${message} [json-pointer:${base}${pointer}]`),
  );
}

function invalidBlocks(error: string, errors: readonly string[]): ApiError {
  const messages = errors.map((each) => `[ERROR] ${each}`);
  return new ApiError(error, { errors, response_metadata: { messages } });
}

function metadataOf(metadata: unknown): Json | undefined {
  if (metadata === undefined) return undefined;
  if (isJson(metadata) && typeof metadata.event_type === 'string' && isJson(metadata.event_payload))
    return metadata;
  throw new ApiError('invalid_metadata_format');
}

function appAuthor(desk: Desk) {
  return { user: desk.app.botUserId, botId: desk.app.botId, appId: desk.app.appId };
}

function threadOf(desk: Desk, channel: string, threadTs: string | undefined): string | undefined {
  if (threadTs === undefined || threadTs === '') return undefined;
  const parent = desk.workspace.messages.get(channel)?.get(threadTs);
  if (parent === undefined) throw new ApiError('thread_not_found');
  // A reply to a reply goes to the thread of the first message.
  return parent.threadTs ?? parent.ts;
}

function ownMessage(desk: Desk, channel: string, ts: string, error: string): Message {
  const message = knownMessage(desk, knownChannel(desk, channel), ts);
  if (message.botId !== desk.app.botId) throw new ApiError(error);
  return message;
}

const postMessage = method({
  name: 'chat.postMessage',
  scopes: write,
  args: z.looseObject({
    channel: z.string().optional(),
    ...content,
    thread_ts: z.string().optional(),
    reply_broadcast: flag.optional(),
    username: z.string().optional(),
    icon_emoji: z.string().optional(),
  }),
  run(args, desk) {
    const channel = writableChannel(desk, args.channel);
    const parts = contentOf(desk, args);
    const metadata = metadataOf(args.metadata);
    const customised = args.username !== undefined || args.icon_emoji !== undefined;
    const mayCustomise = desk.app.manifest.oauth_config.scopes.bot.includes('chat:write.customize');
    if (customised && !mayCustomise) {
      throw new ApiError('missing_scope', { needed: 'chat:write.customize', provided: scopesOf(desk) });
    }
    const message = post(desk, {
      channel: channel.id,
      ...parts,
      ...appAuthor(desk),
      threadTs: threadOf(desk, channel.id, args.thread_ts),
      broadcast: args.reply_broadcast === true,
      metadata,
      username: args.username,
    });
    return { channel: channel.id, ts: message.ts, message: wireMessage(desk.workspace, message, true) };
  },
});

const update = method({
  name: 'chat.update',
  scopes: write,
  args: z.looseObject({ channel: z.string(), ts: z.string(), ...content }),
  run(args, desk) {
    const message = ownMessage(desk, args.channel, args.ts, 'cant_update_message');
    if (message.subtype === 'tombstone') throw new ApiError('message_not_found');
    // Text without blocks takes the blocks away; blocks without text take the text away.
    const parts = contentOf(desk, args);
    const metadata = metadataOf(args.metadata);
    const next = edit(desk, message, { ...parts, ...(metadata === undefined ? {} : { metadata }) });
    return {
      channel: next.channel,
      ts: next.ts,
      text: next.text,
      message: wireMessage(desk.workspace, next, true),
    };
  },
});

const remove = method({
  name: 'chat.delete',
  scopes: write,
  args: z.looseObject({ channel: z.string(), ts: z.string() }),
  run(args, desk) {
    const message = ownMessage(desk, args.channel, args.ts, 'cant_delete_message');
    erase(desk, message);
    return { channel: message.channel, ts: message.ts };
  },
});

const postEphemeral = method({
  name: 'chat.postEphemeral',
  scopes: write,
  args: z.looseObject({
    channel: z.string(),
    user: z.string(),
    ...content,
    thread_ts: z.string().optional(),
  }),
  run(args, desk) {
    const channel = writableChannel(desk, args.channel);
    if (!channel.members.has(args.user)) throw new ApiError('user_not_in_channel');
    const message = storeMessage(desk.workspace, {
      channel: channel.id,
      ...contentOf(desk, args),
      ...appAuthor(desk),
      threadTs: threadOf(desk, channel.id, args.thread_ts),
      visibleTo: args.user,
    });
    return { message_ts: message.ts };
  },
});

const getPermalink = method({
  name: 'chat.getPermalink',
  args: z.looseObject({ channel: z.string(), message_ts: z.string() }),
  run(args, desk) {
    const channel = knownChannel(desk, args.channel);
    const message = knownMessage(desk, channel, args.message_ts);
    const thread = message.threadTs === undefined ? '' : `?thread_ts=${message.threadTs}&cid=${channel.id}`;
    return {
      channel: channel.id,
      permalink: `${desk.origin()}/archives/${channel.id}/p${message.ts.replace('.', '')}${thread}`,
    };
  },
});

/** The scopes the token carries, as Slack lists them. */
export function scopesOf(desk: Desk): string {
  return desk.app.manifest.oauth_config.scopes.bot.join(',');
}

export const chatMethods: readonly Method[] = [postMessage, update, remove, postEphemeral, getPermalink];
