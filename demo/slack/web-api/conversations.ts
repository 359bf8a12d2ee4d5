import { z } from 'zod';
import type { Desk } from '../desk.js';
import { messagesOf } from '../workspace/messages.js';
import type { Channel, Message } from '../workspace/model.js';
import { wireChannel, wireMessage } from '../workspace/wire.js';
import { ApiError, count, directChannel, flag, knownChannel, type Method, method, page } from './method.js';

const read = ['channels:read', 'groups:read', 'im:read', 'mpim:read'];
const history = ['channels:history', 'groups:history', 'im:history', 'mpim:history'];

const kinds: Readonly<Record<string, Channel['kind']>> = {
  public_channel: 'public',
  private_channel: 'private',
  im: 'im',
};

const list = method({
  name: 'conversations.list',
  scopes: read,
  args: z.looseObject({
    types: z.string().default('public_channel'),
    exclude_archived: flag.default(false),
    limit: count.default(100),
    cursor: z.string().optional(),
  }),
  run(args, desk) {
    const wanted = new Set(args.types.split(',').map((type) => kinds[type.trim()]));
    const channels = [...desk.workspace.channels.values()].filter(
      (channel) =>
        wanted.has(channel.kind) &&
        !(args.exclude_archived && channel.archived) &&
        (channel.kind === 'public' || channel.members.has(desk.app.botUserId)),
    );
    const { items, response_metadata } = page(channels, args.limit, args.cursor);
    return {
      channels: items.map((channel) => wireChannel(desk.workspace, channel, desk.app.botUserId)),
      response_metadata,
    };
  },
});

const info = method({
  name: 'conversations.info',
  scopes: read,
  args: z.looseObject({ channel: z.string() }),
  run(args, desk) {
    const channel = knownChannel(desk, args.channel);
    return { channel: wireChannel(desk.workspace, channel, desk.app.botUserId) };
  },
});

const range = {
  limit: count.default(100),
  cursor: z.string().optional(),
  oldest: z.string().optional(),
  latest: z.string().optional(),
  inclusive: flag.default(false),
  include_all_metadata: flag.default(false),
};

/** A channel whose messages the app may read. */
function readableChannel(desk: Desk, name: string): Channel {
  const channel = knownChannel(desk, name);
  if (!channel.members.has(desk.app.botUserId)) throw new ApiError('not_in_channel');
  return channel;
}

function within(
  messages: readonly Message[],
  {
    oldest = '0',
    latest,
    inclusive,
  }: { oldest?: string | undefined; latest?: string | undefined; inclusive: boolean },
): readonly Message[] {
  return messages.filter(({ ts }) => {
    const at = Number(ts);
    if (latest !== undefined && (at > Number(latest) || (!inclusive && ts === latest))) return false;
    return at > Number(oldest) || (inclusive && ts === oldest);
  });
}

const channelHistory = method({
  name: 'conversations.history',
  scopes: history,
  args: z.looseObject({ channel: z.string(), ...range }),
  run(args, desk) {
    const channel = readableChannel(desk, args.channel);
    const inChannel = messagesOf(desk.workspace, channel.id).filter(
      (message) => message.threadTs === undefined || message.broadcast,
    );
    const newestFirst = within(inChannel, args).toReversed();
    const { items, more, response_metadata } = page(newestFirst, args.limit, args.cursor);
    return {
      messages: items.map((message) => wireMessage(desk.workspace, message, args.include_all_metadata)),
      has_more: more,
      response_metadata,
    };
  },
});

const replies = method({
  name: 'conversations.replies',
  scopes: history,
  args: z.looseObject({ channel: z.string(), ts: z.string(), ...range }),
  run(args, desk) {
    const channel = readableChannel(desk, args.channel);
    const asked = desk.workspace.messages.get(channel.id)?.get(args.ts);
    if (asked === undefined) throw new ApiError('thread_not_found');
    const root = asked.threadTs ?? asked.ts;
    const thread = messagesOf(desk.workspace, channel.id).filter(
      (message) => message.ts === root || message.threadTs === root,
    );
    const { items, more, response_metadata } = page(within(thread, args), args.limit, args.cursor);
    return {
      messages: items.map((message) => wireMessage(desk.workspace, message, args.include_all_metadata)),
      has_more: more,
      response_metadata,
    };
  },
});

const open = method({
  name: 'conversations.open',
  scopes: ['im:write', 'mpim:write', 'channels:manage', 'groups:write'],
  args: z.looseObject({ users: z.string().optional(), channel: z.string().optional() }),
  run(args, desk) {
    if (args.channel !== undefined) {
      return { channel: wireChannel(desk.workspace, knownChannel(desk, args.channel), desk.app.botUserId) };
    }
    const person = desk.workspace.people.get(args.users ?? '');
    if (person === undefined) throw new ApiError('user_not_found');
    const channel = directChannel(desk, person);
    return { channel: wireChannel(desk.workspace, channel, desk.app.botUserId) };
  },
});

const join = method({
  name: 'conversations.join',
  scopes: ['channels:join'],
  args: z.looseObject({ channel: z.string() }),
  run(args, desk) {
    const channel = knownChannel(desk, args.channel);
    if (channel.archived) throw new ApiError('is_archived');
    if (channel.kind !== 'public') throw new ApiError('method_not_supported_for_channel_type');
    const joined = { ...channel, members: new Set([...channel.members, desk.app.botUserId]) };
    desk.workspace.channels.set(channel.id, joined);
    desk.workspace.changes.note();
    return { channel: wireChannel(desk.workspace, joined, desk.app.botUserId) };
  },
});

const members = method({
  name: 'conversations.members',
  scopes: read,
  args: z.looseObject({ channel: z.string(), limit: count.default(100), cursor: z.string().optional() }),
  run(args, desk) {
    const channel = knownChannel(desk, args.channel);
    const { items, response_metadata } = page([...channel.members], args.limit, args.cursor);
    return { members: items, response_metadata };
  },
});

export const conversationMethods: readonly Method[] = [
  list,
  info,
  channelHistory,
  replies,
  open,
  join,
  members,
];
