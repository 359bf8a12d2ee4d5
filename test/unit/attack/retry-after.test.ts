import { WebAPIRateLimitedError } from '@slack/web-api';
import { describe, expect, it } from 'vitest';
import { maxRetryAfterMs, retryAfterMsOf } from '#src/edges/kubernetes/cluster-connection.js';
import { maxRetryAfterSeconds, retryAfterSeconds } from '#src/edges/slack/bounded-fetch.js';
import { slackFailure } from '#src/edges/slack/call-slack.js';

const now = Date.parse('2026-11-22T10:00:00Z');
const inTenSeconds = new Date(now + 10_000).toUTCString();
const nextYear = new Date(now + 365 * 86_400_000).toUTCString();
const yesterday = new Date(now - 86_400_000).toUTCString();

/** Header, milliseconds for Kubernetes (undefined: none), seconds for Slack. */
const headers: readonly [string, number | undefined, number][] = [
  ['0', 0, 1],
  ['5', 5_000, 5],
  [' 7 ', 7_000, 7],
  ['1000000000000', maxRetryAfterMs, maxRetryAfterSeconds],
  ['9'.repeat(400), maxRetryAfterMs, maxRetryAfterSeconds],
  [inTenSeconds, 10_000, 10],
  [nextYear, maxRetryAfterMs, maxRetryAfterSeconds],
  [yesterday, 0, 1],
  ['Sun, 99 Nov 99999 99:99:99 GMT', undefined, 30],
  ['-5', undefined, 30],
  ['-1000000000000', undefined, 30],
  ['1e12', undefined, 30],
  ['0x10', undefined, 30],
  ['NaN', undefined, 30],
  ['Infinity', undefined, 30],
  ['soon', undefined, 30],
  ['', undefined, 30],
  ['5, 6', undefined, 30],
];

describe('a Retry-After header', () => {
  it.each(headers)('"%s" is obeyed within its limit', (header, ms, seconds) => {
    expect(retryAfterMsOf(header, now)).toBe(ms);
    expect(retryAfterSeconds(header, now)).toBe(seconds);
  });

  it('that is absent or repeated is ignored', () => {
    expect(retryAfterMsOf(undefined, now)).toBeUndefined();
    expect(retryAfterMsOf(['5', '6'], now)).toBeUndefined();
    expect(retryAfterSeconds(null, now)).toBe(30);
  });

  it.each([1e12, Number.POSITIVE_INFINITY, Number.NaN, -1, 0, 3_600])(
    'of %s seconds delays no delivery by more than two minutes',
    (seconds) => {
      const failure = slackFailure(new WebAPIRateLimitedError(seconds));

      expect(failure).toMatchObject({ type: 'throttled' });
      if (failure.type !== 'throttled') return;
      expect(failure.retryAfterMs).toBeGreaterThan(0);
      expect(failure.retryAfterMs).toBeLessThanOrEqual(120_000);
    },
  );
});
