import { endingOf } from './ending-kinds.js';
import type { LogLine } from './log-line.js';

/** Characters of a message that is shown; a longer one states enough. */
const maxShown = 500;

/**
 * Whether the message stands in the next line: this one ends with a colon and states no reason, such as
 * `thread 'main' panicked at src/main.rs:5:10:`, `fail: Host[0]` or
 * `Caused by:`.
 */
export function announces({ text, role, gravity }: LogLine): boolean {
  return (
    /\bpanicked at .{1,200}:$/.test(text) ||
    /^(?:fail|crit): [\w.]{1,120}\[\d{1,6}\]$/.test(text) ||
    (role === 'cause' && text.endsWith(':')) ||
    (role === 'head' && text.length < maxShown && goesOn.test(text)) ||
    /\berrors?(?:\(s\))?(?: \w{1,20}){0,2}:$/i.test(text) ||
    isEmptyHeading(text) ||
    (role === 'plain' && gravity === 4 && text.endsWith(':') && !says.test(text)) ||
    (gravity >= 3 && /\bfollowing (?:\[?\d{1,3}\]? )?lines?\b.{0,40}[.:]$/i.test(text)) ||
    (role === 'head' && /\b\d{1,4} validation errors? for \S{1,80}$/i.test(text)) ||
    /\bfollowing (?:error|problem|reason|issue)s?(?:\(s\))?:$/i.test(text) ||
    /\bfollowing required \w{1,20} (?:were|was|are|is) (?:not|missing)\b.{0,24}:$/i.test(text) ||
    describes.test(text) ||
    (role === 'head' && (codeAlone.test(text) || nameAlone.test(text))) ||
    (gravity >= 2 && codeAtEnd.test(text))
  );
}

/** What failed, if not why. */
const says = /\b(?:fail|error|cannot|could not|unable|exception|invalid|missing)/i;

/** A heading without a word of what happened. */
export function isEmptyHeading(text: string): boolean {
  return /^(?:error|fatal|fatal error|reason|cause):$/i.test(text);
}

/** An error whose message is only a code: the sentence is in the next line. */
const codeAlone = /^\s{0,4}(?:\w{1,60}Error|Error): \[?[A-Z]{1,12}[-_]?\d{1,8}\]?:?$/;

/** The same behind the words of a logger, whose level may be lower than that of an error. */
export const codeAtEnd = /\bError: \[?[A-Z]{1,12}[-_]?\d{1,8}\]?:?$/;

/** Ruby prints the class behind the message, which is empty or begins in the next line. */
const nameAlone = /^\s{0,4}(?:\w{1,60}::){0,6}\w{1,60}: {1,4}\((?:\w{1,60}::){0,6}\w{1,60}\)$/;

/** A message of several lines, or a value that is printed over several. */
const goesOn = /[:,{([]$/;

/** A heading of its own above what happened. */
export const describes = /^description:$/i;

/** Lines that a message may have before its frames. */
export const maxMessageLines = 8;

/** A message of several lines ends above its frames: a line that names a kind of ending says more. */
export function messageOf(lines: readonly LogLine[], at: number): string {
  const { text = '', role } = lines[at] ?? {};
  if (role !== 'head' && role !== 'cause') return text;
  const below = lines.slice(at + 1, at + 1 + maxMessageLines);
  const frame = below.findIndex((each) => each.role !== 'plain' || each.gravity > 2);
  if (below[frame]?.role !== 'frame') return text;
  const message = below.slice(0, frame);
  const next = message[0]?.gravity === 2 ? message[0] : undefined;
  const names = (each: LogLine) => endingOf(text) === undefined && endingOf(each.text) !== undefined;
  const more = message.findLast(names) ?? next;
  return more === undefined ? text : `${text} ${more.text}`;
}

/** A call that failed with an argument, which only its frame shows: the value of a variable of a Service. */
export function withArgument(text: string, lines: readonly LogLine[], at: number): string {
  const frame = lines
    .slice(at + 1, at + 1 + maxMessageLines)
    .find((each) => each.role === 'frame' && argument.test(each.text));
  return frame === undefined ? text : `${text} ${frame.text.trim()}`;
}

const argument = /\("(?:tcp|udp|sctp):\/\/\d/;
