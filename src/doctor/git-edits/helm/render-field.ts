import { isObject } from '../../../engine/objects/wire.js';
import { valueAt } from '../kustomize/transform.js';
import type { FieldNode, TemplateField } from './template-field.js';
import type { ValueExpression, ValuePath } from './value-expression.js';

/** What a field becomes with some values: `data` is `undefined` where it is absent. */
export type RenderedField =
  | { readonly type: 'rendered'; readonly data: unknown }
  /** The value is printed as a text that YAML may read otherwise. */
  | { readonly type: 'unknown' };

const unknown = { type: 'unknown' } as const;
const absent = { type: 'rendered', data: undefined } as const;

/** The field as Helm renders it; an empty field counts as absent, as the API server reads it. */
export function renderField({ guards, node }: TemplateField, values: unknown): RenderedField {
  return isEveryTrue(guards, values) ? rendered(node, values) : absent;
}

function rendered(node: FieldNode, values: unknown): RenderedField {
  if (node.type === 'literal') return { type: 'rendered', data: withoutNulls(node.data) };
  if (node.type === 'value') {
    return isEveryTrue(node.guards, values) ? written(node.value, values) : absent;
  }
  const fields: Record<string, unknown> = {};
  for (const { key, guards, node: inner } of node.entries) {
    if (!isEveryTrue(guards, values)) continue;
    const field = rendered(inner, values);
    if (field.type === 'unknown') return unknown;
    if (field.data !== undefined) fields[key] = field.data;
  }
  return { type: 'rendered', data: fields };
}

function written({ path, as }: ValueExpression, values: unknown): RenderedField {
  const value = valueAt(values, path) ?? undefined;
  if (as === 'yaml') return { type: 'rendered', data: withoutNulls(value) };
  if (value === undefined) return absent;
  // Go prints a map in its own form.
  if (typeof value === 'object') return unknown;
  if (as === 'quoted')
    return isPlainText(String(value)) ? { type: 'rendered', data: String(value) } : unknown;
  if (typeof value === 'boolean') return { type: 'rendered', data: value };
  // Go prints larger numbers with an exponent.
  if (typeof value === 'number') {
    return Number.isInteger(value) && Math.abs(value) < 1e6 ? { type: 'rendered', data: value } : unknown;
  }
  return typeof value === 'string' && isPlainText(value) && !isReadOtherwise(value)
    ? { type: 'rendered', data: value }
    : unknown;
}

/** Words, counts and percentages. */
function isPlainText(text: string): boolean {
  return /^[A-Za-z0-9]{1,100}%?$/u.test(text);
}

/** Whether YAML 1.1 or 1.2 reads an unquoted text as another kind of value. */
function isReadOtherwise(text: string): boolean {
  return /^(?:y|yes|n|no|on|off|true|false|null|nan|inf|[0-9][A-Za-z0-9]*)$/iu.test(text);
}

/** As Go templates decide: zero and what is empty are false. */
function isTrue(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (isObject(value)) return Object.keys(value).length > 0;
  return Boolean(value);
}

function isEveryTrue(guards: readonly ValuePath[], values: unknown): boolean {
  return guards.every((path) => isTrue(valueAt(values, path)));
}

function withoutNulls(data: unknown): unknown {
  if (data === null) return undefined;
  if (Array.isArray(data)) return data.map((item) => withoutNulls(item) ?? null);
  if (!isObject(data)) return data;
  return Object.fromEntries(
    Object.entries(data).flatMap(([key, value]) => {
      const kept = withoutNulls(value);
      return kept === undefined ? [] : [[key, kept]];
    }),
  );
}
