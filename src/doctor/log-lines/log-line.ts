import { boundText } from '../../engine/language/text-scanning.js';
import { endingOf } from './ending-kinds.js';

/** How grave a line calls itself, from nothing (0) to the end of the program (4). */
export type Gravity = 0 | 1 | 2 | 3 | 4;

export interface LogLine {
  /** What the line says: of a structured line its message and error, otherwise the line itself. */
  readonly text: string;
  readonly gravity: Gravity;
  /**
   * `frame`: a place in a stack trace. `cause`: the reason for the failure above it. `head`: an exception
   * above its frames. `banner`: a line that belongs to every failure of its runtime and states no reason of
   * this one.
   */
  readonly role: 'plain' | 'head' | 'cause' | 'frame' | 'banner';
}

/** A line that is longer is cut before anything is matched in it. */
const maxLine = 2000;

/**
 * Lines of a stack trace in Java, Kotlin, .NET, Node, Go, Python, Ruby, Crystal, Rust, C++, PHP, Elixir and
 * Dart.
 */
const frames: readonly RegExp[] = [
  /^\s{1,16}at .{1,300}[)\w>\]](?: \{)?$/,
  // What failed while the failure above it was handled.
  /^\s{1,16}Suppressed: /,
  /^\s{0,16}\.{3} \d{1,5} (?:more|common frames omitted)/,
  /^\s{1,16}File "[^"]{1,300}", line \d/,
  /^\s{1,16}from .{1,300}:\d{1,7}(?::in |:\d{1,7} in )/,
  /^goroutine \d{1,9} \[/,
  /^\s{1,8}\/?[\w./@~-]{1,300}\.(?:go|s|c|cc|cpp|rs):\d{1,7}(?: \+0x[0-9a-f]{1,16})?$/,
  /^[\w./*()@-]{1,300}\((?:0x[0-9a-f?]|\{0x|\.\.\.|\))/,
  /^created by /,
  /^\s{1,16}\d{1,4}: {1,4}(?:0x[0-9a-f]{1,16} - )?(?:<?[\w]{1,80}(?:::|<| as )|[\w]{1,80}$)/,
  /^\s{0,8}(?:@|#\d{1,4})\s{1,8}(?:0x[0-9a-f]{1,16}|\/|\{main\})/,
  /^\s{0,8}\(?[\w.-]{0,60}\)? lib\/[\w/.-]{1,200}\.exs?:\d/,
  /^\s{1,16}[\^~]{1,200}$/,
  /^\s{1,8}:\w{1,60}\.\w{1,60}[!?]?\(.{0,300}\)$/,
  /^#\d{1,4}\s{1,8}\S.{0,300}\((?:dart|package|file):.{1,300}\)$/,
  // Fields of a report of Erlang that name the process and not the reason.
  /(?:^|\s)\s{2,8}(?:supervisor|errorContext|offender|initial call|ancestors|message_queue_len|links|dictionary|trap_exit|heap_size|stack_size|reductions): /,
  // A frame in a term of Erlang: module, function and arity, then file and line.
  /\s\[?\{[a-z]\w{0,60},'?[\w-]{1,80}'?,\d{1,3},$/,
  /\s\[\{file,"[^"]{1,200}"\},\{line,\d{1,7}\}\]/,
  // Nim.
  /^\S{1,300}\.nim\(\d{1,7}\) {1,8}\S/,
  // PowerShell: the place, the code with a mark below it, and fields of the error record.
  /^At (?:line|[A-Z]:\\.{1,300}):\d{1,7} char:\d{1,7}$/,
  // What a shell prints of its script before it runs it, also the code that PowerShell quotes.
  /^\s{0,8}\+{1,8} /,
  // Haskell.
  /^\s{1,16}\S{1,120}, called at \S{1,300}:\d{1,7}:\d{1,7} in /,
  // Erlang, Swift, and what numbers its frames with a dot.
  /^\s{1,16}[a-z]\w{0,80}:[\w'-]{1,80}\/\d{1,3}, line \d/,
  /^\s{0,8}\d{1,4}\.? {1,8}\S.{0,300}\b0x[0-9a-f]{8,16}\b/,
];

/** A logger that writes each line of a stack trace as a message of its own: the time, a level and a place. */
const loggedBefore = /^\d{4}-\d{2}-\d{2}[T ]\S{5,30} \[?[A-Z]{3,8}\]? (?:\S{1,200} > )?/;
/** Lines of a trace that no sentence looks like, also behind a level. */
const certainFrames: readonly RegExp[] = [
  /^goroutine \d{1,9} \[/,
  /^\s{1,16}at .{1,300}[)\w>\]]$/,
  /^\s{1,8}\/?[\w./@~-]{1,300}\.(?:go|s|c|cc|cpp|rs):\d{1,7}(?: \+0x[0-9a-f]{1,16})?$/,
  /^[\w./*()@-]{1,300}\((?:0x[0-9a-f?]{1,16}|\{0x|\.\.\.|\))[^:]{0,200}$/,
];

function isLoggedFrame(line: string): boolean {
  const rest = line.replace(loggedBefore, '');
  return rest !== line && certainFrames.some((frame) => frame.test(rest));
}

/** What a runtime writes around every failure. */
const banners: readonly RegExp[] = [
  /^\s*Traceback \(most recent call last\)/,
  /^(?:\[?stack ?trace\]?|stack backtrace|backtrace|call ?stack(?: \(from \w{1,40}\))?):?$/i,
  /^\s{0,8}-{2,4} End of (?:inner exception )?stack trace/i,
  /^note: (?:run with|Some details)/,
  /^Node\.js v\d/,
  /^exit status \d/,
  /^\s{0,16}\*{3} (?:Check failure stack trace|Aborted at)/,
  /^\s{0,16}thrown in .{1,300} on line \d/,
  /^(?:npm|yarn|pnpm) (?:ERR!|error) (?:code ELIFECYCLE|errno|A complete log|Exit status|Lifecycle script|This is probably|command failed|command sh)/i,
  /^[\s=*_#~+|-]{1,400}$/,
  /^(?:The above exception was|During handling of the above exception)/,
  /^\[?(?:process|main process) exited/i,
  /^\W{0,4}(?:an? )?(?:error|crash|core)\b.{0,24}\b(?:report|dump|log)\b.{0,60}\b(?:saved|written)\b/i,
  // A message of its own; the same words may follow a reason.
  /(?:^\s{0,8}|[\]):|>]\s{1,4})suppressed (?:the )?same stack ?trace\b/i,
  /(?:^\s{0,8}|[\])|>]\s{1,4})for more (?:details|information),? (?:run|see|use|visit|refer|check)\b/i,
  // Perl: each file above the one that does not load.
  /^(?:BEGIN failed--compilation aborted|Compilation failed in require) at /,
  // Somebody stopped the program, which is no reason of its own.
  /^(?:KeyboardInterrupt|SystemExit)\b/,
  /^Aborted(?: \(core dumped\))?$/,
];

const causes =
  /^\s{0,16}(?:(?:Caused by|Reason|-{1,4}> ?(?=\w)(?![\w ]{1,40} : )|--->|Root cause|what\(\))[:>]?\s|Caused by:$|\[cause\]: )/i;

/** An exception with its message, as the languages above print it. */
const heads: readonly RegExp[] = [
  /^\s{0,4}(?:Exception in thread "[^"]{0,80}" )?(?:[\w$]{1,80}[.:/\\]{1,2}){0,12}[A-Z][\w$]{0,80}(?:Exception|Error|Failure|Fault|Exit|Interrupt|Panic)(?:: |:$| \(|$)/,
  /^\s{0,4}(?:Uncaught |Unhandled )?(?:\[?[A-Z]\w{0,60}Error\]?|Error)(?: \[\w{1,60}\])?: /,
  /:\d{1,7}:in [`'][^`']{1,120}': .{1,400}\([A-Z]\w{0,60}(?:::\w{1,60}){0,6}\)$/,
  /^\s{0,16}\*{2} \([\w.]{1,120}\) /,
];

/** A program's own word for its end. */
const ends: readonly RegExp[] = [
  /^\s{0,4}(?:thread \d{1,9} )?panic: |^(?:[\w./-]{1,200}:\d{1,7}: )?fatal error: |\bpanicked at\b/i,
  /^terminate called |^(?:libc\+\+abi: )?terminating (?:due to|with) uncaught/,
  /\bunhandled (?:exception|rejection|promise rejection|error)\b|\buncaught (?:exception|error|\w{1,60}(?:exception|error))\b/i,
  /\b(?:segmentation fault|core dumped|illegal instruction|bus error|floating point exception|stack smashing detected|double free)\b/i,
  /^Exception in thread /,
];

const levelNames: Readonly<Record<string, Gravity>> = {
  emerg: 4,
  emergency: 4,
  alert: 4,
  fatal: 4,
  ftl: 4,
  panic: 4,
  dpanic: 4,
  crit: 4,
  critical: 4,
  severe: 3,
  error: 3,
  err: 3,
  eror: 3,
  erro: 3,
  fail: 3,
  failed: 3,
  warn: 1,
  warning: 1,
  wrn: 1,
  info: 0,
  inf: 0,
  information: 0,
  notice: 0,
  note: 0,
  system: 0,
  log: 0,
  debug: 0,
  dbg: 0,
  dbug: 0,
  trace: 0,
  trc: 0,
  verbose: 0,
  치명: 4,
  심각: 4,
  오류: 3,
  에러: 3,
  경고: 1,
  정보: 0,
  디버그: 0,
};

/**
 * Where plain loggers write the level: early in the line, in capitals, in brackets, before a colon, or as
 * `level=`.
 */
const levelPatterns: readonly RegExp[] = [
  /(?:^|\s)(?:level|lvl|severity|levelname)=["']?([a-z]{2,12})/gi,
  /\[\s{0,4}([a-z]{2,12}|[가-힣]{2,3})\s{0,4}\]/gi,
  /(?:^|[\s|:>)])([A-Z]{3,9})(?=[\s|:[\]]|$)/g,
  /^(?:[\w./() -]{1,60}: )?([a-z]{3,11}): /gi,
];
const searchedForLevel = 160;

/** klog and glog: `E1120 09:28:14.000000       1 main.go:12] …`; some write the year before the month. */
const klog = /^([IWEF])(?:\d{2}|\d{4})?\d{4} \d{2}:\d{2}:\d{2}/;
/** A letter in a column of its own: `2026-11-20 09:28:14.000000 E | raft: …`. */
const column = /^\d{4}[-/]\d{2}[-/]\d{2} [\d:.]{8,20} ([CEWNID]) \| /;
const klogLevels: Readonly<Record<string, Gravity>> = { F: 4, C: 4, E: 3, W: 1, N: 0, I: 0, D: 0 };
/** An error that is printed as a warning is one all the same. */
const warnedError = /^\s{0,8}warn(?:ing)?: error\b/i;

const failureWords =
  /\b(?:error|errors|fail(?:s|ed|ure)?|fatal|cannot|can't|can not|could not|couldn't|unable|refus(?:ed|es|ing)|denied|not found|not exist|no such|no space|not permitted|not allowed|invalid|missing|must be|required|unknown|unrecogni[sz]ed|not recogni[sz]ed|unsupported|incompatible|mismatch|exhausted|exceeded|aborted|illegal|corrupt(?:ed|ion)?|already in use|in use by|locked|unreachable|timed out|timeout|unavailable|pid terminated|terminating in do_boot|too low|too many|too long|bad|unexpected|insufficient|expired)\b|오류|에러|예외|할 수 없|찾을 수 없|설정되지 않|거부(?:되|했)|실패(?:했|하)/i;

function reportsFailure(text: string): boolean {
  return failureWords.test(text) || endingOf(text) !== undefined;
}

/** One line of a log. Any text; reads at most its first 2,000 characters. */
export function readLogLine(raw: string): LogLine {
  const line = boundText(withoutColours(raw), maxLine).trimEnd();
  const fields = structuredFields(line);
  if (fields !== undefined) return readFields(fields);
  if (banners.some((banner) => banner.test(line))) return { text: line, gravity: 0, role: 'banner' };
  if (causes.test(line)) return { text: line.trim(), gravity: 3, role: 'cause' };
  if (frames.some((frame) => frame.test(line)) || isLoggedFrame(line))
    return { text: line, gravity: 0, role: 'frame' };
  if (ends.some((end) => end.test(line))) return { text: line.trim(), gravity: 4, role: 'head' };
  if (heads.some((head) => head.test(line))) return { text: line.trim(), gravity: 3, role: 'head' };
  const said = levelOf(line);
  if (said !== undefined && isHeading(line)) return { text: line.trim(), gravity: 0, role: 'banner' };
  return { text: line.trim(), gravity: said ?? (reportsFailure(line) ? 2 : 0), role: 'plain' };
}

/**
 * A level with nothing to say beside it: an empty message, a rule of signs, or a heading of capitals.
 * Programs draw reports of several lines with the level of the failure.
 */
function isHeading(line: string): boolean {
  const rest = line.slice(0, searchedForLevel).replace(prefixes, ' ');
  return (
    line.length <= searchedForLevel && !/[a-z]{2}/.test(rest) && !/\d/.test(rest) && !reportsFailure(rest)
  );
}

/** What stands before a message: a date or time, a level or name in brackets, a level in capitals. */
const prefixes =
  /\[[^\]]{0,60}\]|<[^>]{0,60}>|\b\d{1,4}[-/:.]\d{1,2}[-/:.][\dTZ:.,+-]{1,30}|\b(?:EMERG|ALERT|FATAL|PANIC|CRIT|CRITICAL|SEVERE|ERROR|ERR|FAIL|WARN|WARNING|INFO|NOTICE|DEBUG|TRACE)\b/g;

/** Colours of terminals. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character begins a colour
const ansi = /\u001b\[[\d;]{0,12}m/g;

export function withoutColours(raw: string): string {
  return raw.replace(ansi, '');
}

function levelOf(line: string): Gravity | undefined {
  const glog = (klog.exec(line) ?? column.exec(line))?.[1];
  if (glog !== undefined) return klogLevels[glog];
  if (warnedError.test(line)) return 3;
  const start = line.slice(0, searchedForLevel);
  for (const pattern of levelPatterns) {
    // The zone of a time, such as `UTC`, is in capitals too.
    const [first, ...others] = [...start.matchAll(pattern)];
    const named = [first, ...others.filter(({ index }) => /\d/.test(start.slice(0, index)))]
      .map((found) => found?.[1]?.toLowerCase() ?? '')
      .find((name) => Object.hasOwn(levelNames, name));
    if (named !== undefined) return levelNames[named];
  }
  return undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** The object of a structured line, which may follow a time and a level in columns. */
function structuredFields(line: string): Fields | undefined {
  const start = line.indexOf('{"');
  if (start < 0 || !line.endsWith('}')) return undefined;
  const before = line.slice(0, start);
  // Columns of a console encoder; a sentence before an object is a message that prints it.
  if (before !== '' && !before.endsWith('\t')) return undefined;
  try {
    const parsed: unknown = JSON.parse(line.slice(start));
    if (!isFields(parsed)) return undefined;
    if (before === '') return parsed;
    const columns = before.split('\t').filter((column) => column !== '');
    return { ...parsed, level: columns.find((column) => levelOf(column) !== undefined), msg: columns.at(-1) };
  } catch {
    return undefined;
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const levelFields = ['level', 'severity', 'lvl', 'log.level', 'levelname', 'loglevel', '@l', 's', 'LogLevel'];
const messageFields = ['msg', 'message', '@m', '@mt', 'event', 'Message', 'text', 'short_message'];
const errorFields = [
  'error',
  'err',
  'exception',
  'exc_info',
  'cause',
  'Exception',
  'error.message',
  '@x',
  'reason',
];
const traceFields = [
  'stack_trace',
  'stacktrace',
  'stack',
  'exc_info',
  'error.stack_trace',
  '@x',
  'Exception',
];

function readFields(fields: Fields): LogLine {
  // MongoDB, and what writes the fields of Rust's tracing.
  const nested = fields.attr ?? fields.fields;
  const all = isFields(nested) ? { ...nested, ...fields } : fields;
  const message = firstText(all, messageFields);
  const error = deepestError(all) ?? firstText(all, errorFields);
  const trace = firstText(all, traceFields) ?? '';
  const root = rootOf(trace) ?? rootOf(error ?? '');
  const said = [
    message === undefined ? undefined : (rootOf(message) ?? message),
    root ?? (error === undefined ? undefined : error.split('\n')[0]),
  ].filter((part, at, parts) => part !== undefined && part !== '' && parts.indexOf(part) === at);
  const text = boundText(said.join(': '), maxLine);
  const level = gravityOfField(levelFields.map((name) => all[name]).find((value) => value !== undefined));
  const named = level ?? (error !== undefined ? 3 : reportsFailure(text) ? 2 : 0);
  // An exception with its frames ended something, as in plain text. A warning with an error is a failure, and
  // so is information with an error that programs end with.
  const isFailure = error !== undefined && (level === 1 || (level === 0 && endingOf(error) !== undefined));
  const gravity = named === 3 && trace.includes('\n') ? 4 : isFailure ? 2 : named;
  return { text: text === '' ? boundText(JSON.stringify(fields), maxLine) : text, gravity, role: 'plain' };
}

function firstText(fields: Fields, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = fields[name];
    if (typeof value === 'string' && value !== '') return boundText(value, maxLine);
    if (isFields(value)) {
      const inner = firstText(value, ['message', 'msg', 'error', 'errmsg', 'type']);
      if (inner !== undefined) return inner;
    }
  }
  return undefined;
}

const causeFields = [
  'cause',
  'causedBy',
  'caused_by',
  'inner',
  'innerException',
  'InnerException',
  'exception',
];
/** Causes below each other; a longer chain is cut. */
const maxCauses = 12;

/** Of an error that is an object with causes in it, the type and message of the last; else `undefined`. */
function deepestError(fields: Fields): string | undefined {
  let found = errorFields.map((name) => fields[name]).find(isFields);
  if (found === undefined) return undefined;
  let depth = 0;
  for (let next = found; depth < maxCauses; depth += 1) {
    found = next;
    const below = causeFields.map((name) => found?.[name]).find(isFields);
    if (below === undefined) break;
    next = below;
  }
  if (depth === 0) return undefined;
  const type = firstText(found, ['exceptionType', 'type', 'class', 'name']);
  const message = firstText(found, ['message', 'msg', 'errmsg']);
  return message === undefined ? type : type === undefined ? message : `${type}: ${message}`;
}

/** Of a trace inside a field, the last cause; a line of Python's is the last one. */
function rootOf(trace: string): string | undefined {
  const lines = trace.split('\n').map((line) => line.trimEnd());
  if (lines.length < 2) return undefined;
  const cause = lines.findLast((line) => causes.test(line));
  if (cause !== undefined) return cause.trim();
  return lines[0]?.startsWith('Traceback') === true ? lines.findLast((line) => /^\S/.test(line)) : undefined;
}

/** Words, the numbers of pino and bunyan (50 is an error), or the letters of MongoDB. */
function gravityOfField(level: unknown): Gravity | undefined {
  if (typeof level === 'number') return level >= 60 ? 4 : level >= 50 ? 3 : level >= 40 ? 1 : 0;
  if (typeof level !== 'string') return undefined;
  const name = level.trim().toLowerCase();
  if (Object.hasOwn(levelNames, name)) return levelNames[name];
  return name.length === 1 ? klogLevels[name.toUpperCase()] : undefined;
}

/**
 * A logger that writes each line of a Python trace as a message of its own repeats its columns. They are
 * taken away below the banner of the trace, so that the lines read as the runtime wrote them.
 */
export function withoutTracePrefix(raw: readonly string[]): readonly string[] {
  let shape = '';
  return raw.map((line) => {
    const start = line.search(traceBanner);
    if (start >= 0) shape = line.slice(0, start).replace(/\d/g, '0');
    const repeats =
      shape.trim() !== '' &&
      line.length > shape.length &&
      line.slice(0, shape.length).replace(/\d/g, '0') === shape;
    if (!repeats) {
      shape = '';
      return line;
    }
    const rest = line.slice(shape.length);
    if (start < 0 && /^\S/.test(rest)) shape = '';
    return rest;
  });
}

const traceBanner = /Traceback \(most recent call last\):?$/;
