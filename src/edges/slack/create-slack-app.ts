import type { AckFn, AuthorizeSourceData, Receiver, ReceiverEvent, RespondArguments } from '@slack/bolt';
import { App, HTTPReceiver, SocketModeReceiver } from '@slack/bolt';
import type { Logger } from 'pino';
import * as z from 'zod';
import type { Language } from '../../engine/language/language.js';
import { DoctorError } from '../../service/errors.js';
import type { SocketMeters } from '../../service/records/process-ports.js';
import { traced } from '../telemetry/traced.js';
import { createBoundedFetch, type OnSlackRequest } from './bounded-fetch.js';
import { slackLog, webClientOptions } from './clients.js';
import { isAlertMessage } from './listeners/alert-message.js';
import type { ListenerDeps } from './listeners/deps.js';
import { register } from './listeners/index.js';
import { answersText } from './render/answers.js';
import { renderNotice } from './render/blocks.js';
import { renderReviewOutcome } from './render/review.js';
import { isOwnInstallation, type SlackIdentity, type SlackIdentityLookup } from './slack-identity.js';
import { createSlackSignature, maxBodyBytes, slackPath, startSlackServer } from './slack-server.js';
import { createSocketSessions } from './socket-sessions.js';

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
  const { receive } = options;
  const receiver = createReceiver(options);
  const app = new App({
    receiver: acknowledgeAfterStoring(receiver, isAlert, options),
    authorize: async (source) => {
      const own = await identity.identity().catch(() => undefined);
      return { botToken: options.token(), ...own, ...originOf(own, source) };
    },
    clientOptions: webClientOptions(options.slackApiUrl, interactiveTimeoutMs, log, options.onRequest),
    convoStore: false,
    extendedErrorHandler: true,
    logger: slackLog(log),
  });
  app.error(async ({ error, body }: { error: Error; body: object }) => {
    log.error({ err: error }, 'a request from Slack was not handled');
    // The receiver then sends no acknowledgement, and Slack sends the message again.
    if (isAlert(body)) throw error;
  });
  refuseOtherInstallations(app, { log, language: options.language ?? 'en', isRepeated: isAlert });
  app.use(({ body, next }) => traced('entry', `slack ${kindOf(body)}`, {}, next));
  const underWay = followUnderWay(app);
  register(app, deps);

  let close: (() => Promise<void>) | undefined;
  return {
    async start() {
      await verifyBotToken(identity, log);
      if (!(receiver instanceof HTTPReceiver) || receive.mode !== 'http') {
        close = async () => {
          await app.stop();
        };
        await app.start();
        return { port: undefined };
      }
      const { port, host } = options;
      const server = await startSlackServer({
        port,
        host,
        // A former secret no longer counts: it may have been replaced because somebody else has it.
        isSigned: (request) => createSlackSignature(receive.signingSecret())(request),
        receive: receiver.requestListener,
        log,
      });
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
}: SlackAppOptions): HTTPReceiver | Receiver {
  const logger = slackLog(log);
  if (receive.mode === 'http') {
    // The server verifies the signature: Bolt reads a form twice for it.
    const signatureVerification = false;
    const signingSecret = '';
    const [endpoints, bodyLimit] = [slackPath, maxBodyBytes];
    return new HTTPReceiver({ signatureVerification, signingSecret, endpoints, logger, bodyLimit });
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

const Id = z.object({ id: z.string() });
const Event = z.union([
  z.object({ type: z.literal('app_mention'), text: z.string(), channel: z.string(), ts: z.string() }),
  z.object({ type: z.literal('app_home_opened'), user: z.string() }),
  z.object({ type: z.string().regex(/^(?!app_(?:mention|home_opened)$)/u) }),
]);

/** What the listeners read of each kind of request that has one; Slack sends more. */
const readFields = {
  block_actions: z.object({
    user: Id,
    container: z.object({}),
    actions: z.array(z.object({ action_id: z.string(), type: z.string() })).min(1),
  }),
  command: z.object({ user_id: z.string(), channel_id: z.string(), text: z.string().optional() }),
  event_callback: z.object({ event: Event }),
  message_action: z.object({ user: Id, channel: Id, callback_id: z.string() }),
  view_submission: z.object({
    user: Id,
    view: z.object({ callback_id: z.string(), state: z.object({ values: z.object({}) }) }),
  }),
} as const;

/** What Slack sent, from a closed list. */
function kindOf(body: unknown): keyof typeof readFields | 'other' {
  const { type, command } = Object(body) as { readonly type?: unknown; readonly command?: unknown };
  if (typeof command === 'string') return 'command';
  return typeof type === 'string' && Object.hasOwn(readFields, type) ? (type as 'command') : 'other';
}

/** Whether a listener can read the request: Slack may add kinds, and a proxy may cut one off. */
function isReadable(body: unknown): boolean {
  const kind = kindOf(body);
  return kind !== 'other' && readFields[kind].safeParse(body).success;
}

/** Requests from Slack that were acknowledged and are still being worked on. */
interface UnderWay {
  /** Waits until nothing is under way, for at most `graceMs`. */
  finish(graceMs: number): Promise<void>;
}

/**
 * Counts what the app's listeners work on, so that a process that ends carries out what it has acknowledged.
 */
function followUnderWay(app: App): UnderWay {
  const running = new Set<Promise<unknown>>();
  app.use(async ({ next }) => {
    const work = next();
    running.add(work);
    try {
      await work;
    } finally {
      running.delete(work);
    }
  });
  return {
    async finish(graceMs) {
      let deadline: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        deadline = setTimeout(resolve, graceMs);
      });
      await Promise.race([Promise.allSettled([...running]), late]);
      clearTimeout(deadline);
    },
  };
}

/** Slack waits three seconds for an acknowledgement, and sends an event again if it receives none. */
const acknowledgeWithinMs = 2_500;

/**
 * Wraps a Bolt receiver so that chosen events are acknowledged only after their listeners are done. Bolt
 * calls the `ack` of the receiver before it calls any listener, so an event whose process dies in between
 * would be lost. No option changes that: `processBeforeResponse` exists for HTTP only, and would delay the
 * answers to commands and clicks too. The receiver is the extension point that Bolt documents: it decides
 * what `app.processEvent` is given.
 *
 * If processing fails or takes too long, the wrapped receiver answers with status 500 (HTTP) or not at all
 * (Socket Mode). Slack then sends the event again: at once, after a minute, after five. A slow listener keeps
 * running.
 *
 * @param isChosen decides by the body of the request
 * @see https://docs.slack.dev/tools/bolt-js/concepts/receiver
 */
function acknowledgeAfterStoring(
  receiver: Receiver,
  isChosen: (body: unknown) => boolean,
  { log, language = 'en' }: Pick<SlackAppOptions, 'log' | 'language'>,
): Receiver {
  return {
    init(app) {
      const processEvent = (event: ReceiverEvent): Promise<void> => {
        if (!isReadable(event.body)) {
          log.warn({ kind: kindOf(event.body) }, 'a request from Slack was refused: fields are missing');
          return refuseUnreadable(event, language);
        }
        return isChosen(event.body) ? processThenAcknowledge(app, event) : app.processEvent(event);
      };
      receiver.init(Object.create(app, { processEvent: { value: processEvent } }) as App);
    },
    start: (...given) => receiver.start(...given),
    stop: (...given) => receiver.stop(...given),
  };
}

/** Slack does not send it again. A modal states that nothing was done with what was typed. */
async function refuseUnreadable({ body, ack }: ReceiverEvent, language: Language): Promise<void> {
  const view = renderReviewOutcome(language, answersText[language]['unknown-button']());
  await (kindOf(body) === 'view_submission' ? ack({ response_action: 'update', view }) : ack());
}

/** @throws DoctorError `event-not-recorded` after the time, or what the error handler of the app throws */
async function processThenAcknowledge(app: App, event: ReceiverEvent): Promise<void> {
  let deadline: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    deadline = setTimeout(() => reject(notStoredInTime()), acknowledgeWithinMs);
  });
  try {
    await Promise.race([app.processEvent({ ...event, ack: async () => undefined }), timeout]);
  } finally {
    clearTimeout(deadline);
  }
  await event.ack();
}

function notStoredInTime(): DoctorError {
  return new DoctorError({
    code: 'event-not-recorded',
    message: 'an event was not put on record in time',
    retryable: true,
  });
}

/**
 * Whether a request is for this installation; kept in Bolt's context of the request. `unknown`: Slack did not
 * answer.
 */
type Origin = { readonly whose: 'own' | 'other' | 'unknown' };

/** @param own where the app is installed; undefined while Slack does not answer */
function originOf(
  own: SlackIdentity | undefined,
  { teamId, enterpriseId }: Pick<AuthorizeSourceData<boolean>, 'teamId' | 'enterpriseId'>,
): Origin {
  if (own === undefined) return { whose: 'unknown' };
  return { whose: isOwnInstallation(own, { teamId, enterpriseId }) ? 'own' : 'other' };
}

interface RefuseOtherInstallationsOptions {
  readonly log: Logger;
  /** Of people of whom nothing is known. */
  readonly language: Language;
  /** Requests that Slack sends again if they fail. */
  readonly isRepeated: (body: object) => boolean;
}

/**
 * Lets only requests through that are for this installation. Ids of people are unique within a workspace or
 * an organisation alone, so the person behind a request of another installation must never be looked up in
 * ours. While Slack does not report where the app is installed, no request gets through.
 *
 * @see https://api.slack.com/types/user (`id` is unique to the workspace that contains the user)
 */
function refuseOtherInstallations(
  app: App,
  { log, language, isRepeated }: RefuseOtherInstallationsOptions,
): void {
  app.use(async ({ body, context, next, ...args }) => {
    const { whose = 'unknown' } = context as Partial<Origin>;
    if (whose === 'own') return next();
    // Without an acknowledgement Slack sends a message again, and shows people that their click or form
    // failed.
    if (whose === 'unknown' && (isRepeated(body) || ('ack' in args && !('command' in body)))) {
      throw new DoctorError({
        code: 'slack-unavailable',
        message: 'Slack did not return where the app is installed',
        retryable: true,
      });
    }
    log.warn({ whose }, 'a request was refused: it is not known to be for this installation');
    if (!('ack' in args)) return;
    const says = answersText[language][whose === 'other' ? 'other-installation' : 'slack-down']();
    if ('command' in body) {
      await (args.ack as AckFn<RespondArguments>)({ response_type: 'ephemeral', ...renderNotice(says) });
    } else await (args.ack as AckFn<void>)();
  });
}
