import { fieldAt } from './field-at.js';
import { canonicalJson, type FieldChange } from './plan.js';
import { nameAt, shownValue } from './shown-value.js';

/**
 * Whether a value read from the cluster is the one a change wrote, as far as redaction lets it be compared.
 */
export function isAfter({ path, after }: FieldChange, found: unknown): boolean {
  return canonicalJson(shownValue(nameAt(path), found) ?? null) === canonicalJson(after ?? null);
}

/** Planned fields of an object that hold another value, with what was planned and what was found. */
export function otherFields(changes: readonly FieldChange[], object: unknown): readonly FieldChange[] {
  return changes.flatMap((change) => {
    const { path, after } = change;
    const found = fieldAt(object, path);
    return isAfter(change, found) ? [] : [{ path, before: after, after: shownValue(nameAt(path), found) }];
  });
}
