import { isHarmlessValue } from './harmless-values.js';
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
  return [...nameThenValue(text), ...valueThenName(text), ...flags(text), ...elements(text)];
}

const gap = String.raw`\\{0,8}["']?\s{0,80}(?:,\s{0,80})?\\{0,8}["']?`;
const colon = String.raw`\\{0,8}["']?\s{0,8}[:=]\s{0,8}`;
const nameField = new RegExp(
  String.raw`(?<![\w.-])(?:name|key)${colon}\\{0,8}["']?([\w.-]{1,100})${gap}value${colon}`,
  'giu',
);

function nameThenValue(text: string): readonly Span[] {
  return scan(text, nameField, (found) => spanOf(text, found[1] ?? '', found.index + found[0].length));
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
const flagGap = /\\{0,8}["']?(?:[ \t]{1,8}|[ \t]{0,8},\s{0,80}|[ \t]{0,8}\n[ \t]{0,60}- )/uy;

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

const element = /<([A-Za-z][\w.:-]{0,60})>([^<\n]{1,2000})<\//gu;

function elements(text: string): readonly Span[] {
  return scan(text, element, (found) =>
    spanOf(text, found[1] ?? '', found.index + (found[1]?.length ?? 0) + 2, found[2]),
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
