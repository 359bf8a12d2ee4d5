import { untrusted } from './untrusted.js';

/** Characters of one text of a page. */
const maxText = 4_000;

/** Text of a page: redacted and bounded, with what HTML would read as markup escaped. */
export function htmlText(text: string, keepLines = false): string {
  return escaped(untrusted(text, maxText, { keepLines }));
}

/** Markup is escaped, and nothing else changes: of text that is redacted already. */
export function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
