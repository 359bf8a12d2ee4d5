import { numberAt, objectAt, textMapAt } from '../json.js';
import { ageColumn, mapText, nameColumn, selectorColumn, selectorText, templateColumns } from './cells.js';
import { column, type TableColumn, wideColumn } from './table.js';

function count(name: string, ...path: readonly string[]): TableColumn {
  return column(name, (object) => numberAt(object, ...path) ?? 0, 'integer');
}

export const deploymentColumns: readonly TableColumn[] = [
  nameColumn,
  column(
    'Ready',
    (object) =>
      `${numberAt(object, 'status', 'readyReplicas') ?? 0}/${numberAt(object, 'spec', 'replicas') ?? 0}`,
  ),
  count('Up-to-date', 'status', 'updatedReplicas'),
  count('Available', 'status', 'availableReplicas'),
  ageColumn,
  ...templateColumns,
  selectorColumn,
];

export const replicaSetColumns: readonly TableColumn[] = [
  nameColumn,
  count('Desired', 'spec', 'replicas'),
  count('Current', 'status', 'replicas'),
  count('Ready', 'status', 'readyReplicas'),
  ageColumn,
  ...templateColumns,
  selectorColumn,
];

export const statefulSetColumns: readonly TableColumn[] = [
  nameColumn,
  column(
    'Ready',
    (object) =>
      `${numberAt(object, 'status', 'readyReplicas') ?? 0}/${numberAt(object, 'spec', 'replicas') ?? 0}`,
  ),
  ageColumn,
  ...templateColumns,
];

export const daemonSetColumns: readonly TableColumn[] = [
  nameColumn,
  count('Desired', 'status', 'desiredNumberScheduled'),
  count('Current', 'status', 'currentNumberScheduled'),
  count('Ready', 'status', 'numberReady'),
  count('Up-to-date', 'status', 'updatedNumberScheduled'),
  count('Available', 'status', 'numberAvailable'),
  column('Node Selector', (object) => mapText(textMapAt(object, 'spec', 'template', 'spec', 'nodeSelector'))),
  ageColumn,
  ...templateColumns,
  selectorColumn,
];

export const jobColumns: readonly TableColumn[] = [
  nameColumn,
  column(
    'Completions',
    (object) =>
      `${numberAt(object, 'status', 'succeeded') ?? 0}/${numberAt(object, 'spec', 'completions') ?? 1}`,
  ),
  ageColumn,
  ...templateColumns,
  wideColumn('Selector', (object) => selectorText(objectAt(object, 'spec', 'selector'))),
];
