import * as z from 'zod';
import type { Language } from '../../engine/language/language.js';
import { type Prose, word } from '../../engine/language/prose.js';
import { Statement } from '../../engine/language/statement.js';
import type { ResourceKind } from '../../engine/objects/cluster-objects.js';
import type { Snapshot } from '../../engine/objects/snapshot.js';
import type { Immutable } from '../../engine/objects/wire.js';
import type { WorkloadRef } from '../../engine/objects/workload.js';
import { ownerObjectsOf } from '../../engine/owners/owner-objects.js';
import { predictDrift } from '../../engine/owners/predict-drift.js';
import type { WrittenObject } from '../../engine/owners/writers.js';
import { fieldAt, fieldOf } from './field-at.js';
import type { Kind } from './kind.js';
import { requiredPath, requiredSteps } from './kinds/exclude-nodes/plan.js';
import { kinds } from './kinds/kinds.js';
import { ownerPath, restartedAtPath } from './kinds/restart-rollout/kind.js';
import { changesTemplateOnly } from './kinds/undo-rollout/plan.js';
import type { OfferedRemediation } from './offered-fields.js';
import { changedOwner, ownerObjectOf, ownerTargetOf } from './owner-target.js';
import type { Plan, PlanSubject, Refusal, UndoPlan } from './plan.js';
import { isSame, reversed, targetsWorkload } from './plan.js';
import { refusal } from './refusals.js';

/** What planning needs to see, over all kinds. */
export const planningNeeds: readonly ResourceKind[] = (kinds as unknown as readonly Kind[]).flatMap(
  ({ needs = [] }) => needs,
);

/** Works a remediation out against the object as it is in the snapshot. */
export function planRemediation(remediation: OfferedRemediation, snapshot: Snapshot): Plan | Refusal {
  const kind = kindOf(remediation);
  if (kind === undefined) {
    const { namespace, name } = snapshot.workload.metadata;
    const values = { workload: `${namespace}/${name}`, kind: remediation.kind };
    return refusal('not-applicable', 'not-applicable', values);
  }
  const plan = kind.plan(remediation, snapshot);
  if (plan.type === 'refusal') return plan;
  const object = changedObject(plan, snapshot);
  const owners = ownerObjectsOf(snapshot, object);
  const drift = [...predictDrift({ workload: object, plan, owners })];
  const isOurs = drift.every(({ owner, verdict }) => owner === undefined && verdict.type === 'stays');
  return isOurs ? plan : { ...plan, survival: drift };
}

/** The object that the plan changes, or the workload where the plan changes its pods or ReplicaSets. */
function changedObject({ target }: Plan, snapshot: Snapshot): WrittenObject {
  return ownerObjectOf(snapshot, target) ?? snapshot.workload;
}

/** The kind of this name; `undefined` for one of another version. */
export function kindOf({ kind: name }: Pick<OfferedRemediation, 'kind'>): Kind | undefined {
  return (kinds as unknown as readonly Kind[]).find(({ kind }) => kind === name);
}

/** What the kind is called; its id for one of another version. */
export function kindName(kind: string, language: Language): Prose {
  return kindOf({ kind })?.text[language].name() ?? [word(kind)];
}

type Each<Kinds extends readonly object[], Field extends keyof Kinds[number]> = {
  -readonly [Index in keyof Kinds]: Kinds[Index][Field];
};

export const remediationKinds = kinds.map(({ kind }) => kind) as Each<typeof kinds, 'kind'>;
export const RemediationKind = z.enum(remediationKinds);
export type RemediationKind = z.output<typeof RemediationKind>;

export const Remediation = z.discriminatedUnion(
  'kind',
  kinds.map(({ schema }) => schema) as unknown as Each<typeof kinds, 'schema'>,
);
export type Remediation = Immutable<z.output<typeof Remediation>>;

/** Whether its purpose is to decide between two causes rather than to end the incident. */
export function isExperiment(remediation: Remediation): boolean {
  return remediation.kind === 'delete-pod' && remediation.purpose === 'experiment';
}

/**
 * Whether no undo exists for it: a stopped pod does not come back, and removing a restart's annotation
 * restarts again.
 */
export function isIrreversible(remediation: Remediation): boolean {
  if ('hasNoUndo' in remediation && remediation.hasNoUndo === true) return true;
  return kindOf(remediation)?.isUndo === undefined;
}

/** A remediation that people would reach for and that must not be offered here, with the reason. */
export const NotRecommended = z.object({ kind: RemediationKind, because: Statement });
export type NotRecommended = Immutable<z.output<typeof NotRecommended>>;

/**
 * Whether a change that a person asked for must be confirmed with the name of the workload: the rollout would
 * not complete, or for a time no pod would be ready. Remediations of findings are offered only where the
 * rollout completes or the deadlock ends.
 */
export function needsConfirmation({ price, prediction }: Pick<Remediation, 'price' | 'prediction'>): boolean {
  return prediction.ends !== 'complete' || price.downtime.kind === 'gap';
}

export interface ClaimedPlan {
  readonly workload: WorkloadRef;
  readonly remediation: Remediation;
  /** Whether the plan puts back what the remediation changed. */
  readonly undoes: boolean;
  readonly plan: Plan;
}

/** A DNS subdomain name, as Kubernetes names what we change: nothing that leads elsewhere in a path. */
const objectName = /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/;

/**
 * Whether the remediation's kind could have made this plan for this workload: target, request, listed fields,
 * second step and way back. A record that claims one kind and carries the request of another, or a field
 * more, is none.
 */
export function isPlanOfKind({ workload, remediation, undoes, plan }: ClaimedPlan): boolean {
  const { target } = plan;
  if (target.namespace !== workload.namespace) return false;
  if (!objectName.test(target.namespace) || !objectName.test(target.name)) return false;
  if (plan.afterwards !== undefined && (undoes || remediation.kind !== 'undo-rollout')) return false;
  const subject = { workload, remediation, plan };
  if (undoes) return plan.remediationId === `undo-${remediation.id}` && isUndoPlan(subject);
  const kind = kindOf(remediation);
  return (
    kind !== undefined &&
    plan.remediationId === remediation.id &&
    kind.isPlan(subject) &&
    (plan.undo === undefined || kind.isUndo?.({ ...subject, undo: plan.undo }) === true)
  );
}

/** A template is put back by name of its revision; everything else by the reverse of the listed fields. */
function isUndoPlan({ workload, remediation, plan }: PlanSubject<Remediation>): boolean {
  const { request, changes, undo } = plan;
  const restores = request.verb === 'restore-template' && remediation.kind === 'undo-rollout';
  const taken: UndoPlan = restores
    ? { request, expects: [], expectsTemplateOf: remediation.from }
    : { request, expects: reversed(changes), ...changedOwner(plan, workload) };
  return (
    undo === undefined &&
    (taken.of !== undefined || targetsWorkload({ plan, workload })) &&
    (!restores || changesTemplateOnly(changes)) &&
    kindOf(remediation)?.isUndo?.({ workload, remediation, undo: taken }) === true
  );
}

/**
 * Whether the controller of the owner has written into the pod template what the change set in the owner.
 * Before that, a workload that looks complete is complete as it was before the change. `undefined` where the
 * owner was not read, or has lost the annotation of a restart. True where the workload itself is changed, and
 * for changes of other fields.
 */
export function hasReachedWorkload({ kind }: Remediation, snapshot: Snapshot): boolean | undefined {
  if (kind !== 'restart-rollout' && kind !== 'exclude-nodes') return true;
  const owner = ownerTargetOf(snapshot);
  if (owner === undefined) return true;
  if ('type' in owner) return undefined;
  const { object, fields } = owner;
  const { workload } = snapshot;
  if (kind === 'restart-rollout') {
    const { kind: of } = workload;
    const restartedAt = fieldAt(object, ownerPath(fields));
    return restartedAt === undefined
      ? undefined
      : isSame(restartedAt, fieldOf(workload, restartedAtPath(of)));
  }
  const declared = fieldAt(object, [...fields.affinity, ...requiredSteps].join('.'));
  return isSame(declared, fieldOf(workload, requiredPath));
}
