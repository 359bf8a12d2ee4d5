import { isRandomLike } from './entropy.js';
import { isPasswordLike, isVariable } from './harmless-values.js';
import type { Span } from './span.js';
import { matchAt } from './span.js';

/**
 * Passwords in URLs and connection strings: `scheme://user:password@host`, `scheme://:password@host`, a long
 * token in place of the user, Go's `user:password@tcp(host)` and Oracle's `user/password@//host`. User and
 * host stay.
 */
export function urlCredentials(text: string): readonly Span[] {
  const spans: Span[] = [];
  for (let at = text.indexOf('://'); at >= 0; at = text.indexOf('://', at + 3)) {
    const span = inUrl(text, at, text.indexOf('://', at + 3));
    if (span !== undefined) spans.push(span);
  }
  return [
    ...spans,
    ...inGoNames(text),
    ...inTnsNames(text),
    ...inEasyNames(text),
    ...beforePorts(text),
    ...inQueries(text),
  ];
}

const maxName = 330;

/** `user:password@tcp(host)`: the run of characters before the `@`. */
function inGoNames(text: string): Span[] {
  return [...text.matchAll(/@(?:tcp|tcp4|tcp6|unix|udp)\(/giu)].flatMap(({ index: end }) => {
    let first = end;
    while (first > end - maxName && /[^\s"'`]/u.test(text.charAt(first - 1))) first -= 1;
    const run = text.slice(first, end);
    const user = run.indexOf(':');
    return /[\w.-]/u.test(run.charAt(user - 1)) ? passwordAt(text, first + user + 1, end) : [];
  });
}

/** `jdbc:oracle:thin:user/password@host`. */
function inTnsNames(text: string): Span[] {
  return [...text.matchAll(/:thin:/giu)].flatMap(({ index }) => {
    const found = matchAt(text, index, maxName, /^(:thin:[\w.-]+\/)([^\s"'`@]+)@/iu);
    const start = index + (found?.[1] ?? '').length;
    return found === undefined ? [] : passwordAt(text, start, start + (found[2] ?? '').length);
  });
}

/** `user/password@//host:1521/service`, as Oracle's clients connect. */
function inEasyNames(text: string): Span[] {
  return [...text.matchAll(/@\/\/(?=[\w.-]{1,253}(?::\d{2,5})?\/\w)/gu)].flatMap(({ index }) =>
    behindUser(text, index, '/', /^[A-Za-z][\w$#]*$/u),
  );
}

/** `user:password@host:5432` without a scheme. */
function beforePorts(text: string): Span[] {
  return [...text.matchAll(/@(?!sha\d{3}:)(?=[a-z\d][\w.-]{0,252}:\d{2,5}(?!\w))/giu)]
    .flatMap(({ index }) => behindUser(text, index, ':', /^[\w.+-]+$/u))
    .filter(({ start, end }) => isPasswordLike(text.slice(start, end)));
}

const longestAccount = 192;

/** The password that ends at `end`, in a run that has a user, this sign and a password. */
function behindUser(text: string, end: number, sign: '/' | ':', user: RegExp): Span[] {
  const before = text.slice(Math.max(0, end - longestAccount), end);
  const run = before.slice(
    1 + Math.max(...[' ', '\n', '\t', '"', "'", '`', '@'].map((each) => before.lastIndexOf(each))),
  );
  const [name = '', password = '', ...more] = run.split(sign);
  const isAccount = more.length === 0 && user.test(name) && !password.includes('/');
  return isAccount ? passwordAt(text, end - password.length, end) : [];
}

/** What a query grants access with under a name that means other things too: `?code=x` of a login. */
function inQueries(text: string): Span[] {
  return [...text.matchAll(/[?&](?:code|code_verifier|device_code|assertion|ticket)=/giu)].flatMap(
    ({ 0: lead, index }) => {
      const start = index + lead.length;
      const value = matchAt(text, start, longestUrl, /^[^\s"'<>`\\&#?]+/u)?.[0] ?? '';
      return isRandomLike(value) ? [{ start, end: start + value.length, kind: 'token' }] : [];
    },
  );
}

function passwordAt(text: string, start: number, end: number): Span[] {
  return start >= end || isVariable(text.slice(start, end)) ? [] : [{ start, end, kind: 'password' }];
}

const longestUrl = 2048;
const urlStart = /^[^\s"'<>`\\]+/u;

function inUrl(text: string, schemeEnd: number, nextSchemeEnd: number): Span | undefined {
  const start = schemeEnd + 3;
  const limit = nextSchemeEnd < 0 ? start + longestUrl : Math.min(nextSchemeEnd, start + longestUrl);
  const url = urlStart.exec(text.slice(start, limit))?.[0] ?? '';
  const before = text.slice(Math.max(0, schemeEnd - 6), schemeEnd);
  const userinfo = userinfoOf(url, /(?:^|[^a-z0-9+.-])https?$/iu.test(before));
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
 * What stands before the `@` of the authority. Passwords are often not percent-encoded: the last `@` counts,
 * and where the scheme is not HTTP (whose paths may hold `@`), or what follows the first colon is no port,
 * also a `/`, `?` or `#` may belong to the password. `docker-pullable://registry:5000/app@sha256:…` is an
 * image, not a password.
 */
function userinfoOf(url: string, http: boolean): string | undefined {
  const authority = /^[^/?#]*/u.exec(url)?.[0] ?? '';
  const hostAndPort = /^(?:\[[0-9a-f:.]+\]|[\w.-]*)(?::\d{1,5})?$/iu.test(authority);
  if (hostAndPort && url.startsWith('/;', authority.length)) return undefined;
  const searched = http && (authority.includes('@') || hostAndPort) ? authority : beforeQuery(url, authority);
  const at = searched.lastIndexOf('@');
  if (at < 0) return undefined;
  const isImage = hostAndPort && /^@sha\d{3}:/u.test(searched.slice(at));
  return isImage ? undefined : searched.slice(0, at);
}

/**
 * A `?` after the last `@` of what precedes it opens the query; one before any `@` belongs to the password.
 */
function beforeQuery(url: string, authority: string): string {
  const query = url.indexOf('?', authority.length);
  return query >= 0 && url.slice(0, query).includes('@') ? url.slice(0, query) : url;
}
