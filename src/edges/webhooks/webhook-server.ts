import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { type Alert, boundingAlert, identityText, type RawAlert } from '../../doctor/alerts/alert.js';
import type { AlertAuth, AlertSettings, WebhookSettings } from '../../doctor/alerts/alert-settings.js';
import { channelFor, withRules } from '../../doctor/alerts/apply-rules.js';
import type { Language } from '../../engine/language/language.js';
import { plain } from '../../engine/language/prose.js';
import type { AlertCounters } from '../../service/alerts/alert-ports.js';
import type { ReceiveAlert } from '../../service/alerts/receive-alert.js';
import { DoctorError } from '../../service/errors.js';
import type { Clock, Digest } from '../../service/records/process-ports.js';
import { inPieces } from '../http/bounded-json.js';
import { createDampedWarnings } from '../http/damped-warnings.js';
import type { BoundedServer } from '../http/http-server.js';
import { type Answer, type Route, startHttpServer } from '../http/http-server.js';
import { type BodyBudget, createBodyBudget, readBody } from '../http/read-body.js';
import { traced } from '../telemetry/traced.js';
import { parsingWebhook } from './parse-webhook.js';
import { type RequestRefusal, refuse } from './refusal.js';

interface WebhookServerOptions extends RecordAlertsDeps {
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

const unavailable = refuse(503, 'unavailable', 'unavailable');
const refusals = {
  404: refuse(404, 'unknown-path', 'unknown-path'),
  405: refuse(405, 'method', 'method'),
  500: refuse(500, 'failed-inside', 'failed-inside'),
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
  { webhook, secret }: { webhook: WebhookSettings; secret: string },
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
    const parsed = await inPieces(parsingWebhook(webhook, body.bytes));
    if ('type' in parsed) return parsed;
    if (parsed.alerts.length > 0 && (await isFull())) {
      return refuse(503, 'overloaded', 'too-many-alerts');
    }
    const recorded = await recordAlerts(options, webhook, parsed.alerts);
    return { type: 'accepted', ...recorded, dropped: parsed.dropped };
  } finally {
    body.release();
  }
}

function checkContent({ source }: WebhookSettings, { headers }: IncomingMessage): RequestRefusal | undefined {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') return refuse(415, 'encoding', 'encoding');
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  if (source === 'robusta' || /^application\/(?:[\w.-]+\+)?json$/iu.test(type.trim())) return undefined;
  return refuse(415, 'content-type', 'content-type');
}

/** One body whose sender has proved who it is. A thousand alerts of ordinary size fit. */
export const maxBodyBytes = 2_000_000;
/**
 * One body whose signature can only be checked once it is here. PagerDuty's and Grafana's have some
 * kilobytes.
 */
export const maxUnsignedBodyBytes = 512_000;
/** All bodies in memory at the same time, over all connections. */
const maxBytesInFlight = { authenticated: 32_000_000, unauthenticated: 8_000_000 } as const;

type AlertBodies = { readonly authenticated: BodyBudget; readonly unauthenticated: BodyBudget };

function createAlertBodies(): AlertBodies {
  return {
    authenticated: createBodyBudget(maxBytesInFlight.authenticated),
    unauthenticated: createBodyBudget(maxBytesInFlight.unauthenticated),
  };
}

type AlertBody = { readonly type: 'read'; readonly bytes: Buffer; readonly release: () => void };

/** Reads the raw body, which signatures need. */
async function readAlertBody(
  request: IncomingMessage,
  response: ServerResponse,
  bodies: AlertBodies,
  isAuthenticated: boolean,
): Promise<AlertBody | RequestRefusal> {
  const [maxBytes, budget] = isAuthenticated
    ? [maxBodyBytes, bodies.authenticated]
    : [maxUnsignedBodyBytes, bodies.unauthenticated];
  const body = await readBody(request, response, { maxBytes, budget });
  switch (body.type) {
    case 'read':
      return body;
    case 'too-large':
      return refuse(413, 'too-large', 'too-large', { maxBytes });
    case 'incomplete':
      return refuse(400, 'incomplete', 'incomplete');
    case 'overloaded':
      return refuse(503, 'overloaded', 'too-many-bodies');
  }
}

interface RecordAlertsDeps {
  readonly settings: AlertSettings;
  readonly languageOfChannel: (channel: string) => Language;
  readonly receive: ReceiveAlert;
  readonly digest: Digest;
}

type Recorded = { readonly recorded: number; readonly repeated: number };

/** Alerts of one request that are written at the same time. */
const atOnce = 16;

/**
 * Puts the alerts of one request on record. Of several with the same fingerprint, status and channel the last
 * one counts.
 *
 * @throws DoctorError `redis-unavailable`: some may be on record, and the sender has to send all of them
 *   again
 */
async function recordAlerts(
  { settings, languageOfChannel, receive, digest }: RecordAlertsDeps,
  webhook: WebhookSettings,
  alerts: readonly RawAlert[],
): Promise<Recorded> {
  const record = ({ raw, alert }: { raw: RawAlert; alert: Alert }) => {
    const channel = channelFor(alert.labels, settings, webhook.channel) ?? '';
    const id = digest(JSON.stringify([webhook.name, raw.fingerprint, channel])).slice(0, 32);
    return receive(id, { alert, place: { channel }, language: languageOfChannel(channel) });
  };
  let recorded = 0;
  let repeated = 0;
  const waiting = await inPieces(distinguishing({ settings, digest }, alerts));
  for (let from = 0; from < waiting.length; from += atOnce) {
    const bounded: { readonly raw: RawAlert; readonly alert: Alert }[] = [];
    for (const raw of waiting.slice(from, from + atOnce)) {
      bounded.push({ raw, alert: await inPieces(boundingAlert(raw)) });
    }
    const outcomes = await Promise.all(bounded.map(record));
    recorded += outcomes.filter((outcome) => outcome === 'recorded').length;
    repeated += outcomes.filter((outcome) => outcome === 'repeated').length;
  }
  return { recorded, repeated };
}

/** One alert of each fingerprint, status and channel, with the rules of the settings; an alert a step. */
function* distinguishing(
  { settings, digest }: Pick<RecordAlertsDeps, 'settings' | 'digest'>,
  alerts: readonly RawAlert[],
): Generator<void, readonly RawAlert[]> {
  const distinct = new Map<string, RawAlert>();
  for (const each of alerts) {
    const raw = withRules(each, settings.rules);
    const fingerprint =
      raw.fingerprint === ''
        ? digest(identityText(raw.name ?? '', raw.labels)).slice(0, 32)
        : raw.fingerprint;
    const key = JSON.stringify([fingerprint, raw.status, channelFor(raw.labels, settings, undefined)]);
    distinct.set(key, { ...raw, fingerprint });
    yield;
  }
  return [...distinct.values()];
}

/** A signed time may differ from ours by so much. */
const clockSkewSeconds = 300;

const missing = refuse(401, 'unauthorized', 'authorization-missing');
const wrong = refuse(401, 'unauthorized', 'credentials-wrong');
const unsigned = refuse(401, 'signature', 'signature-missing');
const forged = refuse(401, 'signature', 'signature-wrong');
const outdated = refuse(401, 'signature', 'time-wrong');

/** Whether the secret alone proves who sends. A signature proves it only together with the body. */
function isProvedByHeaders({ type }: AlertAuth): boolean {
  return type === 'bearer' || type === 'basic';
}

/**
 * Checks what the headers can prove, before the body is read: the credentials, or that there is a signature
 * and that its time is near. `checkSignature` compares the signature with the body.
 *
 * @param now epoch milliseconds
 */
export function checkHeaders(
  auth: AlertAuth,
  secret: string,
  headers: IncomingHttpHeaders,
  now: number,
): RequestRefusal | undefined {
  const { authorization = '' } = headers;
  switch (auth.type) {
    case 'bearer':
      return credentials(authorization, 'bearer', secret);
    case 'basic':
      return credentials(authorization, 'basic', Buffer.from(`${auth.user}:${secret}`).toString('base64'));
    case 'hmac':
      if (headerOf(headers, auth.header) === undefined) return unsigned;
      if (auth.timestampHeader === undefined) return undefined;
      return isNear(headerOf(headers, auth.timestampHeader), now) ? undefined : outdated;
    case 'pagerduty':
      return headerOf(headers, 'x-pagerduty-signature') === undefined ? unsigned : undefined;
    case 'standard-webhooks':
      if (headerOf(headers, 'webhook-signature') === undefined) return unsigned;
      return isNear(headerOf(headers, 'webhook-timestamp'), now) ? undefined : outdated;
  }
}

/** @param now epoch milliseconds */
export function checkSignature(
  auth: AlertAuth,
  secret: string,
  headers: IncomingHttpHeaders,
  body: Buffer,
  now: number,
): RequestRefusal | undefined {
  switch (auth.type) {
    case 'bearer':
    case 'basic':
      return undefined;
    case 'hmac': {
      const given = headerOf(headers, auth.header);
      if (given === undefined) return unsigned;
      let signed = body;
      if (auth.timestampHeader !== undefined) {
        const seconds = headerOf(headers, auth.timestampHeader);
        if (!isNear(seconds, now)) return outdated;
        signed = Buffer.concat([Buffer.from(`${seconds}:`), body]);
      }
      return isEqual(given.toLowerCase(), `${auth.prefix.toLowerCase()}${hmac(secret, signed)}`)
        ? undefined
        : forged;
    }
    case 'pagerduty': {
      const given = headerOf(headers, 'x-pagerduty-signature');
      if (given === undefined) return unsigned;
      const expected = `v1=${hmac(secret, body)}`;
      const signatures = given.split(',', maxSignatures).map((each) => each.trim());
      return signatures.some((each) => isEqual(each, expected)) ? undefined : forged;
    }
    case 'standard-webhooks': {
      const given = headerOf(headers, 'webhook-signature');
      if (given === undefined) return unsigned;
      const seconds = headerOf(headers, 'webhook-timestamp');
      if (!isNear(seconds, now)) return outdated;
      const signed = Buffer.concat([Buffer.from(`${headerOf(headers, 'webhook-id')}.${seconds}.`), body]);
      const key = Buffer.from(secret.replace(/^whsec_/u, ''), 'base64');
      const expected = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
      return given.split(' ', maxSignatures).some((each) => isEqual(each, expected)) ? undefined : forged;
    }
  }
}

const maxSignatures = 10;

function credentials(authorization: string, scheme: string, expected: string): RequestRefusal | undefined {
  const space = authorization.indexOf(' ');
  if (space < 0 || authorization.slice(0, space).toLowerCase() !== scheme) return missing;
  return isEqual(authorization.slice(space + 1).trim(), expected) ? undefined : wrong;
}

function hmac(secret: string, body: Buffer): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}

/** Takes the same time wherever the texts differ, and however long they are compared with each other. */
function isEqual(given: string, expected: string): boolean {
  return timingSafeEqual(sha256(given), sha256(expected));
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name.toLowerCase()];
  const text = Array.isArray(value) ? value.join(',') : value;
  return text === undefined || text === '' ? undefined : text;
}

function isNear(seconds: string | undefined, now: number): boolean {
  if (seconds === undefined || !/^\d{9,11}$/u.test(seconds)) return false;
  return Math.abs(Number(seconds) - now / 1_000) <= clockSkewSeconds;
}
