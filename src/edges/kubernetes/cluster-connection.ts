import { Duplex, type Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { Cluster, User } from '@kubernetes/client-node';
import { request } from 'undici';
import { trimCharacters } from '../../engine/language/text-scanning.js';
import { createGrowingBuffer } from '../http/growing-buffer.js';
import { traced } from '../telemetry/traced.js';
import type { ApiAnswer, ApiCall, ApiRequest, ApiStream } from './api-call.js';
import { AnswerTooLarge, maxAnswerBytes } from './api-call.js';
import { createCredentials } from './credentials.js';
import { createJsonDecoder } from './decode-json.js';
import { ContextUnknown, type Kubeconfig, loadKubeconfig } from './kubeconfig.js';
import { decodeAnswer, isProtobuf } from './protobuf/decode-answer.js';
import { createListDecoder } from './protobuf/decode-list.js';

/** A cluster by the name people use for it: its kubeconfig context. */
export type ClusterConnection = { readonly name: string; readonly call: ApiCall; readonly stream: ApiStream };

interface ConnectOptions {
  /** Path of a kubeconfig; without it the in-cluster ServiceAccount or the default kubeconfig. */
  readonly kubeconfig?: string | undefined;
  /** Contexts to use, the first one is the default; all when empty. */
  readonly contexts: readonly string[];
  /**
   * The name of the first context among people, where its cluster is the only one that this process serves.
   */
  readonly onlyAs?: string | undefined;
  /**
   * Is called after each request; `status` is undefined when no answer came. A watch ends with its first
   * bytes.
   */
  readonly onRequest?: ((request: SentRequest) => void) | undefined;
}

/** A request as it is counted. */
interface SentRequest {
  readonly cluster: string;
  /** Lower-case method of HTTP, or `watch`. */
  readonly verb: string;
  readonly status: number | undefined;
  readonly seconds: number;
}

/**
 * Reads the kubeconfig and gives one connection a context, the default one first. Connections to one cluster
 * are kept and reused.
 *
 * @throws ContextUnknown when a named context is not in the kubeconfig
 * @throws when the kubeconfig cannot be read
 */
export function connectClusters({
  kubeconfig,
  contexts,
  onlyAs,
  onRequest,
}: ConnectOptions): readonly ClusterConnection[] {
  const config = loadKubeconfig(kubeconfig);
  const known = config.contexts.map(({ name }) => name);
  for (const name of contexts) {
    if (!known.includes(name)) throw new ContextUnknown(name, known);
  }
  const current = known.filter((name) => name === config.currentContext);
  const others = known.filter((name) => name !== config.currentContext);
  const names = contexts.length > 0 ? contexts : [...current, ...others];
  const served = onlyAs === undefined ? names : names.slice(0, 1);
  return served.map((context) => {
    const name = onlyAs ?? context;
    const { call, stream } = requestsOf(config, context);
    if (onRequest === undefined) return { name, call, stream };
    const counted = <Asked, Answer extends { readonly status: number }>(
      verbOf: (asked: Asked) => string,
      send: (asked: Asked) => Promise<Answer>,
    ) => {
      return async (asked: Asked): Promise<Answer> => {
        const started = performance.now();
        let status: number | undefined;
        const verb = verbOf(asked);
        try {
          const answer = await traced('call', `kubernetes ${verb}`, { cluster: name, verb }, () =>
            send(asked),
          );
          status = answer.status;
          return answer;
        } finally {
          const seconds = (performance.now() - started) / 1_000;
          onRequest({ cluster: name, verb, status, seconds });
        }
      };
    };
    return {
      name,
      call: counted(({ method = 'GET' }: ApiRequest) => method.toLowerCase(), call),
      stream: counted(() => 'watch', stream),
    };
  });
}

function requestsOf({ contexts, clusters, users }: Kubeconfig, name: string): Requests {
  const context = contexts.find((each) => each.name === name);
  return createRequests({
    getCurrentCluster: () => clusters.find((each) => each.name === context?.cluster) ?? null,
    getCurrentUser: () => users.find((each) => each.name === context?.user) ?? null,
  });
}

/** The part of client-node's `KubeConfig` that says where to send and who we are. */
type CurrentContext = { getCurrentCluster(): Cluster | null; getCurrentUser(): User | null };

type Requests = { readonly call: ApiCall; readonly stream: ApiStream };

/** @param config its current context says where to send and who we are */
export function createApiCall(config: CurrentContext): ApiCall {
  return createRequests(config).call;
}

function createRequests(config: CurrentContext): Requests {
  const cluster = config.getCurrentCluster();
  if (cluster === null) {
    const fail = async (): Promise<never> => {
      throw new Error('the context names a cluster that the kubeconfig does not hold');
    };
    return { call: fail, stream: fail };
  }
  const server = trimCharacters(cluster.server, '', '/');
  const credentials = createCredentials(cluster, config.getCurrentUser() ?? undefined);

  const urlOf = (path: string, query: ApiRequest['query'] = {}): URL => {
    const url = new URL(`${server}${path}`);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    return url;
  };

  const stream: ApiStream = async ({ path, query, signal, silenceMs }) => {
    const { headers, dispatcher } = await credentials();
    const response = await request(urlOf(path, query), {
      headers: { ...headers, Accept: 'application/json', 'User-Agent': 'rollout-doctor' },
      signal,
      headersTimeout: silenceMs,
      bodyTimeout: silenceMs,
      ...(dispatcher === undefined ? {} : { dispatcher }),
    });
    // The reader of the chunks receives the error; a watch that is given up must not end the process.
    response.body.on('error', () => undefined);
    if (response.statusCode === 200) return { status: 200, chunks: decoded(response.body) };
    const { statusCode, headers: given } = response;
    const bytes = await readAnswer(response.body, given['content-encoding'], { maxBytes: maxRefusalBytes });
    return answerOf(statusCode, bytes.toString('utf8'), given['retry-after']);
  };

  const call: ApiCall = async (asked) => {
    const { method = 'GET', path, query, accept, contentType, body, signal } = asked;
    const url = urlOf(path, query);
    const { headers, dispatcher } = await credentials();
    const response = await request(url, {
      method,
      headers: {
        ...headers,
        Accept: accept ?? 'application/json',
        'Accept-Encoding': 'gzip',
        ...(body === undefined ? {} : { 'Content-Type': contentType ?? 'application/json' }),
        'User-Agent': 'rollout-doctor',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
      ...(dispatcher === undefined ? {} : { dispatcher }),
    });
    const { statusCode, headers: given } = response;
    const encoding = given['content-encoding'];
    const retryAfter = given['retry-after'];
    if (asked.onItem !== undefined && statusCode === 200 && isProtobuf(given['content-type'])) {
      const { take = () => true, onItem } = asked;
      const decoder = createListDecoder(onItem);
      await readPieces(response.body, encoding, { take }, (piece) => decoder.push(piece));
      return { status: statusCode, body: decoder.end(), retryAfterMs: undefined };
    }
    const retryAfterMs = retryAfterMsOf(retryAfter);
    if (!isProtobuf(given['content-type']) && asked.maxBytes === undefined) {
      const answer = statusCode === 200 ? asked : { ...asked, onItem: undefined };
      return { status: statusCode, body: await readJson(response.body, encoding, answer), retryAfterMs };
    }
    const whole = await readAnswer(response.body, encoding, asked);
    if (!isProtobuf(given['content-type'])) return answerOf(statusCode, whole.toString('utf8'), retryAfter);
    return { status: statusCode, body: decodeAnswer(whole), retryAfterMs };
  };
  return { call, stream };
}

/** An answer in JSON, or text where it is none. Items go to `onItem`, or become part of the body. */
async function readJson(
  body: Readable,
  encoding: string | string[] | undefined,
  { onItem, take }: { [Field in 'onItem' | 'take']?: ApiRequest[Field] | undefined },
): Promise<unknown> {
  const items: unknown[] = [];
  const decoder = createJsonDecoder(onItem ?? ((item) => items.push(item) > 0));
  const limits = { maxBytes: maxAnswerBytes, ...(take === undefined ? {} : { take }) };
  await readPieces(body, encoding, limits, (piece) => decoder.push(piece));
  const rest = decoder.end();
  const isList = typeof rest === 'object' && rest !== null && 'items' in rest && Array.isArray(rest.items);
  return isList && onItem === undefined ? { ...rest, items } : rest;
}

/** A refusal of a stream is one `Status` object. */
const maxRefusalBytes = 1_000_000;

async function* decoded(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const bytes of body) yield decoder.decode(bytes, { stream: true });
}

function answerOf(status: number, text: string, retryAfter: string | string[] | undefined): ApiAnswer {
  const retryAfterMs = retryAfterMsOf(retryAfter);
  try {
    return { status, body: JSON.parse(text), retryAfterMs };
  } catch {
    return { status, body: text, retryAfterMs };
  }
}

/** A server that asks for a longer wait is asked again after this, in milliseconds. */
export const maxRetryAfterMs = 60_000;

/**
 * Milliseconds to wait by a `Retry-After` header, which is a number of seconds or an HTTP date (RFC 9110,
 * 10.2.3).
 *
 * @param now epoch milliseconds
 * @returns undefined where the header is absent or no such value
 */
export function retryAfterMsOf(
  header: string | readonly string[] | undefined,
  now: number = Date.now(),
): number | undefined {
  if (typeof header !== 'string') return undefined;
  const text = header.trim();
  const ms = /^\d+$/u.test(text)
    ? Number(text) * 1_000
    : httpDate.test(text)
      ? Date.parse(text) - now
      : Number.NaN;
  return Number.isNaN(ms) ? undefined : Math.min(maxRetryAfterMs, Math.max(0, ms));
}

/** `Date.parse` takes much more than HTTP dates, negative numbers among them. */
const httpDate = /^[A-Z][a-z]{2,8},? /u;

/** Of an unpacked piece. With Node.js's own 16 kB, handing pieces over takes longer than unpacking them. */
const unpackedBytes = 65_536;

/**
 * Bytes as they came over the wire that wait to be unpacked or taken. Only beyond it is the connection
 * stopped: undici copies everything that its socket holds each time that a body is stopped, and goes on with
 * the copy.
 */
const maxWaitingBytes = 4_194_304;

/** Others have their turn after so much work, in milliseconds. */
const maxTurnMs = 10;

type Limits = Pick<ApiRequest, 'maxBytes' | 'take'>;

/**
 * The bytes of one answer after decompression. They are counted as they come, so that neither an endless
 * answer nor a small one that unpacks to a large one takes more memory than its limit; the connection is
 * closed when it is reached.
 *
 * @throws AnswerTooLarge
 * @throws Error for a content encoding that nobody asked for, and for bytes that cannot be unpacked
 */
export async function readAnswer(
  body: Readable,
  contentEncoding: string | string[] | undefined,
  limits: Limits = {},
): Promise<Buffer> {
  const { maxBytes = maxAnswerBytes } = limits;
  const kept = createGrowingBuffer(maxBytes);
  await readPieces(body, contentEncoding, { ...limits, maxBytes }, (piece) => {
    kept.append(piece);
    return true;
  });
  return kept.bytes();
}

/**
 * The pieces of one answer after decompression, one after the other. The connection is closed when a limit is
 * reached, or when `onPiece` returns false.
 *
 * @throws AnswerTooLarge
 * @throws Error what `onPiece` throws, and as `readAnswer` does
 */
export async function readPieces(
  body: Readable,
  contentEncoding: string | string[] | undefined,
  { maxBytes = Number.POSITIVE_INFINITY, take = () => true }: Limits,
  onPiece: (piece: Buffer) => boolean,
): Promise<void> {
  // A destroyed body emits its error after the pipeline has let go of it. Unheard, that would end the
  // process.
  body.on('error', () => undefined);
  const encoding = (contentEncoding ?? 'identity').toString().trim().toLowerCase();
  if (encoding !== 'identity' && encoding !== 'gzip') {
    body.destroy();
    throw new Error('the answer has a content encoding that was not asked for');
  }
  let size = 0;
  let isTooLarge = false;
  let isEnough = false;
  let workedMs = 0;
  // Read as an async iterable, the pieces that wait would be copied together each time.
  const reader = new Writable({
    highWaterMark: maxWaitingBytes,
    write(piece: Buffer, _encoding, done) {
      try {
        size += piece.length;
        isTooLarge = size > maxBytes || !take(piece.length);
        const from = performance.now();
        isEnough = !isTooLarge && !onPiece(piece);
        workedMs += performance.now() - from;
        const refusal = isTooLarge || isEnough ? new Error('no more is read') : null;
        if (workedMs < maxTurnMs) return done(refusal);
        workedMs = 0;
        // Pieces that wait already would be taken in the same turn.
        setImmediate(done, refusal);
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)));
      }
    },
  });
  try {
    if (encoding === 'gzip') {
      await pipeline(body, joinPieces(), createGunzip({ chunkSize: unpackedBytes }), reader);
    } else await pipeline(body, reader);
  } catch (error) {
    // The connection that is closed for it complains as well.
    if (!isTooLarge && !isEnough) throw error;
  }
  if (isTooLarge) throw new AnswerTooLarge('an answer is too large');
}

/**
 * Passes on as one piece what came while the last one was unpacked: each costs a way to another thread and
 * back.
 */
function joinPieces(): Duplex {
  let goOn = (): void => undefined;
  return new Duplex({
    writableHighWaterMark: maxWaitingBytes,
    writev(pieces, done) {
      goOn = done;
      if (this.push(Buffer.concat(pieces.map(({ chunk }) => chunk)))) resume();
    },
    read: resume,
    final(done) {
      this.push(null);
      done();
    },
  });

  function resume(): void {
    const done = goOn;
    goOn = () => undefined;
    done();
  }
}
