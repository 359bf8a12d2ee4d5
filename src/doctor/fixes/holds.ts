import { redact, redactValue } from '../redaction/redact.js';
import { fieldAt } from './field-at.js';
import { canonicalJson, type FieldChange } from './plan.js';

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

/**
 * A field's value as records and people may have it: secrets replaced by markers, the rest as it is. `name`
 * is what the value is called where it stands: the field, the environment variable, the annotation.
 */
export function shownValue(name: string, value: unknown): unknown {
  if (typeof value === 'string') return redactValue(name, value);
  if (Array.isArray(value)) return value.map((item, position) => shownItem(name, value[position - 1], item));
  if (typeof value !== 'object' || value === null) return value;
  const called = 'name' in value && typeof value.name === 'string' ? value.name : undefined;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [
      key,
      shownValue(key === 'value' && called !== undefined ? called : key, field),
    ]),
  );
}

/** An argument after a flag is called as the flag is. */
function shownItem(list: string, before: unknown, item: unknown): unknown {
  if (typeof item !== 'string') return shownValue(list, item);
  const flag = typeof before === 'string' ? /^--?([\w-]+)$/u.exec(before)?.[1] : undefined;
  return flag === undefined ? redact(item) : redactValue(flag, item);
}

/** What the value at a path is called: the last step, or for `…[NAME].value` the name of the item. */
export function nameAt(path: string): string {
  const item = path.endsWith('].value') ? path.slice(0, -'].value'.length) : '';
  const opening = item.indexOf('[', item.lastIndexOf(']') + 1);
  if (opening >= 0) return item.slice(opening + 1);
  const last = path.endsWith(']') ? path.slice(0, -1) : path;
  const step = Math.max(...['.', '[', ']'].map((mark) => last.lastIndexOf(mark)));
  return last.slice(step + 1) || path;
}
