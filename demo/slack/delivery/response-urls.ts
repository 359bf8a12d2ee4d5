import { randomBytes } from 'node:crypto';

/** What a response_url answers to: where, whom, and which message it may replace. */
export interface ResponseTarget {
  readonly channel: string;
  readonly userId: string;
  /** The message whose button was clicked. */
  readonly messageTs: string | undefined;
  readonly threadTs: string | undefined;
}

export interface ResponseUrls {
  /** A new path such as `/response/…`. */
  issue(target: ResponseTarget): string;
  /** Uses one of the five answers up. */
  redeem(
    path: string,
  ):
    | { readonly type: 'redeemed'; readonly target: ResponseTarget }
    | { readonly type: 'expired_url' | 'used_url' };
}

/** source: docs.slack.dev/interactivity/handling-user-interaction */
const responseUses = 5;
const responseLifetimeMs = 30 * 60_000;

export function createResponseUrls(now: () => number): ResponseUrls {
  const issued = new Map<string, { readonly target: ResponseTarget; readonly until: number; uses: number }>();
  return {
    issue(target) {
      const path = `/response/${randomBytes(16).toString('hex')}`;
      issued.set(path, { target, until: now() + responseLifetimeMs, uses: 0 });
      return path;
    },
    redeem(path) {
      const found = issued.get(path);
      if (found === undefined || now() > found.until) return { type: 'expired_url' };
      if (found.uses >= responseUses) return { type: 'used_url' };
      found.uses += 1;
      return { type: 'redeemed', target: found.target };
    },
  };
}
