import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { WebhookSettings } from '../../core/alert/alert-settings.js';
import type { Language } from '../../core/language/language.js';
import { plain } from '../../core/language/prose.js';
import { DoctorError } from '../../errors.js';
import { type BoundedServer, startBoundedServer } from '../../http/bounded-server.js';
import { discardRest, isBodyReceived } from '../../http/read-body.js';
import type { AlertCounters } from '../../usecases/alerts/alert-ports.js';
import type { Clock } from '../../usecases/records/process-ports.js';
import { checkHeaders, checkSignature, isProvedByHeaders } from './authenticate.js';
import { parseWebhook } from './parse-webhook.js';
import { type AlertBodies, createAlertBodies, readAlertBody } from './read-body.js';
import { type RecordAlertsDeps, type Recorded, recordAlerts } from './record-alerts.js';
import { type RequestRefusal, refuse } from './refusal.js';

export interface WebhookServerOptions extends RecordAlertsDeps {
  /** 0 takes a free port. */
  readonly port: number;
  /** All interfaces when absent. */
  readonly host?: string;
  /** Of the refusals that senders read. */
  readonly language: Language;
  /** Secret of each webhook by its name. */
  readonly secrets: ReadonlyMap<string, string>;
  /** Whether so many alerts wait already that no more should be recorded now. */
  readonly isFull: () => Promise<boolean>;
  readonly clock: Clock;
  readonly metrics: AlertCounters;
  readonly log: Logger;
}

export interface WebhookServer {
  readonly port: number;
  /** Accepts nothing new, and answers what is under way. */
  close(): Promise<void>;
}

/** Alertmanager opens one connection for each group that it sends at the same moment. */
const maxConnections = 1_024;
const requestTimeoutMs = 15_000;
const retryAfterSeconds = 5;

/**
 * Serves `POST /alerts/<name>` for each configured webhook. 200 means: every alert of the request up to the limit is on
 * record and its job is queued; `dropped` counts those beyond. 4xx means that the same request will never be accepted
 * (Alertmanager does not send it again), 503 that it should come again; what it already recorded is then found to be
 * there.
 *
 * @throws when the port is taken
 */
export async function startWebhookServer(options: WebhookServerOptions): Promise<WebhookServer> {
  const bodies = createAlertBodies();
  const server: BoundedServer = await startBoundedServer({
    port: options.port,
    host: options.host,
    maxConnections,
    requestTimeoutMs,
    onRequest: (request, response) => {
      const receive = () => acceptRequest(options, bodies, request, response, () => server.trust(request));
      void answer(options, request, response, receive);
    },
  });
  return server;
}

async function answer(
  options: WebhookServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
  receive: () => Promise<Accepted | RequestRefusal>,
): Promise<void> {
  const { log, metrics } = options;
  const outcome = await receive().catch((error: unknown): RequestRefusal => {
    const down = error instanceof DoctorError && error.retryable;
    log.error({ err: error }, 'alerts could not be recorded');
    return down
      ? refuse(503, 'unavailable', 'unavailable', {})
      : refuse(500, 'failed-inside', 'failed-inside', {});
  });
  const webhook = webhookOf(options, request);
  if (outcome.type === 'accepted') {
    const { recorded, repeated, dropped } = outcome;
    if (dropped > 0 && webhook !== undefined) {
      metrics.alert(webhook.source, 'dropped', dropped);
      log.warn({ webhook: webhook.name, dropped }, 'an alert request held too many alerts');
    }
    send(response, 200, { recorded, repeated, ...(dropped > 0 ? { dropped } : {}) });
    return;
  }
  const { status, reason, sentence } = outcome;
  metrics.alertRefused(reason);
  log.warn({ status, reason, webhook: webhook?.name }, 'an alert request was refused');
  if (status === 401) response.setHeader('www-authenticate', 'Bearer, Basic');
  if (status === 405) response.setHeader('allow', 'POST');
  if (status === 503) response.setHeader('retry-after', String(retryAfterSeconds));
  // What is left of the body would be understood as the next request.
  if (!isBodyReceived(request)) response.setHeader('connection', 'close');
  send(response, status, { error: reason, message: plain(sentence(options.language)) });
  discardRest(request);
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(`${JSON.stringify(body)}\n`);
}

interface Accepted extends Recorded {
  readonly type: 'accepted';
  readonly dropped: number;
}

async function acceptRequest(
  options: WebhookServerOptions,
  bodies: AlertBodies,
  request: IncomingMessage,
  response: ServerResponse,
  onProved: () => void,
): Promise<Accepted | RequestRefusal> {
  const { secrets, clock, isFull } = options;
  const webhook = webhookOf(options, request);
  const secret = webhook === undefined ? undefined : secrets.get(webhook.name);
  if (webhook === undefined || secret === undefined) {
    return refuse(404, 'unknown-path', 'unknown-path', {});
  }
  if (request.method !== 'POST') return refuse(405, 'method', 'method', {});
  const { auth } = webhook;
  const { headers } = request;
  const refused =
    checkHeaders(auth, secret, headers, clock.now().getTime()) ?? checkContent(webhook, request);
  if (refused !== undefined) return refused;
  const isProved = isProvedByHeaders(auth);
  if (isProved) onProved();
  const body = await readAlertBody(request, response, bodies, isProved);
  if (body.type === 'refused') return body;
  try {
    const forged = checkSignature(auth, secret, headers, body.bytes, clock.now().getTime());
    if (forged !== undefined) return forged;
    onProved();
    const parsed = parseWebhook(webhook, body.bytes);
    if ('type' in parsed) return parsed;
    if (parsed.alerts.length > 0 && (await isFull())) {
      return refuse(503, 'overloaded', 'too-many-alerts', {});
    }
    const recorded = await recordAlerts(options, webhook, parsed.alerts);
    return { type: 'accepted', ...recorded, dropped: parsed.dropped };
  } finally {
    body.release();
  }
}

function webhookOf({ settings }: WebhookServerOptions, { url = '' }: IncomingMessage) {
  const [path = ''] = url.split('?');
  return settings.webhooks.find(({ name }) => path === `/alerts/${name}`);
}

function checkContent({ source }: WebhookSettings, { headers }: IncomingMessage): RequestRefusal | undefined {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') return refuse(415, 'encoding', 'encoding', {});
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  if (source === 'robusta' || /^application\/(?:[\w.-]+\+)?json$/iu.test(type.trim())) return undefined;
  return refuse(415, 'content-type', 'content-type', {});
}
