import { isRandomLike } from './entropy.js';
import { isPasswordLike } from './harmless-values.js';
import { secretKindOf } from './secret-names.js';
import type { Span } from './span.js';

const longestHeading = 80;

/** A secret that stands alone in a line below its heading: `Generated root password`, perhaps a rule, `x`. */
export function headings(text: string): readonly Span[] {
  const spans: Span[] = [];
  let heading: string | undefined;
  let at = 0;
  for (const line of text.split('\n')) {
    const word = line.trim();
    const kind = heading === undefined ? undefined : secretKindOf(heading);
    if (kind !== undefined && isSecret(word)) {
      const start = at + line.indexOf(word);
      spans.push({ start, end: start + word.length, kind });
    }
    if (word !== '' && !isRule(word)) heading = isHeading(word) ? word.split(' ').at(-1) : undefined;
    at += line.length + 1;
  }
  return spans;
}

function isSecret(word: string): boolean {
  return !/\s/u.test(word) && (isPasswordLike(word) || isRandomLike(word));
}

function isRule(line: string): boolean {
  return /^[-=~_]{3,}$/u.test(line);
}

/** Letters only, few words. */
function isHeading(line: string): boolean {
  return line.length <= longestHeading && /^\p{L}[\p{L} ]*:?$/u.test(line);
}
