import { decodeBase64 } from './base64.js';
import type { Detector, Span } from './span.js';

const run = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{16,}={0,2}/gu;
/** Base64 of `-----BEGIN `: a key that is decoded only in part, or together with a certificate. */
const pem = /LS0tLS1CRUdJTi[A-Za-z0-9+/]{10,}={0,2}/gu;

/** Base64 in which the given detectors find a secret, as in the data of a Secret, or that is PEM. */
export function encoded(text: string, detectors: readonly Detector[]): readonly Span[] {
  const spans: Span[] = [];
  for (const found of text.matchAll(run)) {
    const decoded = decodeBase64(found[0]);
    if (decoded === undefined || !detectors.some((detector) => detector(decoded).length > 0)) continue;
    spans.push({ start: found.index, end: found.index + found[0].length, kind: 'encoded secret' });
  }
  for (const found of text.matchAll(pem)) {
    spans.push({ start: found.index, end: found.index + found[0].length, kind: 'encoded secret' });
  }
  return spans;
}
