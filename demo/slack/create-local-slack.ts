import { randomBytes } from 'node:crypto';
import { type BotActor, botActor } from './acting/bot.js';
import { type Actor, actor } from './acting/person.js';
import type { AppIdentity } from './app-identity.js';
import type { Delivered, Delivery, Transport } from './delivery/delivery.js';
import { createEvents, type EventAttempt, eventRetryDelaysMs } from './delivery/events.js';
import { createHttpTransport } from './delivery/http-transport.js';
import { createResponseUrls } from './delivery/response-urls.js';
import { createSocketTransport } from './delivery/socket-transport.js';
import { createTriggers } from './delivery/triggers.js';
import type { Desk } from './desk.js';
import { isJson } from './json.js';
import type { LocalSlackOptions } from './local-slack-options.js';
import { defaultManifest, Manifest } from './manifest.js';
import { startServer } from './server/start-server.js';
import { type ApiCall, createCallLog } from './web-api/call-log.js';
import { createFaults, type Faults } from './web-api/faults.js';
import { looksReal } from './web-api/tokens.js';
import { type UntilOptions, until } from './workspace/changes.js';
import { fixedId } from './workspace/ids.js';
import { messagesOf } from './workspace/messages.js';
import type { Message, StoredFile, View } from './workspace/model.js';
import { channelNamed, createWorkspace, personNamed, type Workspace } from './workspace/workspace.js';

/** The sockets of the app, in Socket Mode. */
export interface Sockets {
  connections(): number;
  /** Payloads each connection acknowledged, in the order of opening. */
  acknowledged(): readonly number[];
  drop(which: 'all' | 'one'): void;
  silence(): void;
  warn(reason: 'warning' | 'refresh_requested'): void;
}

export interface LocalSlack {
  /** `http://127.0.0.1:<port>`: the page. */
  readonly url: string;
  /** For the SDK's `slackApiUrl`. */
  readonly apiUrl: string;
  readonly botToken: string;
  readonly appToken: string;
  readonly signingSecret: string;
  readonly botUserId: string;
  readonly botId: string;
  readonly appId: string;
  readonly teamId: string;
  /** Gives out new credentials; the former ones count no longer. */
  rotate(credentials: Partial<Pick<LocalSlack, 'botToken' | 'appToken' | 'signingSecret'>>): void;
  /**
   * Names the app's request URL and has it pass Slack's challenge, as saving it in the app's settings does.
   */
  talksTo(url: string): Promise<void>;
  as(name: string): Actor;
  asBot(name: string): BotActor;
  /**
   * Messages everybody in the channel sees, oldest first; top-level ones only unless `replies` is asked for.
   */
  messages(channel: string, options?: { readonly replies?: boolean }): readonly Message[];
  /** The thread under a message, without the message. */
  thread(parent: Pick<Message, 'channel' | 'ts'>): readonly Message[];
  /** The message as it is now. */
  message(of: Pick<Message, 'channel' | 'ts'>): Message | undefined;
  /** What only this person sees, oldest first. */
  ephemerals(person: string): readonly Message[];
  /** Open modals of a person, the one on top last. */
  modals(person: string): readonly View[];
  home(person: string): View | undefined;
  files(): readonly StoredFile[];
  fileContent(id: string): Buffer | undefined;
  /** Every call of the app to the Web API. */
  calls(method?: string): readonly ApiCall[];
  /** Every attempt to deliver an event. */
  readonly eventAttempts: readonly EventAttempt[];
  /** Delivers the last event once more. */
  repeatsLastEvent(): Promise<void>;
  readonly faults: Faults;
  /** Sends the page its state again, after a change outside of Slack. */
  refreshPage(): void;
  /** Removes all messages, modals and Home tabs. */
  forgetMessages(): void;
  readonly sockets: Sockets;
  /** Sends anything to the app as Slack would; for payloads no person could cause. */
  dispatch(delivery: Delivery): Promise<Delivered>;
  /** A channel as an admin changes it. */
  archive(channel: string): void;
  removeApp(channel: string): void;
  /** Changes who is in a user group. */
  setUserGroup(handle: string, members: readonly string[]): void;
  /**
   * Waits for a condition on this state. Looks after each change, each call and each acknowledgement; a
   * condition on anything else is not noticed before the next of these.
   */
  until<Value>(condition: () => Value | undefined | false, options?: UntilOptions): Promise<Value>;
  close(): Promise<void>;
}

/**
 * Starts a local Slack on 127.0.0.1.
 *
 * @throws when a given token looks like a real one, or the manifest cannot be read
 */
export async function createLocalSlack(options: LocalSlackOptions = {}): Promise<LocalSlack> {
  const app = identity(options);
  const now = options.now ?? Date.now;
  const workspace = createWorkspace(app, now, options);
  const { changes } = workspace;
  const changed = () => {
    changes.note();
  };
  const ackLimitMs = options.ackLimitMs ?? 3000;
  const sockets = createSocketTransport({ appId: app.appId, ackLimitMs, changed });
  let http: Transport | undefined;
  let origin = '';

  const dispatch = async (delivery: Delivery): Promise<Delivered> => {
    options.onDelivery?.(delivery);
    const transport = options.delivery === 'http' ? http : sockets;
    const delivered = await transport?.deliver(delivery);
    // Whoever waits for something the app does looks again once it has answered.
    changed();
    return delivered ?? { type: 'failed', reason: 'dispatch_failed' };
  };
  const events = createEvents({
    workspace,
    app,
    now,
    dispatch,
    retryDelaysMs: options.eventRetryDelaysMs ?? eventRetryDelaysMs,
  });
  const desk: Desk = {
    workspace,
    app,
    now,
    origin: () => origin,
    triggers: createTriggers(now),
    responseUrls: createResponseUrls(now),
    dispatch,
    events,
    faults: createFaults(),
    calls: createCallLog(changed),
    connection() {
      if (options.delivery === 'http') return http === undefined ? undefined : 'HTTP';
      const open = sockets.connections();
      return open === 0 ? undefined : `Socket Mode, ${open} ${open === 1 ? 'connection' : 'connections'}`;
    },
    openSocket: () => sockets.ticket(),
  };
  const server = await startServer(desk, sockets, options);
  origin = server.origin;

  const channelId = (name: string) => channelNamed(workspace.channels, name).id;
  const personId = (name: string) => personNamed(workspace.people, name).id;
  const allMessages = () => [...workspace.channels.keys()].flatMap((id) => messagesOf(workspace, id));

  return {
    url: origin,
    apiUrl: `${origin}/api/`,
    get botToken() {
      return app.botToken;
    },
    get appToken() {
      return app.appToken;
    },
    get signingSecret() {
      return app.signingSecret;
    },
    rotate(credentials) {
      Object.assign(app, credentials);
    },
    botUserId: app.botUserId,
    botId: app.botId,
    appId: app.appId,
    teamId: workspace.teamId,
    async talksTo(url) {
      const signingSecret = () => app.signingSecret;
      const challenge = randomBytes(16).toString('hex');
      // However short the limit of a test, an app that just starts gets the usual time for this.
      const challenger = createHttpTransport({ url, signingSecret, ackLimitMs: Math.max(ackLimitMs, 3000) });
      const isAnswered = async (): Promise<boolean> => {
        const answer = await challenger.deliver({
          kind: 'event',
          payload: { type: 'url_verification', token: app.verificationToken, challenge },
        });
        const body = answer.type === 'acknowledged' ? answer.body : undefined;
        return (isJson(body) ? body.challenge : body) === challenge;
      };
      // A person presses Retry on the page of the app, where a busy machine was late.
      if (!((await isAnswered()) || (await isAnswered()))) {
        throw new Error(`${url} did not answer Slack's challenge.`);
      }
      await http?.close();
      http = createHttpTransport({ url, signingSecret, ackLimitMs });
    },
    as: (name) => actor(desk, name),
    asBot: (name) => botActor(desk, name),
    messages(channel, { replies = false } = {}) {
      const all = messagesOf(workspace, channelId(channel));
      return replies ? all : all.filter(({ threadTs, broadcast }) => threadTs === undefined || broadcast);
    },
    thread: ({ channel, ts }) => messagesOf(workspace, channel).filter(({ threadTs }) => threadTs === ts),
    message: ({ channel, ts }) => workspace.messages.get(channel)?.get(ts) ?? workspace.ephemerals.get(ts),
    ephemerals(person) {
      const id = personId(person);
      return [...workspace.ephemerals.values()].filter(({ visibleTo }) => visibleTo === id);
    },
    modals: (person) => workspace.modals.get(personId(person)) ?? [],
    home: (person) => workspace.homes.get(personId(person)),
    files: () => [...workspace.files.values()].map(({ file }) => file),
    fileContent: (id) => workspace.files.get(id)?.content,
    calls: (method) => desk.calls.all.filter((call) => method === undefined || call.method === method),
    eventAttempts: events.attempts,
    repeatsLastEvent: () => events.repeatLast(),
    faults: desk.faults,
    refreshPage: changed,
    forgetMessages() {
      const { messages, ephemerals, modals, homes } = workspace;
      for (const shelf of [messages, ephemerals, modals, homes]) shelf.clear();
      changed();
    },
    sockets,
    dispatch,
    archive(name) {
      const channel = channelNamed(workspace.channels, name);
      workspace.channels.set(channel.id, { ...channel, archived: true });
      changed();
    },
    removeApp(name) {
      const channel = channelNamed(workspace.channels, name);
      const members = new Set([...channel.members].filter((id) => id !== app.botUserId));
      workspace.channels.set(channel.id, { ...channel, members });
      changed();
    },
    setUserGroup(handle, members) {
      const group = [...workspace.userGroups.values()].find((each) => each.handle === handle);
      if (group === undefined) throw new Error(`There is no user group ${handle}.`);
      workspace.userGroups.set(group.id, { ...group, members: members.map(personId) });
      changed();
    },
    until: (condition, untilOptions) =>
      until(changes, condition, () => lately(workspace, allMessages(), desk.calls.all), untilOptions),
    async close() {
      events.close();
      await http?.close();
      await sockets.close();
      await server.close();
    },
  };
}

function identity(options: LocalSlackOptions): AppIdentity {
  const manifest = Manifest.parse(options.manifest ?? defaultManifest);
  const name = manifest.features.bot_user?.display_name ?? 'rollout-doctor';
  const secret = () => randomBytes(16).toString('hex');
  const botToken = options.botToken ?? `xoxb-local-${secret()}`;
  const appToken = options.appToken ?? `xapp-local-${secret()}`;
  if (looksReal(botToken) || looksReal(appToken)) {
    throw new Error('This token looks like one of a real workspace. The local Slack takes none of those.');
  }
  return {
    appId: fixedId('A', name),
    botId: fixedId('B', name),
    botUserId: fixedId('U', name),
    name,
    displayName: manifest.display_information.name,
    botToken,
    appToken,
    signingSecret: options.signingSecret ?? secret(),
    verificationToken: secret(),
    manifest,
  };
}

/** The last things that happened, for the error of a wait that was in vain. */
function lately({ modals }: Workspace, messages: readonly Message[], calls: readonly ApiCall[]): string {
  const said = messages.slice(-3).map(({ channel, text }) => `  ${channel}: ${text.slice(0, 200)}`);
  const open = [...modals].flatMap(([person, views]) => {
    return views.slice(-1).map(({ blocks }) => `  ${person}: ${JSON.stringify(blocks).slice(-600)}`);
  });
  const called = calls.slice(-8).map(({ method, answer }) => {
    return `  ${method}: ${answer.ok === true ? 'ok' : String(answer.error)}`;
  });
  return ['Last messages:', ...said, 'Open modals:', ...open, 'Last calls:', ...called].join('\n');
}
