import { secretKindOf, secretKindOfPhrase } from './secret-names.js';
import type { SecretKind } from './span.js';

/** A name before a separator, as it was written. */
export interface Name {
  readonly text: string;
  readonly start: number;
  readonly quoted: boolean;
  /** A bracket closes between the name and the separator: `Volume[db-credentials]: …`. */
  readonly bracketed: boolean;
}

/** A name that tells a secret. */
export interface SecretName extends Name {
  readonly kind: SecretKind;
}

/**
 * The name of a secret before the separator, also one of several words: `password`, `Secret access key`,
 * `mot de passe`.
 */
export function secretNameBefore(text: string, separatorAt: number): SecretName | undefined {
  const name = nameBefore(text, separatorAt);
  if (name === undefined) return undefined;
  const kind = secretKindOf(name.text);
  if (kind !== undefined) return { ...name, kind };
  return (name.bracketed ? pathBefore(text, name) : undefined) ?? phraseBefore(text, name);
}

/** `['password']['app']`: the key before the last one tells what the value is. */
function pathBefore(text: string, name: Name): SecretName | undefined {
  const before = text.slice(Math.max(0, name.start - longestName), name.start);
  const [lead = '', key = ''] = /([\w.-]{1,60})["']\]\[["']$/u.exec(before) ?? [];
  const kind = key === '' ? undefined : secretKindOf(`${key}.${name.text}`);
  return kind && { ...name, text: `${key}.${name.text}`, start: name.start - lead.length, kind };
}

const longestName = 100;
/** Between a name and its separator, where values stand in columns. */
const mostSpaces = 40;

/**
 * Looks back over spaces, quotes and brackets to the name; bounded, so that a line of separators costs no
 * more.
 */
function nameBefore(text: string, separatorAt: number): Name | undefined {
  let end = separatorAt;
  for (let i = 0; i < mostSpaces && isOneOf(text[end - 1], ' \t\u00a0\u3000'); i += 1) end -= 1;
  if (text.slice(end - 3, end) === '...') end = beforeDots(text, end);
  if (text[end - 1] === '\n') end = beforeLineBreak(text, end);
  end = beforeNote(text, beforeVisibility(text, end));
  const beforeSpace = end;
  for (let i = 0; i < 8 && isOneOf(text[end - 1], '"\'\\]`*'); i += 1) end -= 1;
  let start = wordStart(text, end);
  if (text[start - 1] === '\\' && isOneOf(text[start], 'nrt')) start += 1;
  if (text[start - 1] === '%' && /^[0-9A-F]{2}/iu.test(text.slice(start, end))) start += 2;
  if (start >= end) return undefined;
  const closed = text.slice(end, beforeSpace);
  return {
    text: text.slice(start, end),
    start,
    quoted: /["'`]/u.test(closed),
    bracketed: closed.includes(']'),
  };
}

/** `["password":protected]`, `["password":"App\\Db":private]`: a property in a dump of PHP. */
function beforeVisibility(text: string, at: number): number {
  const before = text.slice(Math.max(0, at - longestName), at);
  const visibility = ['":protected]', '":private]'].find((each) => before.endsWith(each));
  if (visibility === undefined) return at;
  const end = at - visibility.length;
  const ofClass = text.slice(Math.max(0, end - longestName), end).lastIndexOf('":"');
  return ofClass < 0 ? end + 1 : Math.max(0, end - longestName) + ofClass + 1;
}

/** `공유키(PSK): x`, `비밀번호 (임시): x`: a short form or a state in brackets behind a Korean name. */
function beforeNote(text: string, at: number): number {
  if (text[at - 1] !== ')') return at;
  const note = / ?\((?:[A-Za-z][A-Za-z ]{1,11}|임시|초기|신규|변경|운영|개발|테스트)\)$/u.exec(
    text.slice(Math.max(0, at - longestNote), at),
  );
  const end = at - (note?.[0].length ?? 0);
  return /\p{Script=Hangul}/u.test(text.charAt(end - 1)) ? end : at;
}

const longestNote = 16;

/** `Password ......: x`. */
function beforeDots(text: string, at: number): number {
  let end = at;
  for (let i = 0; i < 60 && isOneOf(text[end - 1], ' .'); i += 1) end -= 1;
  return end;
}

/** In JSON over several lines a quoted name may stand on the line before its colon. */
function beforeLineBreak(text: string, at: number): number {
  let end = at;
  for (let i = 0; i < 40 && isOneOf(text[end - 1], ' \t\n'); i += 1) end -= 1;
  return text[end - 1] === '"' ? end : at;
}

function wordStart(text: string, end: number): number {
  let start = end;
  while (start > 0 && end - start < longestName && /[\p{L}\p{M}\p{N}_.$-]/u.test(text.charAt(start - 1)))
    start -= 1;
  return start;
}

/** Up to three words before the name, each a single space apart. */
function phraseBefore(text: string, name: Name): SecretName | undefined {
  const end = name.start + name.text.length;
  let { start } = name;
  if (name.text.endsWith('--')) return undefined;
  for (let words = 1; words < 4 && text[start - 1] === ' '; words += 1) {
    const earlier = wordStart(text, start - 1);
    if (earlier === start - 1) return undefined;
    start = earlier;
    const phrase = text.slice(start, end);
    const kind = secretKindOfPhrase(phrase);
    if (kind !== undefined) return { ...name, text: phrase, start, kind };
  }
  return undefined;
}

function isOneOf(char: string | undefined, chars: string): boolean {
  return char !== undefined && chars.includes(char);
}
