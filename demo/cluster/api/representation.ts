import type { ApiObject } from '../api-object.js';
import type { JsonObject } from '../json.js';
import { apiVersionOf, type ResourceType } from '../resources/resource-type.js';
import { type IncludeObject, partialMetadata, tableOf } from '../tables/table.js';
import { notAcceptable } from './status-error.js';

/** How an answer shows objects: as they are, as rows of a table, or their metadata alone. */
export type Representation = 'object' | 'table' | 'metadata';

/**
 * Reads an Accept header, best first in the order given. YAML is not served.
 *
 * @throws StatusError 406 when nothing in it can be served
 */
export function representationOf(accept: string | undefined): Representation {
  const ranges = (accept ?? '*/*').split(',').map((range) => range.trim());
  for (const range of ranges) {
    const [mediaType = '', ...parameters] = range.split(';').map((part) => part.trim());
    if (!['application/json', '*/*', 'application/*', ''].includes(mediaType)) continue;
    const as = parameters.find((parameter) => parameter.startsWith('as='))?.slice(3);
    const version = parameters.find((parameter) => parameter.startsWith('v='))?.slice(2) ?? 'v1';
    if (as === undefined) return 'object';
    if (version !== 'v1') continue;
    if (as === 'Table') return 'table';
    if (as === 'PartialObjectMetadata' || as === 'PartialObjectMetadataList') return 'metadata';
  }
  throw notAcceptable(['application/json']);
}

export interface View {
  readonly type: ResourceType;
  readonly as: Representation;
  readonly include: IncludeObject;
  readonly now: number;
}

/** One object as the request wants it; `object` is in the shape of the version asked for. */
export function showObject({ type, as, include, now }: View, object: ApiObject): JsonObject {
  if (as === 'metadata') return partialMetadata(object);
  if (as === 'object') return object;
  const { resourceVersion } = object.metadata;
  return tableOf(type.columns, [storedShape(type, object)], { resourceVersion }, include, now);
}

export function showList(
  { type, as, include, now }: View,
  items: readonly ApiObject[],
  metadata: JsonObject,
): JsonObject {
  if (as === 'table') {
    return tableOf(
      type.columns,
      items.map((item) => storedShape(type, item)),
      metadata,
      include,
      now,
    );
  }
  if (as === 'metadata') {
    const kind = 'PartialObjectMetadataList';
    return { kind, apiVersion: 'meta.k8s.io/v1', metadata, items: items.map(partialMetadata) };
  }
  return {
    kind: `${type.kind}List`,
    apiVersion: apiVersionOf(type),
    metadata,
    items: items.map(withoutType),
  };
}

/** Items of a list carry no type of their own. */
function withoutType({ kind: _kind, apiVersion: _apiVersion, ...item }: ApiObject): JsonObject {
  return item;
}

/** Table cells read the stored shape. */
function storedShape(type: ResourceType, object: ApiObject): ApiObject {
  return type.convert === undefined
    ? object
    : ({ ...type.convert.toStored(object), metadata: object.metadata } as ApiObject);
}
