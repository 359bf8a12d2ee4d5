import type { WebClientOptions } from '@slack/web-api';
import { readWithin } from '../http/growing-buffer.js';
import { traced } from '../telemetry/traced.js';

type Fetch = NonNullable<WebClientOptions['fetch']>;

/**
 * How a call ended: `refused` is an answer with `ok: false`, `error` one that is no answer of the Web API.
 */
type SlackOutcome = 'ok' | 'rate-limited' | 'refused' | 'error' | 'no-answer';

/** @param method such as `chat.postMessage`, or `response_url` */
export type OnSlackRequest = (method: string, outcome: SlackOutcome, seconds: number) => void;

/**
 * Bytes of one answer after decompression. The largest are pages of a hundred messages and lists of all user
 * groups.
 */
const maxAnswerBytes = 8_000_000;
/** What Slack asks for beyond this is asked again after it, in seconds. */
export const maxRetryAfterSeconds = 120;
const defaultRetryAfterSeconds = 30;
/** For calls without a deadline of their own. */
const timeoutMs = 5_000;

/** Something answered in place of Slack's API: whether the call was carried out is unknown. */
class UnusableAnswer extends Error {
  override readonly name = 'UnusableAnswer';
}

/**
 * `fetch` for Slack's client. Answers are read within a limit; an answer with status 200 that is no answer of
 * the Web API (a page of a proxy, nothing, broken JSON, no `ok`) is an error, since the client would take it
 * for Slack's refusal; and `Retry-After` becomes a number of seconds within a limit.
 *
 * @param slackApiUrl base of the Web API, ends with `/api/`; answers from elsewhere (`response_url`) may be
 *   any text
 * @param token the one for this call, in place of the client's: a client keeps the token that it was made
 *   with
 */
export function createBoundedFetch(
  slackApiUrl: string,
  onRequest?: OnSlackRequest,
  token?: () => string,
): Fetch {
  return async (url, init) => {
    const signal = init?.signal ?? AbortSignal.timeout(timeoutMs);
    const method = methodOf(String(url), slackApiUrl);
    const started = performance.now();
    let outcome: SlackOutcome = 'no-answer';
    try {
      const sent = new Headers(init?.headers as RequestInit['headers']);
      if (token !== undefined && method !== undefined) sent.set('authorization', `Bearer ${token()}`);
      const called = method ?? 'response_url';
      const response = await traced('call', `slack ${called}`, { method: called }, () =>
        globalThis.fetch(url, { ...init, headers: sent, signal } as RequestInit),
      );
      const bytes = await readWithin(response, maxAnswerBytes);
      if (bytes === undefined) throw new UnusableAnswer('the answer is too large');
      const { status, statusText } = response;
      outcome = outcomeOf(status, method === undefined ? 'ok' : webApiOutcome(bytes));
      if (status === 200 && outcome === 'error') {
        throw new UnusableAnswer('the answer is not one of the Web API');
      }
      const headers = new Headers(response.headers);
      if (status === 429) headers.set('retry-after', String(retryAfterSeconds(headers.get('retry-after'))));
      const body = [204, 205, 304].includes(status) ? null : new Uint8Array(bytes);
      return new Response(body, { status, statusText, headers });
    } finally {
      onRequest?.(method ?? 'response_url', outcome, (performance.now() - started) / 1_000);
    }
  };
}

/** The method of the Web API; undefined for the addresses that Slack sends with a command. */
function methodOf(url: string, slackApiUrl: string): string | undefined {
  if (!url.startsWith(slackApiUrl)) return undefined;
  return /^[A-Za-z.]{1,60}/u.exec(url.slice(slackApiUrl.length))?.[0] ?? 'other';
}

function outcomeOf(status: number, answered: SlackOutcome): SlackOutcome {
  if (status === 429) return 'rate-limited';
  return status === 200 ? answered : 'error';
}

function webApiOutcome(bytes: Buffer): 'ok' | 'refused' | 'error' {
  let answer: unknown;
  try {
    answer = JSON.parse(bytes.toString('utf8'));
  } catch {
    return 'error';
  }
  const { ok, error } = Object(answer) as { readonly ok?: unknown; readonly error?: unknown };
  if (ok === true) return 'ok';
  const hasCode = typeof error === 'string' && /^[\w.:-]{1,100}$/u.test(error);
  return ok === false && hasCode ? 'refused' : 'error';
}

/** Seconds, or an HTTP date (RFC 9110, 10.2.3). */
export function retryAfterSeconds(header: string | null, now: number = Date.now()): number {
  const text = header?.trim() ?? '';
  const date = /^[A-Z][a-z]{2,8},? /u.test(text) ? Math.ceil((Date.parse(text) - now) / 1_000) : Number.NaN;
  const seconds = /^\d+(?:\.\d+)?$/u.test(text) ? Math.ceil(Number(text)) : date;
  if (Number.isNaN(seconds)) return defaultRetryAfterSeconds;
  return Math.min(maxRetryAfterSeconds, Math.max(1, seconds));
}
