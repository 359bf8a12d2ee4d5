import { alphabet, countOf } from './alphabets.js';
import type { Detector, Span } from './span.js';

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
    spans.push({ start, end, kind: 'encoded secret' });
    start = text.indexOf(pem, end);
  }
  return spans;
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
