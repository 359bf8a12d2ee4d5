import { boundText } from '../../engine/language/text-scanning.js';
import type { Unreadable } from '../../service/diagnose/cluster-reader.js';
import { MalformedProtobuf } from './protobuf/wire.js';

/** One request to an API server. `path` starts with `/api` or `/apis`. */
export interface ApiRequest {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly accept?: string;
  readonly contentType?: string;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
  /** An answer with more bytes is refused; `maxAnswerBytes` when absent. */
  readonly maxBytes?: number;
  /** Is asked before each piece of the answer is kept: false when no more may be read. */
  readonly take?: (bytes: number) => boolean;
  /**
   * Receives each object of a list while the answer arrives; the body then has no `items`. False: no more
   * objects. `take` bounds what is decoded this way; `maxBytes` does not.
   */
  readonly onItem?: (item: unknown) => boolean;
}

/** Bytes of one answer after decompression. The largest genuine one is a page of 500 objects. */
export const maxAnswerBytes = 32_000_000;

/** An answer was larger than may be read; nothing of it was kept. */
export class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge';
}

/** The read was not sent: the diagnosis has asked for as much as it may. */
export class ReadBudgetSpent extends Error {
  override readonly name = 'ReadBudgetSpent';
}

export interface ApiAnswer {
  readonly status: number;
  /** Parsed JSON, or text where the answer is none (logs). */
  readonly body: unknown;
  readonly retryAfterMs: number | undefined;
}

/**
 * Sends one request; throws only when no answer came that can be read.
 *
 * @throws AnswerTooLarge
 * @throws ReadBudgetSpent
 */
export type ApiCall = (request: ApiRequest) => Promise<ApiAnswer>;

export interface StreamRequest extends Pick<ApiRequest, 'path' | 'query'> {
  readonly signal: AbortSignal;
  /** A server that sends nothing for so long counts as gone, in milliseconds. */
  readonly silenceMs: number;
}

/** An answer that goes on: pieces of text as they come, or the refusal. */
export type ApiStream = (
  request: StreamRequest,
) => Promise<{ readonly status: 200; readonly chunks: AsyncIterable<string> } | ApiAnswer>;

type ApiStatus = { readonly reason: string; readonly message: string };

/** Characters that are kept of what an API server, or the way to it, says about a request. */
const maxApiMessage = 2_000;
/** Of an answer that is no `Status`, such as a proxy's page. */
const maxPlainAnswer = 200;
const maxConnectionError = 300;

/**
 * The `Status` object of a refusal (apimachinery `metav1.Status`), with empty fields where the body is none.
 */
export function statusOf(body: unknown): ApiStatus {
  if (typeof body === 'object' && body !== null && 'message' in body) {
    const { message } = body;
    const reason = 'reason' in body && typeof body.reason === 'string' ? body.reason : '';
    return { reason, message: typeof message === 'string' ? boundText(message, maxApiMessage) : '' };
  }
  return { reason: '', message: typeof body === 'string' ? boundText(body, maxPlainAnswer) : '' };
}

/** What a status other than success means for a read. */
export function unreadable({ status, body, retryAfterMs }: ApiAnswer): Unreadable {
  const { message } = statusOf(body);
  return {
    type: 'unreadable',
    because: becauseOf(status),
    message,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

function becauseOf(status: number): Unreadable['because'] {
  switch (status) {
    case 401:
      return 'unauthorized';
    case 403:
      return 'forbidden';
    case 404:
    case 405:
    case 406:
      return 'not-served';
    case 429:
      return 'throttled';
    case 504:
      return 'timeout';
    default:
      return status >= 500 ? 'unavailable' : 'failed';
  }
}

/** What it means that no answer came. */
export function unanswered(error: unknown): Unreadable {
  const name = error instanceof Error ? error.name : '';
  if (name === 'TimeoutError' || name === 'AbortError') {
    return { type: 'unreadable', because: 'timeout', message: '' };
  }
  if (error instanceof AnswerTooLarge) return { type: 'unreadable', because: 'too-large', message: '' };
  if (error instanceof ReadBudgetSpent) {
    return { type: 'unreadable', because: 'too-many', message: error.message };
  }
  if (error instanceof MalformedProtobuf) {
    return { type: 'unreadable', because: 'malformed', message: error.message };
  }
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const message = cause instanceof Error ? cause.message : String(cause);
  return { type: 'unreadable', because: 'unavailable', message: boundText(message, maxConnectionError) };
}

/** An answer without the object that was asked for. */
export function notUnderstood(kind: string): Unreadable {
  return { type: 'unreadable', because: 'malformed', message: `the answer holds no such ${kind}` };
}
