import type { AddressInfo } from 'node:net';
import { App, HTTPReceiver } from '@slack/bolt';
import type { Logger } from 'pino';
import { DoctorError } from '../../errors.js';
import { acknowledgeRecorded } from './acknowledge-recorded.js';
import { webClientOptions } from './clients.js';
import type { ListenerDeps } from './listeners/deps.js';
import { isAlertMessage } from './listeners/events/alert-message.js';
import { register } from './listeners/index.js';
import { type Route, startRouteServer } from './route-server.js';
import type { SlackIdentityLookup } from './slack-identity.js';
import { slackLog } from './slack-log.js';
import { followUnderWay } from './under-way.js';

export interface SlackAppOptions {
  readonly token: string;
  /** Base of the Web API, ends with `/api/`. */
  readonly slackApiUrl: string;
  readonly receive:
    | { readonly mode: 'socket'; readonly appToken: string }
    | { readonly mode: 'http'; readonly signingSecret: string };
  /** Where HTTP is served: Slack's requests in HTTP mode, and the routes in both. 0 takes a free port. */
  readonly port: number;
  /** All interfaces when absent. */
  readonly host?: string;
  readonly routes?: readonly Route[];
  readonly identity: SlackIdentityLookup;
  readonly log: Logger;
}

export interface SlackApp {
  /**
   * Starts to receive. Slack being away does not keep HTTP mode from starting.
   *
   * @returns the port HTTP is served on; undefined in Socket Mode without routes
   * @throws DoctorError `slack-refused` when the bot token is not good
   */
  start(): Promise<{ readonly port: number | undefined }>;
  /** Takes nothing new, and waits a while for what was acknowledged. */
  stop(): Promise<void>;
}

const slackPath = '/slack/events';
const respondTimeoutMs = 5_000;
const interactiveTimeoutMs = 2_500;
const maxBodyBytes = 1_000_000;
/** Longer than any answer to a person may take. */
const graceMs = 15_000;

/** The Bolt app, for Socket Mode or HTTP, with every listener registered. */
export function createSlackApp(options: SlackAppOptions, deps: ListenerDeps): SlackApp {
  const { identity, log, receive } = options;
  const app = new App({
    ...transport(options),
    authorize: async () => {
      const known = identity.known();
      if (known === undefined) identity.identity().catch(() => undefined);
      return { botToken: options.token, ...known };
    },
    clientOptions: {
      ...webClientOptions(options.slackApiUrl, interactiveTimeoutMs, log),
      fetch: (url, init) =>
        globalThis.fetch(url, {
          ...init,
          signal: init?.signal ?? AbortSignal.timeout(respondTimeoutMs),
        } as RequestInit),
    },
    convoStore: false,
    extendedErrorHandler: true,
    logger: slackLog(log),
  });
  const notRecorded = acknowledgeRecorded(app, isAlertMessage(deps));
  app.error(async ({ error, body }: { readonly error: Error; readonly body: object }) => {
    notRecorded(body);
    log.error({ err: error }, 'a request from Slack was not handled');
  });
  const underWay = followUnderWay(app);
  register(app, deps);

  let close: (() => Promise<void>) | undefined;
  return {
    async start() {
      await acquaint(identity, log);
      if (receive.mode === 'http') {
        const server = await app.start({ port: options.port, ...hostOf(options) });
        close = async () => {
          await app.stop();
        };
        return { port: portOf(server) };
      }
      const { routes = [], port } = options;
      const routeServer =
        routes.length > 0 ? await startRouteServer(routes, { port, ...hostOf(options) }) : undefined;
      close = async () => {
        await app.stop();
        await routeServer?.close();
      };
      await app.start();
      return { port: routeServer?.port };
    },
    async stop() {
      await close?.();
      close = undefined;
      await underWay.finish(graceMs);
    },
  };
}

function transport({ receive, routes = [], log, slackApiUrl }: SlackAppOptions) {
  if (receive.mode === 'socket') {
    return {
      socketMode: true,
      appToken: receive.appToken,
      installerOptions: { clientOptions: { slackApiUrl, logger: slackLog(log) } },
    };
  }
  return {
    receiver: new HTTPReceiver({
      signingSecret: receive.signingSecret,
      endpoints: slackPath,
      customRoutes: routes.map(({ path, method, handler }) => ({ path, method, handler })),
      logger: slackLog(log),
      bodyLimit: maxBodyBytes,
    }),
  };
}

/** A bad token is the operator's to repair, at once; a Slack that is away is not. */
async function acquaint(identity: SlackIdentityLookup, log: Logger): Promise<void> {
  try {
    await identity.identity();
  } catch (error) {
    if (error instanceof DoctorError && error.code === 'slack-refused') throw error;
    log.warn({ err: error }, 'Slack does not answer yet');
  }
}

function hostOf({ host }: SlackAppOptions): { readonly host?: string } {
  return host === undefined ? {} : { host };
}

function portOf(server: unknown): number | undefined {
  if (typeof server !== 'object' || server === null || !('address' in server)) return undefined;
  const address = typeof server.address === 'function' ? (server.address() as AddressInfo | null) : null;
  return address?.port;
}
