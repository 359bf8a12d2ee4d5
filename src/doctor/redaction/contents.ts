import type { Name } from './names.js';
import { endAt, matchAt } from './span.js';
import { readValue, type Value } from './values-in-text.js';

/**
 * Every value that stands behind the separator at `from`: one, those of a list, the field `value` of a map,
 * the lines of a YAML block, or what stands on the next lines. Empty where there is none.
 */
export function contentsAfter(text: string, from: number, name: Name): readonly Value[] {
  const at = endAt(
    text,
    from,
    maxSpace,
    /^(?:\*{1,2}[ \t])?[ \t\u00a0\u3000]*(?:(?:!{1,2}[\w/:.-]*|&[\w-]+)[ \t]+)?(?:(?:!{1,2}[\w/:.-]*|&[\w-]+)[ \t]+)?/u,
  );
  if (
    text[at] === undefined ||
    matchAt(text, from, maxSpace, /^[ \t]*!(?:Ref|GetAtt|ImportValue|env|secret|reference)[ \t]/u)
  )
    return [];
  const comment = endAt(text, at, maxComment, /^(#(?: [^\n]*)?)\n/u);
  const dumped = endAt(text, comment, maxSpace, /^(\s*string\(\d+\) )"/u);
  if (dumped > comment) return [readValue(text, dumped)];
  if (text[comment] === '\n') return onNextLines(text, comment, name);
  const block = endAt(text, at, maxComment, /^([|>][-+\d]*[ \t]*(?:#[^\n]*)?)\n/u);
  if (block > at) return linesBelow(text, block, columnOf(text, name.start));
  if (text[at] === '[' && isList(text, at)) return listItems(text, at);
  const braced = matchAt(text, at, maxBare, /^\{([^{}\n]+)\}(?:;|["'`]|$)/u)?.[1];
  if (braced !== undefined && endsConnectionField(text, name))
    return [{ start: at + 1, end: at + 1 + braced.length, next: at + 2 + braced.length, quoted: true }];
  const wrapped = endOfWrapper(text, at);
  if (wrapped > at) return [readValue(text, wrapped)];
  const inner = valueFields.has(matchAt(text, at, maxSpace, firstField)?.[2])
    ? endAt(text, at, maxSpace, firstField)
    : at;
  if (inner === at && text[at] === '{') return fieldsWithin(text, at);
  const map = endAt(text, inner, 10, /^(\\*["'])\{\s*\\*"/u);
  if (map > inner && text[map] === '{') return fieldsWithin(text, map);
  const value = readValue(text, inner);
  if (/s$/iu.test(name.text) && text[value.end] === ',') return [value, ...listBehind(text, value.end)];
  if (inner > at || value.quoted) return [value, ...continued(text, value), ...replacement(text, value)];
  return value.end > value.start ? [value] : [];
}

/**
 * `Some("x")`, `b'x'`, `SecretStr('x')`, `Secret { inner: "x" }`, `0x55d1c8a0 "x"`: what programs write
 * around a string.
 */
function endOfWrapper(text: string, at: number): number {
  const behind = endAt(text, at, maxSpace, /^[A-Za-z_][\w:.<>]*/u);
  const secure = endAt(text, at, 40, /^(ConvertTo-SecureString (?:-String )?)["']/u);
  if (secure > at) return secure;
  const letters = endAt(text, at, 3, /^([bB][rR]?|[rR][bB]|[uU])["']/u);
  if (letters > at) return letters;
  if (behind === at) return endAt(text, at, 24, /^(0x[0-9a-f]+ )["']/u);
  const opening = wrappers.test(text.slice(at, behind)) ? /^(\(\s*)["']/u : /^(\s*\{\s*\w+\s*[:=]\s*)["']/u;
  const open = endAt(text, behind, maxSpace, opening);
  return open > behind ? open : at;
}

/** `;password={x};` of a connection string, where braces quote a value. */
function endsConnectionField(text: string, { start }: Name): boolean {
  return text[start - 1] === ';' || (text[start - 1] === ' ' && text[start - 2] === ';');
}

const wrappers = /^(?:Some|Just|Ok|Optional|String|Value|SecretStr\w*)$/u;

const firstField = /^(\{\s*\\*["']?(\w+)\\*["']?[ \t]*[:=]\s*)/u;

/** Characters that are read to pass white space and what belongs to it. */
const maxSpace = 220;
const maxComment = 240;
const maxBare = 4_096;

function isList(text: string, at: number): boolean {
  return matchAt(text, at, maxSpace, /^\[+\s*\\*["'\p{L}\p{N}_\uE000!@#$%^&*+~?]/u) !== undefined;
}

const maxItems = 200;

/** The items of `["a", "b"]`, `[a, b]` and Go's `[a b]`. */
export function listItems(text: string, open: number): readonly Value[] {
  const items: Value[] = [];
  let at = open;
  while (items.length < maxItems) {
    at = endAt(text, at, maxSpace, /^[[\s,]+/u);
    if (text[at] === undefined || text[at] === ']') break;
    const read = readValue(text, at);
    const value = read.quoted ? read : bareItem(text, at);
    if (value.next <= at) break;
    items.push(value);
    at = value.next;
    if (!/[\s,\]]/u.test(text[at] ?? ']')) break;
  }
  return items;
}

function bareItem(text: string, start: number): Value {
  const end = endAt(text, start, maxBare, /^[^\s,\]}"'`]+/u);
  return { start, end, next: end, quoted: false };
}

/** More values in the line: `recovery codes: 4f2a-91bc, 7d3e-55a0`. */
function listBehind(text: string, from: number): readonly Value[] {
  const items: Value[] = [];
  let at = from;
  while (items.length < maxItems) {
    const start = text.startsWith(', ', at) ? at + 2 : at;
    if (start === at) break;
    const item = bareItem(text, start);
    if (/[=:]/u.test(text.slice(item.start, item.end + 1))) break;
    items.push({ ...item, alone: true, needsProof: true });
    at = item.next;
  }
  return items;
}

/** The new value in a plan of changes: `"old" -> "new"`. */
function replacement(text: string, value: Value): readonly Value[] {
  const at = endAt(text, value.next, 6, /^( (?:->|=>|→) )"/u);
  return at > value.next ? [readValue(text, at)] : [];
}

const maxQuotedLines = 20;

/** The other lines of a quoted value that does not end in its line. */
function continued(text: string, value: Value): readonly Value[] {
  const quote = text[value.start - 1];
  if (text[value.end] !== '\n' || value.next !== value.end || quote === undefined) return [];
  const lines: Value[] = [];
  for (const line of linesFrom(text, value.end, maxQuotedLines)) {
    if (matchAt(line.text, 0, maxSpace, /^["'\s{-]*[\w.][\w.-]*["']?\s*[:=]/u) !== undefined) return [];
    const closing = line.text.indexOf(quote);
    const content = closing < 0 ? line.text : line.text.slice(0, closing);
    lines.push(spanOfLine(line, content));
    if (closing >= 0) return /^[\s,;\]})]*$/u.test(line.text.slice(closing + 1)) ? lines : [];
  }
  return [];
}

function onNextLines(text: string, at: number, name: Name): readonly Value[] {
  if (name.quoted) {
    const json = endAt(text, at, maxSpace, /^(\s+)(?:\\*["']|[[{\d])/u);
    if (json > at) return text[json] === '\n' ? [] : contentsAfter(text, json, { ...name, quoted: false });
  }
  const column = columnOf(text, name.start);
  const first = [...linesFrom(text, at, 4)].find((line) => line.text.trim() !== '');
  if (first === undefined) return [];
  if (/^\s*- /u.test(first.text) && first.indent >= column) {
    const items = itemsBelow(text, at, first.indent);
    return items.length > 0 ? items : fieldsBelow(text, at, column - 1);
  }
  const content = first.text.trim();
  if (mapEntry.test(content)) return first.indent > column ? fieldsBelow(text, at, column) : [];
  return content.length <= maxAlone && /^(?:"[^"]+"|'[^']+'|[^\s"']+)$/u.test(content)
    ? [
        {
          ...spanOfLine(first, first.text),
          quoted: /^["']/u.test(content),
          alone: true,
          needsProof: first.indent <= column,
        },
      ]
    : [];
}

const maxAlone = 400;

const mapEntry = /^["']?[\w.-]{1,100}["']?\s{0,4}[:=](?:\s|$)/u;

/** The items of a YAML list, unless they are maps. */
function itemsBelow(text: string, at: number, indent: number): readonly Value[] {
  const items: Value[] = [];
  for (const line of linesFrom(text, at, maxItems)) {
    const item = /^\s*- {1,8}(?=\S)/u.exec(line.text)?.[0];
    if (line.text.trim() === '') continue;
    if (line.indent !== indent || item === undefined || mapEntry.test(line.text.slice(item.length))) break;
    const value = readValue(text, line.start + item.length);
    const rest = spanOfLine(line, line.text, item.length);
    items.push(value.quoted ? value : rest);
  }
  return items;
}

const maxMapLines = 30;

/**
 * The fields of a YAML map, or of maps in a list: `value` as it is, others where they look like a password.
 */
function fieldsBelow(text: string, at: number, column: number): readonly Value[] {
  const fields: Value[] = [];
  for (const line of linesFrom(text, at, maxMapLines)) {
    if (line.text.trim() !== '' && line.indent <= column) break;
    const field = matchAt(line.text, 0, maxSpace, /^[\s-]*["']?([\w.][\w.-]*)["']?: +(?=\S)/u);
    if (field === undefined) continue;
    const from = field[0].length;
    const value = readValue(text, line.start + from);
    const whole = value.quoted ? value : spanOfLine(line, line.text, from);
    fields.push({ ...whole, alone: true, needsProof: !valueFields.has(field[1]) });
  }
  return fields;
}

/** Fields of a map that hold the secret itself. */
const valueFields: ReadonlySet<string | undefined> = new Set(
  'value data plain plaintext text raw current default string inner'.split(' '),
);

/** The fields of a map in one place: `{db: x, cache: y}`. */
function fieldsWithin(text: string, open: number): readonly Value[] {
  const fields: Value[] = [];
  let at = open + 1;
  while (fields.length < maxItems) {
    const start = endAt(
      text,
      at,
      maxSpace,
      /^([\s,]*\\*["']?[\w.-]+\\*["']?[ \t]*(?:=>|[:=])[ \t]*)[^\s{[=>]/u,
    );
    if (start === at) break;
    const read = readValue(text, start);
    const value = read.quoted ? read : bareItem(text, start);
    if (value.next <= start) break;
    fields.push({ ...value, needsProof: true });
    at = value.next;
  }
  return fields;
}

/** The lines of a block: those indented more than its key. */
function linesBelow(text: string, at: number, column: number): readonly Value[] {
  const lines: Value[] = [];
  for (const line of linesFrom(text, at, Number.POSITIVE_INFINITY)) {
    if (line.text.trim() === '') continue;
    if (line.indent <= column) break;
    lines.push({ ...spanOfLine(line, line.text), quoted: true });
  }
  return lines;
}

interface Line {
  /** Where its text starts, behind the prefix of a log. */
  readonly start: number;
  readonly text: string;
  readonly indent: number;
}

/** What `kubectl logs --timestamps --prefix` and most loggers write before a line. */
const logPrefix = /^(?:\[pod\/[^\]\n]+\] )?(?:\d{4}-\d\d-\d\d[T ][\d:.,]+(?:Z|[+-]\d\d:?\d\d)? )?/u;

function* linesFrom(text: string, lineBreak: number, max: number): Generator<Line> {
  let at = lineBreak;
  for (let i = 0; i < max && at >= 0 && at < text.length; i += 1) {
    const next = text.indexOf('\n', at + 1);
    const whole = text.slice(at + 1, next < 0 ? text.length : next);
    const prefix = logPrefix.exec(whole)?.[0].length ?? 0;
    const own = whole.slice(prefix);
    yield { start: at + 1 + prefix, text: own, indent: own.length - own.trimStart().length };
    at = next < 0 ? text.length : next;
  }
}

function spanOfLine(line: Line, content: string, from = 0): Value {
  const start = line.start + from + (content.slice(from).length - content.slice(from).trimStart().length);
  const end = Math.max(start, line.start + content.trimEnd().length);
  return { start, end, next: end, quoted: false };
}

const longestLead = 300;

/**
 * The column of a name in its line, behind the prefix of a log and quotes; 0 where its line is too long to
 * tell.
 */
function columnOf(text: string, start: number): number {
  const before = text.slice(Math.max(0, start - longestLead), start);
  const lead = before.slice(before.lastIndexOf('\n') + 1);
  const own = lead.slice(logPrefix.exec(lead)?.[0].length ?? 0).replace(/["']$/u, '');
  return /^[\s-]*$/u.test(own) ? own.length : own.length - own.trimStart().length;
}
