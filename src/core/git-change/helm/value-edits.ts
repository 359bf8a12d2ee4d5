import { canonicalJson } from '../../remediation/plan.js';
import { valueAt } from '../kustomize/transform.js';
import type { FieldEdit } from '../refine-edit.js';
import type { RenderedField } from './render-field.js';
import type { FieldNode } from './template-field.js';
import type { ValuePath } from './value-expression.js';

/**
 * The values that make a template render the wanted fields. `undefined` where one of them is no value: it is
 * written in the template, or the template does not render it.
 *
 * @param edits of fields below the one that `node` renders; their paths start there
 */
export function valueEdits(
  node: FieldNode,
  edits: readonly FieldEdit[],
  present: Extract<RenderedField, { readonly type: 'rendered' }>,
): readonly FieldEdit[] | undefined {
  const wanted: FieldEdit[] = [];
  for (const { path, value } of edits) {
    const before = valueAt(present.data, path);
    if (canonicalJson(before ?? null) === canonicalJson(value ?? null)) continue;
    const named = valueFor(node, path);
    if (named === undefined) return undefined;
    wanted.push({ path: named, value });
  }
  return wanted;
}

/** The value that sets a field below this one. */
function valueFor(node: FieldNode, path: readonly string[]): ValuePath | undefined {
  const [name, ...rest] = path;
  if (node.type === 'value') {
    return node.value.as === 'yaml' || name === undefined ? [...node.value.path, ...path] : undefined;
  }
  if (node.type === 'literal' || name === undefined) return undefined;
  const entry = node.entries.find(({ key }) => key === name);
  return entry && valueFor(entry.node, rest);
}

/** The simple values of a field. */
export function valuesIn(node: FieldNode): readonly ValuePath[] {
  if (node.type === 'value') return [node.value.path];
  return node.type === 'map' ? node.entries.flatMap((entry) => valuesIn(entry.node)) : [];
}
