import * as z from 'zod';
import { Statement } from '../../engine/language/statement.js';
import type { Immutable } from '../../engine/objects/wire.js';
import { apiVersionOf, type WorkloadRef } from '../../engine/objects/workload.js';
import { FieldDrift } from '../../engine/owners/field-drift.js';
import type { OfferedRemediation } from './offered-fields.js';

/** A revision that keeps a pod template in the cluster. */
export const TemplateSource = z.object({
  kind: z.enum(['ReplicaSet', 'ControllerRevision']),
  name: z.string(),
  uid: z.string(),
});
export type TemplateSource = Immutable<z.output<typeof TemplateSource>>;

/** What the API server is asked to do. `body` is sent as JSON. */
export const ChangeRequest = z.discriminatedUnion('verb', [
  z.object({
    verb: z.literal('patch'),
    /** `merge`: RFC 7386. `json`: RFC 6902. */
    patchType: z.enum(['merge', 'json']),
    subresource: z.enum(['scale', 'status']).optional(),
    body: z.unknown(),
  }),
  z.object({ verb: z.literal('delete') }),
  /**
   * The target's pod template becomes that of a revision. It is copied inside the cluster's own API: a
   * template may hold secrets, so no plan, record or queue carries one.
   */
  z.object({ verb: z.literal('restore-template'), from: TemplateSource }),
  /** `kubectl rollout restart`, with the moment of the change as its time. */
  z.object({ verb: z.literal('restart') }),
]);
export type ChangeRequest = Immutable<z.output<typeof ChangeRequest>>;

/** The object to change, as it was when the plan was made. */
export const PlanTarget = z.object({
  apiVersion: z.string(),
  kind: z.string(),
  namespace: z.string(),
  name: z.string(),
  uid: z.string(),
  /** Must still hold when the change is sent; absent where the kind has none (Pod). */
  generation: z.number().optional(),
  /**
   * Fields that must still have these values as well, where the change writes the status and raises no
   * generation.
   */
  mustHold: z.array(z.object({ path: z.string(), value: z.unknown().optional() })).optional(),
});
export type PlanTarget = Immutable<z.output<typeof PlanTarget>>;

/**
 * One field before and after; `undefined` means absent. Paths are dotted; a key with dots and an item of a
 * list, by its name, stand in brackets: `spec.template.spec.containers[app].image`. Secrets in values are
 * redacted.
 */
export const FieldChange = z.object({
  path: z.string(),
  /** Optional, since JSON drops what is undefined. */
  before: z.unknown().optional(),
  after: z.unknown().optional(),
});
export type FieldChange = Immutable<z.output<typeof FieldChange>>;

/** How to put back what was there; refused when what it expects no longer holds. */
export const UndoPlan = z.object({
  request: ChangeRequest,
  expects: z.array(FieldChange),
  /** The workload's template must still be that of this revision. */
  expectsTemplateOf: TemplateSource.optional(),
  /** The object in the workload's namespace that has the fields; absent where it is the workload itself. */
  of: z.object({ apiVersion: z.string(), kind: z.string(), name: z.string(), uid: z.string() }).optional(),
});
export type UndoPlan = Immutable<z.output<typeof UndoPlan>>;

/**
 * The second step of a plan: these pods of the target are deleted once its controller has observed the
 * change. A pod that is ready, gone or replaced by then stays as it is.
 */
export const SecondStepPlan = z.object({
  verb: z.literal('delete-pods'),
  pods: z.array(z.object({ name: z.string(), uid: z.string() })),
});
export type SecondStepPlan = Immutable<z.output<typeof SecondStepPlan>>;

/** A remediation worked out against the object as it is now. Approval binds to its digest. */
export const Plan = z.object({
  type: z.literal('plan'),
  remediationId: z.string(),
  target: PlanTarget,
  request: ChangeRequest,
  changes: z.array(FieldChange),
  /** Absent where one request is the whole plan. */
  afterwards: SecondStepPlan.optional(),
  undo: UndoPlan.optional(),
  /**
   * What becomes of each changed field, by the owners as they were before the change; absent where nobody
   * else writes them.
   */
  survival: z.array(FieldDrift).optional(),
});
export type Plan = Immutable<z.output<typeof Plan>>;

const refusalReasons = [
  'gone',
  'uid-changed',
  'generation-changed',
  'paused',
  'already-applied',
  'finding-gone',
  'drifted',
  'not-applicable',
  /** The object that people own has no field for it, or was not read. */
  'not-in-owner',
] as const;

/** Why a remediation cannot be done to the object as it is now. */
export const Refusal = z.object({
  type: z.literal('refusal'),
  reason: z.enum(refusalReasons),
  because: Statement,
});
export type Refusal = Immutable<z.output<typeof Refusal>>;

/**
 * The plan as one canonical text (keys sorted), the input of its digest. Two plans with the same text ask the
 * API server for the same change of the same object at the same generation, with the same second step, and
 * show people the same fields and the same verdicts about their drift. What a verdict rests on may differ.
 */
export function canonicalPlan(plan: Plan): string {
  const { remediationId, target, request, changes, afterwards } = plan;
  const drift = plan.survival?.map(({ path, verdict, owner }) => ({ path, verdict, owner }));
  return canonicalJson({ remediationId, target, request, changes, afterwards, survival: drift });
}

/** JSON with sorted keys and without undefined fields. */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const entries = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, field]) => `${JSON.stringify(key)}:${canonicalJson(field)}`);
  return `{${entries.join(',')}}`;
}

/** A plan, and what it claims to carry out on which workload. */
export interface PlanSubject<Remediation extends OfferedRemediation = OfferedRemediation> {
  readonly workload: WorkloadRef;
  readonly remediation: Remediation;
  readonly plan: Plan;
}

/** A way back, and the change that it takes back. */
export interface UndoSubject<Remediation extends OfferedRemediation = OfferedRemediation> {
  readonly workload: WorkloadRef;
  readonly remediation: Remediation;
  readonly undo: UndoPlan;
}

/** Whether the plan changes the workload itself, as `targetOf` writes it. */
export function targetsWorkload({
  plan: { target },
  workload,
}: Pick<PlanSubject, 'plan' | 'workload'>): boolean {
  return (
    target.kind === workload.kind &&
    target.name === workload.name &&
    target.apiVersion === apiVersionOf(target.kind) &&
    target.generation !== undefined
  );
}

/** Whether the target is an object of `apps/v1` at a known generation. */
export function targetsApps({ apiVersion, generation }: Plan['target']): boolean {
  return apiVersion === 'apps/v1' && generation !== undefined;
}

/** Whether the request is a merge patch of the object itself with exactly this body. */
export function isMergePatch(request: ChangeRequest, body: unknown): boolean {
  return isSame(request, { verb: 'patch', patchType: 'merge', body });
}

/** Equal as JSON: no field more, none less. */
export function isSame(one: unknown, other: unknown): boolean {
  return canonicalJson(one) === canonicalJson(other);
}

/** The same fields in the opposite direction. */
export function reversed(changes: readonly FieldChange[]): readonly FieldChange[] {
  return changes.map(({ path, before, after }) => ({ path, before: after, after: before }));
}
