import type { ApiObject, ManagedFieldsEntry } from '../api-object.js';
import type { JsonObject } from '../json.js';
import { changedLeaves, type FieldSet, fromFieldsV1, leavesOf, toFieldsV1 } from './field-set.js';

export interface Writer {
  /** The `fieldManager` parameter, or the first part of the user agent. */
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  /** '' for the object itself. */
  readonly subresource: string;
  /** RFC3339. */
  readonly time: string;
}

/**
 * `metadata.managedFields` after a write: the writer owns what it changed, and whoever owned that no longer
 * does. Owned fields that are gone from the object leave every set.
 */
export function managedAfterUpdate(
  before: ApiObject | undefined,
  after: ApiObject,
  writer: Writer,
): ManagedFieldsEntry[] {
  const changed = changedLeaves(after.kind, before ?? {}, after);
  const present = new Set(leavesOf(after.kind, after).keys());
  return rewrite(after, writer, present, (entry, own) =>
    isOf(entry, writer) ? new Set([...own, ...changed]) : minus(own, changed),
  );
}

/** After an apply: the writer owns exactly what it sent; with `force` it takes it from the others. */
export function managedAfterApply(after: ApiObject, applied: JsonObject, writer: Writer, taken: FieldSet) {
  const sent = new Set(leavesOf(after.kind, applied).keys());
  const present = new Set(leavesOf(after.kind, after).keys());
  return rewrite(after, writer, present, (entry, own) => (isOf(entry, writer) ? sent : minus(own, taken)));
}

export function isOf(entry: ManagedFieldsEntry, writer: Writer): boolean {
  return (
    entry.manager === writer.manager &&
    entry.operation === writer.operation &&
    (entry.subresource ?? '') === writer.subresource
  );
}

function rewrite(
  after: ApiObject,
  writer: Writer,
  present: FieldSet,
  ownedBy: (entry: ManagedFieldsEntry, own: FieldSet) => FieldSet,
): ManagedFieldsEntry[] {
  const entries = after.metadata.managedFields ?? [];
  const blank: ManagedFieldsEntry = {
    manager: writer.manager,
    operation: writer.operation,
    apiVersion: after.apiVersion,
    time: writer.time,
    fieldsType: 'FieldsV1',
    fieldsV1: {},
    ...(writer.subresource === '' ? {} : { subresource: writer.subresource }),
  };
  const all = entries.some((entry) => isOf(entry, writer)) ? entries : [...entries, blank];
  return all.flatMap((entry) => {
    const own = fromFieldsV1(entry.fieldsV1);
    const next = new Set([...ownedBy(entry, own)].filter((path) => present.has(path)));
    if (next.size === 0) return [];
    const time = isOf(entry, writer) && !isSame(own, next) ? writer.time : entry.time;
    return [{ ...entry, time, fieldsV1: isSame(own, next) ? entry.fieldsV1 : toFieldsV1(next) }];
  });
}

function minus(fields: FieldSet, taken: FieldSet): FieldSet {
  return new Set([...fields].filter((path) => !taken.has(path)));
}

function isSame(a: FieldSet, b: FieldSet): boolean {
  return a.size === b.size && [...a].every((path) => b.has(path));
}
