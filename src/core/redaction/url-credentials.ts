import { isVariable } from './harmless-values.js';
import type { Span } from './span.js';

/**
 * Passwords in URLs and connection strings: `scheme://user:password@host`, `scheme://:password@host`, a long token in
 * place of the user, Go's `user:password@tcp(host)` and Oracle's `user/password@//host`. User and host stay.
 */
export function urlCredentials(text: string): readonly Span[] {
  const spans: Span[] = [];
  for (let at = text.indexOf('://'); at >= 0; at = text.indexOf('://', at + 3)) {
    const span = inUrl(text, at, text.indexOf('://', at + 3));
    if (span !== undefined) spans.push(span);
  }
  for (const found of text.matchAll(withoutScheme)) {
    const password = found[1] ?? found[2] ?? '';
    if (isVariable(password)) continue;
    const start = found.index + found[0].indexOf(password, 1);
    spans.push({ start, end: start + password.length, kind: 'password' });
  }
  return spans;
}

/** Both start at the first character of a word and stop at the first character that cannot belong. */
const withoutScheme =
  /(?<![\w.-])[\w.-]{1,64}:([^\s"'`]{1,256}?)@(?:tcp|tcp4|tcp6|unix|udp)\(|:thin:[\w.-]{1,64}\/([^\s"'`]{1,256}?)@/giu;

const longestUrl = 2048;
const urlStart = /^[^\s"'<>`\\]+/u;
const schemeName = /[a-z][a-z0-9+.-]{0,30}$/iu;

function inUrl(text: string, schemeEnd: number, nextSchemeEnd: number): Span | undefined {
  const start = schemeEnd + 3;
  const limit = nextSchemeEnd < 0 ? start + longestUrl : Math.min(nextSchemeEnd, start + longestUrl);
  const url = urlStart.exec(text.slice(start, limit))?.[0] ?? '';
  const scheme = schemeName.exec(text.slice(Math.max(0, schemeEnd - 31), schemeEnd))?.[0] ?? '';
  const userinfo = userinfoOf(url, /^https?$/iu.test(scheme));
  if (userinfo === undefined) return undefined;
  const colon = userinfo.indexOf(':');
  if (colon < 0) {
    return userinfo.length >= 20 && !userinfo.includes('\uE000')
      ? { start, end: start + userinfo.length, kind: 'token' }
      : undefined;
  }
  const password = userinfo.slice(colon + 1);
  if (password === '' || isVariable(password)) return undefined;
  return { start: start + colon + 1, end: start + userinfo.length, kind: 'password' };
}

/**
 * What stands before the `@` of the authority. Passwords are often not percent-encoded: the last `@` counts, and where
 * the scheme is not HTTP (whose paths may hold `@`), or what follows the first colon is no port, also a `/`, `?` or `#`
 * may belong to the password. `docker-pullable://registry:5000/app@sha256:…` is an image, not a password.
 */
function userinfoOf(url: string, http: boolean): string | undefined {
  const authority = /^[^/?#]*/u.exec(url)?.[0] ?? '';
  const hostAndPort = /^(?:\[[0-9a-f:.]+\]|[\w.-]*)(?::\d{1,5})?$/iu.test(authority);
  const searched = http && (authority.includes('@') || hostAndPort) ? authority : beforeQuery(url, authority);
  const at = searched.lastIndexOf('@');
  if (at < 0) return undefined;
  const isImage = hostAndPort && /^@sha\d{3}:/u.test(searched.slice(at));
  return isImage ? undefined : searched.slice(0, at);
}

/** A `?` after the last `@` of what precedes it opens the query; one before any `@` belongs to the password. */
function beforeQuery(url: string, authority: string): string {
  const query = url.indexOf('?', authority.length);
  return query >= 0 && url.slice(0, query).includes('@') ? url.slice(0, query) : url;
}
