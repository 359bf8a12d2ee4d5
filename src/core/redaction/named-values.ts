import { contentsAfter } from './contents.js';
import { isHarmlessValue, isPasswordLike } from './harmless-values.js';
import { type Reading, scan } from './scan.js';
import { secretKindOf } from './secret-names.js';
import type { Span } from './span.js';
import { readValue } from './values.js';

/**
 * Name and value as two fields, in JSON or YAML: `{"name":"DB_PASSWORD","value":"x"}`, `- name: DB_PASSWORD` with
 * `value: x` on the next line, `<add key="Password" value="x"/>`; `<password>x</password>`; and flags with their value:
 * `--token x`, `["--token","x"]`, or one below the other in a list of arguments.
 */
export function namedValues(text: string): readonly Span[] {
  return [
    ...nameThenValue(text),
    ...valueThenName(text),
    ...flags(text),
    ...settings(text),
    ...directives(text),
    ...elements(text),
  ];
}

const colon = String.raw`\\{0,8}["']?\s{0,8}[:=]\s{0,8}`;
const nameField = new RegExp(
  String.raw`(?<![\w.-])(?:name|key)${colon}\\{0,8}["']?([\p{L}\p{M}\p{N}_./-]{1,100})`,
  'giu',
);
const maxEntry = 600;
const nextEntry = /[{}]|\n\s{0,80}- |(?<![\w.-])name\\{0,8}["']?\s{0,8}[:=]/u;
const valueBehind = /(?<![\w.-])value\\{0,8}["']?[ \t]{0,8}[:=]/iu;

/** Name and value, also with other fields between them, up to the end of the map or the next item. */
function nameThenValue(text: string): readonly Span[] {
  return scan(text, nameField, (found) => {
    const kind = secretKindOf(found[1] ?? '');
    if (kind === undefined) return undefined;
    const from = found.index + found[0].length;
    const ahead = text.slice(from, from + maxEntry);
    const entry = ahead.slice(0, nextEntry.exec(ahead)?.index);
    const field = valueBehind.exec(entry);
    if (field === null) return undefined;
    const start = from + field.index;
    const name = { text: 'value', start, quoted: text[start + 5] === '"', bracketed: false };
    const spans = contentsAfter(text, start + field[0].length, name)
      .filter((value) => !isHarmlessValue(text.slice(value.start, value.end)))
      .map(({ start: first, end }): Span => ({ start: first, end, kind }));
    return { spans, next: spans.at(-1)?.end ?? from };
  });
}

const valueField = new RegExp(String.raw`(?<![\w.-])value${colon}(?=\\{0,8}["'])`, 'giu');
const nameAfter = new RegExp(
  String.raw`\s{0,80},\s{0,80}\\{0,8}["']?(?:name|key)${colon}\\{0,8}["']?([\w.-]{1,100})`,
  'iuy',
);

function valueThenName(text: string): readonly Span[] {
  return scan(text, valueField, (found) => {
    const from = found.index + found[0].length;
    nameAfter.lastIndex = readValue(text, from).next;
    return spanOf(text, nameAfter.exec(text)?.[1] ?? '', from);
  });
}

const flag = /(?<![\w-])--?([A-Za-z][\w.-]{1,60})(?=["'\\\s,])/gu;
const flagGap =
  /\\{0,8}["']?(?:[ \t]{0,8}\\\n[ \t]{0,60}|[ \t]{1,8}|[ \t]{0,8},\s{0,80}|[ \t]{0,8}\n[ \t]{0,60}- )/uy;

function flags(text: string): readonly Span[] {
  return scan(text, flag, (found) => {
    flagGap.lastIndex = found.index + found[0].length;
    const between = flagGap.exec(text)?.[0];
    if (between === undefined) return undefined;
    const from = flagGap.lastIndex;
    if (/^\\*["']?--?[a-z]/iu.test(text.slice(from, from + 12))) return undefined;
    return spanOf(text, found[1] ?? '', from);
  });
}

/** Name and value apart by a space: `npm config set`, `aws configure set`, `setx`, Docker's `ENV`, nginx. */
const setting =
  /(?<![\w-])(?:config(?:ure)?[ \t]{1,4}(?:set|add)|config[ \t]{1,4}--[\w-]{1,20}|setx|setenv|SetEnv|ENV|set[ \t]{1,4}-[gxU]{1,3}|fastcgi_param|uwsgi_param|proxy_set_header)[ \t]{1,4}([^\s=]{1,200})[ \t]{1,8}/gu;

/** `define('DB_PASSWORD', 'x')` and other calls with name and value, Hadoop's `<name>…</name><value>`. */
const call = /\(\s{0,40}["']([\w.-]{1,100})["'],\s{0,40}(?=["'])/gu;
const nameElement =
  /<(?:name|key)>\s{0,40}([\w.-]{1,100})\s{0,40}<\/(?:name|key)>\s{0,80}<value>\s{0,40}(?=[^<\s]{1,400})/gu;
/** Terraform's `variable "db_password" { default = "x" }`. */
const variable =
  /(?<![\w-])(?:variable|output)[ \t]{1,4}"([\w.-]{1,100})"[ \t]{0,4}\{[^{}]{0,400}?(?:default|value)\s{0,8}=\s{0,8}(?=")/gu;

function settings(text: string): readonly Span[] {
  return [setting, call, nameElement, variable].flatMap((pattern) =>
    scan(text, pattern, (found) => spanOf(text, found[1] ?? '', found.index + found[0].length)),
  );
}

/** A line of a configuration file that holds name and value and nothing else: `auth_pass x`. */
const directive =
  /(?<=^|\n)[ \t]{0,40}([A-Za-z][\w.]{0,40}[_.][\w.-]{1,40})[ \t]{1,8}([^\s"']{6,256}?);?(?=\n|$)/gu;

function directives(text: string): readonly Span[] {
  return scan(text, directive, (found) =>
    isPasswordLike(found[2] ?? '')
      ? spanOf(text, found[1] ?? '', found.index + found[0].lastIndexOf(found[2] ?? ''))
      : undefined,
  );
}

const element = /<([A-Za-z][\w.:-]{0,60})>\s{0,200}(?:<!\[CDATA\[)?([^<\s][^<\n\]]{0,2000})/gu;

function elements(text: string): readonly Span[] {
  return scan(text, element, (found) =>
    spanOf(
      text,
      found[1] ?? '',
      found.index + found[0].length - (found[2]?.length ?? 0),
      found[2]?.trimEnd(),
    ),
  );
}

function spanOf(text: string, name: string, from: number, content?: string): Reading | undefined {
  const kind = secretKindOf(name);
  if (kind === undefined) return undefined;
  const { start, end } =
    content === undefined ? readValue(text, from) : { start: from, end: from + content.length };
  if (end <= start || isHarmlessValue(followed(text, start, end))) return undefined;
  return { spans: [{ start, end, kind }], next: end };
}

/** The value with a word of what follows it, which tells `--token x` from `--token to authenticate`. */
function followed(text: string, start: number, end: number): string {
  return text.slice(start, text[end] === ' ' ? end + 2 : end);
}
