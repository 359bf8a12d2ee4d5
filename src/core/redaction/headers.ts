import { decodeBase64 } from './encoded.js';
import { looksRandom } from './entropy.js';
import { scan } from './scan.js';
import type { Span } from './span.js';

/** Credentials in HTTP headers: `Authorization` with any scheme, a bare `Bearer x` or `Basic x`, cookies' values. */
export function headers(text: string): readonly Span[] {
  return [...authorization(text), ...bareSchemes(text), ...cookies(text)];
}

const opening = String.raw`\\{0,8}["']?\]?\s{0,4}(?:=>|[:=])\s{0,4}[\[("'\\]{0,12}`;
const schemes =
  'Basic|Bearer|Token|Digest|Negotiate|NTLM|ApiKey|Api-Key|SSWS|Key|GenieKey|Hawk|AWS4-HMAC-SHA256|OAuth|Splunk|Bot';

/** With a scheme: all that follows in the line, up to a quote that closes it. */
const withScheme = new RegExp(
  `(?<![A-Za-z])(?:proxy-)?authorization${opening}(?:${schemes})[ \\t]{1,4}`,
  'giu',
);
const rest = /[^\n"'\]})]{1,4096}/uy;
const parameters = /[^\n\]})]{1,4096}/uy;
const schemeAlone = new RegExp(`^(?:[a-z-]+|${schemes})$`, 'iu');
const bare = new RegExp(`(?<![A-Za-z])(?:proxy-)?authorization${opening}([^\\s"'\\]}),]{8,4096})`, 'giu');

function authorization(text: string): Span[] {
  const known = scan(text, withScheme, (found) => {
    const start = found.index + found[0].length;
    const run = /digest|hawk|oauth|hmac/iu.test(found[0]) ? parameters : rest;
    run.lastIndex = start;
    const line = run.exec(text)?.[0] ?? '';
    const value = line.replace(/[\\,]{1,8}$/u, '').trimEnd();
    const single = run === rest ? (/^\S+/u.exec(value)?.[0] ?? '') : value;
    const end = start + single.length;
    return { spans: single.length < 4 ? [] : [{ start, end, kind: 'credentials' }], next: end };
  });
  const other = scan(text, bare, (found) => {
    const value = found[1] ?? '';
    if (schemeAlone.test(value)) return undefined;
    const end = found.index + found[0].length;
    return { spans: [{ start: end - value.length, end, kind: 'credentials' }] };
  });
  return [...known, ...other];
}

const bareScheme = /(?<![A-Za-z])(Bearer|Basic)[ \t]{1,4}([A-Za-z0-9._~+/=-]{8,4096})/giu;

function bareSchemes(text: string): readonly Span[] {
  return scan(text, bareScheme, (found) => {
    const value = found[2] ?? '';
    const secret = /basic/iu.test(found[1] ?? '') ? isUserAndPassword(value) : isBearer(value);
    const end = found.index + found[0].length;
    return secret ? { spans: [{ start: end - value.length, end, kind: 'credentials' }] } : undefined;
  });
}

/** A challenge (`Bearer realm=…`) and prose (`Bearer authentication failed`) are no tokens. */
function isBearer(value: string): boolean {
  if (/^(?:realm|error|error_description|scope|service|charset)=/iu.test(value)) return false;
  return /\d/u.test(value) || (value.length >= 20 && /[a-z]/u.test(value) && /[A-Z]/u.test(value));
}

function isUserAndPassword(value: string): boolean {
  return decodeBase64(value)?.includes(':') === true || looksRandom(value);
}

const cookieHeader = /(?<![A-Za-z])(?:set-)?cookie2?\\{0,8}["']?[ \t]{0,4}[:=][ \t]{0,4}[["'\\]{0,12}/giu;
const cookieLine = /[^\n"'\]]{1,8192}/uy;
const attributes = /^(?:path|domain|expires|max-age|samesite|version|priority|comment)$/iu;

function cookies(text: string): readonly Span[] {
  return scan(text, cookieHeader, (found) => {
    cookieLine.lastIndex = found.index + found[0].length;
    let at = cookieLine.lastIndex;
    const spans: Span[] = [];
    for (const part of (cookieLine.exec(text)?.[0] ?? '').split(';')) {
      const equals = part.indexOf('=');
      const value = part
        .slice(equals + 1)
        .trimEnd()
        .replace(/\\{1,8}$/u, '');
      if (equals > 0 && value !== '' && !attributes.test(part.slice(0, equals).trim())) {
        spans.push({ start: at + equals + 1, end: at + equals + 1 + value.length, kind: 'cookie' });
      }
      at += part.length + 1;
    }
    return { spans, next: at - 1 };
  });
}
