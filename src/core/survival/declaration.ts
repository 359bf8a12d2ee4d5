import type { ManagedFieldsEntry } from '../cluster/metadata.js';
import { apiVersionOf } from '../cluster/workload.js';
import { isApiDefault } from './api-defaults.js';
import type { RestsOn, Verdict } from './field-survival.js';
import { declaredIn, lastAppliedOf } from './last-applied.js';
import { type Ownership, ownershipOf } from './owned-fields.js';
import type { Writer } from './writers.js';
import type { WrittenObject } from './written-object.js';

/** A field of the workload and what the plan makes of it. */
export interface ChangedField {
  readonly path: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** Whether a writer declares a field, and what says so. */
export type Declaration = { readonly restsOn: readonly RestsOn[] } & (
  | { readonly type: 'undeclared' }
  /** `isCleared`: not itself, but a key beside it, so that a client-side apply takes it away. */
  | { readonly type: 'declared'; readonly isCleared?: boolean }
  | { readonly type: 'unknown'; readonly because: Extract<Verdict, { readonly type: 'unknown' }>['because'] }
);

/** How this program signs its writes. */
export const ourManager = 'rollout-doctor';

/**
 * Older entries of `Update` are merged into the first one; fields from before the first apply are the
 * second's.
 */
export const mergedManagers: ReadonlySet<string> = new Set(['ancient-changes', 'before-first-apply']);

/**
 * Whether the writer's source declares the field, by the best evidence there is: its `Apply` entry, which
 * lists exactly what it declared; the configuration of the last client-side apply; its `Update` entry, which
 * lists defaults as well.
 */
export function declarationOf(writer: Writer, field: ChangedField, workload: WrittenObject): Declaration {
  const entries = entriesOf(workload);
  const own = entries.filter(({ manager }) => manager === writer.manager);
  const applied = own.filter(({ operation }) => operation === 'Apply');
  if (applied.length > 0) return fromApply(applied, field, workload.kind, entries);
  if (readsLastApplied(writer)) {
    const manifest = lastAppliedOf(workload);
    if (manifest !== undefined) {
      const restsOn = [{ type: 'last-applied' }] as const;
      const declared = declaredIn(manifest, field.path, workload.kind);
      const isCleared = declared !== undefined && !('value' in declared);
      const isWanted = declared !== undefined && !isCleared && declared.value === field.after;
      return declared === undefined || isWanted
        ? { type: 'undeclared', restsOn }
        : { type: 'declared', isCleared, restsOn };
    }
  }
  return fromUpdate(own, field, workload.kind, entries);
}

/** Argo CD writes the annotation in a client-side sync, kubectl in every client-side apply. */
function readsLastApplied({ type }: Writer): boolean {
  return type === 'argo-cd' || type === 'kubectl';
}

function fromApply(
  applied: readonly ManagedFieldsEntry[],
  { path }: ChangedField,
  kind: string,
  entries: readonly ManagedFieldsEntry[],
): Declaration {
  const owning = applied.find((entry) => ownedBy(entry, path) !== 'none');
  const restsOn = basisOf(owning ?? applied[0]);
  if (owning !== undefined) {
    return isServed(owning, kind)
      ? { type: 'declared', restsOn }
      : { type: 'unknown', because: 'other-version', restsOn };
  }
  if (!applied.every((entry) => isServed(entry, kind)))
    return { type: 'unknown', because: 'other-version', restsOn };
  return takenBy(entries, path) ?? { type: 'undeclared', restsOn };
}

function fromUpdate(
  own: readonly ManagedFieldsEntry[],
  { path, before }: ChangedField,
  kind: string,
  entries: readonly ManagedFieldsEntry[],
): Declaration {
  const owning = own.find((entry) => ownedBy(entry, path) !== 'none');
  const restsOn = basisOf(owning ?? own[0]);
  if (owning !== undefined) {
    if (!isServed(owning, kind)) return { type: 'unknown', because: 'other-version', restsOn };
    return isApiDefault(kind, path, before)
      ? { type: 'unknown', because: 'default-value', restsOn }
      : { type: 'declared', restsOn };
  }
  const merged = entries.find(
    (entry) => mergedManagers.has(entry.manager) && ownedBy(entry, path) !== 'none',
  );
  if (merged !== undefined) return { type: 'unknown', because: 'merged-managers', restsOn: basisOf(merged) };
  if (own.length === 0) return { type: 'unknown', because: 'no-evidence', restsOn: [{ type: 'marks' }] };
  return takenBy(entries, path) ?? { type: 'undeclared', restsOn };
}

/** An update takes the fields it changes away from every other manager, also from one that declares them. */
function takenBy(entries: readonly ManagedFieldsEntry[], path: string): Declaration | undefined {
  const taking = entries.find(
    (entry) => entry.operation === 'Update' && isByHand(entry.manager) && ownedBy(entry, path) !== 'none',
  );
  return taking && { type: 'unknown', because: 'taken-by-another', restsOn: basisOf(taking) };
}

/**
 * Writes of people by kubectl, and ours. `kubectl create` and `kubectl apply` make objects rather than change
 * them.
 */
export function isByHand(manager: string): boolean {
  if (manager === 'kubectl-create' || manager === 'kubectl-client-side-apply') return false;
  return manager === ourManager || manager.startsWith('kubectl');
}

/** Entries of the object itself; those of subresources own no field that its owners declare. */
export function entriesOf({ metadata }: Pick<WrittenObject, 'metadata'>): readonly ManagedFieldsEntry[] {
  return metadata.managedFields.filter(({ subresource }) => subresource === '');
}

export function ownedBy({ fieldsV1 }: ManagedFieldsEntry, path: string): Ownership {
  return ownershipOf(fieldsV1, path);
}

/** The API server does not store `paused: false`: nobody owns the field then. */
export function isStored({ path, after }: ChangedField): boolean {
  return path !== 'spec.paused' || after === true;
}

/** Paths of a version other than that under which the workload is read are not compared. */
function isServed({ apiVersion }: ManagedFieldsEntry, kind: string): boolean {
  return apiVersion === '' || apiVersion === apiVersionOf(kind);
}

function basisOf(entry: ManagedFieldsEntry | undefined): readonly RestsOn[] {
  if (entry === undefined) return [{ type: 'marks' }];
  const { manager, operation } = entry;
  return [{ type: 'managed-fields', manager, operation }];
}
