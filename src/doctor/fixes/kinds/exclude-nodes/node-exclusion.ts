import type { JsonObject } from '../../../../engine/objects/wire.js';

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
