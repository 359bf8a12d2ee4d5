import * as z from 'zod';
import type { Snapshot } from '../../../../engine/objects/snapshot.js';
import type { Immutable, JsonObject } from '../../../../engine/objects/wire.js';
import { isPaused } from '../../../../engine/objects/workload.js';
import type { OwnerFields } from '../../../../engine/parents/parent-resource-kinds.js';
import { effect } from '../../effects-text.js';
import { fieldAt, fieldOf } from '../../field-at.js';
import type { Kind } from '../../kind.js';
import { offeredFields } from '../../offered-fields.js';
import {
  nested,
  type OwnerTarget,
  ownerRefusal,
  ownerTargetOf,
  targetedFields,
  targetOf,
  undoneFields,
} from '../../owner-target.js';
import type { FieldChange, Plan, Refusal } from '../../plan.js';
import { isMergePatch, isSame, type PlanSubject, targetsWorkload, type UndoSubject } from '../../plan.js';
import { refusal } from '../../refusals.js';
import { isTemplateElsewhere } from '../../template-changes.js';
import { text } from './text.js';

/** The record of one remediation of this kind. */
export const ExcludeNodes = z.object({
  kind: z.literal('exclude-nodes'),
  ...offeredFields,
  nodes: z.array(z.object({ name: z.string(), hostname: z.string() })),
  remindAfterHours: z.number(),
});
export type ExcludeNodes = Immutable<z.output<typeof ExcludeNodes>>;

/**
 * A merge patch of the required node affinity, merged with what is there: its list is replaced as a whole,
 * everything beside it stays. Undo puts the former value back, and removes what had to be made.
 *
 * @returns a refusal when the Deployment is paused, a node is gone or labelled otherwise, or all are excluded
 *   already
 */
function planExcludeNodes({ id, kind, nodes }: ExcludeNodes, snapshot: Snapshot): Plan | Refusal {
  const { workload, index } = snapshot;
  const name = `${workload.metadata.namespace}/${workload.metadata.name}`;
  if (isPaused(workload)) {
    return refusal('paused', 'paused', { workload: name });
  }
  if (isTemplateElsewhere(workload)) {
    return refusal('not-applicable', 'not-applicable', { workload: name, kind });
  }
  const gone = nodes.find(
    (node) => index.nodes.get(node.name)?.metadata.labels[hostnameLabel] !== node.hostname,
  );
  if (gone !== undefined) return refusal('gone', 'node-gone', { node: gone.name, hostname: gone.hostname });
  const hostnames = nodes.map(({ hostname }) => hostname);
  const owner = ownerTargetOf(snapshot);
  if (owner !== undefined) return 'type' in owner ? owner : planInOwner(id, owner, workload, hostnames);
  const { before, after, changes } = exclusionOf(workload.spec.template.raw, hostnames);
  if (!changes) return refusal('already-applied', 'already-applied', { workload: name });
  const change = { path: requiredPath, before, after };
  return {
    type: 'plan',
    remediationId: id,
    target: targetOf(workload),
    request: patchOf({ nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: after } }),
    changes: [change],
    undo: { request: patchOf(formerAffinity(workload, before)), expects: [change] },
  };
}

/** The same in the owner's affinity of these pods, where that is all of their required affinity. */
function planInOwner(
  id: string,
  { object, fields }: OwnerTarget,
  workload: Snapshot['workload'],
  hostnames: readonly string[],
): Plan | Refusal {
  const { namespace, name } = object.metadata;
  const path = [...fields.affinity, ...requiredSteps];
  const declared = fieldAt(object, path.join('.'));
  if (!isSame(declared, fieldOf(workload, requiredPath))) {
    return ownerRefusal('owner-affinity-elsewhere', { kind: object.kind, namespace, name });
  }
  const { before, after, changes } = exclusionOf(templateRequiring(declared), hostnames);
  if (!changes) {
    return refusal('already-applied', 'already-applied', { workload: `${namespace}/${name}` });
  }
  const target = targetOf(object);
  const { apiVersion, kind, uid } = target;
  const patch = (value: unknown, at: readonly string[] = path) =>
    ({ verb: 'patch', patchType: 'merge', body: nested(at, value) }) as const;
  const made = pathsMade(fields).find((each) => fieldAt(object, each.join('.')) === undefined);
  const change = { path: path.join('.'), before, after };
  return {
    type: 'plan',
    remediationId: id,
    target,
    request: patch(after),
    changes: [change],
    undo: { request: patch(before ?? null, made), expects: [change], of: { apiVersion, kind, name, uid } },
  };
}

/** What may have to be made for an exclusion in an owner, the highest object first. */
function pathsMade({ affinity }: OwnerFields): readonly (readonly string[])[] {
  return requiredSteps
    .map((_, at) => [...affinity, ...requiredSteps.slice(0, at)])
    .concat([[...affinity, ...requiredSteps]]);
}

/** The part of a pod template that decides about an exclusion. */
function templateRequiring(required: unknown): JsonObject {
  return {
    spec: { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } } },
  };
}

function patchOf(affinity: object | null) {
  return { verb: 'patch', patchType: 'merge', body: affinityBody(affinity) } as const;
}

/** The body of a patch of the template's affinity. */
function affinityBody(affinity: object | null): object {
  return { spec: { template: { spec: { affinity } } } };
}

/** `null` for the highest object that was not there before. */
function formerAffinity(workload: Snapshot['workload'], required: unknown): object | null {
  if (fieldOf(workload, 'spec.template.spec.affinity') === undefined) return null;
  if (fieldOf(workload, 'spec.template.spec.affinity.nodeAffinity') === undefined)
    return { nodeAffinity: null };
  return { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required ?? null } };
}

export const hostnameLabel = 'kubernetes.io/hostname';
/** Where a pod template says which nodes it may use at all. */
export const requiredPath =
  'spec.template.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution';

/** The same below the affinity of a pod. */
export const requiredSteps = ['nodeAffinity', 'requiredDuringSchedulingIgnoredDuringExecution'] as const;

/** What the exclusion does to the required node affinity, as it stands in the API's JSON. */
export interface Exclusion {
  /** The former value at `requiredPath`; `undefined` when there was none. */
  readonly before: unknown;
  readonly after: { readonly nodeSelectorTerms: readonly JsonObject[] };
  /** Terms that the requirement was added to; 0 where a first term had to be made. */
  readonly terms: number;
  /** False when every term excludes all these hostnames already. */
  readonly changes: boolean;
}

/**
 * `NotIn` for the hostnames in every term: terms are ORed, so one that is left out would let the nodes in
 * again. A `NotIn` on the hostname that is there is extended. A term without requirements matches no node
 * (component-helpers `nodeaffinity.go`) and stays as it is: a requirement would make it match.
 */
export function exclusionOf(template: JsonObject, hostnames: readonly string[]): Exclusion {
  const required = objectAt(
    objectAt(objectAt(template.spec).affinity).nodeAffinity,
  ).requiredDuringSchedulingIgnoredDuringExecution;
  const former = objectAt(required).nodeSelectorTerms;
  const terms = (Array.isArray(former) ? (former as readonly unknown[]) : []).map(objectAt);
  if (terms.length === 0) {
    const after = { nodeSelectorTerms: [{ matchExpressions: [notIn(hostnames)] }] };
    return { before: required ?? undefined, after, terms: 0, changes: true };
  }
  const next = terms.map((term) => withNotIn(term, hostnames));
  return {
    before: required,
    after: { ...objectAt(required), nodeSelectorTerms: next },
    terms: terms.filter((term) => !isEmpty(term)).length,
    changes: next.some((term, position) => term !== terms[position]),
  };
}

function withNotIn(term: JsonObject, hostnames: readonly string[]): JsonObject {
  if (isEmpty(term)) return term;
  const expressions = listAt(term.matchExpressions).map(objectAt);
  const position = expressions.findIndex(
    ({ key, operator }) => key === hostnameLabel && operator === 'NotIn',
  );
  const existing = expressions[position];
  if (existing === undefined) return { ...term, matchExpressions: [...expressions, notIn(hostnames)] };
  const values = listAt(existing.values).map(String);
  const missing = hostnames.filter((hostname) => !values.includes(hostname));
  if (missing.length === 0) return term;
  const extended = { ...existing, values: [...values, ...missing] };
  return { ...term, matchExpressions: expressions.with(position, extended) };
}

function notIn(hostnames: readonly string[]): JsonObject {
  return { key: hostnameLabel, operator: 'NotIn', values: [...hostnames] };
}

function isEmpty({ matchExpressions, matchFields }: JsonObject): boolean {
  return listAt(matchExpressions).length === 0 && listAt(matchFields).length === 0;
}

export function withExclusion(template: JsonObject, { after }: Exclusion): JsonObject {
  const spec = objectAt(template.spec);
  const affinity = objectAt(spec.affinity);
  const nodeAffinity = {
    ...objectAt(affinity.nodeAffinity),
    requiredDuringSchedulingIgnoredDuringExecution: after,
  };
  return { ...template, spec: { ...spec, affinity: { ...affinity, nodeAffinity } } };
}

function objectAt(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

function listAt(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Keeps the pods of a workload off some nodes. */
export const excludeNodes = {
  kind: 'exclude-nodes',
  schema: ExcludeNodes,
  text,
  needs: ['Node'],
  plan: planExcludeNodes,
  isPlan: isExcludeNodesPlan,
  isUndo: isExcludeNodesUndo,
  reminder: { afterHours: ({ remindAfterHours }) => remindAfterHours, isInForce: stillExcluded },
  undoEffects: ({ nodes }) => [effect('undo-allows-nodes', { nodes: nodes.map(({ name }) => name) })],
} as const satisfies Kind<ExcludeNodes>;

/**
 * The required node affinity with `NotIn` for exactly the named hostnames, worked out again from what was
 * there.
 */
function isExcludeNodesPlan({ workload, remediation, plan }: PlanSubject<ExcludeNodes>): boolean {
  const { request, changes } = plan;
  const fields = targetedFields(plan, workload);
  const path = fields === undefined ? requiredPath : pathIn(fields);
  const after = exclusionAfter(remediation, changes, path);
  if (fields !== undefined) {
    return after !== undefined && isMergePatch(request, nested(path.split('.'), after));
  }
  return (
    targetsWorkload({ plan, workload }) &&
    after !== undefined &&
    isMergePatch(
      request,
      affinityBody({ nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: after } }),
    )
  );
}

/** The former value, or the removal of what had to be made for the exclusion. */
function isExcludeNodesUndo({ workload, remediation, undo }: UndoSubject<ExcludeNodes>): boolean {
  const { request, expects, expectsTemplateOf, of } = undo;
  if (of !== undefined) {
    const fields = undoneFields(of, workload);
    if (fields === undefined || expectsTemplateOf !== undefined) return false;
    const path = pathIn(fields);
    if (exclusionAfter(remediation, expects, path) === undefined) return false;
    const before = expects[0]?.before;
    return before === undefined
      ? pathsMade(fields).some((each) => isMergePatch(request, nested(each, null)))
      : isMergePatch(request, nested(path.split('.'), before));
  }
  if (expectsTemplateOf !== undefined || exclusionAfter(remediation, expects) === undefined) return false;
  const before = expects[0]?.before;
  const former = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: before ?? null } };
  const removals = before === undefined ? [null, { nodeAffinity: null }] : [];
  return [former, ...removals].some((affinity) => isMergePatch(request, affinityBody(affinity)));
}

function pathIn({ affinity }: OwnerFields): string {
  return [...affinity, ...requiredSteps].join('.');
}

/** The value after the exclusion, where the changes are this one change. */
function exclusionAfter(
  { nodes }: PlanSubject<ExcludeNodes>['remediation'],
  changes: readonly FieldChange[],
  path: string = requiredPath,
): unknown {
  const [change, ...others] = changes;
  if (change === undefined || others.length > 0 || nodes.length === 0) return undefined;
  const { after, changes: isChange } = exclusionOf(
    templateRequiring(change.before),
    nodes.map(({ hostname }) => hostname),
  );
  return isChange && isSame(change, { path, before: change.before, after }) ? after : undefined;
}

/**
 * Whether the workload's template keeps all these nodes out still, by this change or by whatever became of
 * it.
 */
function stillExcluded({ nodes }: ExcludeNodes, { workload }: Snapshot): boolean {
  const hostnames = nodes.map(({ hostname }) => hostname);
  return !exclusionOf(workload.spec.template.raw, hostnames).changes;
}
