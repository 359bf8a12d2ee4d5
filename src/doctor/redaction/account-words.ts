import { isQuote, secretFrom, type Word, wordsOf } from './command-words.js';
import { isHarmlessValue, isPasswordLike } from './harmless-values.js';
import type { Span } from './span.js';

/**
 * Passwords of accounts in configuration files of servers, where only the words around them tell: HAProxy's
 * `stats auth user:x`, an access list of Redis (`user app on >x`), `credentials 'user' 'x'`,
 * `snmp-server community x`, a map of Postfix (`[host]:587 user:x`).
 */
export function accountWords(text: string): readonly Span[] {
  const words = wordsOf(text);
  return words.flatMap((_, i) => {
    const start = startOfPassword(text, words, i);
    const value = start === undefined ? undefined : secretFrom(text, start);
    if (value === undefined) return [];
    const content = text.slice(value.start, value.end);
    const isSecret = isPasswordLike(content) && !isHarmlessValue(content);
    return isSecret ? [{ start: value.start, end: value.end, kind: 'password' as const }] : [];
  });
}

function startOfPassword(text: string, words: readonly Word[], i: number): number | undefined {
  const [before, word, next, afterNext] = [words[i - 1], words[i], words[i + 1], words[i + 2]];
  if (word === undefined) return undefined;
  if (
    word.text === 'credentials' &&
    isQuote(text[next?.start ?? 0]) &&
    isQuote(text[afterNext?.start ?? 0])
  ) {
    return afterNext?.start;
  }
  if (text[word.start] === '>' && isAccessList(words, i)) return word.start + 1;
  if (word.text === 'community' && before?.text.startsWith('snmp')) return next?.start;
  if (word.text === 'auth' && before?.text === 'stats') return behindUser(text, next);
  if (algorithms.test(word.text) && isOfSnmp(words, i)) {
    return /^\d{3}$/u.test(next?.text ?? '') ? afterNext?.start : next?.start;
  }
  if (accountSecret.test(word.text) && isOfDevice(words, i, word.text === 'key')) {
    return /^\d$/u.test(next?.text ?? '') ? afterNext?.start : next?.start;
  }
  return text[before?.start ?? 0] === '[' &&
    text.slice(before?.start, before?.end).includes(']') &&
    next?.opensLine !== false
    ? behindUser(text, word)
    : undefined;
}

const algorithms = /^(?:md5|sha(?:-?\d{3})?|des|3des|aes(?:-?\d{3})?)$/iu;

/** `snmp-server user app group v3 auth sha x priv aes 128 y`, `createUser app SHA "x" AES "y"`. */
function isOfSnmp(words: readonly Word[], i: number): boolean {
  const line = lineBefore(words, i);
  return line.some((each) => each === 'createuser' || each.startsWith('snmp'));
}

const accountSecret =
  /^(?:(?:pre-shared-|plaintext-|encrypted-|shared-)?(?:secret|password)|pre-shared-key|key)$/u;
const devices = new Set('enable username neighbor tacacs-server radius-server'.split(' '));

/**
 * `enable secret 0 x`, `username app privilege 15 password 7 x`, `set … pre-shared-secret x`: a digit states
 * the form.
 */
function isOfDevice(words: readonly Word[], i: number, isKey: boolean): boolean {
  const line = lineBefore(words, i);
  const rest = words.slice(i + 1, i + 4).findIndex((each) => each.opensLine);
  const [first = ''] = line;
  const isLast = words.length <= i + 3 || (rest >= 0 && rest < 3);
  return isLast && (devices.has(first) || (first === 'set' && !isKey));
}

/** The words before this one in its line, at most twelve. */
function lineBefore(words: readonly Word[], i: number): readonly string[] {
  const before = words.slice(Math.max(0, i - mostBefore), i + 1);
  const start = before.findLastIndex((each) => each.opensLine);
  return before.slice(Math.max(0, start), -1).map(({ text }) => text.toLowerCase());
}

const mostBefore = 12;

const longestUser = 64;

function behindUser(text: string, word: Word | undefined): number | undefined {
  const colon = word === undefined ? -1 : text.slice(word.start, word.start + longestUser).indexOf(':');
  return word === undefined || colon < 1 || word.start + colon >= word.end
    ? undefined
    : word.start + colon + 1;
}

/** `user app on >x`, `ACL SETUSER app on >x`. */
function isAccessList(words: readonly Word[], i: number): boolean {
  const earlier = words.slice(Math.max(0, i - 6), i).map(({ text }) => text.toLowerCase());
  return (earlier.includes('user') || earlier.includes('setuser')) && earlier.includes('on');
}
