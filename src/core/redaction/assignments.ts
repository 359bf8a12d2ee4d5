import { looksRandom } from './entropy.js';
import { isHarmlessValue, isProseWord } from './harmless-values.js';
import { isEnvironmentStyle, secretKindOf } from './secret-names.js';
import { endsClause, isObjectName, isSecretAfterClause, type Name } from './sentences.js';
import type { Span } from './span.js';
import { readValue, toEndOfLine, type Value } from './values.js';

/**
 * Values beside telling names, however they are written: `PASSWORD=x`, `password: x`, `"password":"x"`, the same with
 * escaped quotes, `password => x`, `map[password:x]`, `?access_token=x&`, `Server=a;Password=x;`.
 */
export function assignments(text: string): readonly Span[] {
  const spans: Span[] = [];
  separator.lastIndex = 0;
  for (let found = separator.exec(text); found !== null; found = separator.exec(text)) {
    const name = nameBefore(text, found.index);
    const kind = name === undefined ? undefined : secretKindOf(name.text);
    if (name === undefined || kind === undefined) continue;
    const value = valueAfter(text, found.index + found[0].length, name, found[0]);
    if (value === undefined) continue;
    if (!isSecret(text, name, value, found[0])) continue;
    spans.push({ start: value.start, end: value.end, kind });
    separator.lastIndex = Math.max(separator.lastIndex, value.quoted ? value.next : value.end);
  }
  return spans;
}

const separator = /(?::=|\?=|=>|={1,3}|:)/gu;

const longestName = 100;

/** Looks back over spaces, quotes and brackets to the name; bounded, so that a line of separators costs no more. */
function nameBefore(text: string, separatorAt: number): Name | undefined {
  let end = separatorAt;
  for (let i = 0; i < 8 && (text[end - 1] === ' ' || text[end - 1] === '\t'); i += 1) end -= 1;
  const beforeSpace = end;
  for (let i = 0; i < 8 && isOneOf(text[end - 1], '"\'\\]`'); i += 1) end -= 1;
  let start = end;
  while (start > 0 && end - start < longestName && /[\w.$-]/u.test(text[start - 1] ?? '')) start -= 1;
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

function isOneOf(char: string | undefined, chars: string): boolean {
  return char !== undefined && chars.includes(char);
}

function valueAfter(text: string, from: number, name: Name, separatorText: string): Value | undefined {
  let at = from;
  for (let i = 0; i < 40 && (text[at] === ' ' || text[at] === '\t'); i += 1) at += 1;
  if (text[at] === undefined || text[at] === '\n') return undefined;
  if (text[at] === '[' && /^\[{1,2}\\*["'\w\uE000]/u.test(text.slice(at, at + 12)))
    at += text[at + 1] === '[' ? 2 : 1;
  const value = readValue(text, at);
  if (value.quoted || value.end <= value.start) return value.quoted ? value : undefined;
  const quote = name.quoted ? undefined : quoteAround(text, name.start);
  if (quote !== undefined) return upTo(text, value, quote);
  return ownsLine(text, name, separatorText, at > from) ? toEndOfLine(text, value) : value;
}

/** `"PASSWORD=my own words"`: the quote before the name also ends the value. */
function quoteAround(text: string, nameStart: number): string | undefined {
  const before = text[nameStart - 1];
  return before === '"' || before === "'" ? before : undefined;
}

function upTo(text: string, value: Value, quote: string): Value {
  const rest = text.slice(value.start, Math.min(text.length, value.start + 4096));
  const stop = rest.search(quote === '"' ? /\\{0,8}"|\n/u : /\\{0,8}'|\n/u);
  const end = stop < 0 ? value.end : Math.max(value.start, value.start + stop);
  return { ...value, end, next: end };
}

const longestLead = 60;
const lineLead = /^[ \t]*(?:- )?(?:export |ENV |set |declare -x |env )?["']?$/iu;

/** A line of an environment dump or of YAML: nothing but indentation, `- `, `export ` or `ENV ` before the name. */
function ownsLine(text: string, name: Name, separatorText: string, spaced: boolean): boolean {
  const before = text.slice(Math.max(0, name.start - longestLead), name.start);
  const lead = before.slice(before.lastIndexOf('\n') + 1);
  if (lead.length >= longestLead || !lineLead.test(lead)) return false;
  return separatorText === '=' ? isEnvironmentStyle(name.text) : spaced;
}

function isSecret(text: string, name: Name, value: Value, separatorText: string): boolean {
  const content = text.slice(value.start, value.end);
  if (isHarmlessValue(content) || isPathOfWork(name.text, content)) return false;
  if (weakNames.has(name.text.toLowerCase())) {
    const word = firstOf(content);
    return !isProseWord(word) && (looksRandom(word) || word.length >= 8);
  }
  if (/^secrets?$/iu.test(name.text) && isObjectName(content)) return false;
  const sentence = separatorText === ':' && !value.quoted && endsClause(text, name);
  return !sentence || isSecretAfterClause(name, content);
}

/** Names that mean many other things too. */
const weakNames = new Set([
  'auth',
  'sig',
  'signature',
  'sid',
  'pass',
  'session',
  'session_id',
  'session-id',
  'sessionid',
]);

/** The shell's working directories. */
function isPathOfWork(name: string, content: string): boolean {
  return /^(?:OLD)?PWD$/u.test(name) && content.startsWith('/');
}

function firstOf(content: string): string {
  return /^\S+/u.exec(content)?.[0] ?? '';
}
