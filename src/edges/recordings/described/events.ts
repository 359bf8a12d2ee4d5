import { resourceKinds } from '../../../engine/objects/cluster-objects.js';
import { isObject } from '../../../engine/objects/wire.js';
import type { TextObject } from './described-kind.js';
import { eventAgeOf, type Fields, fieldOf } from './fields.js';

/** The object that an event is about, as far as the text states it. */
interface About {
  readonly kind: string;
  /** '' where the table has no such column. */
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** An event whose times are ages until it is known when the text was printed. */
export interface TextEvent extends TextObject {
  readonly kind: 'Event';
  readonly involvedObject: About & { readonly fieldPath?: string };
  readonly reason: string;
  readonly count: number;
  /** A table of `kubectl get events` has it, which lists those of all objects of a namespace. */
  readonly listed?: true;
  /** '' where the form prints none. */
  readonly source: { readonly component: string; readonly host: string };
  /** Seconds before the text was printed. */
  readonly firstAge: number;
  readonly lastAge: number;
}

export function isTextEvent(object: TextObject): object is TextEvent {
  return object.kind === 'Event' && 'firstAge' in object;
}

const describedTypes = /^ {2}(?:Normal|Warning)\s/u;

/** The events below the description of an object. Messages of several lines are printed as they are. */
export function eventsOf(fields: Fields, about: About): readonly TextEvent[] {
  const lines = fieldOf(fields, 'Events')?.lines ?? [];
  const start = lines.findIndex((line) => /^\s*Type\s+Reason\s+/u.test(line));
  if (start < 0) return [];
  const columns = columnsOf(lines[start] ?? '');
  const entries: string[][] = [];
  for (const line of lines.slice(start + 1)) {
    if (describedTypes.test(line)) entries.push([line]);
    else if (line.trim() !== '' && !/^[\s-]+$/u.test(line)) entries.at(-1)?.push(line.trim());
  }
  const events = entries.flatMap(([line = '', ...further]) => {
    const row = rowOf(columns, line);
    const [age, message] = [cellOf(row, 'Age', 'LastSeen'), [cellOf(row, 'Message'), ...further].join('\n')];
    return textEvent(row, about, age, message);
  });
  return events.filter((event, at) => at < events.length - 1 || !events.slice(0, at).some(isBegunBy(event)));
}

/**
 * Whether the text ends within an event, of which an earlier one states all. Names in quotation marks differ
 * between the pods of one controller.
 */
function isBegunBy(cut: TextEvent): (whole: TextEvent) => boolean {
  const begin = withoutNames(cut.message);
  return ({ reason, message }) => {
    const text = withoutNames(message);
    return (
      reason === cut.reason &&
      text.length > begin.length &&
      2 * begin.length > text.length &&
      text.startsWith(begin)
    );
  };
}

function withoutNames(message: unknown): string {
  return String(message).replaceAll(/"[^"\n]{0,300}(?:"|$)/gu, '"');
}

/** The titles of `kubectl get events` and `kubectl events`, of newer and older versions. */
export function isEventsHeader(line: string): boolean {
  return /^(?:NAMESPACE\s+)?LAST ?SEEN\s/u.test(line) && /\sREASON\s/u.test(line) && /\sMESSAGE/u.test(line);
}

/** A row of such a table; `undefined` for any other line. */
export function eventOfRow(header: string, line: string): TextEvent | undefined {
  const row = rowOf(columnsOf(header), line);
  const [kind, name] = row.has('KIND')
    ? [cellOf(row, 'KIND'), cellOf(row, 'NAME')]
    : splitAt(cellOf(row, 'OBJECT'), '/');
  if (kind === '' || name === '') return undefined;
  const about = { kind: kindNamed(kind), namespace: cellOf(row, 'NAMESPACE'), name, uid: '' };
  const [event] = textEvent(row, about, cellOf(row, 'LAST SEEN', 'LASTSEEN'), cellOf(row, 'MESSAGE'));
  return event && { ...event, listed: true };
}

function textEvent(row: Row, about: About, ages: string, text: string): readonly TextEvent[] {
  const age = eventAgeOf(ages);
  const type = cellOf(row, 'Type', 'TYPE');
  const reason = cellOf(row, 'Reason', 'REASON');
  if (age === undefined || !/^[A-Z]\w*$/u.test(type) || reason === '') return [];
  const [, stated, message = text] = /^(spec\.\w+\{[^{}]*\}): ([\s\S]*)$/u.exec(text) ?? [];
  const fieldPath = stated ?? cellOf(row, 'SUBOBJECT');
  const [component, host] = splitAt(cellOf(row, 'From', 'SOURCE'), ', ');
  const counted = Number(/^\d{1,9}$/u.exec(cellOf(row, 'COUNT'))?.[0] ?? age.count);
  const first = eventAgeOf(cellOf(row, 'FIRST SEEN', 'FIRSTSEEN', 'FirstSeen'))?.last ?? age.first;
  return [
    {
      kind: 'Event',
      metadata: { name: '', namespace: about.namespace, uid: '' },
      involvedObject: { ...about, ...(fieldPath !== '' && { fieldPath }) },
      type,
      reason,
      message: message.trim(),
      count: counted,
      source: { component, host },
      firstAge: Math.max(first, age.last),
      lastAge: age.last,
    },
  ];
}

/**
 * One event that several texts print. Each form leaves out something else: `kubectl get events` the first
 * time, the count and the source, a description the container.
 */
export function mergeEvents(one: TextEvent, other: TextEvent): TextEvent {
  const [newer, older] = other.lastAge < one.lastAge ? [other, one] : [one, other];
  return {
    ...older,
    ...newer,
    involvedObject: { ...older.involvedObject, ...newer.involvedObject },
    count: Math.max(newer.count, older.count),
    source: newer.source.component === '' ? older.source : newer.source,
    firstAge: Math.max(newer.firstAge, older.firstAge),
  };
}

/** Tables print kinds in lower case. A kind that no rule reads stays as it is printed. */
function kindNamed(text: string): string {
  const wanted = (text.split('.')[0] ?? '').toLowerCase();
  return resourceKinds.find((kind) => kind.toLowerCase() === wanted) ?? text;
}

function splitAt(text: string, separator: string): readonly [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + separator.length)];
}

/** Rows of a table that kubectl printed: cells by the title of their column. */
type Row = ReadonlyMap<string, string>;

/** Columns of one table. kubectl has at most about a dozen. */
const maxColumns = 40;

interface Column {
  readonly title: string;
  /** `undefined` where single spaces separate the columns. */
  readonly from: number | undefined;
}

/**
 * The columns of a line of titles. Titles may contain single spaces (`LAST SEEN`); at least two, or a tab,
 * separate them. Where a chat left single ones, the words that kubectl uses show the titles.
 */
export function columnsOf(header: string): readonly Column[] {
  const columns: Column[] = [];
  if (!/\S(?:\t|\s{2,})\S/u.test(header)) {
    return titlesByForm(header)
      .slice(0, maxColumns)
      .map((title) => ({ title, from: undefined }));
  }
  for (const match of header.matchAll(/\S+(?: \S+)*/gu)) {
    if (columns.length === maxColumns) break;
    columns.push({ title: match[0], from: match.index });
  }
  return columns;
}

/**
 * Cells stand below their titles, so that an empty one is seen. Where a table was pasted and moved, or rows
 * were printed later with other widths, the forms of the cells show them.
 */
function rowOf(columns: readonly Column[], line: string): Row {
  const isAligned =
    !line.includes('\t') &&
    columns.every(
      ({ from }) =>
        from !== undefined && (from === 0 || from >= line.length || /\s/u.test(line[from - 1] ?? ' ')),
    );
  const titles = columns.map(({ title }) => title);
  const cells = isAligned ? alignedCells(columns, line) : cellsByForm(titles, line);
  return new Map(titles.map((title, at) => [title, cells[at] ?? '']));
}

function alignedCells(columns: readonly Column[], line: string): readonly string[] {
  return columns.map(({ from }, at) => line.slice(from, columns[at + 1]?.from).trim());
}

/** The rows below a line of titles, of a table within a description: the first line holds the titles. */
export function rowsOf(lines: readonly string[]): readonly Row[] {
  const at = lines.findIndex((line) => line.trim() !== '');
  const columns = columnsOf(lines[at] ?? '');
  return lines
    .slice(at + 1)
    .filter((line) => line.trim() !== '' && !/^[\s-]+$/u.test(line))
    .map((line) => rowOf(columns, line));
}

function cellOf(row: Row, ...titles: readonly string[]): string {
  for (const title of titles) {
    const cell = row.get(title);
    if (cell !== undefined) return cell;
  }
  return '';
}

/** Events of kubelets about one container (`pkg/kubelet/events/event.go`: containers, images, probes). */
const ofContainers: ReadonlySet<string> = new Set([
  'Created',
  'Started',
  'Failed',
  'Killing',
  'BackOff',
  'ExceededGracePeriod',
  'Pulling',
  'Pulled',
  'InspectFailed',
  'ErrImageNeverPull',
  'Unhealthy',
  'ProbeWarning',
  'FailedPostStartHook',
  'FailedPreStopHook',
  'UnfinishedPreStopHook',
]);

/**
 * The path of the container that an event is about. Older versions and tables leave it out: then it is the
 * only container of the pod, or the only one whose name or image the message contains.
 */
export function containerPathOf(event: TextEvent, pod: TextObject | undefined): string | undefined {
  const { involvedObject, reason } = event;
  if (involvedObject.fieldPath !== undefined) return involvedObject.fieldPath;
  if (!ofContainers.has(reason) || pod === undefined || !isObject(pod.spec)) return undefined;
  const all = [...containersIn(pod.spec, 'initContainers'), ...containersIn(pod.spec, 'containers')];
  const message = typeof event.message === 'string' ? event.message : '';
  const words = new Set(message.split(/[\s"',]+/u).map((word) => word.replace(/[:.]$/u, '')));
  const named = all.length === 1 ? all : all.filter(({ name }) => words.has(name));
  const meant = named.length > 0 ? named : all.filter(({ image }) => words.has(image));
  const [only] = meant;
  return only === undefined || meant.length > 1 ? undefined : `spec.${only.list}{${only.name}}`;
}

function containersIn(spec: Readonly<Record<string, unknown>>, list: 'initContainers' | 'containers') {
  const containers = Array.isArray(spec[list]) ? spec[list] : [];
  return containers.flatMap((container: unknown) =>
    isObject(container) ? [{ list, name: String(container.name), image: String(container.image) }] : [],
  );
}

/**
 * Tables whose cells no longer stand below their titles: chats and pages collapse spaces to one, and other
 * programs put tabs in their place. Titles and cells are then known by their form alone.
 */

/** Titles of kubectl that contain a space. Every other word is a title of its own. */
const titleForm = /(?:LAST|FIRST) SEEN|(?:CPU|Memory) (?:Requests|Limits)|\S{1,300}/gu;

/** The titles of a line that has single spaces only. */
function titlesByForm(header: string): readonly string[] {
  return header.trim().match(titleForm) ?? [];
}

const word = /^\S{1,1000}/u;
/** `10s (x14 over 30m)`. */
const age = /^\S{1,40}(?: \(x\d{1,9} over \S{1,20}\))?/u;
const time = /^\S{3}, \d{1,2} \S{3} \d{4} \S{8} \S{5}/u;
/** `250m (12%)`; extended resources have no share. */
const amount = /^\S{1,100}(?: \(\d{1,9}%\))?/u;
/** A component, and the node that it is on. */
const source = /^\S{1,300}, \S{1,300}|^\S{1,300}/u;
const subobject = /^(?:spec\.\w{1,60}\{[^{}\s]{0,300}\})?/u;

/** Forms of cells that contain a space, or may be empty, by their titles. */
const forms: ReadonlyMap<string, RegExp> = new Map([
  ['LAST SEEN', age],
  ['FIRST SEEN', age],
  ['Age', age],
  ['LastHeartbeatTime', time],
  ['LastTransitionTime', time],
  ['CPU Requests', amount],
  ['CPU Limits', amount],
  ['Memory Requests', amount],
  ['Memory Limits', amount],
  ['Requests', amount],
  ['Limits', amount],
  ['From', source],
  ['SOURCE', source],
  ['SUBOBJECT', subobject],
  ['SubObjectPath', subobject],
]);

/** A message may contain anything: the columns behind it have one word each, and are read from the end. */
const isMessage = (title: string): boolean => title === 'MESSAGE' || title === 'Message';

/** The cells of a row, in the order of the titles; '' where a cell is missing. */
function cellsByForm(titles: readonly string[], line: string): readonly string[] {
  const message = titles.findIndex(isMessage);
  let rest = line.trim();
  const cells: string[] = [];
  for (const title of message < 0 ? titles : titles.slice(0, message)) {
    const [cell = ''] = (forms.get(title) ?? word).exec(rest) ?? [];
    cells.push(cell);
    rest = rest.slice(cell.length).trimStart();
  }
  if (message < 0) return cells;
  const last: string[] = [];
  for (let behind = titles.length - message - 1; behind > 0; behind -= 1) {
    const at = rest.search(/\s\S{0,1000}$/u);
    last.unshift(rest.slice(at + 1));
    rest = rest.slice(0, Math.max(at, 0)).trimEnd();
  }
  return [...cells, rest, ...last];
}
