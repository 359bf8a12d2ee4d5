import { parseQuantity } from '#src/engine/scheduler/quantity.js';
import { badRequest } from '../api/status-error.js';
import { isObject, type JsonObject, objectAt, textMapAt, valueAt } from '../json.js';
import { allContainers } from '../resources/pod-defaults.js';
import type { ResourceType } from '../resources/resource-type.js';

type WireType = 'int32' | 'bool' | 'string' | 'object' | 'list';

/**
 * Fields whose JSON type is checked as Go's decoder would; those that requests of people and tools get wrong.
 */
const fields: readonly { readonly path: string; readonly owner: string; readonly type: WireType }[] = [
  { path: 'spec.replicas', owner: 'Spec', type: 'int32' },
  { path: 'spec.minReadySeconds', owner: 'Spec', type: 'int32' },
  { path: 'spec.progressDeadlineSeconds', owner: 'Spec', type: 'int32' },
  { path: 'spec.revisionHistoryLimit', owner: 'Spec', type: 'int32' },
  { path: 'spec.paused', owner: 'Spec', type: 'bool' },
  { path: 'spec.unschedulable', owner: 'Spec', type: 'bool' },
  { path: 'spec.strategy.type', owner: 'Strategy', type: 'string' },
  { path: 'spec.template', owner: 'Spec', type: 'object' },
  { path: 'spec.nodeName', owner: 'Spec', type: 'string' },
];

const goNames: Readonly<Record<WireType, string>> = {
  int32: 'int32',
  bool: 'bool',
  string: 'string',
  object: 'map[string]interface {}',
  list: '[]interface {}',
};

/** @throws StatusError 400 naming the first field with a JSON type that it cannot have */
export function assertWireTypes(type: ResourceType, body: JsonObject): void {
  const problem = wireTypeProblem(type, body);
  if (problem === undefined) return;
  throw badRequest(
    `${type.kind} in version "${type.version}" cannot be handled as a ${type.kind}: ${problem}`,
  );
}

export function wireTypeProblem(type: ResourceType, body: JsonObject): string | undefined {
  for (const { path, owner, type: wanted } of fields) {
    const value = valueAt(body, ...path.split('.'));
    if (value === undefined || hasType(value, wanted)) continue;
    return `json: cannot unmarshal ${jsonTypeOf(value)} into Go struct field ${type.kind}${owner}.${path} of type ${goNames[wanted]}`;
  }
  for (const field of ['labels', 'annotations']) {
    const map = valueAt(body, 'metadata', field);
    if (map === undefined) continue;
    const wrong = isObject(map)
      ? Object.values(map).find((value) => typeof value !== 'string' && value !== null)
      : map;
    if (wrong === undefined) continue;
    return `json: cannot unmarshal ${jsonTypeOf(wrong)} into Go struct field ObjectMeta.metadata.${field} of type string`;
  }
  return quantityProblem(body);
}

const quantityDetail =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

function quantityProblem(body: JsonObject): string | undefined {
  const specs = [objectAt(body, 'spec'), objectAt(body, 'spec', 'template', 'spec')];
  const quantities = specs
    .flatMap(allContainers)
    .flatMap((container) => [
      ...Object.values(textMapAt(container, 'resources', 'requests')),
      ...Object.values(textMapAt(container, 'resources', 'limits')),
    ]);
  return quantities.some((text) => parseQuantity(text) === undefined) ? quantityDetail : undefined;
}

function hasType(value: unknown, type: WireType): boolean {
  switch (type) {
    case 'int32':
      return typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 2 ** 31;
    case 'bool':
      return typeof value === 'boolean';
    case 'string':
      return typeof value === 'string';
    case 'object':
      return isObject(value);
    case 'list':
      return Array.isArray(value);
  }
}

function jsonTypeOf(value: unknown): string {
  if (typeof value === 'number') return Number.isInteger(value) ? 'number' : `number ${value}`;
  if (typeof value === 'boolean') return 'bool';
  if (Array.isArray(value)) return 'array';
  return typeof value;
}
