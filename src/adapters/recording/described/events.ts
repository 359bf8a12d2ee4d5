import { resourceKinds } from '../../../core/cluster/cluster-objects.js';
import type { TextObject } from './described-kind.js';
import { type Fields, fieldOf } from './fields.js';
import { cellOf, columnsOf, type Row, rowOf } from './tables.js';
import { eventAgeOf } from './times.js';

/** The object that an event is about, as far as the text states it. */
export interface About {
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
  return entries.flatMap(([line = '', ...further]) => {
    const row = rowOf(columns, line);
    const [age, message] = [cellOf(row, 'Age', 'LastSeen'), [cellOf(row, 'Message'), ...further].join('\n')];
    return textEvent(row, about, age, message);
  });
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
  return event;
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

/** Tables print kinds in lower case. A kind that no rule reads stays as it is printed. */
function kindNamed(text: string): string {
  const wanted = (text.split('.')[0] ?? '').toLowerCase();
  return resourceKinds.find((kind) => kind.toLowerCase() === wanted) ?? text;
}

function splitAt(text: string, separator: string): readonly [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + separator.length)];
}
