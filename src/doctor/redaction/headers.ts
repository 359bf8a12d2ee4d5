import { alphabet, countOf, isRandomLike } from './entropy.js';
import { isHarmlessValue } from './harmless-values.js';
import type { Detector, Span } from './span.js';
import { endAt, matchAt, type Reading, scan } from './span.js';

/**
 * Credentials in HTTP headers: `Authorization` with any scheme, a bare `Bearer x` or `Basic x`, cookies'
 * values.
 */
export function headers(text: string): readonly Span[] {
  return [...authorization(text), ...bareSchemes(text), ...mailLogins(text), ...cookies(text)];
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
    const known = scheme.toLowerCase();
    if (schemes.has(known)) return afterScheme(text, from + lead.length, withParameters.has(known));
    return afterUnknownScheme(text, from + lead.length, scheme) ?? withoutScheme(text, from);
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

/** A scheme of one service, such as `KakaoAK x`: only what looks random behind it is no prose. */
function afterUnknownScheme(text: string, start: number, scheme: string): Reading | undefined {
  const value = matchAt(text, start, maxLine, /^[A-Za-z0-9._~+/=-]+/u)?.[0] ?? '';
  if (!/^[a-z-]+$/iu.test(scheme) || value.length < 16 || !isRandomLike(value)) return undefined;
  const end = start + value.length;
  return { spans: [{ start, end, kind: 'credentials' }], next: end };
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

const mailLogin = /(?<![A-Za-z])AUTH(?:ENTICATE)? (?:PLAIN|LOGIN|XOAUTH2|OAUTHBEARER) /gu;

/** `AUTH PLAIN x` of SMTP and `AUTHENTICATE PLAIN x` of IMAP; a list of mechanisms is none. */
function mailLogins(text: string): readonly Span[] {
  return scan(text, mailLogin, (found) => {
    const start = found.index + found[0].length;
    const value = matchAt(text, start, maxLine, /^[A-Za-z0-9+/]{8,4000}={0,2}(?![\w-])/u)?.[0] ?? '';
    const end = start + value.length;
    return /[a-z]/u.test(value) ? { spans: [{ start, end, kind: 'credentials' }], next: end } : undefined;
  });
}

/** A challenge (`Bearer realm=…`) and prose (`Bearer authentication failed`) are no tokens. */
function isBearer(value: string): boolean {
  // A parameter of a challenge, or the next field: `token_type=Bearer expires_in=3600`.
  if (/^[a-z][a-z_]{1,30}=[^=]/iu.test(value)) return false;
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

const run = /[A-Za-z0-9+/_-]+={0,2}/gu;
const fewestCharacters = 16;
/** Base64 of `-----BEGIN `: a key that is decoded only in part, or together with a certificate. */
const pem = 'LS0tLS1CRUdJTi';
const base64 = alphabet('A-Za-z0-9+/=');

/** Base64 in which the given detectors find a secret, as in the data of a Secret, or that is PEM. */
export function encoded(text: string, detectors: readonly Detector[]): readonly Span[] {
  const spans: Span[] = [];
  for (const found of text.matchAll(run)) {
    const decoded = found[0].length < fewestCharacters ? undefined : decodeBase64(found[0]);
    if (decoded === undefined || !detectors.some((detector) => detector(decoded).length > 0)) continue;
    spans.push({ start: found.index, end: found.index + found[0].length, kind: 'encoded secret' });
  }
  let start = text.indexOf(pem);
  while (start >= 0) {
    const end = start + countOf(text, start, base64);
    if (!isPublicPem(text.slice(start, end))) spans.push({ start, end, kind: 'encoded secret' });
    start = text.indexOf(pem, end);
  }
  return spans;
}

const publicPem =
  /^-----BEGIN (?:(?:TRUSTED |X509 )?CERTIFICATE(?: REQUEST)?|X509 CRL|(?:[A-Z]{2,8} )?PUBLIC KEY)-----/u;

/**
 * Certificates and public keys, as `certificate-authority-data` and `caBundle` hold them, and nothing else.
 */
function isPublicPem(encoded: string): boolean {
  const [first = '', ...others] = (decodeBase64(encoded) ?? '').split(/(?=-----BEGIN )/u);
  return [first, ...others].every((each) => publicPem.test(each));
}

/**
 * Decodes base64 or base64url when it holds text in UTF-8 or UTF-16 (as PowerShell writes it); otherwise
 * `undefined`.
 */
export function decodeBase64(encoded: string): string | undefined {
  const bytes = bytesOf(encoded);
  if (bytes === undefined || bytes.length === 0) return undefined;
  const wide =
    bytes.length > 3 && bytes.length % 2 === 0 && bytes.every((byte, i) => i % 2 === 0 || byte === 0);
  try {
    const text = new TextDecoder(wide ? 'utf-16le' : 'utf-8', { fatal: true }).decode(bytes);
    return unprintable.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

/** Controls but tab and line breaks, and characters that belong to nobody. */
const unprintable = /[^\P{C}\t\r\n]/u;

function bytesOf(encoded: string): Uint8Array | undefined {
  const bytes: number[] = [];
  let held = 0;
  let bits = 0;
  for (let i = 0; i < encoded.length && encoded[i] !== '='; i += 1) {
    const six = sixBits(encoded.charCodeAt(i));
    if (six === undefined) return undefined;
    held = ((held << 6) | six) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((held >> bits) & 0xff);
  }
  return Uint8Array.from(bytes);
}

function sixBits(code: number): number | undefined {
  if (code >= 65 && code <= 90) return code - 65;
  if (code >= 97 && code <= 122) return code - 71;
  if (code >= 48 && code <= 57) return code + 4;
  if (code === 43 || code === 45) return 62;
  if (code === 47 || code === 95) return 63;
  return undefined;
}
