import {
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
} from '@slack/web-api';

/** How a call to Slack went wrong. */
export type SlackFailure =
  | { readonly type: 'throttled'; readonly retryAfterMs: number }
  /** Slack said no, and would say so again. `error` is its code. */
  | { readonly type: 'refused'; readonly error: string }
  /** No connection was made, or Slack said it did nothing: trying again is safe. */
  | { readonly type: 'unavailable'; readonly error: string }
  /** The request left and no usable answer came: it may have been done. */
  | { readonly type: 'doubtful'; readonly error: string };

export type SlackAnswer<Result> = { readonly type: 'answered'; readonly result: Result } | SlackFailure;

/** Makes one call and turns every way it can fail into a value. */
export async function callSlack<Result>(call: () => Promise<Result>): Promise<SlackAnswer<Result>> {
  try {
    return { type: 'answered', result: await call() };
  } catch (error) {
    return slackFailure(error);
  }
}

/** @param error whatever the SDK threw */
export function slackFailure(error: unknown): SlackFailure {
  if (error instanceof WebAPIRateLimitedError) return throttled(error.retryAfter);
  if (error instanceof WebAPIHTTPError) {
    if (error.statusCode === 429) return throttled(Number(error.headers['retry-after']));
    const type = error.statusCode >= 500 ? 'doubtful' : 'unavailable';
    return { type, error: `http_${error.statusCode}` };
  }
  if (error instanceof WebAPIPlatformError) {
    const code = error.data.error;
    if (code === 'ratelimited' || code === 'rate_limited') return throttled(undefined);
    if (unsure.has(code)) return { type: 'doubtful', error: code };
    return passing.has(code) ? { type: 'unavailable', error: code } : { type: 'refused', error: code };
  }
  if (error instanceof WebAPIRequestError) {
    const code = connectionCode(error.original);
    return code === undefined
      ? { type: 'doubtful', error: 'no_answer' }
      : { type: 'unavailable', error: code };
  }
  return { type: 'doubtful', error: 'unknown' };
}

const defaultRetryAfterMs = 30_000;
/** All deliveries wait together: a mistaken header must not silence the cards for an hour. */
const maxRetryAfterMs = 120_000;

function throttled(seconds: number | undefined): SlackFailure {
  const ms = seconds === undefined || !(seconds > 0) ? defaultRetryAfterMs : seconds * 1_000;
  return { type: 'throttled', retryAfterMs: Math.min(ms, maxRetryAfterMs) };
}

/**
 * Slack's own troubles: whether the call was done is not said (docs.slack.dev, common errors of all methods).
 */
const unsure: ReadonlySet<string> = new Set(['internal_error', 'fatal_error', 'request_timeout']);

/** Not done, and may be done later: Slack's or an administrator's business that people repair. */
const passing: ReadonlySet<string> = new Set([
  'service_unavailable',
  'team_added_to_org',
  'accesslimited',
  'not_authed',
  'invalid_auth',
  'missing_scope',
  'access_denied',
  'ekm_access_denied',
]);

/** System codes of a connection that never stood, so that nothing was sent. */
const unconnected: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** The code is on the error, on its cause, or on one of several tried addresses. */
function connectionCode(error: unknown, depth = 0): string | undefined {
  if (depth > 4 || typeof error !== 'object' || error === null) return undefined;
  if ('code' in error && typeof error.code === 'string' && unconnected.has(error.code)) return error.code;
  if ('errors' in error && Array.isArray(error.errors)) {
    const codes = error.errors.map((each) => connectionCode(each, depth + 1));
    if (codes.length > 0 && codes.every((code) => code !== undefined)) return codes[0];
  }
  return 'cause' in error ? connectionCode(error.cause, depth + 1) : undefined;
}
