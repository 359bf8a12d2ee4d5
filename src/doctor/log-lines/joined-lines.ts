import { endingOf } from './ending-kinds.js';
import { type LogLine, readLogLine } from './log-line.js';

/** Characters of a message that is shown; a longer one states enough. */
const maxShown = 500;

/**
 * Whether the message stands in the next line: this one ends with a colon and states no reason, such as
 * `thread 'main' panicked at src/main.rs:5:10:`, `fail: Host[0]` or
 * `Caused by:`.
 */
function announces({ text, role, gravity }: LogLine): boolean {
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
function isEmptyHeading(text: string): boolean {
  return /^(?:error|fatal|fatal error|reason|cause):$/i.test(text);
}

/** An error whose message is only a code: the sentence is in the next line. */
const codeAlone = /^\s{0,4}(?:\w{1,60}Error|Error): \[?[A-Z]{1,12}[-_]?\d{1,8}\]?:?$/;

/** The same behind the words of a logger, whose level may be lower than that of an error. */
const codeAtEnd = /\bError: \[?[A-Z]{1,12}[-_]?\d{1,8}\]?:?$/;

/** Ruby prints the class behind the message, which is empty or begins in the next line. */
const nameAlone = /^\s{0,4}(?:\w{1,60}::){0,6}\w{1,60}: {1,4}\((?:\w{1,60}::){0,6}\w{1,60}\)$/;

/** A message of several lines, or a value that is printed over several. */
const goesOn = /[:,{([]$/;

/** A heading of its own above what happened. */
const describes = /^description:$/i;

/** Lines that a message may have before its frames. */
export const maxMessageLines = 8;

/** A message of several lines ends above its frames: a line that names a kind of ending says more. */
function messageOf(lines: readonly LogLine[], at: number): string {
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
function withArgument(text: string, lines: readonly LogLine[], at: number): string {
  const frame = lines
    .slice(at + 1, at + 1 + maxMessageLines)
    .find((each) => each.role === 'frame' && argument.test(each.text));
  return frame === undefined ? text : `${text} ${frame.text.trim()}`;
}

const argument = /\("(?:tcp|udp|sctp):\/\/\d/;

/** Reads the lines, and joins a message to the line that only announces it. */
export function joined(raw: readonly string[]): readonly LogLine[] {
  const lines: LogLine[] = [];
  let inTrace = false;
  let inHelp = false;
  let isSuppressed = false;
  let inList = false;
  for (const text of raw) {
    if (text.trim() === '') continue;
    const line = readLogLine(text);
    const former = lines.at(-1);
    const isIndented = /^\s/.test(text);
    // A report of Rust numbers the causes below one word, the deepest last.
    const isList = former !== undefined && (former.role === 'cause' || isEmptyHeading(former.text));
    if (isList && isIndented && numbered.test(text)) {
      if (announces(former)) lines.pop();
      lines.push({ text: text.trim().replace(numbered, ''), gravity: 3, role: 'cause' });
      continue;
    }
    if (usage.test(text)) inHelp = true;
    else if (inHelp && !isIndented && !text.trimEnd().endsWith(':')) inHelp = false;
    if (inHelp) {
      lines.push({ ...line, gravity: 0, role: 'banner' });
      continue;
    }
    // `Unhandled exception:` above the exception itself.
    if (former?.role === 'head' && line.role === 'head' && former.text.endsWith(':')) {
      lines[lines.length - 1] = { ...line, gravity: 4 };
      inTrace = false;
      continue;
    }
    inList = inList && isIndented;
    if (inList && line.role === 'plain') {
      lines.push({ ...line, gravity: 1 });
      continue;
    }
    if (former !== undefined && line.role === 'plain' && announces(former) && !inTrace) {
      inList = isIndented && former.text.endsWith(':');
      lines[lines.length - 1] = describes.test(former.text)
        ? { ...line, gravity: 4 }
        : {
            ...former,
            text: `${former.text} ${line.text}`,
            gravity: codeAtEnd.test(former.text) && former.gravity < 3 ? 3 : former.gravity,
          };
      continue;
    }
    if (suppressed.test(text)) isSuppressed = true;
    else if (!isIndented) isSuppressed = false;
    if (isSuppressed && isIndented && line.role === 'cause') {
      lines.push({ ...line, gravity: 0, role: 'frame' });
      continue;
    }
    if (former !== undefined && former.gravity >= 3 && detail.test(text)) {
      lines[lines.length - 1] = {
        ...former,
        text: `${former.text} ${text.slice(text.search(detail)).trim()}`,
      };
      continue;
    }
    // What stands under the banner of a Python trace is code, down to the exception.
    if (inTrace && isIndented && line.role !== 'cause') {
      lines.push({ ...line, gravity: 0, role: 'frame' });
      continue;
    }
    if (inTrace && line.role === 'plain') {
      lines.push({ ...line, gravity: 4, role: 'head' });
      inTrace = false;
      continue;
    }
    if (line.role === 'head') {
      lines.push(inTrace ? { ...line, gravity: 4 } : line);
      inTrace = false;
      continue;
    }
    if (/^\s{0,16}Traceback \(most recent/.test(text)) inTrace = true;
    lines.push(line);
  }
  return withHeads(lines);
}

/** What failed while a failure was handled, with frames and causes of its own. */
const suppressed = /^\s{1,16}Suppressed: /;
/** Begins the help text of a program, which names many words of failures. */
const usage = /^usage(?: of \S{1,200})?:/i;
const numbered = /^\s{0,16}\d{1,3}: {1,4}/;

/** A server says more about the failure above in a line with a label of its own. */
const detail = /\b(?:DETAIL|HINT): {1,4}(?=\S)/;

/** Marks a place in the line of code above it. */
const underlined = /^\s{0,200}\^{1,200}$/;

/** An exception right above frames ended something, whatever its level. */
function withHeads(raw: readonly LogLine[]): readonly LogLine[] {
  const lines = raw.map((line, at) => ({
    ...line,
    text: line.role === 'head' ? withArgument(messageOf(raw, at), raw, at) : messageOf(raw, at),
  }));
  return lines.map((line, at) =>
    line.role === 'plain' && underlined.test(lines[at + 1]?.text ?? '')
      ? { ...line, gravity: 0, role: 'frame' }
      : line.role === 'head' && line.gravity === 3 && isBelowHead.has(lines[at + 1]?.role)
        ? { ...line, gravity: 4 }
        : line.role === 'plain' && line.gravity === 1 && lines[at + 1]?.role === 'frame'
          ? { ...line, gravity: 2 }
          : line,
  );
}

const isBelowHead: ReadonlySet<LogLine['role'] | undefined> = new Set(['frame', 'cause']);
