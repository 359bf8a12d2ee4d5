import { type Changes, createChanges } from './changes.js';
import type { BotOptions, ChannelOptions, PersonOptions, UserGroupOptions } from './defaults.js';
import { defaultBots, defaultChannels, defaultPeople, defaultUserGroups } from './defaults.js';
import { fixedId } from './ids.js';
import type { Bot, Channel, Message, Person, StoredFile, UserGroup, View } from './model.js';

/** An organization in which the app is installed as a whole. */
export interface Organization {
  readonly id: string;
  readonly name: string;
  /** Ids of the workspaces that an administrator added the app to, the local one first. */
  readonly workspaces: readonly string[];
}

export interface WorkspaceOptions {
  /** Absent: the app is installed in one workspace. */
  readonly organization?: Organization;
  readonly people?: readonly PersonOptions[];
  readonly channels?: readonly ChannelOptions[];
  readonly userGroups?: readonly UserGroupOptions[];
  readonly bots?: readonly BotOptions[];
}

/**
 * Everything the local Slack remembers. Its parts change it; nobody outside sees it but as read-only values.
 */
export interface Workspace {
  readonly teamId: string;
  readonly teamDomain: string;
  readonly organization: Organization | undefined;
  readonly people: Map<string, Person>;
  readonly channels: Map<string, Channel>;
  readonly userGroups: Map<string, UserGroup>;
  readonly bots: Map<string, Bot>;
  /** By channel and timestamp, oldest first. */
  readonly messages: Map<string, Map<string, Message>>;
  /** What single people see, oldest first. */
  readonly ephemerals: Map<string, Message>;
  /** Open modals by person, the one on top last. */
  readonly modals: Map<string, readonly View[]>;
  readonly homes: Map<string, View>;
  readonly files: Map<string, { readonly file: StoredFile; readonly content: Buffer }>;
  readonly changes: Changes;
  /** A new message timestamp, later than all before. */
  nextTs(): string;
  /** A number that was not given before. */
  nextNumber(): number;
}

/** The app's own bot, which is a person and a bot at once. */
export interface AppBot {
  readonly appId: string;
  readonly botId: string;
  readonly botUserId: string;
  readonly name: string;
  readonly displayName: string;
}

export function createWorkspace(app: AppBot, now: () => number, options: WorkspaceOptions): Workspace {
  const { organization } = options;
  const teamId = organization?.workspaces[0] ?? localTeamId;
  const people = new Map<string, Person>();
  for (const person of options.people ?? defaultPeople) {
    const id = fixedId('U', person.name);
    const globalId = person.hasTwoIds === true ? fixedId('W', person.name) : id;
    const known: Person = {
      id,
      globalId,
      workspaces: person.workspaces ?? [person.isStranger === true ? strangeTeamId : teamId],
      name: person.name,
      realName: person.realName ?? person.name,
      locale: person.locale ?? 'en-US',
      timeZone: person.timeZone ?? 'UTC',
      isAdmin: person.isAdmin ?? false,
      isGuest: person.isGuest ?? false,
      isSingleChannelGuest: person.isSingleChannelGuest ?? false,
      isStranger: person.isStranger ?? false,
      isBot: false,
      deleted: person.deleted ?? false,
    };
    people.set(id, known);
    if (globalId !== id) people.set(globalId, { ...known, id: globalId });
  }
  const everybody = [...people.keys()];
  people.set(app.botUserId, botUser(app.botUserId, app.name, app.displayName));
  const bots = new Map<string, Bot>();
  bots.set(app.botId, {
    id: app.botId,
    appId: app.appId,
    name: app.name,
    displayName: app.displayName,
    userId: app.botUserId,
  });
  for (const { name, displayName = name, via = 'app' } of options.bots ?? defaultBots) {
    const userId = via === 'app' ? fixedId('U', name) : undefined;
    if (userId !== undefined) people.set(userId, botUser(userId, name, displayName));
    const id = fixedId('B', name);
    bots.set(id, { id, appId: fixedId('A', name), name, displayName, userId });
  }
  const channels = new Map<string, Channel>();
  for (const channel of options.channels ?? defaultChannels) {
    const id = channel.id ?? fixedId('C', channel.name);
    const members = channel.members?.map((name) => personNamed(people, name).id) ?? everybody;
    channels.set(id, {
      id,
      name: channel.name,
      kind: channel.isPrivate === true ? 'private' : 'public',
      members: new Set(channel.withApp === false ? members : [...members, app.botUserId]),
      archived: channel.archived ?? false,
      shared: channel.shared,
      workspaces: channel.workspaces ?? [teamId],
      topic: channel.topic ?? '',
    });
  }
  const userGroups = new Map<string, UserGroup>();
  for (const group of options.userGroups ?? defaultUserGroups) {
    const { handle, name = handle, members, workspace = teamId } = group;
    const id = fixedId('S', workspace === teamId ? handle : `${handle}${workspace}`);
    const ids = members.map((each) => personNamed(people, each).id);
    userGroups.set(id, { id, workspace, handle, name, members: ids });
  }
  let lastMicroseconds = 0;
  let counter = 0;
  return {
    teamId,
    teamDomain: 'local',
    organization,
    people,
    channels,
    userGroups,
    bots,
    messages: new Map(),
    ephemerals: new Map(),
    modals: new Map(),
    homes: new Map(),
    files: new Map(),
    changes: createChanges(),
    nextTs() {
      lastMicroseconds = Math.max(lastMicroseconds + 1, Math.floor(now()) * 1000);
      const seconds = Math.floor(lastMicroseconds / 1_000_000);
      return `${seconds}.${String(lastMicroseconds % 1_000_000).padStart(6, '0')}`;
    },
    nextNumber() {
      counter += 1;
      return counter;
    },
  };
}

const localTeamId = 'T0LOCAL';
const strangeTeamId = 'T0OTHER';

function botUser(id: string, name: string, realName: string): Person {
  return {
    id,
    name,
    realName,
    locale: 'en-US',
    timeZone: 'UTC',
    isAdmin: false,
    isGuest: false,
    isSingleChannelGuest: false,
    isStranger: false,
    workspaces: [],
    globalId: id,
    isBot: true,
    deleted: false,
  };
}

/** The person with this handle or id. */
export function personNamed(people: ReadonlyMap<string, Person>, name: string): Person {
  const handle = name.replace(/^@/, '');
  const person = people.get(handle) ?? [...people.values()].find((each) => each.name === handle);
  if (person !== undefined) return person;
  const known = [...people.values()].map((each) => each.name).join(', ');
  throw new Error(`Nobody here is called ${name}; known are ${known}.`);
}

/** The channel with this name (with or without `#`) or id. */
export function channelNamed(channels: ReadonlyMap<string, Channel>, name: string): Channel {
  const plain = name.replace(/^#/, '');
  const channel = channels.get(plain) ?? [...channels.values()].find((each) => each.name === plain);
  if (channel !== undefined) return channel;
  const known = [...channels.values()].map((each) => each.name).join(', ');
  throw new Error(`There is no channel ${name}; known are ${known}.`);
}
