import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { WebhookSettings } from '../../core/alert/alert-settings.js';
import type { Language } from '../../core/language/language.js';
import { plain } from '../../core/language/prose.js';
import { DoctorError } from '../../errors.js';
import type { BoundedServer } from '../../http/bounded-server.js';
import { createDampedWarnings } from '../../http/damped-warnings.js';
import { type Answer, type Route, startHttpServer } from '../../http/http-server.js';
import { traced } from '../../tracing/traced.js';
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
  /** What else is served at this port: a route that proves by itself who calls. */
  readonly furtherRoute?: { readonly path: string; readonly route: Route };
}

/** Alertmanager opens one connection for each group that it sends at the same moment. */
const maxConnections = 1_024;
const requestTimeoutMs = 15_000;

/**
 * Serves `POST /alerts/<name>` for each configured webhook. 200 means: every alert of the request up to the
 * limit is on record and its job is queued; `dropped` counts those beyond. 4xx means that the same request
 * will never be accepted (Alertmanager does not send it again), 503 that it should come again; what it
 * already recorded is then found to be there.
 *
 * @throws when the port is taken
 */
export async function startWebhookServer(options: WebhookServerOptions): Promise<BoundedServer> {
  const { settings, secrets, language, log, metrics } = options;
  const bodies = createAlertBodies();
  const webhookOf = (path: string) => settings.webhooks.find(({ name }) => path === `/alerts/${name}`);
  const warn = createDampedWarnings(log);
  const refused = ({ status, reason, sentence }: RequestRefusal, webhook?: string): Answer => {
    metrics.alertRefused(reason);
    warn(`${webhook} ${reason}`, { status, reason, webhook }, 'an alert request was refused');
    return json(status, { error: reason, message: plain(sentence(language)) });
  };
  const server = await startHttpServer({
    port: options.port,
    host: options.host,
    maxConnections,
    requestTimeoutMs,
    routeOf(path) {
      if (path === options.furtherRoute?.path) return options.furtherRoute.route;
      const webhook = webhookOf(path);
      const secret = secrets.get(webhook?.name ?? '');
      if (webhook === undefined || secret === undefined) return undefined;
      const answer: Route['answer'] = async (request, response) => {
        const onProved = () => server.trust(request);
        const outcome = await traced('entry', 'alert request', { source: webhook.source }, () =>
          acceptRequest(options, { webhook, secret }, bodies, request, response, onProved),
        );
        if (outcome.type === 'refused') {
          if (outcome.status === 401) response.setHeader('www-authenticate', 'Bearer, Basic');
          return refused(outcome, webhook.name);
        }
        const { recorded, repeated, dropped } = outcome;
        if (dropped === 0) return json(200, { recorded, repeated });
        metrics.alert(webhook.source, 'dropped', dropped);
        log.warn({ webhook: webhook.name, dropped }, 'an alert request held too many alerts');
        return json(200, { recorded, repeated, dropped });
      };
      return { method: 'POST', answer };
    },
    refuse(status, { url = '' }, error) {
      if (status === 500) log.error({ err: error }, 'alerts could not be recorded');
      const isDown = error instanceof DoctorError && error.retryable;
      return refused(isDown ? unavailable : refusals[status], webhookOf(url.split('?')[0] ?? '')?.name);
    },
  });
  return server;
}

const unavailable = refuse(503, 'unavailable', 'unavailable', {});
const refusals = {
  404: refuse(404, 'unknown-path', 'unknown-path', {}),
  405: refuse(405, 'method', 'method', {}),
  500: refuse(500, 'failed-inside', 'failed-inside', {}),
} as const;

function json(status: number, body: object): Answer {
  return { status, contentType: 'application/json', body: `${JSON.stringify(body)}\n` };
}

interface Accepted extends Recorded {
  readonly type: 'accepted';
  readonly dropped: number;
}

async function acceptRequest(
  options: WebhookServerOptions,
  { webhook, secret }: { readonly webhook: WebhookSettings; readonly secret: string },
  bodies: AlertBodies,
  request: IncomingMessage,
  response: ServerResponse,
  onProved: () => void,
): Promise<Accepted | RequestRefusal> {
  const { clock, isFull } = options;
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

function checkContent({ source }: WebhookSettings, { headers }: IncomingMessage): RequestRefusal | undefined {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') return refuse(415, 'encoding', 'encoding', {});
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  if (source === 'robusta' || /^application\/(?:[\w.-]+\+)?json$/iu.test(type.trim())) return undefined;
  return refuse(415, 'content-type', 'content-type', {});
}
