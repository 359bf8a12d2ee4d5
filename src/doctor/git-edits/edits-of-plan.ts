import { stringify } from 'yaml';
import { kserveGroup } from '../../engine/objects/inference-service.js';
import { isObject, type JsonObject } from '../../engine/objects/wire.js';
import type { Workload } from '../../engine/objects/workload.js';
import { refusesRecreate } from '../../engine/owners/declaration.js';
import { stepsOf } from '../../engine/owners/field-drift.js';
import { canonicalTemplate } from '../../engine/workloads/template-equality.js';
import type { FieldChange, Plan } from '../fixes/plan.js';
import type { Remediation } from '../fixes/remediation.js';
import { type Editable, type FieldEdit, withField } from './edit-manifest.js';
import { isNamedList } from './kustomize/merge-patch.js';
import type { GitRefusalReason } from './refusal.js';

/** Kinds of which manifests are edited. */
const groups: ReadonlySet<string> = new Set(['apps', 'argoproj.io', 'leaderworkerset.x-k8s.io', kserveGroup]);

/** Fields of objects of KServe, below a component or the pods of one. */
const kserveFields: ReadonlySet<string> = new Set(['deploymentStrategy', 'rolloutStrategy', 'affinity']);

/** Groups of kinds with `spec.template`, whose affinity is edited. */
const withAffinity: ReadonlySet<string> = new Set(['apps', 'argoproj.io']);
const podTemplates: ReadonlySet<string> = new Set(['template', 'leaderWorkerTemplate']);

/**
 * The fields that a manifest must declare for the change of this plan. Only merge patches outside the pod
 * template, and of the affinity of built-in kinds, of Rollouts and of KServe's kinds, have such a form;
 * `undefined` for every other plan.
 */
export function editsOfPlan({ request, target, afterwards }: Plan): readonly FieldEdit[] | undefined {
  const hasForm =
    request.verb === 'patch' && request.patchType === 'merge' && request.subresource === undefined;
  const [group = ''] = target.apiVersion.split('/');
  if (!hasForm || afterwards !== undefined || !groups.has(group)) return undefined;
  const edits = editsIn(request.body, []);
  const hasKnownFields = edits?.every(({ path: [top, ...path] }) => {
    const [field = '', , inPod] = path;
    if (top !== 'spec') return false;
    if (group === kserveGroup) return path.slice(0, 3).some((step) => kserveFields.has(step));
    return !podTemplates.has(field) || (withAffinity.has(group) && inPod === 'affinity');
  });
  return hasKnownFields === true && edits !== undefined && edits.length > 0 ? edits : undefined;
}

/** Whether the change of a plan can be made in a manifest. */
export function hasGitForm(plan: Plan): boolean {
  return editsOfPlan(plan) !== undefined || restoresTemplate(plan);
}

/** In a merge patch `null` removes a field. */
function editsIn(value: unknown, path: readonly string[]): readonly FieldEdit[] | undefined {
  if (value === null) return [{ path, value: undefined }];
  if (typeof value === 'number' || typeof value === 'boolean') return [{ path, value }];
  if (typeof value === 'string') return /^[A-Za-z0-9]+%?$/u.test(value) ? [{ path, value }] : undefined;
  // A merge patch replaces a list as a whole.
  if (Array.isArray(value)) return isEditable(value) ? [{ path, value }] : undefined;
  if (typeof value !== 'object') return undefined;
  const edits: FieldEdit[] = [];
  for (const [name, field] of Object.entries(value)) {
    const inner = editsIn(field, [...path, name]);
    if (inner === undefined) return undefined;
    edits.push(...inner);
  }
  return edits;
}

/** Lists and maps of plain values; texts of one line only. */
function isEditable(value: unknown): value is Editable {
  if (typeof value === 'string') return /^[\p{L}\p{N}\p{P}\p{S} ]{0,300}$/u.test(value);
  if (typeof value !== 'object' || value === null)
    return typeof value === 'number' || typeof value === 'boolean';
  return Object.values(value).every(isEditable);
}

/** Whether the owner could not apply the manifest with this change. */
export function isRefusedByApply({ changes }: Plan, workload: Workload): boolean {
  const setsRecreate = changes.some(
    ({ path, after }) => path === 'spec.strategy.type' && after === 'Recreate',
  );
  return setsRecreate && refusesRecreate(workload);
}

const kindsWithForm: ReadonlySet<Remediation['kind']> = new Set([
  'patch-strategy',
  'resume-rollout',
  'exclude-nodes',
  'undo-rollout',
]);

/** Whether plans of this fix can have a form in a manifest. */
export function mayHaveGitForm(fix: Remediation): boolean {
  // A commit deletes no pods.
  const isTwoSteps = fix.kind === 'undo-rollout' && fix.thenDelete !== undefined;
  return kindsWithForm.has(fix.kind) && !isTwoSteps;
}

/**
 * Whether a plan puts the pod template of a kept revision back, and nothing else: an edit of Git can do the
 * same.
 */
export function restoresTemplate({ request, target, afterwards }: Plan): boolean {
  return (
    request.verb === 'restore-template' && afterwards === undefined && target.apiVersion.startsWith('apps/')
  );
}

/** The annotation of `kubectl rollout restart`, which no manifest declares. */
const restartedAt = 'kubectl.kubernetes.io/restartedAt';

/**
 * Whether a workload declares exactly this pod template, where absent is the API server's default. A field
 * that the cluster has and the manifest does not, such as a sidecar of an admission webhook, makes them
 * differ.
 */
export function declaresTemplate(declared: JsonObject, template: JsonObject): boolean {
  const { spec } = declared;
  const own = isObject(spec) ? spec.template : undefined;
  return isObject(own) && comparable(own) === comparable(template);
}

function comparable(template: JsonObject): string {
  const { metadata } = template;
  const annotations = isObject(metadata) ? metadata.annotations : undefined;
  if (!isObject(metadata) || !isObject(annotations) || !Object.hasOwn(annotations, restartedAt)) {
    return canonicalTemplate(template);
  }
  const { [restartedAt]: _restarted, ...rest } = annotations;
  const { annotations: _former, ...others } = metadata;
  const kept = Object.keys(rest).length === 0 ? others : { ...others, annotations: rest };
  return canonicalTemplate({ ...template, metadata: kept });
}

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
