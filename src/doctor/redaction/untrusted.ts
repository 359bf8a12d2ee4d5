import { redacting } from './redact.js';
import { finished } from './span.js';

export interface UntrustedOptions {
  /** Keeps `\n` and `\t`, for literal blocks of several lines; otherwise both become a space. */
  readonly keepLines?: boolean;
}

/**
 * The one gate for text from outside (logs, events, names, reasons people type) on its way to people: secrets
 * redacted, terminal escapes, control, zero-width and direction characters gone, white space collapsed, and
 * cut to `max` UTF-16 code units (Slack's limits count no less), at a boundary between characters as people
 * see them, with `…` as the last. The result is well-formed, never longer than `max`, and data only: nothing
 * in it is escaped or interpreted.
 */
export function untrusted(text: string, max: number, options: UntrustedOptions = {}): string {
  return finished(untrusting(text, max, options));
}

/** The same in steps, for a text that is long enough to hold up others. */
export function* untrusting(
  text: string,
  max: number,
  { keepLines = false }: UntrustedOptions = {},
): Generator<void, string> {
  const room = Math.max(0, Math.floor(max));
  const read = startOf(text, room);
  const shown = collapsed(yield* redacting(read), keepLines);
  return cut(read === text ? shown : `${shown}…`, room);
}

/**
 * Enough of a long text to fill the room although secrets in it become shorter; it ends between words, not
 * within a secret.
 */
function startOf(text: string, room: number): string {
  const most = 2 * room + 4_096;
  if (text.length <= most) return text;
  let end = most;
  while (end > 0 && /\S/u.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end === 0 ? most : end);
}

/**
 * One space for a run of white space; with lines kept, no space at the end of a line and no more than one
 * empty line.
 */
function collapsed(text: string, keepLines: boolean): string {
  if (!keepLines) return text.replace(/\s+/gu, ' ').trim();
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/gu, '\n\n')
    .replace(/^\n{1,2}|\n{1,2}$/gu, '');
}

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  if (max === 0) return '';
  const room = max - 1;
  /** Looking a little beyond the room is enough to see whether the boundary there is one. */
  const window = text.slice(0, room + 64);
  const boundary = characters.segment(window).containing(room)?.index ?? room;
  return `${text.slice(0, boundary).trimEnd()}…`;
}
