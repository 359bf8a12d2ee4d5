import type { Readable } from 'node:stream';
import type { Cluster, User } from '@kubernetes/client-node';
import { request } from 'undici';
import { trimCharacters } from '../../core/language/text-scanning.js';
import { traced } from '../../tracing/traced.js';
import { type ApiAnswer, type ApiCall, type ApiRequest, type ApiStream, maxAnswerBytes } from './api-call.js';
import { createCredentials } from './credentials.js';
import { createJsonDecoder } from './decode-json.js';
import { type Kubeconfig, loadKubeconfig } from './kubeconfig.js';
import { decodeAnswer, isProtobuf } from './protobuf/decode-answer.js';
import { createListDecoder } from './protobuf/decode-list.js';
import { readAnswer, readPieces } from './read-answer.js';
import { retryAfterMsOf } from './retry-after.js';

/** A cluster by the name people use for it: its kubeconfig context. */
export interface ClusterConnection {
  readonly name: string;
  readonly call: ApiCall;
  readonly stream: ApiStream;
}

export interface ConnectOptions {
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

/** A context that was named and is not in the kubeconfig. */
export class ContextUnknown extends Error {
  override readonly name = 'ContextUnknown';
  readonly context: string;
  /** The contexts of the kubeconfig. */
  readonly known: readonly string[];

  constructor(context: string, known: readonly string[]) {
    super(`the kubeconfig has no context "${context}"; its contexts: ${known.join(', ') || 'none'}`);
    this.context = context;
    this.known = known;
  }
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
interface CurrentContext {
  getCurrentCluster(): Cluster | null;
  getCurrentUser(): User | null;
}

interface Requests {
  readonly call: ApiCall;
  readonly stream: ApiStream;
}

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
