import { isEventsHeader } from './events.js';

/** A part of a text file, and the line that it starts on, from 1. */
export type TextPart =
  | { readonly type: 'json' | 'yaml'; readonly line: number; readonly text: string }
  /** One object of `kubectl describe`. */
  | { readonly type: 'described'; readonly line: number; readonly lines: readonly string[] }
  /** `kubectl get events`. */
  | {
      readonly type: 'events';
      readonly line: number;
      readonly header: string;
      readonly rows: readonly string[];
    }
  /** Any other `kubectl get`, which states too little of its objects. */
  | { readonly type: 'table'; readonly line: number; readonly header: string; readonly firstRow: string }
  /** The log of a container, as `kubectl cluster-info dump` prints it. */
  | {
      readonly type: 'log';
      readonly line: number;
      readonly namespace: string;
      readonly pod: string;
      readonly container: string;
      readonly lines: readonly string[];
    };

type Start = TextPart['type'] | undefined;

const logStart = /^==== START logs for container (\S{1,300}) of pod ([^\s/]{1,300})\/(\S{1,300}) ====$/u;
/** What a watch prints of an object, in the order of its keys. */
const watchedLine = /^object:\s*$/u;
const yamlLine = /^(?:[a-z][A-Za-z]*:|-|#|\s|\.\.\.|$)/u;
/**
 * A description begins with its name. Names within one, whose indent a chat took away, have other fields
 * behind them: those of a ConfigMap in a volume and of a claim of a StatefulSet.
 */
const descriptionNext = /^(?!(?:Optional|StorageClass):)[A-Z][A-Za-z -]*:/u;
const tableHeader = /^(?:EVENT\s+)?(?:NAMESPACE\s+)?NAME(?:\s{2,}[A-Z][A-Z()-]*(?: [A-Z()-]+)*)+\s*$/u;

/**
 * The parts of a text that may hold anything: several documents one after the other, descriptions, tables,
 * logs, and what people wrote between them, which belongs to no part. Each part is recognised by the two
 * lines that it starts with.
 *
 * @param max parts, after which one more is read and no further ones
 */
export function splitText(text: string, max: number): readonly TextPart[] {
  const lines = text.split('\n');
  const parts: TextPart[] = [];
  let at = 0;
  while (at < lines.length && parts.length <= max) {
    const start = startAt(lines, at);
    if (start === undefined) {
      at += 1;
      continue;
    }
    const [part, end] = partAt(start, lines, at);
    parts.push(part);
    at = Math.max(end, at + 1);
  }
  return parts;
}

/** Whether a part begins on one of these lines. */
export function holdsPart(lines: readonly string[]): boolean {
  return lines.some((_, at) => startAt(lines, at) !== undefined);
}

function startAt(lines: readonly string[], at: number): Start {
  const line = lines[at] ?? '';
  const next = lines[at + 1] ?? '';
  switch (line[0]) {
    case 'N':
      if (/^Name:\s+\S/u.test(line) && descriptionNext.test(next)) return 'described';
      return isEventsHeader(line) ? 'events' : tableHeader.test(line) ? 'table' : undefined;
    case 'E':
      return tableHeader.test(line) ? 'table' : undefined;
    case 'o':
      return watchedLine.test(line) && /^\s+[a-z]/u.test(next) ? 'yaml' : undefined;
    case 'L':
      return isEventsHeader(line) ? 'events' : undefined;
    case '=':
      return logStart.test(line) ? 'log' : undefined;
    case '{':
      return /^\{\s*(?:"|$)/u.test(line) && (line.length > 1 || /^\s*["}]/u.test(next)) ? 'json' : undefined;
    case '[':
      return /^\[\{"/u.test(line) || (line === '[' && /^\s*\{/u.test(next)) ? 'json' : undefined;
    case 'a':
      return /^apiVersion:\s/u.test(line) ? 'yaml' : undefined;
    case 'k':
      return /^kind:\s/u.test(line) ? 'yaml' : undefined;
    case 'i':
      return /^items:\s*$/u.test(line) && /^\s*-/u.test(next) ? 'yaml' : undefined;
    default:
      return undefined;
  }
}

function partAt(start: TextPart['type'], lines: readonly string[], at: number): readonly [TextPart, number] {
  const line = at + 1;
  const header = lines[at] ?? '';
  switch (start) {
    case 'json': {
      const { end, column } = endOfJson(lines, at);
      const last = (lines[end - 1] ?? '').slice(0, column);
      return [{ type: 'json', line, text: [...lines.slice(at, end - 1), last].join('\n') }, end];
    }
    case 'yaml': {
      const end = endOfYaml(lines, at);
      return [{ type: 'yaml', line, text: lines.slice(at, end).join('\n') }, end];
    }
    case 'described': {
      const end = endWhere(
        lines,
        at + 1,
        (each) => startAt(lines, each) !== undefined || isCommand(lines[each]),
      );
      return [{ type: 'described', line, lines: lines.slice(at, end) }, end];
    }
    case 'events':
    case 'table': {
      const end = endWhere(
        lines,
        at + 1,
        (each) =>
          (lines[each] ?? '').trim() === '' || startAt(lines, each) !== undefined || isCommand(lines[each]),
      );
      return start === 'events'
        ? [{ type: 'events', line, header, rows: lines.slice(at + 1, end) }, end]
        : [{ type: 'table', line, header, firstRow: end > at + 1 ? (lines[at + 1] ?? '') : '' }, end];
    }
    case 'log':
      return logAt(lines, at);
  }
}

/** A command line that was copied with its prompt. */
function isCommand(line: string | undefined): boolean {
  return (
    line !== undefined &&
    /^(?:[^\s]{0,100}\s?)?[$#%>❯]\s{1,8}(?:\S{1,100}\s{1,8})?(?:kubectl|oc|k)\s/u.test(line)
  );
}

function endWhere(lines: readonly string[], from: number, isEnd: (at: number) => boolean): number {
  let at = from;
  while (at < lines.length && !isEnd(at)) at += 1;
  return at;
}

/**
 * The line behind the last bracket, and the column behind it, where a prompt may follow; behind the text
 * where the JSON ends too early.
 */
function endOfJson(
  lines: readonly string[],
  from: number,
): { readonly end: number; readonly column?: number } {
  let depth = 0;
  for (let at = from; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    // A string of JSON ends on its line.
    let inString = false;
    for (let column = 0; column < line.length; column += 1) {
      const character = line[column];
      if (inString) {
        if (character === '\\') column += 1;
        else if (character === '"') inString = false;
      } else if (character === '"') inString = true;
      else if (character === '{' || character === '[') depth += 1;
      else if (character === '}' || character === ']') {
        depth -= 1;
        if (depth <= 0) return { end: at + 1, column: column + 1 };
      }
    }
  }
  return { end: lines.length };
}

/** One document: a key at the left margin that it already has begins the next one. */
function endOfYaml(lines: readonly string[], from: number): number {
  const keys = new Set<string>();
  for (let at = from; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (at > from && (/^---(?:\s|$)/u.test(line) || !yamlLine.test(line))) return at;
    const key = /^(apiVersion|kind|object):/u.exec(line)?.[1];
    if (key === undefined) continue;
    if (keys.has(key)) return at;
    keys.add(key);
  }
  return lines.length;
}

/** A log need not end with a line feed, so that its end may stand behind its last line. */
function logAt(lines: readonly string[], at: number): readonly [TextPart, number] {
  const [, container = '', namespace = '', pod = ''] = logStart.exec(lines[at] ?? '') ?? [];
  const marker = `==== END logs for container ${container} of pod ${namespace}/${pod} ====`;
  const end = endWhere(lines, at + 1, (each) => (lines[each] ?? '').endsWith(marker));
  const last = (lines[end] ?? '').slice(0, -marker.length);
  const content = [...lines.slice(at + 1, end), ...(last === '' ? [] : [last])];
  const isFailure =
    content.length === 1 && /^(?:Create log request|Request log) error: /u.test(content[0] ?? '');
  const log = { namespace, pod, container, lines: isFailure ? [] : content };
  return [{ type: 'log', line: at + 1, ...log }, Math.min(end + 1, lines.length)];
}
