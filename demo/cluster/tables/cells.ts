import type { ApiObject } from '../api-object.js';
import { humanDuration } from '../api-time.js';
import { listAt, objectAt, textAt, textMapAt, textsAt } from '../json.js';
import { column, type TableColumn, wideColumn } from './table.js';

export function ageOf(time: string | undefined, now: number): string {
  return time === undefined ? '<unknown>' : humanDuration(now - Date.parse(time));
}

export const nameColumn: TableColumn = column('Name', ({ metadata }) => metadata.name);
export const ageColumn: TableColumn = column('Age', ({ metadata }, now) =>
  ageOf(metadata.creationTimestamp, now),
);

/** `a=b,c in (d)`, `<none>` when empty (apimachinery `FormatLabelSelector`). */
export function selectorText(selector: unknown): string {
  const equal = Object.entries(textMapAt(selector, 'matchLabels')).map(([key, value]) => `${key}=${value}`);
  const expressions = listAt(selector, 'matchExpressions').map((expression) => {
    const key = textAt(expression, 'key') ?? '';
    const values = [...textsAt(expression, 'values')].sort().join(',');
    switch (textAt(expression, 'operator')) {
      case 'Exists':
        return key;
      case 'DoesNotExist':
        return `!${key}`;
      case 'NotIn':
        return `${key} notin (${values})`;
      default:
        return `${key} in (${values})`;
    }
  });
  const all = [...equal, ...expressions].sort();
  return all.length === 0 ? '<none>' : all.join(',');
}

export function mapText(map: Readonly<Record<string, string>>): string {
  const entries = Object.entries(map).map(([key, value]) => `${key}=${value}`);
  return entries.length === 0 ? '<none>' : entries.sort().join(',');
}

/** Columns of every object with a pod template. */
export const templateColumns: readonly TableColumn[] = [
  wideColumn('Containers', (object) => containerFields(object, 'name')),
  wideColumn('Images', (object) => containerFields(object, 'image')),
];

export const selectorColumn: TableColumn = wideColumn('Selector', (object) =>
  selectorText(objectAt(object, 'spec', 'selector')),
);

function containerFields(object: ApiObject, field: string): string {
  return listAt(object, 'spec', 'template', 'spec', 'containers')
    .map((container) => textAt(container, field) ?? '')
    .join(',');
}
