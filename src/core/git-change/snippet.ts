import { stringify } from 'yaml';
import type { Plan } from '../remediation/plan.js';
import { withField } from './edit-manifest.js';
import { editsOfPlan } from './edits-of-plan.js';
import type { FieldEdit } from './refine-edit.js';
import type { GitRefusalReason } from './refusal.js';

/**
 * The fields of a plan as a manifest declares them, to be placed by hand where no edit is made; `undefined` for a plan that
 * has no form in a manifest. A field that must go is `null`, as in a strategic merge patch.
 */
export function snippetOf(plan: Plan): string | undefined {
  const edits = editsOfPlan(plan);
  if (edits === undefined) return undefined;
  const { apiVersion, kind, namespace, name } = plan.target;
  return declarationOf(edits, { apiVersion, kind, metadata: { name, namespace } });
}

/** The text of a manifest with only these fields. */
export function declarationOf(edits: readonly FieldEdit[], identity: object): string {
  const declared = edits.reduce<unknown>(
    (fields, { path, value }) => withField(fields, path, value === undefined ? null : value),
    identity,
  );
  return stringify(declared, { lineWidth: 0, nullStr: 'null' });
}

const solvedOtherwise: ReadonlySet<GitRefusalReason> = new Set([
  'as-wanted',
  'stale-base',
  'no-revision',
  'no-git-form',
]);

/** Whether a person can still make the change by hand where the tree was refused for this reason. */
export function isDoneByHand(reason: GitRefusalReason | undefined): boolean {
  return reason !== undefined && !solvedOtherwise.has(reason);
}
