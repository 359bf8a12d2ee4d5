import { z } from 'zod';
import type { Desk } from '../desk.js';
import type { Json } from '../json.js';
import type { Channel, Message, Person } from '../workspace/model.js';

/** An answer with `ok: false`. */
export class ApiError extends Error {
  readonly code: string;
  readonly details: Json;
  constructor(code: string, details: Json = {}) {
    super(code);
    this.name = 'ApiError';
    this.code = code;
    this.details = details;
  }
}

/** One method of the Web API. */
export interface Method {
  readonly name: string;
  /** Scopes of which the token needs one; empty when any token will do. */
  readonly scopes: readonly string[];
  readonly token: 'bot' | 'app';
  run(args: Json, desk: Desk): Json | Promise<Json>;
}

/** Arguments are checked against `args` first; what does not fit is `invalid_arguments`. */
export function method<Args extends z.ZodType>(definition: {
  readonly name: string;
  readonly scopes?: readonly string[];
  readonly token?: 'bot' | 'app';
  readonly args: Args;
  readonly run: (args: z.output<Args>, desk: Desk) => Json | Promise<Json>;
}): Method {
  return {
    name: definition.name,
    scopes: definition.scopes ?? [],
    token: definition.token ?? 'bot',
    run(args, desk) {
      const parsed = definition.args.safeParse(args);
      if (!parsed.success) {
        const messages = parsed.error.issues.map(
          ({ path, message }) => `[ERROR] ${message} [json-pointer:/${path.join('/')}]`,
        );
        throw new ApiError('invalid_arguments', { response_metadata: { messages } });
      }
      return definition.run(parsed.data, desk);
    },
  };
}

/** Form fields spell booleans as words. */
export const flag = z.union([
  z.boolean(),
  z.enum(['true', '1', 'false', '0']).transform((word) => word === 'true' || word === '1'),
]);

export const count = z.coerce.number().int().min(1).max(1000);

/** The channel for an id or name, as far as the app may know of it. */
export function knownChannel(desk: Desk, channel: string | undefined): Channel {
  const name = (channel ?? '').replace(/^#/, '');
  const { channels, people } = desk.workspace;
  const found =
    channels.get(name) ?? [...channels.values()].find((each) => each.name === name && each.kind !== 'im');
  if (found === undefined) {
    const person = people.get(name);
    if (person !== undefined && !person.isBot) return directChannel(desk, person);
    throw new ApiError('channel_not_found');
  }
  // A private channel does not exist for those outside.
  if (found.kind !== 'public' && !found.members.has(desk.app.botUserId))
    throw new ApiError('channel_not_found');
  return found;
}

/** The direct conversation between the app and a person, made when it is first needed. */
export function directChannel(desk: Desk, person: Person): Channel {
  const id = person.id.replace(/^[UW]/, 'D');
  const found = desk.workspace.channels.get(id);
  if (found !== undefined) return found;
  const channel: Channel = {
    id,
    name: person.name,
    kind: 'im',
    members: new Set([person.id, desk.app.botUserId]),
    archived: false,
    shared: undefined,
    workspaces: person.workspaces,
    topic: '',
  };
  desk.workspace.channels.set(id, channel);
  desk.workspace.changes.note();
  return channel;
}

/** A channel the app may post to. */
export function writableChannel(desk: Desk, name: string | undefined): Channel {
  const channel = knownChannel(desk, name);
  if (channel.archived) throw new ApiError('is_archived');
  const mayUninvited =
    channel.kind === 'public' && desk.app.manifest.oauth_config.scopes.bot.includes('chat:write.public');
  if (!channel.members.has(desk.app.botUserId) && !mayUninvited) throw new ApiError('not_in_channel');
  return channel;
}

export function knownMessage(desk: Desk, channel: Channel, ts: string): Message {
  const message = desk.workspace.messages.get(channel.id)?.get(ts);
  if (message === undefined) throw new ApiError('message_not_found');
  return message;
}

/** A page of a list, with the cursor of the next one. */
export function page<Item>(
  items: readonly Item[],
  limit: number,
  cursor: string | undefined,
): { readonly items: readonly Item[]; readonly more: boolean; readonly response_metadata: Json } {
  const start = cursor === undefined || cursor === '' ? 0 : Number(Buffer.from(cursor, 'base64').toString());
  if (!Number.isInteger(start) || start < 0) throw new ApiError('invalid_cursor');
  const more = start + limit < items.length;
  const next_cursor = more ? Buffer.from(String(start + limit)).toString('base64') : '';
  return { items: items.slice(start, start + limit), more, response_metadata: { next_cursor } };
}
