import type { ApiObject } from '../api-object.js';
import type { JsonObject } from '../json.js';

/** One column of a printed list; `wide` ones show with `-o wide` only. */
export interface TableColumn {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'boolean';
  readonly wide: boolean;
  readonly cell: (object: ApiObject, now: number) => string | number | boolean;
}

export type IncludeObject = 'None' | 'Metadata' | 'Object';

export function column(
  name: string,
  cell: TableColumn['cell'],
  type: TableColumn['type'] = 'string',
): TableColumn {
  return { name, type, wide: false, cell };
}

export function wideColumn(name: string, cell: TableColumn['cell']): TableColumn {
  return { name, type: 'string', wide: true, cell };
}

/** `meta.k8s.io/v1` Table of these objects, as kubectl asks for it. */
export function tableOf(
  columns: readonly TableColumn[],
  objects: readonly ApiObject[],
  metadata: JsonObject,
  include: IncludeObject,
  now: number,
): JsonObject {
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata,
    columnDefinitions: columns.map(({ name, type, wide }) => ({
      name,
      type,
      format: name === 'Name' ? 'name' : '',
      description: '',
      priority: wide ? 1 : 0,
    })),
    rows: objects.map((object) => ({
      cells: columns.map(({ cell }) => cell(object, now)),
      ...(include === 'None' ? {} : { object: include === 'Object' ? object : partialMetadata(object) }),
    })),
  };
}

/** An object reduced to its metadata. */
export function partialMetadata(object: ApiObject): JsonObject {
  return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: object.metadata };
}
