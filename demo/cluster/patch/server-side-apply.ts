import { StatusError } from '../api/status-error.js';
import type { ApiObject, ManagedFieldsEntry } from '../api-object.js';
import { copy, isObject, type JsonObject, sameJson } from '../json.js';
import { type FieldSet, fieldText, fromFieldsV1, leavesOf, stepsOf } from './field-set.js';
import { isOf, type Writer } from './managed-fields.js';
import { applyStrategicMerge } from './strategic-merge.js';

export interface Applied {
  readonly object: JsonObject;
  /** Fields that the writer takes over from others. */
  readonly taken: FieldSet;
}

/**
 * Server-side apply on an existing object: what is sent is merged in, and what this manager applied before
 * and no longer sends is removed unless somebody else owns it.
 *
 * @throws StatusError 409 with one cause for each field that another manager owns with another value, unless
 *   `force`
 */
export function applyConfiguration(
  live: ApiObject,
  sent: JsonObject,
  writer: Writer,
  force: boolean,
): Applied {
  const entries = live.metadata.managedFields ?? [];
  const others = entries.filter((entry) => !isOf(entry, writer));
  const values = leavesOf(live.kind, live);
  const leaves = leavesOf(live.kind, sent);
  const differing = [...leaves].filter(
    ([path, value]) => values.has(path) && !sameJson(values.get(path), value),
  );
  const conflicts = differing.flatMap(([path]) =>
    others.filter((entry) => fromFieldsV1(entry.fieldsV1).has(path)).map((entry) => ({ entry, path })),
  );
  if (conflicts.length > 0 && !force) throw applyConflict(conflicts);
  const owned = entries.find((entry) => isOf(entry, writer));
  const dropped = [...fromFieldsV1(owned?.fieldsV1)].filter(
    (path) => !leaves.has(path) && !others.some((entry) => fromFieldsV1(entry.fieldsV1).has(path)),
  );
  const pruned = copy<JsonObject>(live);
  for (const path of dropped) removeField(pruned, stepsOf(path));
  return {
    object: applyStrategicMerge(live.kind, pruned, sent),
    taken: new Set(differing.map(([path]) => path)),
  };
}

function applyConflict(conflicts: readonly { readonly entry: ManagedFieldsEntry; readonly path: string }[]) {
  const told = conflicts.map(
    ({ entry, path }) => `conflict with "${entry.manager}" using ${entry.apiVersion}: ${fieldText(path)}`,
  );
  const count = conflicts.length === 1 ? '1 conflict' : `${conflicts.length} conflicts`;
  const causes = conflicts.map(({ entry, path }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with "${entry.manager}" using ${entry.apiVersion}`,
    field: fieldText(path),
  }));
  return new StatusError(409, 'Conflict', `Apply failed with ${count}: ${told.join('\n')}`, {
    details: { causes },
  });
}

/** Removes a leaf, and the objects on the way that become empty. */
function removeField(target: unknown, steps: readonly string[]): void {
  const [step, ...rest] = steps;
  if (step === undefined) return;
  if (step.startsWith('f:') && isObject(target)) {
    const key = step.slice(2);
    if (rest.length > 0) removeField(target[key], rest);
    const child = target[key];
    const isEmpty = isObject(child) && Object.keys(child).length === 0;
    if (rest.length === 0 || isEmpty) delete target[key];
    return;
  }
  if (!Array.isArray(target)) return;
  const index = target.findIndex((item) => matchesStep(item, step));
  if (index === -1) return;
  const item: unknown = target[index];
  if (rest.length > 0) removeField(item, rest);
  if (rest.length === 0 || (isObject(item) && Object.keys(item).length === 0)) target.splice(index, 1);
}

function matchesStep(item: unknown, step: string): boolean {
  const wanted: unknown = JSON.parse(step.slice(2));
  if (step.startsWith('v:')) return sameJson(item, wanted);
  return (
    isObject(item) &&
    isObject(wanted) &&
    Object.entries(wanted).every(([key, value]) => sameJson(item[key], value))
  );
}
