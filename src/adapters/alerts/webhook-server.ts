import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { boundedAlert, identityText, type RawAlert } from '../../core/alert/alert.js';
import type { AlertSettings, WebhookSettings } from '../../core/alert/alert-settings.js';
import { channelFor, withRules } from '../../core/alert/apply-rules.js';
import type { Language } from '../../core/language/language.js';
import { DoctorError } from '../../errors.js';
import type { AlertCounters } from '../../usecases/alert-ports.js';
import type { Clock, Digest } from '../../usecases/ports.js';
import type { ReceiveAlert } from '../../usecases/receive-alert.js';
import { checkCredentials, checkSignature } from './authenticate.js';
import { parseWebhook } from './parse-webhook.js';
import { readBody } from './read-body.js';
import { type RequestRefusal, refuse } from './refusal.js';

export interface WebhookServerOptions {
  /** 0 takes a free port. */
  readonly port: number;
  /** All interfaces when absent. */
  readonly host?: string;
  readonly settings: AlertSettings;
  /** Secret of each webhook by its name. */
  readonly secrets: ReadonlyMap<string, string>;
  readonly language: Language;
  readonly receive: ReceiveAlert;
  readonly digest: Digest;
  readonly clock: Clock;
  readonly metrics: AlertCounters;
  readonly log: Logger;
}

export interface WebhookServer {
  readonly port: number;
  /** Takes nothing new, and answers what is under way. */
  close(): Promise<void>;
}

const headersTimeoutMs = 5_000;
const requestTimeoutMs = 15_000;
const retryAfterSeconds = 5;
/** Alerts of one request that are written at the same time. */
const atOnce = 16;

/**
 * Serves `POST /alerts/<name>` for each configured webhook. 200 means: every alert of the request is on record and its
 * job is queued. 4xx means that the same request will never be taken (Alertmanager does not send it again), 503 that it
 * should come again; what it already recorded is then found to be there.
 *
 * @throws when the port is taken
 */
export async function startWebhookServer(options: WebhookServerOptions): Promise<WebhookServer> {
  const server = createServer((request, response) => {
    void answer(options, request, response);
  });
  server.headersTimeout = headersTimeoutMs;
  server.requestTimeout = requestTimeoutMs;
  server.listen({ port: options.port, ...(options.host === undefined ? {} : { host: options.host }) });
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.close();
      server.closeIdleConnections();
      await once(server, 'close');
    },
  };
}

async function answer(
  options: WebhookServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { log, metrics } = options;
  const outcome = await taken(options, request).catch((error: unknown): RequestRefusal => {
    const down = error instanceof DoctorError && error.retryable;
    log.error({ err: error }, 'alerts could not be recorded');
    return down
      ? refuse(503, 'unavailable', 'The records (Redis) do not answer. Send it again.')
      : refuse(500, 'failed-inside', 'The request could not be worked on. The log says why.');
  });
  if (outcome.type === 'taken') {
    send(response, 200, { recorded: outcome.recorded, repeated: outcome.repeated });
    return;
  }
  const { status, reason, message } = outcome;
  metrics.alertRefused(reason);
  log.warn({ status, reason, webhook: webhookOf(options, request)?.name }, 'an alert request was refused');
  if (status === 401) response.setHeader('www-authenticate', 'Bearer, Basic');
  if (status === 405) response.setHeader('allow', 'POST');
  if (status === 503) response.setHeader('retry-after', String(retryAfterSeconds));
  // The rest of the body is thrown away, and would else be taken for the next request.
  if (!request.complete) response.setHeader('connection', 'close');
  send(response, status, { error: reason, message });
  request.resume();
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(`${JSON.stringify(body)}\n`);
}

interface Taken {
  readonly type: 'taken';
  readonly recorded: number;
  readonly repeated: number;
}

async function taken(
  options: WebhookServerOptions,
  request: IncomingMessage,
): Promise<Taken | RequestRefusal> {
  const { secrets, clock } = options;
  const webhook = webhookOf(options, request);
  const secret = webhook === undefined ? undefined : secrets.get(webhook.name);
  if (webhook === undefined || secret === undefined) {
    return refuse(404, 'unknown-path', 'There is no webhook at this address.');
  }
  if (request.method !== 'POST') return refuse(405, 'method', 'Alerts are sent with POST.');
  const refused = checkCredentials(webhook.auth, secret, request.headers) ?? checkContent(webhook, request);
  if (refused !== undefined) return refused;
  const body = await readBody(request);
  if ('type' in body) return body;
  const forged = checkSignature(webhook.auth, secret, request.headers, body, clock.now().getTime());
  if (forged !== undefined) return forged;
  const alerts = parseWebhook(webhook, body);
  return 'type' in alerts ? alerts : record(options, webhook, alerts);
}

function webhookOf({ settings }: WebhookServerOptions, { url = '' }: IncomingMessage) {
  const [path = ''] = url.split('?');
  return settings.webhooks.find(({ name }) => path === `/alerts/${name}`);
}

function checkContent({ source }: WebhookSettings, { headers }: IncomingMessage): RequestRefusal | undefined {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') return refuse(415, 'encoding', 'Compressed bodies are not taken.');
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  if (source === 'robusta' || /^application\/(?:[\w.-]+\+)?json$/iu.test(type.trim())) return undefined;
  return refuse(415, 'content-type', 'The content type has to be application/json.');
}

async function record(
  { settings, language, receive, digest }: WebhookServerOptions,
  webhook: WebhookSettings,
  alerts: readonly RawAlert[],
): Promise<Taken> {
  let recorded = 0;
  let repeated = 0;
  for (let from = 0; from < alerts.length; from += atOnce) {
    const outcomes = await Promise.all(
      alerts.slice(from, from + atOnce).map(async (each) => {
        const raw = withRules(each, settings.rules);
        const fingerprint =
          raw.fingerprint === ''
            ? digest(identityText(raw.name ?? '', raw.labels)).slice(0, 32)
            : raw.fingerprint;
        const alert = boundedAlert({ ...raw, fingerprint });
        const channel = channelFor(alert.labels, settings, webhook.channel) ?? '';
        const id = digest(JSON.stringify([webhook.name, fingerprint, channel])).slice(0, 32);
        return receive(id, { alert, place: { channel }, language });
      }),
    );
    recorded += outcomes.filter((outcome) => outcome === 'recorded').length;
    repeated += outcomes.filter((outcome) => outcome === 'repeated').length;
  }
  return { type: 'taken', recorded, repeated };
}
