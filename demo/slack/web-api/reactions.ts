import { z } from 'zod';
import type { Desk } from '../desk.js';
import { changeMessage } from '../workspace/messages.js';
import type { Message, Reaction } from '../workspace/model.js';
import { wireMessage } from '../workspace/wire.js';
import { ApiError, flag, knownChannel, knownMessage, type Method, method } from './method.js';

const target = { channel: z.string(), timestamp: z.string() };

function targetOf(desk: Desk, args: { channel: string; timestamp: string }): Message {
  const channel = knownChannel(desk, args.channel);
  if (!channel.members.has(desk.app.botUserId)) throw new ApiError('not_in_channel');
  return knownMessage(desk, channel, args.timestamp);
}

/** The reactions with one more of this person; `undefined` when it is there already. */
function withReaction(
  reactions: readonly Reaction[],
  name: string,
  user: string,
): readonly Reaction[] | undefined {
  const found = reactions.find((reaction) => reaction.name === name);
  if (found === undefined) return [...reactions, { name, users: [user] }];
  if (found.users.includes(user)) return undefined;
  return reactions.map((each) => (each === found ? { name, users: [...each.users, user] } : each));
}

const add = method({
  name: 'reactions.add',
  scopes: ['reactions:write'],
  args: z.looseObject({ ...target, name: z.string() }),
  run(args, desk) {
    const message = targetOf(desk, args);
    if (!/^[a-z0-9_+'-]+(::skin-tone-[2-6])?$/.test(args.name)) throw new ApiError('invalid_name');
    const reactions = withReaction(message.reactions, args.name, desk.app.botUserId);
    if (reactions === undefined) throw new ApiError('already_reacted');
    changeMessage(desk.workspace, message, { reactions });
    return {};
  },
});

const remove = method({
  name: 'reactions.remove',
  scopes: ['reactions:write'],
  args: z.looseObject({ ...target, name: z.string() }),
  run(args, desk) {
    const message = targetOf(desk, args);
    const user = desk.app.botUserId;
    const found = message.reactions.find(({ name, users }) => name === args.name && users.includes(user));
    if (found === undefined) throw new ApiError('no_reaction');
    const reactions = message.reactions
      .map((each) => (each === found ? { ...each, users: each.users.filter((one) => one !== user) } : each))
      .filter(({ users }) => users.length > 0);
    changeMessage(desk.workspace, message, { reactions });
    return {};
  },
});

const get = method({
  name: 'reactions.get',
  scopes: ['reactions:read'],
  args: z.looseObject({ ...target, full: flag.default(false) }),
  run(args, desk) {
    const message = targetOf(desk, args);
    return { type: 'message', channel: message.channel, message: wireMessage(desk.workspace, message) };
  },
});

export const reactionMethods: readonly Method[] = [add, remove, get];
