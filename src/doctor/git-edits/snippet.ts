import { stringify } from 'yaml';
import { stepsOf } from '../../engine/owners/field-drift.js';
import type { FieldChange, Plan } from '../fixes/plan.js';
import type { FieldEdit } from './edit-manifest.js';
import { withField } from './edit-manifest.js';
import { editsOfPlan, restoresTemplate } from './edits-of-plan.js';
import { isNamedList, isObject } from './kustomize/merge-patch.js';
import type { GitRefusalReason } from './refusal.js';

/**
 * The fields of a plan as a manifest declares them, to be placed by hand where no edit is made; `undefined`
 * for a plan that has no form in a manifest. A field that must go is `null`, as in a strategic merge patch.
 */
export function snippetOf(plan: Plan): string | undefined {
  const { apiVersion, kind, namespace, name } = plan.target;
  const identity = { apiVersion, kind, metadata: { name, namespace } };
  if (restoresTemplate(plan)) return written(plan.changes.reduce<unknown>(withChange, identity));
  const edits = editsOfPlan(plan);
  return edits && declarationOf(edits, identity);
}

/** Data with one more changed field; an item of a list is named, as in a patch. */
function withChange(data: unknown, { path, after }: FieldChange): unknown {
  return placed(data, stepsOf(path), after === undefined ? null : after);
}

function placed(data: unknown, [step, ...rest]: readonly string[], value: unknown): unknown {
  if (step === undefined) return value;
  const fields = isObject(data) ? data : {};
  const [name, ...inner] = rest;
  if (name === undefined || !isNamedList(step))
    return { ...fields, [step]: placed(fields[step], rest, value) };
  const items: readonly unknown[] = Array.isArray(fields[step]) ? fields[step] : [];
  const item = items.find((each) => isObject(each) && each.name === name) ?? { name };
  const changed = inner.length > 0 ? placed(item, inner, value) : (value ?? { name, $patch: 'delete' });
  return { ...fields, [step]: [...items.filter((each) => each !== item), changed] };
}

/** The text of a manifest with only these fields. */
export function declarationOf(edits: readonly FieldEdit[], identity: object): string {
  const declared = edits.reduce<unknown>(
    (fields, { path, value }) => withField(fields, path, value === undefined ? null : value),
    identity,
  );
  return written(declared);
}

function written(declared: unknown): string {
  return stringify(declared, { lineWidth: 0, nullStr: 'null' });
}

const solvedOtherwise: ReadonlySet<GitRefusalReason> = new Set([
  'as-wanted',
  'stale-base',
  'no-revision',
  'no-git-form',
  'chart-live',
  'chart-version',
  'chart-roll-back',
]);

/** Whether a person can still make the change by hand where the tree was refused for this reason. */
export function isDoneByHand(reason: GitRefusalReason | undefined): boolean {
  return reason !== undefined && !solvedOtherwise.has(reason);
}
