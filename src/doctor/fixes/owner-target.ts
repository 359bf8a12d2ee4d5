import { isKserveKind, type KserveService } from '../../engine/objects/inference-service.js';
import type { ObjectRef } from '../../engine/objects/metadata.js';
import { type Snapshot, servedField } from '../../engine/objects/snapshot.js';
import { isObject } from '../../engine/objects/wire.js';
import type { ReplicaSet, Workload, WorkloadRef } from '../../engine/objects/workload.js';
import { apiVersionOf } from '../../engine/objects/workload.js';
import { namedOwnerOf, ownerFieldsOf } from '../../engine/parents/parent-resource.js';
import type { OwnerFields } from '../../engine/parents/parent-resource-kinds.js';
import type { Plan, PlanTarget, Refusal, UndoPlan } from './plan.js';
import { type RefusalShapes, refusal } from './refusals.js';

/** An object that people own above a workload, and its fields for this workload. */
export interface OwnerTarget {
  readonly object: KserveService;
  readonly fields: OwnerFields;
  /**
   * Whether the API server is known to keep a value at this path: the object has one, or its definition has
   * the field.
   */
  readonly keeps: (path: readonly string[]) => boolean;
}

/**
 * Where a change of the workload has to be made, as the owner's controller would revert it in the workload.
 * `undefined`: in the workload itself. A refusal: the owner was not read, or the workload is none that its
 * fields are known for.
 */
export function ownerTargetOf(snapshot: Snapshot): OwnerTarget | Refusal | undefined {
  const { kind, metadata } = snapshot.workload;
  const ref = namedOwnerOf(snapshot.workload);
  if (ref === undefined) return undefined;
  const object = ownerObjectOf(snapshot, ref);
  if (object === undefined) return ownerRefusal('owner-unread', ref);
  const fields = ownerFieldsOf(ref, { kind, name: metadata.name });
  if (fields === undefined) return ownerRefusal('owner-has-no-field', ref);
  const served = snapshot.servedFields ?? [];
  const keeps = (path: readonly string[]): boolean =>
    valueAt(object, path) !== undefined || served.includes(servedField(ref.kind, path));
  return { object, fields, keeps };
}

type OwnerRefusal = {
  [Key in keyof RefusalShapes]: { readonly kind: string; readonly owner: string } extends RefusalShapes[Key]
    ? Key
    : never;
}[keyof RefusalShapes];

/** Why the change is not made in the object that people own. */
export function ownerRefusal(key: OwnerRefusal, { kind, namespace, name }: ObjectRef): Refusal {
  return refusal('not-in-owner', key, { kind, owner: `${namespace}/${name}` });
}

/**
 * The refusal of a kind of change that no such object has a field for; `undefined` where the workload has no
 * such owner.
 */
export function refusedByOwner(key: OwnerRefusal, workload: Workload): Refusal | undefined {
  const ref = namedOwnerOf(workload);
  return ref && ownerRefusal(key, ref);
}

/** The object that people own, as it was read with the workload. */
export function ownerObjectOf(
  { index: { objects } }: Pick<Snapshot, 'index'>,
  { kind, namespace, name }: ObjectRef,
): KserveService | undefined {
  if (!isKserveKind(kind)) return undefined;
  const all: readonly KserveService[] = objects[kind];
  return all.find(({ metadata }) => metadata.namespace === namespace && metadata.name === name);
}

/**
 * The fields that a plan may change where it changes the owner of this workload; `undefined` where it does
 * not.
 */
export function targetedFields(
  { target }: Pick<Plan, 'target'>,
  workload: WorkloadRef,
): OwnerFields | undefined {
  const { kind, apiVersion, namespace, generation } = target;
  const isObjectItself =
    isKserveKind(kind) &&
    apiVersion === apiVersionOf(kind) &&
    namespace === workload.namespace &&
    generation !== undefined;
  return isObjectItself ? ownerFieldsOf(target, workload) : undefined;
}

/** The owner of the workload, as an undo names it, where the plan changes that. */
export function changedOwner({ target }: Pick<Plan, 'target'>, workload: WorkloadRef): Pick<UndoPlan, 'of'> {
  if (targetedFields({ target }, workload) === undefined) return {};
  const { apiVersion, kind, name, uid } = target;
  return { of: { apiVersion, kind, name, uid } };
}

/** The fields that an undo of a change of the owner puts back. */
export function undoneFields(
  of: NonNullable<UndoPlan['of']>,
  workload: WorkloadRef,
): OwnerFields | undefined {
  return targetedFields({ target: { ...of, namespace: workload.namespace, generation: 0 } }, workload);
}

/** The object whose fields an undo puts back, where it is not the workload. */
export function undoneObjectOf(
  { of }: Pick<UndoPlan, 'of'>,
  snapshot: Snapshot,
): Workload | KserveService | undefined {
  if (of === undefined) return snapshot.workload;
  const { namespace } = snapshot.workload.metadata;
  const object = ownerObjectOf(snapshot, { ...of, namespace });
  return object?.metadata.uid === of.uid ? object : undefined;
}

/** `{spec: {predictor: {deploymentStrategy: value}}}` */
export function nested(path: readonly string[], value: unknown): unknown {
  return path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
}

/** The value at these steps; `undefined` where one is missing. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, name) => (isObject(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined),
    value,
  );
}

/** The object a plan changes, as it is in the snapshot. */
export function targetOf({ kind, metadata }: Workload | ReplicaSet | KserveService): PlanTarget {
  const { namespace, name, uid, generation } = metadata;
  return {
    apiVersion: apiVersionOf(kind),
    kind,
    namespace,
    name,
    uid,
    ...(generation === undefined ? {} : { generation }),
  };
}
