import { contentsAfter } from './contents.js';
import { isRandomLike, isUuid } from './entropy.js';
import {
  isForeignProse,
  isHarmlessValue,
  isObjectName,
  isPasswordLike,
  isProseWord,
  isStatement,
} from './harmless-values.js';
import { type Name, type SecretName, secretNameBefore } from './names.js';
import { isEnvironmentStyle, withoutEnding } from './secret-names.js';
import type { Span } from './span.js';
import { finished } from './span.js';
import { toEndOfLine, type Value } from './values-in-text.js';

/**
 * Values beside telling names, however they are written: `PASSWORD=x`, `password: x`, `"password":"x"`, the
 * same with escaped quotes, `password => x`, `map[password:x]`, `?access_token=x&`, `Server=a;Password=x;`,
 * in lists, in YAML blocks and on the next lines.
 */
export function assignments(text: string): readonly Span[] {
  return finished(assigning(text));
}

/** Separators that are looked at in one step. */
const signsOfStep = 1_000;

export function* assigning(text: string): Generator<void, readonly Span[]> {
  const spans: Span[] = [];
  let signs = 0;
  let at = 0;
  while (at < text.length) {
    const sign = separatorAt(text, at);
    const name = sign === undefined ? undefined : secretNameBefore(text, at);
    at += sign?.length ?? 1;
    if (sign !== undefined) signs += 1;
    if (signs === signsOfStep) {
      signs = 0;
      yield;
    }
    if (sign === undefined || name === undefined) continue;
    const from = at;
    for (const read of contentsAfter(text, from, name)) {
      const value = wholeValue(text, read, name, sign, read.start > from);
      if (!isSecret(text, name, value, sign)) continue;
      spans.push({ start: value.start, end: value.end, kind: name.kind });
      at = Math.max(at, value.quoted ? value.next : value.end);
    }
  }
  return spans;
}

function wholeValue(text: string, value: Value, name: SecretName, sign: string, spaced: boolean): Value {
  if (value.quoted || value.alone === true) return value;
  const quote = name.quoted ? undefined : quoteAround(text, name.start);
  if (quote !== undefined) return upTo(text, value, quote);
  return ownsLine(text, name, sign, spaced) && text[value.end] !== ',' && text[value.end] !== ']'
    ? toEndOfLine(text, value)
    : value;
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

/** Names of secrets that consist of words. */
const ofWords = /(?:phrase|mnemonic)$/iu;

/**
 * A line of an environment dump or of YAML: nothing but indentation, `- `, `export ` or `ENV ` before the
 * name.
 */
function ownsLine(text: string, name: SecretName, sign: string, spaced: boolean): boolean {
  const before = text.slice(Math.max(0, name.start - longestLead), name.start);
  const lead = before.slice(before.lastIndexOf('\n') + 1);
  if (lead.length >= longestLead || !lineLead.test(lead)) return false;
  return sign === '=' ? isEnvironmentStyle(name.text) || ofWords.test(name.text) : spaced;
}

function isSecret(text: string, name: SecretName, value: Value, sign: string): boolean {
  const content = text.slice(value.start, value.end);
  const bare = withoutEnding(content);
  if (
    isHarmlessValue(bare) ||
    /^\d{1,9}$/u.test(withoutEnding(firstOf(content)).replace(firstOf(content), '')) ||
    isPathOfWork(name.text, content) ||
    isLineNumber(name.text, content)
  )
    return false;
  if (!value.quoted && isForeignProse(content)) return false;
  if (/s$/iu.test(name.text) && /^[\d.,]{1,12}k?(?:\s|$)/u.test(content)) return false;
  if (name.kind === 'token' && content.length <= longestSetting && isProseWord(content)) return false;
  if (name.kind !== 'password' && duration.test(bare)) return false;
  if (sign === ':' && !value.quoted && isProgramOfPasswords(name.text) && isStatement(content)) return false;
  if (isCode(text, value) || isResourceName(text, name) || isNextField(name.text, content)) return false;
  if (sign === ':' && isTagged(text, name, content)) return false;
  if (value.needsProof === true || /(?:^|[._-])tokens$|pat$/iu.test(name.text))
    return isPasswordLike(content) || isRandomLike(content);
  if (weakNames.has(name.text.toLowerCase())) {
    const word = firstOf(content);
    return (
      !isProseWord(word) &&
      !isObjectName(word) &&
      !/^[A-Z]\w*[({]/u.test(word) &&
      !verdict.test(content) &&
      (isRandomLike(word) || word.length >= 8)
    );
  }
  if (/^secrets?$/iu.test(name.text) && isObjectName(content)) return false;
  if (isArrow(sign)) {
    if (!value.quoted && text[value.start - 1] === sign.at(-1)) return isPasswordLike(content);
    return value.quoted || (isSecretAfterClause(name, content) && !isObjectName(firstOf(content)));
  }
  if (name.quoted && !value.quoted && /^[a-z]+ /u.test(text.slice(value.start, value.start + 40)))
    return false;
  const sentence = (sign === ':' || sign === '：') && !value.quoted && endsClause(text, name);
  if (sentence && name.kind === 'password' && isOfAccount(text, name, value)) return true;
  return !sentence || isSecretAfterClause(name, content);
}

/** Programs that start their messages with their own name: `passwd: user app does not exist`. */
function isProgramOfPasswords(name: string): boolean {
  return /^(?:ch|g|ht)?passwd$/u.test(name);
}

/**
 * `id: deploy pw: x`: what stands before the name is the value of another label, so that it opens no
 * sentence.
 * Prose behind the value would make it one.
 */
function isOfAccount(text: string, { start }: SecretName, { end }: Value): boolean {
  const before = text.slice(Math.max(0, start - longestLabel), start);
  const after = text.slice(end, end + 3);
  return (
    /(?<![\p{L}\p{N}_-])(?:id|user(?:name)?|login|account|e-?mail|계정|아이디|사용자) ?: ?[\w.@-]{1,64} $/iu.test(
      before,
    ) && /^(?:[,;)]?(?:\s*$|\n)|[,;)]| \P{ASCII})/u.test(after)
  );
}

const longestLabel = 84;

/** `token=All` of a page, `token: auto`. */
const longestSetting = 4;

/** How long a token is valid, `15m` or `PT15M`: too short for a token. */
const duration = /^(?:\d{1,6}(?:ms|s|m|h|d|w)|PT?\d{1,4}[DHMS])$/u;

/** `const token = await f()`. */
function isCode(text: string, { start, quoted }: Value): boolean {
  return !quoted && /^(?:await|new|async|typeof|function|yield) \S/u.test(text.slice(start, start + 12));
}

/** `arn:aws:secretsmanager:…:secret:db`, the name of a resource; `checksum/secret`, an annotation. */
function isResourceName(text: string, { start }: SecretName): boolean {
  const before = text.slice(Math.max(0, start - 100), start);
  return before.endsWith('checksum/') || /^arn:[\w:-]+:$/u.test(before.slice(before.lastIndexOf('arn:')));
}

/** `registry.example/auth/secret-sync:2026.11.3-rc1`: an image with its tag, which begins like a version. */
function isTagged(text: string, { start, text: name }: SecretName, content: string): boolean {
  const isOfPath = text[start - 1] === '/' || name.includes('/');
  return isOfPath && /^v?\d{1,8}\.\d[\w.+-]{0,80}$/u.test(content);
}

/** `{Password: SSLMode:disable}`: an empty field of a struct of Go, and the field behind it. */
function isNextField(name: string, content: string): boolean {
  return /^[A-Z][A-Za-z]*$/u.test(name) && /^[A-Z][A-Za-z]*:[a-z\d.]*\}?$/u.test(content);
}

/** `com.example.TokenStore:42`: a line of a class rather than a secret. */
function isLineNumber(name: string, content: string): boolean {
  return /^\d{1,5}[):,]?$/u.test(content) && /^[a-z][\w.]*\.[A-Z]\w*$/u.test(name);
}

/** Names that mean many other things too. */
const weakNames = new Set([
  'auth',
  'clave',
  'credentials',
  'csrf',
  'xsrf',
  'pin',
  'sig',
  'signature',
  'sid',
  'pass',
  'session',
  'session_id',
  'session-id',
  'sessionid',
]);

/** `PASS: TestRefresh (0.01s)`. */
const verdict = /^\w{1,100} \(\d[\d.]{0,9}m?s\)/u;

/** The shell's working directories. */
function isPathOfWork(name: string, content: string): boolean {
  return /^(?:OLD)?PWD$/u.test(name) && content.startsWith('/');
}

function firstOf(content: string): string {
  return /^\S+/u.exec(content)?.[0] ?? '';
}

/**
 * Whether the name ends a clause of a sentence, or a path, rather than introducing a value:
 * `fetching token: timeout`, `secret "db-credentials": not found`, `open /run/token: no such file`.
 */
function endsClause(text: string, { start, quoted, bracketed }: Name): boolean {
  if (bracketed) return true;
  let at = start;
  for (let i = 0; quoted && i < 4 && /["'`\\[]/u.test(text.charAt(at - 1)); i += 1) at -= 1;
  const before = text.slice(Math.max(0, at - 2), at);
  return /[A-Za-z'"\])] $|[\w'"-]\/$/u.test(before) || (quoted && /\d $/u.test(before));
}

/** What follows such a clause is a secret unless it is a word, opens another clause, or names an object. */
function isSecretAfterClause({ text: name, quoted }: Name, content: string): boolean {
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

/**
 * What stands between a name and its value, the longer ones first: also the colon and the equals sign of
 * Chinese, Japanese and Korean keyboards.
 */
const signs = ['===>', '==>', '=>', '===', '==', ':=', '?=', '=', ':', '：', '＝'];
const arrows = ['-->', '->', '<-', '~>', '→', '⇒', '➜', '➔', '»'];
const separators: readonly string[] = [...signs, ...arrows];
const starts: ReadonlySet<string> = new Set([...separators, '.'].map((each) => each.slice(0, 1)));
const arrowSigns: ReadonlySet<string> = new Set([...arrows, '===>', '==>']);

const maxDots = 200;

/**
 * The separator at this place, if one is there: a sign, an arrow, or the dots that fill a column of a dump of
 * settings.
 */
function separatorAt(text: string, at: number): string | undefined {
  if (!starts.has(text.charAt(at))) return undefined;
  if (text[at] !== '.') return separators.find((each) => text.startsWith(each, at));
  let end = at;
  while (end < at + maxDots && text[end] === '.') end += 1;
  const fillsColumn = end >= at + 4 || (end >= at + 2 && isBehindColumn(text, at));
  return fillsColumn ? text.slice(at, end) : undefined;
}

const longName = 24;

/** A space before the dots, or a long name, which leaves few of them. */
function isBehindColumn(text: string, at: number): boolean {
  return text[at - 1] === ' ' || (at >= longName && /^[\w.-]+$/u.test(text.slice(at - longName, at)));
}

/** Whether prose uses the separator too, so that it tells less than a colon or an equals sign. */
function isArrow(separator: string): boolean {
  return arrowSigns.has(separator) || separator.startsWith('.');
}
