import { contentsAfter } from './contents.js';
import { isRandomLike } from './entropy.js';
import { isHarmlessValue, isPasswordLike } from './harmless-values.js';
import { secretKindOf } from './secret-names.js';
import type { Span } from './span.js';
import { endAt, matchAt, type Reading, scan } from './span.js';
import { readValue } from './values-in-text.js';

/**
 * Name and value as two fields, in JSON or YAML: `{"name":"DB_PASSWORD","value":"x"}`, `- name: DB_PASSWORD`
 * with `value: x` on the next line, `<add key="Password" value="x"/>`; `<password>x</password>`; and flags
 * with their value: `--token x`, `["--token","x"]`, or one below the other in a list of arguments.
 */
export function namedValues(text: string): readonly Span[] {
  return [
    ...nameThenValue(text),
    ...valueThenName(text),
    ...flags(text),
    ...settings(text),
    ...inPlaces(text),
    ...directives(text),
    ...elements(text),
    ...readVariables(text),
  ];
}

const nameField =
  /(?<![\w.-])(?:(?:(?:parameter|option|setting|attribute|variable|property|field|env)_?)?(?:name|key)|property|field|path|param|loc)(?![\w.-])/giu;
const nameAndSign = /^[A-Za-z_]+\\*["']?\s*[:=]\s*\\*["']?([\p{L}\p{M}\p{N}_./-]+)/u;
const maxName = 150;
const maxEntry = 600;
const valueBehind =
  /(?<![\w.-])(?:(?:(?:parameter|option|setting|attribute|variable|property|field|env)_?)?value|rejectedValue|input)\\{0,8}["']?[ \t]{0,8}[:=]/iu;

const nextEntry =
  /[{}]|[^\w.-](?:name|(?:[Pp]arameter|[Oo]ption|[Vv]ariable)_?(?:[Nn]ame|[Kk]ey))\\{0,8}["']?\s{0,8}[:=]/u;

/** What is left of the map or the item of a list. */
function restOfEntry(text: string, from: number): string {
  const ahead = text.slice(from, from + maxEntry);
  const end = ahead.search(nextEntry);
  const lines = (end < 0 ? ahead : ahead.slice(0, end)).split('\n');
  const next = lines.findIndex((line, i) => i > 0 && line.trimStart().startsWith('- '));
  return (next < 0 ? lines : lines.slice(0, next)).join('\n');
}

/** Name and value, also with other fields between them, up to the end of the map or the next item. */
function nameThenValue(text: string): readonly Span[] {
  return scan(text, nameField, (found) => {
    const [all = '', named = ''] = matchAt(text, found.index, maxName, nameAndSign) ?? [];
    const kind = secretKindOf(named);
    if (kind === undefined) return undefined;
    const from = found.index + all.length;
    const entry = restOfEntry(text, from);
    const field = valueBehind.exec(entry);
    if (field === null) return undefined;
    const start = from + field.index;
    const name = { text: 'value', start, quoted: field[0].includes('"'), bracketed: false };
    const spans = contentsAfter(text, start + field[0].length, name)
      .filter((value) => !isHarmlessValue(text.slice(value.start, value.end)))
      .map(({ start: first, end }): Span => ({ start: first, end, kind }));
    return { spans, next: spans.at(-1)?.end ?? from };
  });
}

const valueField = /(?<![\w.-])value(?![\w.-])/giu;
const valueAndSign = /^([A-Za-z]+\\*["']?\s*[:=]\s*)\\*["']/u;
const nameAfter = /^\s*(?:,|WHERE)\s*\\*["']?(?:name|key)\\*["']?\s*[:=]\s*\\*["']?([\w.-]+)/iu;

function valueThenName(text: string): readonly Span[] {
  return scan(text, valueField, ({ index }) => {
    const from = endAt(text, index, maxName, valueAndSign);
    if (from === index) return undefined;
    const { next } = readValue(text, from);
    return spanOf(text, matchAt(text, next, 2 * maxName, nameAfter)?.[1] ?? '', from);
  });
}

const flag = /(?<![\w-])--?[A-Za-z]/gu;
const flagGap = /^\\*["']?(?:[ \t]*\\\n[ \t]*|[ \t]*,\s*|[ \t]*\n[ \t]*- |[ \t]+)/u;
const maxGap = 100;

function flags(text: string): readonly Span[] {
  return scan(text, flag, (found) => {
    const [name = ''] = matchAt(text, found.index, 62, /^--?[A-Za-z][\w.-]+/u) ?? [];
    const end = found.index + name.length;
    const from = name === '' ? end : endAt(text, end, maxGap, flagGap);
    if (from === end) return undefined;
    if (/^\\*["']?--?[a-z]/iu.test(text.slice(from, from + 12))) return undefined;
    return spanOf(text, name, from);
  });
}

/** Words behind which name and value stand, apart by a space: `setx`, Docker's `ENV`, nginx. */
const setters = new Set('setx setenv SetEnv ENV fastcgi_param uwsgi_param proxy_set_header'.split(' '));
const configured = /^(?:config(?:ure)?[ \t]+(?:set|add)|config[ \t]+--[\w-]+|set[ \t]+-[gxU]+)[ \t]+/u;
const setter = /(?<![\w-])(?:config|set|ENV|SetEnv|fastcgi|uwsgi|proxy_set)\w{0,20}[ \t]/gu;
const maxSetting = 260;

/** `npm config set`, `aws configure set`, `set -x`, and the words above. */
function settings(text: string): readonly Span[] {
  return scan(text, setter, ({ 0: word, index }) => {
    const from = setters.has(word.trim()) ? index + word.length : endAt(text, index, maxSetting, configured);
    const [, all = '', name = ''] =
      from === index ? [] : (matchAt(text, from, maxSetting, /^([ \t]*([^\s=]+)[ \t]+)\S/u) ?? []);
    return spanOf(text, name, from + all.length);
  });
}

/**
 * Places where a name comes before a value, and what stands there up to the value: first group; the name:
 * second group.
 */
const places: readonly (readonly [RegExp, RegExp])[] = [
  // `define('DB_PASSWORD', 'x')` and other calls with name and value
  [/\(/gu, /^(\(\s*["']([\w.-]+)["'],\s*)["']/u],
  // `<entry key="smtp.password">x</entry>`, `<property name="secretKey"><value>x</value>`
  [/<\w/gu, /^(<[\w.:-]+ (?:name|key|id)=["']([\w.:-]+)["'][^<>]*>\s*(?:<value>\s*)?)[^<\s]/u],
  // Hadoop's `<name>…</name><value>`
  [/<(?:name|key)>/gu, /^(<\w+>\s*([\w.-]+)\s*<\/\w+>\s*<value>\s*)[^<\s]/u],
  // `s:8:"password";s:1:"x";`, as PHP serializes a map
  [/(?<!\w)s:\d/gu, /^(s:\d{1,4}:\\*"([\w.-]{1,100})\\*";s:\d{1,5}:)\\*"/u],
  // Terraform's `variable "db_password" { default = "x" }`
  [
    /(?<![\w-])(?:variable|output)[ \t]/gu,
    /^(\w+[ \t]+"([\w.-]+)"[ \t]*\{[^{}]*?(?:default|value)\s*=\s*)"/u,
  ],
];
const maxPlace = 500;

function inPlaces(text: string): readonly Span[] {
  return places.flatMap(([place, pattern]) =>
    scan(text, place, ({ index }) => {
      const [, all = '', name = ''] = matchAt(text, index, maxPlace, pattern) ?? [];
      return spanOf(text, name, index + all.length);
    }),
  );
}

const longestDirective = 400;

/**
 * A line of a configuration file that holds name and value and nothing else, `auth_pass x`, or ends in a
 * password: `user app rootpw x`.
 */
function directives(text: string): readonly Span[] {
  const spans: Span[] = [];
  let at = 0;
  for (const line of text.split('\n')) {
    const words = line.length > longestDirective ? [] : line.trim().split(/[ \t]+/u);
    const [name = '', last = ''] = words.slice(-2);
    const value = last.replace(/;$/u, '').replace(/^"([^"']*)"$|^'([^"']*)'$/u, '$1$2');
    const isName = /^[A-Za-z][\w.-]*$/u.test(name) && !name.includes('--');
    const isTelling = (words.length === 2 && /[_.]/u.test(name)) || secretKindOf(name) === 'password';
    if (isName && isTelling && isPasswordLike(value) && !/["']/u.test(value)) {
      spans.push(...(spanOf(text, name, at + line.lastIndexOf(last))?.spans ?? []));
    }
    at += line.length + 1;
  }
  return spans;
}

const element = /<[A-Za-z]/gu;
const elementAndText = /^(<([A-Za-z][\w.:-]*)(?:\s[^<>\n]{1,300})?>\s*(?:<!\[CDATA\[)?)([^<\s][^<\n\]]*)/u;
const maxElement = 2_300;

function elements(text: string): readonly Span[] {
  return scan(text, element, ({ index }) => {
    const [, lead = '', name = '', content = ''] = matchAt(text, index, maxElement, elementAndText) ?? [];
    const start = index + lead.length;
    const gap = lead.slice(lead.indexOf('>') + 1);
    // A space behind it is prose, `AUTH <password> called without`, unless the element is closed.
    const mayBeProse = gap !== '' && gap.trim() === '' && !gap.includes('\n');
    if (mayBeProse && !text.startsWith('</', start + content.length)) return undefined;
    return spanOf(text, name, start, content.trimEnd());
  });
}

function spanOf(text: string, name: string, from: number, content?: string): Reading | undefined {
  const kind = secretKindOf(name);
  if (kind === undefined) return undefined;
  const { start, end } =
    content === undefined ? readValue(text, from) : { start: from, end: from + content.length };
  if (end <= start || isPlaceholder(name, text.slice(start, end))) return undefined;
  if (isHarmlessValue(followed(text, start, end))) return undefined;
  return { spans: [{ start, end, kind }], next: end };
}

/** `--token TOKEN` of a line on usage: the value is called as the flag is. */
function isPlaceholder(name: string, value: string): boolean {
  return /^[A-Z_]+$/u.test(value) && name.replace(/^-+/u, '').replaceAll('-', '_').toUpperCase() === value;
}

/** The value with a word of what follows it, which tells `--token x` from `--token to authenticate`. */
function followed(text: string, start: number, end: number): string {
  return text.slice(start, text[end] === ' ' ? end + 2 : end);
}

/**
 * A variable that a shell or an interpreter read, and its value, alone on the next line:
 * `System.get_env("APP_SECRET")` and `"x"`, `printenv APP_SECRET` and `x`.
 */
function readVariables(text: string): readonly Span[] {
  return scan(text, variableReader, ({ 0: command, index }) => {
    const from = index + command.length;
    const [all = '', name = ''] = matchAt(text, from, maxVariable, nameAndBreak) ?? [];
    const kind = secretKindOf(name);
    if (kind === undefined) return undefined;
    const at = endAt(text, from + all.length, 4, /^=> ?/u);
    const { start, end, quoted, next } = readValue(text, at);
    const content = text.slice(start, end);
    const isAlone = next >= text.length || text[next] === '\n';
    const isSecret = quoted || isPasswordLike(content) || isRandomLike(content);
    return isAlone && isSecret && content !== '' && !isHarmlessValue(content)
      ? { spans: [{ start, end, kind }], next }
      : undefined;
  });
}

const variableReader =
  /(?<![\w-])(?:printenv |echo "?\$\{?|(?:get_?env|fetch_env|environ(?:\.get)?|ENV(?:\.fetch)?)!?[([]["']|process\.env\.)/giu;
const maxVariable = 120;
/** The name, what closes the call, and the line break. */
const nameAndBreak = /^([A-Za-z_]\w{1,99})["'}]{0,2}[)\]]?\r?\n/u;
