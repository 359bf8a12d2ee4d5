import { isHarmlessValue, isPasswordLike } from './harmless-values.js';
import { finished, scanning } from './scan.js';
import { secretKindOf } from './secret-names.js';
import type { SecretKind, Span } from './span.js';
import { readValue } from './values.js';
import { endAt, matchAt } from './windows.js';

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
