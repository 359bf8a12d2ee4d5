import { afterSpace, isDigit, isSpace, type Piece } from './scanning.js';

/** Sentences of one text that are read; further ones stay in the text. */
const MOST_SENTENCES = 5;

/** Columns before the type of an event: two ages, a count, the source, the object. */
const MOST_COLUMNS = 8;

const COMBINED = '(combined from similar events):';

/**
 * The sentences in a text, each without what kubectl and the event recorder put around it: the columns of
 * `kubectl describe` and `kubectl get events`, `(combined from similar events):` and `(x12 over 5m)`.
 *
 * A further sentence starts at a line that has the columns of an event, and at a further
 * `0/3 nodes are available` or an autoscaler's sentence behind a full stop, a semicolon or a line break.
 * Linear in the text's length.
 */
export function sentencesIn(text: string): readonly Piece[] {
  const starts = [0, ...eventLines(text), ...furtherHeadings(text)]
    .sort((one, other) => one - other)
    .slice(0, MOST_SENTENCES);
  if (starts.length > 1 && isTableHead(text.slice(0, starts[1]))) starts.shift();
  return starts
    .map((start, position) => unwrapped(text, start, starts[position + 1] ?? text.length))
    .filter(({ text: said }, position) => said !== '' || position === 0);
}

function eventLines(text: string): readonly number[] {
  const starts: number[] = [];
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) {
    if (starts.length === MOST_SENTENCES) break;
    if (messageAfterColumns(text, end + 1) !== undefined) starts.push(end + 1);
  }
  return starts;
}

const HEADING = / nodes are (?:un)?available/y;

/** What may stand between two sentences of one text. */
const BETWEEN = /(?:[.;|] |;?\r?\n)\s{0,9}/g;

/** First words of autoscalers' events, which people and tools write behind the scheduler's. */
const OF_AUTOSCALERS = [
  "pod didn't trigger scale-up",
  "Pod didn't trigger scale-up",
  'pod triggered scale-up: [',
  'Pod triggered scale-up: [',
  'Failed to schedule pod, ',
  'Pod should schedule on: ',
];

/** Where `0/3 nodes are available`, or what an autoscaler says, stands right behind another sentence. */
function furtherHeadings(text: string): readonly number[] {
  const starts: number[] = [];
  for (const found of text.matchAll(BETWEEN)) {
    if (starts.length === MOST_SENTENCES) break;
    const start = found.index + found[0].length;
    const ratio = wordAt(text, start);
    HEADING.lastIndex = start + ratio.length;
    const isHeading = /^\d{1,15}\/\d{1,15}$/.test(ratio) && HEADING.test(text);
    if (isHeading || OF_AUTOSCALERS.some((words) => text.startsWith(words, start))) starts.push(start);
  }
  return starts;
}

const headWords = new Set(
  'events: namespace first last seen firstseen lastseen count name kind subobject subobjectpath source type reason age from object message'.split(
    ' ',
  ),
);

/** Whether a text is the head of a table that kubectl prints, and of such a length. */
function isTableHead(text: string): boolean {
  if (text.length > 1000) return false;
  return text.split(/\s/).every((word) => /^-*$/.test(word) || headWords.has(word.toLowerCase()));
}

function unwrapped(text: string, start: number, end: number): Piece {
  let from = afterSpace(text, messageAfterColumns(text, start) ?? start);
  if (text.startsWith(COMBINED, from)) from = afterSpace(text, from + COMBINED.length);
  const said = withoutMark(text.slice(from, Math.max(from, end)).trimEnd());
  return { text: said.slice(0, beforeRepetition(said)).trimEnd(), at: from };
}

/** Without the mark between this sentence and a further one. */
function withoutMark(text: string): string {
  return text.endsWith(';') || text.endsWith('|') ? text.slice(0, -1).trimEnd() : text;
}

/** Where ` (x12 over 5m)` at the end starts. */
function beforeRepetition(text: string): number {
  const open = text.lastIndexOf(' (x');
  if (open < 0 || !text.endsWith(')') || !isDigit(text[open + 3])) return text.length;
  return text.slice(open, open + 40).includes(' over ') && text.indexOf(')', open) === text.length - 1
    ? open
    : text.length;
}

/** Where the message starts in a line that has the columns of an event, or undefined. */
function messageAfterColumns(text: string, start: number): number | undefined {
  let position = afterBlanks(text, start);
  for (let column = 0; column < MOST_COLUMNS; column += 1) {
    const word = wordAt(text, position);
    if (word === 'Warning' || word === 'Normal') return afterType(text, position + word.length);
    // `{scheduler }` of kubectl before 1.4, which printed no type before the reason.
    if (/^[Ff]ailedScheduling$/.test(word) && column > 0) return afterBlanks(text, position + word.length);
    const length = word.startsWith('{') && !word.endsWith('}') ? sourceLength(text, position) : word.length;
    if (word === '' || length === undefined || !(length > word.length || isColumn(word))) return undefined;
    position = afterBlanks(text, position + length);
  }
  return undefined;
}

/** `FailedScheduling  36s (x3 over 22m)  default-scheduler  …` or `FailedScheduling  pod/web-0  …` */
function afterType(text: string, from: number): number | undefined {
  let position = afterBlanks(text, from);
  const reason = wordAt(text, position);
  if (!/^[A-Z][A-Za-z]{2,60}$/.test(reason)) return undefined;
  position = afterBlanks(text, position + reason.length);
  const next = wordAt(text, position);
  if (isAge(next)) {
    position = afterBlanks(text, position + next.length);
    if (text.startsWith('(x', position)) {
      const close = text.indexOf(')', position);
      if (close > 0 && close - position < 40) position = afterBlanks(text, close + 1);
    }
    return afterBlanks(text, position + wordAt(text, position).length);
  }
  return /^(?:pod|pods|Pod|workload|podgroup|job)\/[^/]+$/.test(next)
    ? afterBlanks(text, position + next.length)
    : position;
}

/** Characters of `{scheduler }` or `{default-scheduler n1}`, a source with the host that reports. */
function sourceLength(text: string, from: number): number | undefined {
  const close = text.slice(from, from + 300).indexOf('}');
  return close < 0 || text.slice(from, from + close).includes('\n') ? undefined : close + 1;
}

function isColumn(word: string): boolean {
  return isAge(word) || /^(?:\d{1,9}|\{?[a-z][a-z0-9.-]{0,60}\}?|(?:pod|Pod)\/[^/]{1,253})$/.test(word);
}

function isAge(word: string): boolean {
  return word === '<unknown>' || word === '<invalid>' || /^\d[\ddhmsy]{0,12}[dhmsy]$/.test(word);
}

/** The word at a position, as far as a column may be long. */
function wordAt(text: string, from: number): string {
  let end = from;
  while (end < text.length && end - from < 300 && !isSpace(text[end])) end += 1;
  return text.slice(from, end);
}

/** The first position from `from` that holds no blank; a line break ends the columns. */
function afterBlanks(text: string, from: number): number {
  let position = from;
  while (text[position] === ' ' || text[position] === '\t') position += 1;
  return position;
}
