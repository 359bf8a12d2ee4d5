import { decodeBase64 } from './encoded.js';
import { isRandomLike } from './entropy.js';
import { isHarmlessValue } from './harmless-values.js';
import { type Reading, scan } from './scan.js';
import type { Span } from './span.js';
import { endAt, matchAt } from './windows.js';

/**
 * Credentials in HTTP headers: `Authorization` with any scheme, a bare `Bearer x` or `Basic x`, cookies'
 * values.
 */
export function headers(text: string): readonly Span[] {
  return [...authorization(text), ...bareSchemes(text), ...cookies(text)];
}

const header = /(?<![A-Za-z])(?:proxy-)?authorization/giu;
/** What stands between the name of a header and its value, in text, in JSON and in dumps of programs. */
const opening = /^(\\*["']?\]?\s*(?:=>|[:=])\s*[[("'\\]*)/u;
const maxOpening = 40;

const schemes = new Set(
  'basic bearer token digest negotiate ntlm apikey api-key ssws key geniekey hawk aws4-hmac-sha256 oauth splunk bot'.split(
    ' ',
  ),
);
/** Schemes whose value is a list of parameters in quotes. */
const withParameters = new Set(['digest', 'hawk', 'oauth', 'aws4-hmac-sha256']);
const maxLine = 4_096;

function authorization(text: string): readonly Span[] {
  return scan(text, header, (found) => {
    const name = found.index + found[0].length;
    const from = endAt(text, name, maxOpening, opening);
    if (from === name) return undefined;
    const [lead = '', scheme = ''] = matchAt(text, from, maxOpening, /^([A-Za-z0-9-]+)[ \t]+/u) ?? [];
    return schemes.has(scheme.toLowerCase())
      ? afterScheme(text, from + lead.length, withParameters.has(scheme.toLowerCase()))
      : withoutScheme(text, from);
  });
}

/** With a scheme: all that follows in the line, up to a quote that closes it. */
function afterScheme(text: string, start: number, hasParameters: boolean): Reading {
  const line = matchAt(text, start, maxLine, hasParameters ? /^[^\n\]})]+/u : /^[^\n"'\]})]+/u)?.[0] ?? '';
  const value = line.replace(/[\\,]{1,8}$/u, '').trimEnd();
  const secret = hasParameters ? value : (/^\S+/u.exec(value)?.[0] ?? '');
  const end = start + secret.length;
  return {
    spans: secret.length < 4 || isHarmlessValue(secret) ? [] : [{ start, end, kind: 'credentials' }],
    next: end,
  };
}

function withoutScheme(text: string, start: number): Reading {
  const value = matchAt(text, start, maxLine, /^[^\s"'\]}),]+/u)?.[0] ?? '';
  if (value.length < 8 || /^[a-z-]+$/iu.test(value) || schemes.has(value.toLowerCase())) return { spans: [] };
  return { spans: [{ start, end: start + value.length, kind: 'credentials' }] };
}

const bareScheme = /(?<![A-Za-z])(?:Bearer|Basic)[ \t]{1,4}/giu;

function bareSchemes(text: string): readonly Span[] {
  return scan(text, bareScheme, (found) => {
    const start = found.index + found[0].length;
    const value = matchAt(text, start, maxLine, /^[A-Za-z0-9._~+/=-]+/u)?.[0] ?? '';
    const isSecret = /basic/iu.test(found[0]) ? isUserAndPassword(value) : isBearer(value);
    const end = start + value.length;
    return value.length >= 8 && isSecret
      ? { spans: [{ start, end, kind: 'credentials' }], next: end }
      : undefined;
  });
}

/** A challenge (`Bearer realm=…`) and prose (`Bearer authentication failed`) are no tokens. */
function isBearer(value: string): boolean {
  if (/^(?:realm|error|error_description|scope|service|charset)=/iu.test(value)) return false;
  return /\d/u.test(value) || (value.length >= 20 && /[a-z]/u.test(value) && /[A-Z]/u.test(value));
}

function isUserAndPassword(value: string): boolean {
  return decodeBase64(value)?.includes(':') === true || isRandomLike(value);
}

const cookieHeader = /(?<![A-Za-z])(?:set-)?cookie2?\\{0,8}["']?[ \t]{0,4}[:=][ \t]{0,4}[["'\\]{0,12}/giu;
const maxCookies = 8_192;
const attributes = /^(?:path|domain|expires|max-age|samesite|version|priority|comment)$/iu;

function cookies(text: string): readonly Span[] {
  return scan(text, cookieHeader, (found) => {
    let at = found.index + found[0].length;
    const spans: Span[] = [];
    const line = matchAt(text, at, maxCookies, /^[^\n"'\]]+/u)?.[0] ?? '';
    for (const part of line.split(';')) {
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
