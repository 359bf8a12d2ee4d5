import type { IncomingHttpHeaders, IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { parse } from 'node:querystring';
import { setImmediate } from 'node:timers/promises';
import { type BufferedIncomingMessage, isValidSlackRequest } from '@slack/bolt';
import type { Logger } from 'pino';
import { isBoundedJson } from '../http/bounded-json.js';
import { createDampedWarnings } from '../http/damped-warnings.js';
import type { BoundedServer } from '../http/http-server.js';
import { type Answer, type Route, startHttpServer } from '../http/http-server.js';
import { createBodyBudget, readBody } from '../http/read-body.js';

/**
 * The largest body from Slack. A message of 40,000 characters, which is what Slack keeps of one, arrives in
 * an edit event twice, as text and as blocks each, and JSON writes a character outside ASCII in six bytes.
 * source: docs.slack.dev/reference/methods/chat.postMessage (truncation), events/message/message_changed
 */
export const maxBodyBytes = 1_000_000;
/** All bodies in memory at the same time, over all connections. */
export const maxBytesInFlight = 16_000_000;
/**
 * Slack sends `ssl_check` to a slash command's address without a signature. It holds a token and nothing
 * else.
 */
export const maxUnsignedBytes = 2_000;
const maxConnections = 512;
/** Slack waits three seconds for an answer, and its bodies arrive at once. */
const requestTimeoutMs = 5_000;
/** As Bolt has it, and Slack's documentation: older requests may be replayed ones. */
const maxAgeSeconds = 300;

export const slackPath = '/slack/events';

interface SlackServerOptions {
  /** 0 takes a free port. */
  readonly port: number;
  /** All interfaces when absent. */
  readonly host?: string | undefined;
  readonly isSigned: IsSignedBySlack;
  /** Receives requests that Slack signed, with their body. */
  readonly receive: RequestListener;
  readonly log: Pick<Logger, 'warn'>;
}

/**
 * Serves Slack's requests, and `/healthz` for the load balancer before it. Anybody can send bodies to Slack's
 * path whose signature is only known to be forged once they are here, so their bytes and their time are
 * limited.
 *
 * @throws when the port is taken
 */
export async function startSlackServer({
  port,
  host,
  isSigned,
  receive,
  log,
}: SlackServerOptions): Promise<BoundedServer> {
  const budget = createBodyBudget(maxBytesInFlight);
  const warn = createDampedWarnings(log);

  async function receiveRequest(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<Answer | undefined> {
    if ((request.headers['content-encoding'] ?? 'identity') !== 'identity') {
      return text(415, 'Compressed bodies are not accepted.');
    }
    const maxBytes = maxBytesOf(request);
    if (maxBytes === undefined) {
      return text(401, 'The signature or its time is missing, malformed or too old.');
    }
    const body = await readBody(request, response, { maxBytes, budget });
    switch (body.type) {
      case 'too-large':
        return text(413, `The body may have at most ${maxBytes} bytes.`);
      case 'incomplete':
        return text(400, 'The request ended before its body was complete.');
      case 'overloaded':
        return text(503, 'Too many request bodies are in memory. Send it again later.');
      case 'read':
        response.once('close', body.release);
        if (isTlsCheck(request, body.bytes)) return text(200, 'ok');
        if (!isSigned(signedRequest(request, body.bytes))) {
          warn('signature', {}, 'a request to the port for Slack has a wrong signature');
          return text(401, 'The signature does not match.');
        }
        if (!(await holdsObject(request, body.bytes))) {
          warn('body', {}, 'a request from Slack holds no JSON object of a bounded size');
          return text(400, 'The body holds no JSON object, or too many objects and names.');
        }
        await setImmediate();
        receive(withBody(request, body.bytes), response);
        return undefined;
    }
  }

  const routes = new Map<string, Route>([
    ['/healthz', { method: 'GET', answer: async () => text(200, 'ok') }],
    [slackPath, { method: 'POST', answer: receiveRequest }],
  ]);
  return startHttpServer({
    port,
    host,
    maxConnections,
    requestTimeoutMs,
    routeOf: (path) => routes.get(path),
  });
}

function text(status: number, line: string): Answer {
  return { status, body: `${line}\n` };
}

/** How large a body may be by what its headers prove; undefined when it is not worth reading. */
function maxBytesOf({ headers }: IncomingMessage): number | undefined {
  const signature = headers['x-slack-signature'];
  const sentAt = headers['x-slack-request-timestamp'];
  if (signature === undefined && sentAt === undefined) {
    const isForm = headers['content-type'] === 'application/x-www-form-urlencoded';
    return isForm ? maxUnsignedBytes : undefined;
  }
  const isSigned = typeof signature === 'string' && /^v0=[0-9a-f]{64}$/u.test(signature);
  const isDated = typeof sentAt === 'string' && /^\d{9,11}$/u.test(sentAt);
  if (!isSigned || !isDated) return undefined;
  return Math.abs(Date.now() / 1_000 - Number(sentAt)) <= maxAgeSeconds ? maxBodyBytes : undefined;
}

/** Nothing else in such a request counts: anybody can send it. */
function isTlsCheck({ headers }: IncomingMessage, bytes: Buffer): boolean {
  const isUnsigned = headers['x-slack-signature'] === undefined;
  return isUnsigned && new URLSearchParams(bytes.toString('utf8')).get('ssl_check') === '1';
}

/**
 * Three times what prose has in the longest modal (100 inputs of 3,000 characters). Node decodes each one by
 * itself: 900,000 took 50 ms.
 */
const maxSpaces = 200_000;
const plusSign = 0x2b;

function hasFewSpaces(form: Buffer): boolean {
  let spaces = 0;
  for (const byte of form) if (byte === plusSign) spaces += 1;
  return spaces <= maxSpaces;
}

/**
 * Whether what Bolt will parse is an object, and one that holds up nobody. Bolt 5.1 reads a field of it
 * outside of its error handling: the `null` of JSON would end the process. Decoding and looking take turns,
 * as Bolt decodes the body once more.
 */
async function holdsObject({ headers }: IncomingMessage, bytes: Buffer): Promise<boolean> {
  const isForm = headers['content-type'] === 'application/x-www-form-urlencoded';
  if (isForm && !hasFewSpaces(bytes)) return false;
  const body = bytes.toString('utf8');
  const { payload = '{' } = isForm ? parse(body) : { payload: body };
  await setImmediate();
  return (
    typeof payload === 'string' &&
    payload.trimStart().startsWith('{') &&
    isBoundedJson(isForm ? Buffer.from(payload) : bytes)
  );
}

function signedRequest({ headers }: IncomingMessage, bytes: Buffer): SignedRequest {
  const { 'x-slack-signature': signature, 'x-slack-request-timestamp': timestamp } = headers;
  return { signature: String(signature), timestamp: String(timestamp), body: bytes.toString('utf8') };
}

/** Bolt takes a body that was read before from here, as hosts that read it themselves hand it over. */
function withBody(request: IncomingMessage, rawBody: Buffer): BufferedIncomingMessage {
  return Object.assign(request, { rawBody });
}

/** The headers with which Slack signs a request, and its raw body. */
interface SignedRequest {
  readonly signature: string;
  /** Seconds since the epoch. */
  readonly timestamp: string;
  readonly body: string;
}

/** Whether Slack signed this body within the last five minutes. */
type IsSignedBySlack = (request: SignedRequest) => boolean;

export function createSlackSignature(signingSecret: string): IsSignedBySlack {
  return ({ signature, timestamp, body }) =>
    /^\d{1,12}$/.test(timestamp) &&
    Number(timestamp) <= Date.now() / 1_000 + maxApartSeconds &&
    isValidSlackRequest({
      signingSecret,
      body,
      headers: { 'x-slack-signature': signature, 'x-slack-request-timestamp': Number(timestamp) },
    });
}

/**
 * Whether Slack may have signed a request with these headers within the last five minutes. False is certain
 * before the body arrives; true leaves the signature to be verified.
 */
export function mayBeSigned({
  'x-slack-signature': signature,
  'x-slack-request-timestamp': timestamp,
}: IncomingHttpHeaders): boolean {
  return (
    typeof signature === 'string' &&
    /^v0=[0-9a-f]{64}$/.test(signature) &&
    typeof timestamp === 'string' &&
    /^\d{1,12}$/.test(timestamp) &&
    Math.abs(Date.now() / 1_000 - Number(timestamp)) <= maxApartSeconds
  );
}

/** Bolt accepts any time to come: such a request could be sent again for longer than five minutes. */
const maxApartSeconds = 300;
