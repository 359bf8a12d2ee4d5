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
