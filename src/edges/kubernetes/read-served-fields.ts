import { isKserveKind } from '../../engine/objects/inference-service.js';
import { servedField } from '../../engine/objects/snapshot.js';
import { isObject, type JsonObject } from '../../engine/objects/wire.js';
import type { Workload } from '../../engine/objects/workload.js';
import { namedOwnerOf, ownerFieldsOf } from '../../engine/parents/parent-resource.js';
import type { ApiCall } from './api-call.js';
import type { Gathering } from './gathering.js';
import { resourcePaths } from './resource-paths.js';

/**
 * Whether the definition of the object above the workload has the field for the strategy, where only some
 * releases do. The API server drops a field that it lacks. Everybody who is authenticated may read
 * definitions as OpenAPI (ClusterRole `system:discovery`). None where that could not be read: then a change
 * of the field is not offered.
 */
export async function readServedFields(
  call: ApiCall,
  gathering: Pick<Gathering, 'objects'>,
  workload: Workload,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const owner = namedOwnerOf(workload);
  if (owner?.kind !== 'LLMInferenceService' || !isKserveKind(owner.kind)) return [];
  if (gathering.objects()[owner.kind].length === 0) return [];
  const path = ownerFieldsOf(owner, { kind: workload.kind, name: workload.metadata.name })?.strategy;
  if (path === undefined) return [];
  const { group, version } = resourcePaths[owner.kind];
  try {
    const { status, body } = await call({ path: `/openapi/v3/apis/${group}/${version}`, signal });
    const schema = status === 200 ? schemaOf(body, owner.kind) : undefined;
    return schema !== undefined && hasField(schema, path) ? [servedField(owner.kind, path)] : [];
  } catch {
    return [];
  }
}

/** The schema of the objects of one kind, among those of all kinds and lists of a version. */
function schemaOf(document: unknown, kind: string): JsonObject | undefined {
  const schemas = partOf(partOf(document, 'components'), 'schemas');
  return Object.values(schemas)
    .filter(isObject)
    .find((schema) => {
      const kinds = schema['x-kubernetes-group-version-kind'];
      return Array.isArray(kinds) && kinds.some((each) => isObject(each) && each.kind === kind);
    });
}

function hasField(schema: JsonObject, [field, ...below]: readonly string[]): boolean {
  if (schema['x-kubernetes-preserve-unknown-fields'] === true || field === undefined) return true;
  const properties = partOf(schema, 'properties');
  return Object.hasOwn(properties, field) && hasField(partOf(properties, field), below);
}

function partOf(value: unknown, field: string): JsonObject {
  const part = isObject(value) && Object.hasOwn(value, field) ? value[field] : undefined;
  return isObject(part) ? part : {};
}
