import { type EndingKind, endingOf, pathIn } from './ending-kinds.js';
import { joined, maxMessageLines } from './joined-lines.js';
import { type LogLine, readLogLine, withoutColours, withoutTracePrefix } from './log-line.js';

/** What a log says about the end of its program. */
export interface LogReason {
  /** The line that names the reason. */
  readonly line: string;
  /** The lines that report the failure, the deciding one last. */
  readonly lines: readonly string[];
}

/** Lines that are read, from the end. */
const maxLines = 200;
/** Lines that are shown beside the deciding one. */
const shownBefore = 3;
/** Characters of a line that is shown. */
const maxShown = 500;

/**
 * The line of a log that names the reason for the end of its program, chosen by what the lines say: the last
 * cause of the last trace, the word of a runtime that the program ended, then the last line of the gravest
 * level. Frames, banners and what a program writes while it shuts down are left out. `undefined` where no
 * line reports a failure.
 */
export function decidingLineOf(raw: readonly string[]): LogReason | undefined {
  const lines = upToEndOfChild(joined(withoutTracePrefix(raw.slice(-maxLines).map(withoutColours))));
  const gravest = Math.max(0, ...lines.map(({ gravity }) => gravity));
  if (gravest < 2) return awaited(lines) ?? endedChild(lines) ?? mentioned(lines);
  const last = lines.findLastIndex(({ gravity }) => gravity === gravest);
  const deepest = deepestCause(lines, last);
  const decides = withKind(lines, inFull(lines, deepest));
  const decided = lines[decides];
  if (decided === undefined) return undefined;
  // What a program concludes from a reason of a known kind says no more than the reason.
  const end = endingOf(decided.text) === undefined ? Math.max(decides, last) + 1 : decides;
  const before = lines
    .slice(blockStart(lines, decides), end)
    .filter((each) => each !== decided && each.gravity >= 2 && each.text !== decided.text);
  const shown = [...new Set(before.slice(-shownBefore).map(({ text }) => text))];
  return { line: shorten(decided.text), lines: [...shown, decided.text].map(shorten) };
}

/**
 * What a program waits for until somebody ends it is no failure to itself, such as a lock of another process.
 */
function awaited(lines: readonly LogLine[]): LogReason | undefined {
  const at = lines.findLastIndex(({ text }) => endingOf(text) === 'held-elsewhere');
  const text = shorten(lines[at]?.text ?? '');
  // A later failure of another kind is what the program meets now.
  return at < 0 || mentioned(lines.slice(at + 1)) !== undefined ? undefined : { line: text, lines: [text] };
}

/** A program that tries again reports a failure as information, and nothing graver before it is ended. */
function mentioned(lines: readonly LogLine[]): LogReason | undefined {
  const at = lines.findLastIndex(({ text }) => attempts.test(text) && endingOf(text) !== undefined);
  const isOvercome = lines.slice(at + 1).some(({ text }) => overcome.test(text));
  const text = shorten(lines[at]?.text ?? '');
  return at < 0 || isOvercome ? undefined : { line: text, lines: [text] };
}

const attempts = /\b(?:retry(?:ing)?|retries|trying again|attempts?|fail(?:ed|ure)?|refused|denied)\b/i;

/**
 * A supervisor reports the end of its child below the word of the child for it. What follows is of other
 * children, such as one that does not reach the first.
 */
function upToEndOfChild(lines: readonly LogLine[]): readonly LogLine[] {
  const ended = lines.findLastIndex(
    ({ text, gravity }, at) =>
      gravity < 3 &&
      endsUnexpectedly.test(text) &&
      lines
        .slice(Math.max(0, at - maxQuiet), at)
        .some((each) => each.gravity === 4 && endingOf(each.text) !== undefined),
  );
  return ended < 0 ? lines : lines.slice(0, ended);
}

const endsUnexpectedly = /\bexited\b.{0,80}\b(?:status|code)\b.{0,24}\b(?:not expected|unexpected)/i;

/** A supervisor reports the end of its child as a warning; the child wrote nothing about it. */
function endedChild(lines: readonly LogLine[]): LogReason | undefined {
  const found = lines.findLast(({ text }) => failedChild.test(text));
  return found && { line: shorten(found.text), lines: [shorten(found.text)] };
}

/** The same lines without the frames and banners of stack traces; all of them where nothing else is left. */
export function withoutFrames(raw: readonly string[]): readonly string[] {
  const rest = raw.filter((line) => {
    const { role } = readLogLine(line);
    return role !== 'frame' && role !== 'banner';
  });
  return rest.length === 0 ? raw : rest;
}

/** The last cause of the trace that goes on below this line. */
function deepestCause(lines: readonly LogLine[], from: number): number {
  let deepest = from;
  for (let at = from + 1; at < lines.length; at += 1) {
    const role = lines[at]?.role;
    if (role === 'cause') deepest = at;
    else if (role === 'plain' || role === 'head') break;
  }
  return deepest;
}

/** The first line of the failure that this line belongs to: no more quiet lines stand in between. */
function blockStart(lines: readonly LogLine[], at: number, quiet = 0): number {
  let start = at;
  for (let each = at - 1, passed = 0; each >= 0; each -= 1) {
    const line = lines[each];
    if (line === undefined) break;
    const isQuiet = line.role === 'plain' && line.gravity < 2 && !shutsDown.test(line.text);
    passed = isQuiet ? passed + 1 : 0;
    if (passed > quiet || (isQuiet && overcome.test(line.text))) break;
    if (!isQuiet) start = each;
  }
  return start;
}

/** What went well since: an earlier failure is not the reason. */
const overcome =
  /\b(?:connected|reconnected|recovered|restored|established|succe(?:eded|ssfully|ss)|ready)\b/i;

/** What programs write between the reason of their end and the end. */
const shutsDown =
  /\b(?:clean(?:ing)? up|shut(?:ting)? down|stopp(?:ing|ed)|clos(?:ing|ed)|exiting|terminating)\b/i;

/** Words of a line that says only that something did not come about, and not why. */
const outcome =
  /\b(?:(?:see|check) (?:the )?(?:root cause|errors?|logs?|details|messages?)?\s{0,2}(?:above|below|for details)|problem running|(?:failed|unable|could not|cannot)(?: to)? (?:start|run|wait|set ?up|init(?:iali[sz]e)?|launch|boot|load|open|create|execute|update)|(?:nil pointer dereference|nullpointerexception|on a `none` value|of undefined|of null|for nil)\b|(?:start-?up|init(?:iali[sz]ation)?|application|server|engine|process|worker|command|pool|service|context)\b.{0,60}\b(?:fail(?:ed|ure)?|exited|terminated|aborted)|(?:exception|error) during|terminating during|did not (?:exit|start|stop) (?:normally|properly|cleanly|successfully)|terminated unexpectedly|fatal failures?|stopped (?:processing )?because of an error|(?:fatal )?(?:error(?:\(s\)|s)?|exceptions?) (?:has |have |was |were )?(?:occurred|found)|program will exit|could not create the|exiting|shutting down|stopping the \w{1,20}|aborting|giving up|terminating|timed out waiting|(?:request|context|operation) (?:was )?cancell?ed|error creating|error starting|exited in|with errors|failed!? \(-?\d{1,9}(?=\))|(?:validation|checks?) failed)\b/i;

/**
 * The chosen line, or where it reports only the outcome, the last line of the same failure that names a kind
 * of ending. Where none does, a line that ends with the outcome gives way to the first one as grave.
 */
function withKind(lines: readonly LogLine[], chosen: number): number {
  const line = lines[chosen];
  if (line === undefined) return chosen;
  const kind = endingOf(line.text);
  if (kind !== undefined) return fullerOf(lines, chosen, kind);
  const said = outcome.exec(line.text);
  if (endOfChild.test(line.text)) {
    const from = Math.max(0, chosen - maxMessageLines);
    const forwarded = lines.slice(from, chosen).findLastIndex(({ text }) => endingOf(text) !== undefined);
    if (forwarded >= 0) return from + forwarded;
  }
  const names = (from: number, to: number, isEnough: (each: LogLine) => boolean) =>
    lines.slice(from, to).findLastIndex((each) => isEnough(each) && endingOf(each.text) !== undefined);
  const start = blockStart(lines, chosen, endsBare.test(line.text) ? maxQuiet : 0);
  const near = names(
    start,
    chosen,
    ({ gravity, role, text }) =>
      gravity >= 2 &&
      (said !== null ||
        bySignal.test(line.text) ||
        endsBare.test(line.text) ||
        refersBack.test(line.text) ||
        role !== 'plain' ||
        (ofCommand.test(text) && ofCommand.test(line.text))),
  );
  if (near >= 0) return start + near;
  const ended = lines.findLastIndex(
    ({ text }, at) => at > chosen && endOfRuntime.test(text) && endingOf(text) !== undefined,
  );
  if (ended >= 0) return ended;
  const told = lines
    .slice(start, chosen)
    .findLastIndex(
      ({ role, gravity, text }) => role === 'head' && gravity >= 3 && !withoutMessage.test(text),
    );
  if (withoutMessage.test(line.text) && told >= 0) return start + told;
  // An exception without a message, below what the program reported of it.
  const reported = lines.findIndex(
    ({ gravity, role }, at) => at >= start && gravity >= 3 && role === 'plain',
  );
  if (withoutMessage.test(line.text) && reported >= 0 && reported < chosen) return reported;
  const explained = titleAlone.test(line.text) ? explainedBelow(lines, chosen) : undefined;
  if (explained !== undefined) return explained;
  if (said === null) return chosen;
  // A server reports one failure in several lines, with notes in between.
  const earlier = blockStart(lines, chosen, maxQuiet);
  const far = names(earlier, start, ({ gravity }) => gravity >= 2);
  if (far >= 0) return earlier + far;
  const above = Math.max(0, chosen - 2 * maxMessageLines);
  const warned = names(above, chosen, ({ gravity }) => gravity === 1);
  const after = line.text.slice(said.index + said[0].length);
  if (warned >= 0 && !statesReason.test(after)) return above + warned;
  const coded = lines
    .slice(start, chosen)
    .findLastIndex(({ gravity, text }) => gravity >= line.gravity && withCode.test(text));
  if (coded >= 0 && !statesReason.test(line.text)) return start + coded;
  const isBare = after.length < maxAfterOutcome || wordAfter.test(after) || refersBack.test(line.text);
  if (!isBare || (line.role !== 'plain' && !whileDoing.test(said[0]))) return chosen;
  const first = lines.findIndex((each, at) => at >= start && each.gravity === line.gravity);
  if (first < chosen) return first;
  const graver = lines.slice(start, chosen).findLastIndex(({ gravity }) => gravity >= 3);
  return graver < 0 ? chosen : start + graver;
}

/** The number of an error says more than the outcome, which has none. */
const withCode = /\berror code:? ?\[?-?(?:0x)?[0-9a-f]{1,10}\b/i;
const statesReason = /: \S|\berror code\b/i;

/** The line of the message below a title that names a kind of ending. */
function explainedBelow(lines: readonly LogLine[], title: number): number | undefined {
  const below = lines.slice(title + 1, title + 1 + maxMessageLines);
  const end = below.findIndex(({ role, gravity }) => role !== 'plain' || gravity > 2);
  const message = end < 0 ? below : below.slice(0, end);
  const at = message.findIndex(({ text, gravity }) => gravity === 2 && endingOf(text) !== undefined);
  return at < 0 ? undefined : title + 1 + at;
}

/** A title of what follows: lines without a level of their own state it. */
const titleAlone = /^(?!.*:\s).*\b(?:exceptions?|errors?|failures?)$/i;

/** Only the name of an error: `java.lang.NullPointerException`, `Error: ShardCannotStart`. */
const withoutMessage = /^\s{0,4}(?:[\w$.]{1,200}(?:Exception|Error):?|Error: (?:[A-Z][a-z]{1,20}){2,6})$/;

/** A place in the code and what failed there, without a reason. */
const endsBare = /^\S{1,300}:\d{1,7}:? [\w ]{0,24}\b(?:error|failure|failed)$/i;

/** Erlang ends with the reason of an application, below a line that only says what did not come about. */
const endOfRuntime = /\bkernel pid terminated\b|\bterminating in do_boot\b/i;

/** A signal is how a program ended. What it reported just before is why. */
const bySignal = /\b(?:segmentation fault|sig(?:segv|abrt|bus)|core dumped|got signal \d{1,2})\b/i;

/** `exception during creation`: what the program did, and not what failed. */
const wordAfter = /^ \w{1,20}$/;
const whileDoing = /^(?:exception|error) during$/i;

const failedChild = /\bexit(?:ed)?\b.{0,60}\b(?:exit )?(?:status|code)[ :=]{0,3}[1-9]\d{0,2}\b/i;

/** A program reports only how its child ended, whose lines it forwards with a level of their own. */
const endOfChild = /\b(?:exit (?:status|code)|exited with(?: code| status)?)[ :=]{0,3}\d{1,3}\b/i;

/**
 * A command of a script. The script goes on after a failure, so the first failure is the reason of the
 * others.
 */
export const ofCommand = /^(?:[a-z][\w.-]{0,40}|\/\S{1,200}: line \d{1,6}): \S/;

/** The reason is in an earlier line. */
const refersBack =
  /\b(?:see|check)\b.{0,24}\b(?:previous|above|earlier)\b|\(SystemExit\) exit$|\bwith errors\b/i;

/** Of a word that a runtime writes alone, the sentence of the program just before it about the same. */
function fullerOf(lines: readonly LogLine[], chosen: number, kind: EndingKind): number {
  const { text = '', role } = lines[chosen] ?? {};
  if (kind === 'held-elsewhere' && pathIn(text) === undefined) {
    const start = blockStart(lines, chosen);
    const named = lines
      .slice(start, chosen)
      .findLastIndex((each) => endingOf(each.text) === kind && pathIn(each.text) !== undefined);
    if (named >= 0) return start + named;
  }
  if (role !== 'head' || text.length > maxBare) return chosen;
  const from = Math.max(0, chosen - 1 - maxQuiet);
  const fuller = lines
    .slice(from, chosen)
    .findLastIndex((each) => each.text.length > text.length && endingOf(each.text) === kind);
  if (fuller >= 0) return from + fuller;
  // A runtime ends itself by a signal after it has reported its own failure.
  const first = Math.max(0, chosen - maxMessageLines);
  const reported = lines
    .slice(first, chosen)
    .findLastIndex((each) => each.role === 'head' && each.gravity === 4);
  return kind === 'illegal-instruction' && reported >= 0 ? first + reported : chosen;
}

/** Characters of a line that has no room for a sentence. */
const maxBare = 40;

/** Lines without a failure between two lines of one failure. */
const maxQuiet = 3;
/** Characters after the outcome that give no reason. */
const maxAfterOutcome = 4;

/** The panic of a logger repeats only the message of its last line, which has the error as well. */
function inFull(lines: readonly LogLine[], chosen: number): number {
  const said = lines[chosen]?.text.replace(/^panic: /, '') ?? '';
  const former = lines[chosen - 1];
  return former !== undefined &&
    former.gravity >= 2 &&
    former.text.length > said.length &&
    former.text.startsWith(said)
    ? chosen - 1
    : chosen;
}

function shorten(text: string): string {
  return text.length > maxShown ? `${text.slice(0, maxShown - 1)}…` : text;
}
