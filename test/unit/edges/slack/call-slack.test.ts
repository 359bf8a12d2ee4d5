import {
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
} from '@slack/web-api';
import { describe, expect, it } from 'vitest';
import { callSlack, slackFailure } from '#src/edges/slack/call-slack.js';

function refusal(error: string): WebAPIPlatformError {
  return new WebAPIPlatformError({ ok: false, error, response_metadata: {} });
}

function unreached(cause: unknown): WebAPIRequestError {
  return new WebAPIRequestError(new TypeError('fetch failed', { cause }));
}

function withCode(code: string): Error {
  return Object.assign(new Error(code), { code });
}

const failures: readonly (readonly [string, unknown, object])[] = [
  ['a 429 with Retry-After', new WebAPIRateLimitedError(7), { type: 'throttled', retryAfterMs: 7_000 }],
  [
    'a 429 without Retry-After',
    new WebAPIRateLimitedError(Number.NaN),
    { type: 'throttled', retryAfterMs: 30_000 },
  ],
  [
    'a 429 that asks for a day',
    new WebAPIRateLimitedError(86_400),
    { type: 'throttled', retryAfterMs: 120_000 },
  ],
  ['ratelimited in the body', refusal('ratelimited'), { type: 'throttled', retryAfterMs: 30_000 }],
  ['HTTP 503', new WebAPIHTTPError(503, 'x', {}), { type: 'doubtful', error: 'http_503' }],
  ['HTTP 404', new WebAPIHTTPError(404, 'x', {}), { type: 'unavailable', error: 'http_404' }],
  [
    'HTTP 429',
    new WebAPIHTTPError(429, 'x', { 'retry-after': '3' }),
    { type: 'throttled', retryAfterMs: 3_000 },
  ],
  ['channel_not_found', refusal('channel_not_found'), { type: 'refused', error: 'channel_not_found' }],
  ['missing_scope', refusal('missing_scope'), { type: 'unavailable', error: 'missing_scope' }],
  ['internal_error', refusal('internal_error'), { type: 'doubtful', error: 'internal_error' }],
  [
    'a refused connection',
    unreached(withCode('ECONNREFUSED')),
    { type: 'unavailable', error: 'ECONNREFUSED' },
  ],
  [
    'a connection refused at both addresses',
    unreached(new AggregateError([withCode('ECONNREFUSED'), withCode('ECONNREFUSED')])),
    { type: 'unavailable', error: 'ECONNREFUSED' },
  ],
  [
    'a connection refused at one address only',
    unreached(new AggregateError([withCode('ECONNREFUSED'), withCode('ECONNRESET')])),
    { type: 'doubtful', error: 'no_answer' },
  ],
  ['a broken connection', unreached(withCode('ECONNRESET')), { type: 'doubtful', error: 'no_answer' }],
  [
    'a timeout',
    new WebAPIRequestError(new DOMException('x', 'TimeoutError')),
    { type: 'doubtful', error: 'no_answer' },
  ],
  ['anything else', 'what', { type: 'doubtful', error: 'unknown' }],
];

describe('a failed Slack call', () => {
  it.each(failures)('is classified: %s', (_, error, failure) => {
    expect(slackFailure(error)).toEqual(failure);
  });

  it('returns a value instead of throwing', async () => {
    expect(await callSlack(() => Promise.reject(refusal('is_archived')))).toEqual({
      type: 'refused',
      error: 'is_archived',
    });
    expect(await callSlack(async () => 1)).toEqual({ type: 'answered', result: 1 });
  });
});
