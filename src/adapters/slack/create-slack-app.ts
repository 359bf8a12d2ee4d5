import { App, type Receiver, SocketModeReceiver } from '@slack/bolt';
import type { Logger } from 'pino';
import type { Language } from '../../core/language/language.js';
import { DoctorError } from '../../errors.js';
import { traced } from '../../tracing/traced.js';
import type { SocketMeters } from '../../usecases/records/process-ports.js';
import { acknowledgeAfterStoring } from './acknowledge-after-storing.js';
import { createBoundedFetch, type OnSlackRequest } from './bounded-fetch.js';
import { webClientOptions } from './clients.js';
import { createHttpReceiver, type RotatingHttpReceiver } from './http-receiver.js';
import type { ListenerDeps } from './listeners/deps.js';
import { isAlertMessage } from './listeners/events/alert-message.js';
import { register } from './listeners/index.js';
import { originOf, refuseOtherInstallations } from './own-installation.js';
import type { SlackIdentityLookup } from './slack-identity.js';
import { slackLog } from './slack-log.js';
import { startSlackServer } from './slack-server.js';
import { createSocketSessions } from './socket-sessions.js';
import { followUnderWay } from './under-way.js';

export interface SlackAppOptions {
  /** Credentials are asked for at each use: they may change while the process runs. */
  readonly token: () => string;
  /** Base of the Web API, ends with `/api/`. */
  readonly slackApiUrl: string;
  readonly receive:
    | { readonly mode: 'socket'; readonly appToken: () => string }
    | { readonly mode: 'http'; readonly signingSecret: () => string };
  /** Where Slack's requests are received in HTTP mode. 0 takes a free port. */
  readonly port: number;
  /** All interfaces when absent. */
  readonly host?: string;
  readonly identity: SlackIdentityLookup;
  /** Of people of other installations; English when absent. */
  readonly language?: Language;
  readonly log: Logger;
  readonly onRequest?: OnSlackRequest | undefined;
  /** Counts what Socket Mode delivers. */
  readonly meters?: SocketMeters | undefined;
  /**
   * In Socket Mode, a connection on which nothing arrives for so long is replaced; ten minutes when absent.
   */
  readonly silentMs?: number | undefined;
}

export interface SlackApp {
  /**
   * Starts to receive. Slack being away does not keep HTTP mode from starting.
   *
   * @returns the port of HTTP mode; undefined in Socket Mode
   * @throws DoctorError `slack-refused` when the bot token is not good
   * @throws when the port is taken
   */
  start(): Promise<{ readonly port: number | undefined }>;
  /** Takes nothing new, and waits a while for what was acknowledged. */
  stop(): Promise<void>;
}

const interactiveTimeoutMs = 2_500;
/** Slack allows `apps.connections.open` once a minute and more. */
const maxSilentMs = 600_000;
/** Longer than any answer to a person may take. */
const graceMs = 15_000;

/** The Bolt app, for Socket Mode or HTTP, with every listener registered. */
export function createSlackApp(options: SlackAppOptions, deps: ListenerDeps): SlackApp {
  const { identity, log } = options;
  const isAlert = isAlertMessage(deps);
  const receiver = createReceiver(options);
  const app = new App({
    receiver: acknowledgeAfterStoring(receiver, isAlert),
    authorize: async (source) => {
      const own = await identity.identity().catch(() => undefined);
      return { botToken: options.token(), ...own, ...originOf(own, source) };
    },
    clientOptions: webClientOptions(options.slackApiUrl, interactiveTimeoutMs, log, options.onRequest),
    convoStore: false,
    extendedErrorHandler: true,
    logger: slackLog(log),
  });
  app.error(async ({ error, body }: { readonly error: Error; readonly body: object }) => {
    log.error({ err: error }, 'a request from Slack was not handled');
    // The receiver then sends no acknowledgement, and Slack sends the message again.
    if (isAlert(body)) throw error;
  });
  refuseOtherInstallations(app, {
    log,
    language: options.language ?? 'en',
    isRepeated: isAlert,
  });
  app.use(({ body, next }) => traced('entry', `slack ${kindOf(body)}`, {}, next));
  const underWay = followUnderWay(app);
  register(app, deps);

  let close: (() => Promise<void>) | undefined;
  return {
    async start() {
      await verifyBotToken(identity, log);
      if (!('requestListener' in receiver)) {
        close = async () => {
          await app.stop();
        };
        await app.start();
        return { port: undefined };
      }
      const { port, host } = options;
      const server = await startSlackServer({ port, host, receive: receiver.requestListener });
      close = server.close;
      return { port: server.port };
    },
    async stop() {
      await close?.();
      close = undefined;
      await underWay.finish(graceMs);
    },
  };
}

/**
 * Bolt's part of receiving: signatures, sockets and acknowledgements. In HTTP mode the server is our own,
 * since Bolt's has no limits.
 */
function createReceiver({
  receive,
  log,
  slackApiUrl,
  onRequest,
  meters = { slackConnected: () => undefined, slackDelivered: () => undefined },
  silentMs = maxSilentMs,
}: SlackAppOptions): RotatingHttpReceiver | Receiver {
  const logger = slackLog(log);
  if (receive.mode === 'http') {
    return createHttpReceiver(receive.signingSecret, logger);
  }
  const { appToken } = receive;
  const clientOptions = { slackApiUrl, logger, fetch: createBoundedFetch(slackApiUrl, onRequest, appToken) };
  return createSocketSessions({
    open: () => new SocketModeReceiver({ appToken: appToken(), logger, installerOptions: { clientOptions } }),
    silentMs,
    meters,
    log,
  });
}

/** A bad token is the operator's to repair, at once; a Slack that is away is not. */
async function verifyBotToken(identity: SlackIdentityLookup, log: Logger): Promise<void> {
  try {
    await identity.identity();
  } catch (error) {
    if (error instanceof DoctorError && error.code === 'slack-refused') throw error;
    log.warn({ err: error }, 'Slack does not answer yet');
  }
}

const bodyTypes: ReadonlySet<string> = new Set([
  'block_actions',
  'event_callback',
  'message_action',
  'shortcut',
  'view_closed',
  'view_submission',
]);

/** What Slack sent, from a closed list. */
function kindOf(body: object): string {
  const { type, command } = body as { readonly type?: unknown; readonly command?: unknown };
  if (typeof command === 'string') return 'command';
  return typeof type === 'string' && bodyTypes.has(type) ? type : 'other';
}
