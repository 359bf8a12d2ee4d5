import { isUuid } from './entropy.js';

import { isForeignProse, isObjectName, isProseWord } from './harmless-values.js';
import type { Name } from './names.js';

/**
 * Whether the name ends a clause of a sentence, or a path, rather than introducing a value:
 * `fetching token: timeout`, `secret "db-credentials": not found`, `open /run/token: no such file`.
 */
export function endsClause(text: string, { start, quoted, bracketed }: Name): boolean {
  if (bracketed) return true;
  let at = start;
  for (let i = 0; quoted && i < 4 && /["'`\\[]/u.test(text.charAt(at - 1)); i += 1) at -= 1;
  const before = text.slice(Math.max(0, at - 2), at);
  return /[A-Za-z'"\])] $|[\w'"-]\/$/u.test(before) || (quoted && /\d $/u.test(before));
}

/** What follows such a clause is a secret unless it is a word, opens another clause, or names an object. */
export function isSecretAfterClause({ text: name, quoted }: Name, content: string): boolean {
  const first = /^\S+/u.exec(content)?.[0] ?? '';
  if (isProseWord(first) || isForeignProse(first) || first.endsWith(':')) return false;
  if (name.includes(' ')) return first.length >= 6 && !isObjectName(first);
  if (/^[A-Za-z][a-z]+$/u.test(name) && !quoted) return first.length >= 6;
  const isObject =
    quoted || (/^[a-z0-9.][a-z0-9.-]*$/u.test(name) && /-[a-z0-9.]/u.test(name) && !/--|-$/u.test(name));
  return !isObject || !(isObjectName(first) || isTechnical(first));
}

/** `devicePath`, `HTTP`, `stderr="…`, a uid, a port: what messages about objects go on with. */
function isTechnical(word: string): boolean {
  return /^(?:[A-Za-z]{1,40}[,.;]?$|\w+=|\d{1,5}(?:$|\/))/u.test(word) || isUuid(word);
}
