import type { JsonObject } from '../json.js';
import { apiVersionOf, type ResourceType } from '../resources/resource-type.js';
import { resourceTypes } from '../resources/resource-types.js';
import { typesOf } from './discovery.js';

/** `/openapi/v3`: where the documents of each group lie. */
export function openApiIndex(): JsonObject {
  const versions = [...new Set(resourceTypes.map(apiVersionOf))];
  const paths = versions.map((version) => {
    const path = version.includes('/') ? `apis/${version}` : `api/${version}`;
    return [path, { serverRelativeURL: `/openapi/v3/${path}` }];
  });
  return { paths: Object.fromEntries(paths) };
}

/**
 * `/openapi/v3/apis/apps/v1`: as much as kubectl reads before it writes, which is whether the server
 * validates fields and knows dry runs. It describes no fields: `kubectl explain` has nothing to show.
 */
export function openApiDocument(group: string, version: string): JsonObject {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const paths = typesOf(group, version).flatMap((type) => {
    const collection = type.namespaced
      ? `${root}/namespaces/{namespace}/${type.plural}`
      : `${root}/${type.plural}`;
    return [
      [collection, { post: operation(type, 'post') }],
      [`${collection}/{name}`, { patch: operation(type, 'patch'), put: operation(type, 'put') }],
    ];
  });
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: 'unversioned' },
    paths: Object.fromEntries(paths),
    components: { schemas: {} },
  };
}

function operation({ group, version, kind }: ResourceType, action: string): JsonObject {
  const parameter = (name: string): JsonObject => ({
    name,
    in: 'query',
    schema: { type: 'string', uniqueItems: true },
  });
  return {
    parameters: ['dryRun', 'fieldManager', 'fieldValidation'].map(parameter),
    responses: {},
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': { group, version, kind },
  };
}
