import { isHarmlessValue, isPasswordLike } from './harmless-values.js';
import { secretKindOf } from './secret-names.js';
import { endAt, finished, matchAt, type SecretKind, type Span, scanning } from './span.js';

/**
 * A value that a program refused and shows, with the name of its field elsewhere in the message: pydantic's
 * `input_value='x'` below the name, `"loc":["db","password"] … "input":"x"`, `"password" with value "x"`,
 * `not valid: 'x'` there in version 1, `password must … (given: 'x')`, `rejected value [x]` beside
 * `on field 'password'`, `invalid value 'x' for '--token'`,
 * `string "x" into Go struct field Config.password`.
 */
export function shownValues(text: string): readonly Span[] {
  return finished(showing(text));
}

export function showing(text: string): Generator<void, readonly Span[]> {
  return scanning(text, shown, ({ 0: word, index }) => {
    const from = endAt(text, index + word.length, maxLead, lead);
    if (from === index + word.length) return undefined;
    const { start, end, quoted } = text[from] === '[' ? inBrackets(text, from) : readValue(text, from);
    const content = text.slice(start, end);
    if (end <= start || isHarmlessValue(content) || (!quoted && !isPasswordLike(content))) return undefined;
    const kind = kindBefore(text, index) ?? kindBehind(text, end);
    return kind === undefined ? undefined : { spans: [{ start, end, kind }], next: end };
  });
}

const shown =
  /(?<![\w-])(?:input(?:_value)?|rejectedValue|(?:with|rejected|given|invalid|actual|bad) value|(?:not |not a |in)valid|received|got|given|(?:unmarshal|parse|parsing|convert|converting)(?: (?:string|number))?)(?![\w-])/giu;
const lead = /^(\\{0,8}["']?\s?[:=]?\s?b?)(?:\\{0,8}["'`]|\[|(?<=[\s=])[^\s"'`[])/u;
const maxLead = 24;
const maxValue = 4_096;

function inBrackets(text: string, open: number) {
  const content = matchAt(text, open + 1, maxValue, /^[^\]\n]*(?=\])/u)?.[0] ?? '';
  return { start: open + 1, end: open + 1 + content.length, quoted: true };
}

const maxBefore = 400;
const maxBehind = 120;

/**
 * The kind that a name before the value states: in the same map, in the same line, or alone in a line above.
 */
function kindBefore(text: string, at: number): SecretKind | undefined {
  const isCut = at > maxBefore;
  const lines = text.slice(isCut ? at - maxBefore : 0, at).split('\n');
  const line = lines.at(-1) ?? '';
  const inMap = line.slice(line.lastIndexOf('{') + 1);
  return (
    firstKind([...inMap.matchAll(quotedName), ...inMap.matchAll(field), ...inMap.matchAll(subject)]) ??
    secretKindOf(lineAbove(isCut ? lines.slice(1) : lines))
  );
}

/** The nearest line above that is indented less, where it is a name and nothing else. */
function lineAbove(lines: readonly string[]): string {
  const own = indentOf(lines.at(-1) ?? '');
  const above = lines.slice(0, -1).findLast((each) => each.trim() !== '' && indentOf(each) < own);
  return /^\s*(?:[\w.-]{1,60} -> ){0,8}([\w.-]{1,100})$/u.exec(above ?? '')?.[1] ?? '';
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function kindBehind(text: string, at: number): SecretKind | undefined {
  const behind = text.slice(at, at + maxBehind).split(/[\n{}]/u)[0] ?? '';
  return firstKind([...behind.matchAll(field)]);
}

/** `'password'`, `"db.password"`, `\\"password\\"`. */
const quotedName = /["'`]([\w.-]{1,100}?)\\{0,4}["'`]/gu;
/**
 * `field 'password'`, `field=password`, `struct field Config.password`, `for '--token`,
 * `assigning APP_TOKEN`.
 */
const field =
  /(?:field|property|parameter|option|setting|variable|argument|flag|configuration|key|loc|for(?! [fpsovakc]\w{2,12} )|assigning)s?[:=]? ?\\{0,4}["'`]?-{0,2}([\w.-]{1,100})/giu;

/** `password ensure this value has at least 8 characters`, `api_token must not be empty`. */
const subject = /(?<![\w.-])([\w.-]{1,100}) (?:ensure|must|should|is|does|cannot|may) /gu;

function firstKind(found: readonly RegExpExecArray[]): SecretKind | undefined {
  return found.map(([, name = '']) => secretKindOf(name)).find((kind) => kind !== undefined);
}

/**
 * Where a value stands, and whether it stood in quotes. `next`: where reading may go on, after the closing
 * quote.
 */
export interface Value {
  readonly start: number;
  readonly end: number;
  readonly next: number;
  readonly quoted: boolean;
  /** It stands alone on its line, below its name. */
  readonly alone?: boolean;
  /** Its place does not tell it: it must look like a password. */
  readonly needsProof?: boolean;
}

/**
 * Reads the value that starts at `from` (no leading space): quoted, also with escaped quotes, or up to its
 * natural end.
 */
export function readValue(text: string, from: number): Value {
  opening.lastIndex = from;
  const open = opening.exec(text)?.[0];
  if (open === undefined) return readBare(text, from);
  return text.startsWith(open.repeat(3), from) && open.length === 1
    ? readTripled(text, from + 3, open.repeat(3))
    : readQuoted(text, from, open);
}

const maxTripled = 4_096;

/** A string of TOML or Python between three quotes, also over several lines. */
function readTripled(text: string, start: number, close: string): Value {
  const length = text.slice(start, start + maxTripled).indexOf(close);
  const end = length < 0 ? endOfLine(text, start) : start + length;
  return { start, end, next: length < 0 ? end : end + close.length, quoted: true };
}

function endOfLine(text: string, from: number): number {
  const newline = text.indexOf('\n', from);
  return newline < 0 ? text.length : newline;
}

const opening = /\\{0,8}["'`]/uy;

/**
 * Reads on to the quote that closes, or to the end of the line. A quote behind more backslashes than the
 * opening one belongs to the value; one behind as many, or fewer (the string around it ends), closes.
 */
function readQuoted(text: string, from: number, open: string): Value {
  const depth = open.length - 1;
  const quote = open.slice(-1);
  const start = from + open.length;
  let slashes = 0;
  let at = start;
  for (; at < text.length && text[at] !== '\n'; at += 1) {
    if (text[at] === '\\') {
      slashes += 1;
      continue;
    }
    if (text[at] === quote && closes(slashes, depth)) {
      const end = Math.max(start, at - Math.min(slashes, depth));
      return { start, end, next: at + 1, quoted: true };
    }
    slashes = 0;
  }
  return { start, end: at, next: at, quoted: true };
}

/**
 * At depth 0 an even number of backslashes are characters of the value; deeper, only more of them hide the
 * quote.
 */
function closes(slashes: number, depth: number): boolean {
  return depth === 0 ? slashes % 2 === 0 : slashes <= depth;
}

/**
 * Reads to the next white space, less what evidently follows the value: `,` or `;` before another name,
 * closing quotes and brackets.
 */
function readBare(text: string, from: number): Value {
  const whole = matchAt(text, from, maxBare, /^\S+/u)?.[0] ?? '';
  const kept = withoutClosers(whole.slice(0, endOfValue(whole)));
  const end = from + kept.length;
  return { start: from, end, next: Math.max(end, from), quoted: false };
}

/** Brackets that close what opened before the value, and punctuation; those of `$(NAME)` stay. */
function withoutClosers(value: string): string {
  return /^[$({[]/u.test(value) ? value.replace(/[,;]{1,8}$/u, '') : value.replace(/[\])},;]{1,8}$/u, '');
}

const maxBare = 4_096;

/** Extends a bare value over the rest of its line, up to the next `name=` of the line. */
export function toEndOfLine(text: string, value: Value): Value {
  const line = text.slice(value.start, endOfLine(text, value.end));
  const kept = line.slice(0, startOfNextName(line)).trimEnd();
  const end = Math.max(value.end, value.start + kept.length);
  return { ...value, end, next: end };
}

/** Where the next `name=` of a line stands. */
function startOfNextName(line: string): number | undefined {
  for (const { 0: word, index } of line.matchAll(/[ \t][\w.-]+/gu)) {
    const end = index + word.length;
    if (line[end] === '=' && /^[^=\s]/u.test(line.slice(end + 1, end + 2))) return index;
  }
  return undefined;
}

/** Characters that may end a value inside a run without spaces. */
const stops = /[,;&"'`\\<\])}…]/gu;
const maxAhead = 160;

/**
 * What follows a value: another name behind `,`, `;` or `&`, a closing quote or bracket, a line break written
 * as `\n`.
 */
const endings: readonly RegExp[] = [
  /^[,;&](?:amp;)?\\*["']?[A-Za-z_][\w.%-]*\\*["']?[=:]/u,
  /^["'`](?:[^A-Za-z0-9]|$)/u,
  /^\\+["']/u,
  /^\\+[nrt](?:[A-Za-z_][\w.-]*[=:]|$)/u,
  /^<\//u,
  /^[,;&]["'`]/u,
  /^[\])}]+[,;](?:\W|$)/u,
  /^…$/u,
];

/**
 * Where a bare value ends in a run without spaces: at the end of the run, or before what evidently follows
 * the value.
 */
function endOfValue(run: string): number {
  for (const { index } of run.matchAll(stops)) {
    const ahead = run.slice(index, index + maxAhead);
    if (endings.some((ending) => ending.test(ahead))) return index;
  }
  return run.length;
}
