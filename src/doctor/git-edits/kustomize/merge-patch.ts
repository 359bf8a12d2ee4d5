import { isObject, type JsonObject } from '../../../engine/objects/wire.js';

/**
 * The field that tells items of a list of a workload apart (`patchMergeKey` in kubernetes
 * `core/v1/types.go`). A list that is missing here is atomic: a patch replaces it.
 */
const mergeKeys: Readonly<Record<string, string>> = {
  containers: 'name',
  ephemeralContainers: 'name',
  env: 'name',
  hostAliases: 'ip',
  imagePullSecrets: 'name',
  initContainers: 'name',
  ports: 'containerPort',
  resourceClaims: 'name',
  schedulingGates: 'name',
  topologySpreadConstraints: 'topologyKey',
  volumeDevices: 'devicePath',
  volumeMounts: 'mountPath',
  volumes: 'name',
};

/** Whether names tell the items of this list apart. */
export function isNamedList(field: string): boolean {
  return Object.hasOwn(mergeKeys, field) && mergeKeys[field] === 'name';
}

/**
 * A workload with a strategic merge patch, as Kustomize merges it: `null` removes a field, new items of a
 * list come first (kyaml `merge2.go` with `MergeOptionsListPrepend`).
 *
 * @returns `undefined` for a patch with directives such as `$patch`, which are not modelled
 */
export function mergedPatch(target: JsonObject, patch: JsonObject): JsonObject | undefined {
  if (hasDirective(patch)) return undefined;
  return mergedObject(target, patch);
}

function mergedObject(target: JsonObject, patch: JsonObject): JsonObject {
  const result: Record<string, unknown> = { ...target };
  for (const [field, value] of Object.entries(patch)) {
    if (value === null) delete result[field];
    else result[field] = mergedValue(field, result[field], value);
  }
  return result;
}

function mergedValue(field: string, current: unknown, value: unknown): unknown {
  if (isObject(value)) return mergedObject(isObject(current) ? current : {}, value);
  const key = mergeKeys[field];
  if (!Array.isArray(value) || key === undefined) return value;
  const former: readonly unknown[] = Array.isArray(current) ? current : [];
  const items: readonly unknown[] = value;
  const idOf = (item: unknown): unknown => (isObject(item) ? item[key] : undefined);
  // Backwards, so that the first item of an id is the one that counts.
  const changes = new Map(items.toReversed().map((item) => [idOf(item), item]));
  const ids = new Set(former.map(idOf));
  const kept = former.map((item) => {
    const id = idOf(item);
    const change = id === undefined ? undefined : changes.get(id);
    return isObject(change) && isObject(item) ? mergedObject(item, change) : item;
  });
  const added = items.filter((item) => {
    const id = idOf(item);
    return id === undefined || !ids.has(id);
  });
  return [...added, ...kept];
}

function hasDirective(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasDirective);
  if (!isObject(value)) return false;
  return Object.entries(value).some(([field, inner]) => field.startsWith('$') || hasDirective(inner));
}
