import * as z from 'zod';
import { count64, defaulted, type Immutable, list, maybe, message, stringMap, time } from './wire.js';

export const OwnerReference = z.object({
  apiVersion: defaulted(z.string(), ''),
  kind: z.string(),
  name: z.string(),
  uid: defaulted(z.string(), ''),
  controller: defaulted(z.boolean(), false),
});
export type OwnerReference = Immutable<z.output<typeof OwnerReference>>;

/** Who wrote which fields; `fieldsV1` keys are as the API prints them (`f:spec`, `f:strategy`). */
export const ManagedFieldsEntry = z.object({
  manager: defaulted(z.string(), ''),
  operation: defaulted(z.string(), ''),
  apiVersion: defaulted(z.string(), ''),
  subresource: defaulted(z.string(), ''),
  time: maybe(time),
  fieldsV1: maybe(z.record(z.string(), z.unknown())),
});
export type ManagedFieldsEntry = Immutable<z.output<typeof ManagedFieldsEntry>>;

export const ObjectMeta = z.object({
  name: defaulted(z.string(), ''),
  generateName: maybe(z.string()),
  namespace: defaulted(z.string(), ''),
  uid: defaulted(z.string(), ''),
  resourceVersion: defaulted(z.string(), ''),
  generation: maybe(count64),
  creationTimestamp: maybe(time),
  deletionTimestamp: maybe(time),
  deletionGracePeriodSeconds: maybe(count64),
  labels: stringMap,
  annotations: stringMap,
  ownerReferences: list(OwnerReference),
  finalizers: list(z.string()),
  managedFields: list(ManagedFieldsEntry),
});
export type ObjectMeta = Immutable<z.output<typeof ObjectMeta>>;

/** Points at one object. Cluster-scoped objects have `namespace: ''`. */
export const ObjectRef = z.object({ kind: z.string(), namespace: z.string(), name: z.string() });
export type ObjectRef = Immutable<z.output<typeof ObjectRef>>;

/** The part of every condition that rules read. */
export const Condition = z.object({
  type: z.string(),
  status: defaulted(z.string(), 'Unknown'),
  reason: defaulted(z.string(), ''),
  message: defaulted(message, ''),
  lastTransitionTime: maybe(time),
  lastUpdateTime: maybe(time),
  lastHeartbeatTime: maybe(time),
  /** The generation of the object that it is about, where its writer says so. */
  observedGeneration: z.int().optional(),
});
export type Condition = Immutable<z.output<typeof Condition>>;

/** The condition of that type, if the object has one. */
export function conditionOf(
  status: { readonly conditions: readonly Condition[] },
  type: string,
): Condition | undefined {
  return status.conditions.find((condition) => condition.type === type);
}

/** An object, or a reference to one. */
type OfSomeKind = { readonly kind: string };

/** References to objects of one kind: for each kind that is asked for in several places, its one guard. */
function ofKind<const Kind extends string>(kind: Kind) {
  return <Item extends OfSomeKind>(item: Item | undefined): item is Item & { readonly kind: Kind } =>
    item?.kind === kind;
}

export const isPod = ofKind('Pod');
export const isReplicaSet = ofKind('ReplicaSet');

/** The owner reference with `controller: true` (apimachinery `GetControllerOf`). */
export function controllerOf(object: {
  readonly metadata: Pick<ObjectMeta, 'ownerReferences'>;
}): OwnerReference | undefined {
  // Asked for each pod of a cluster, several times.
  for (const reference of object.metadata.ownerReferences) if (reference.controller) return reference;
  return undefined;
}

export function namesOf(
  objects: readonly { readonly metadata: { readonly name: string } }[],
): readonly string[] {
  return objects.map(({ metadata }) => metadata.name);
}

/** A DNS subdomain name: annotations, messages and marks are written by anybody who may write the object. */
export function isObjectName(name: string): boolean {
  return /^[a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?$/u.test(name);
}

/** In a field path: the annotation of the pod template that `kubectl rollout restart` sets. */
export const restartedAtAnnotation = '[kubectl.kubernetes.io/restartedAt]';

/**
 * A name for a cluster with workers of its own: part of the names of its queues, and of
 * `cluster/namespace/name` as people type it.
 */
export const clusterName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/u;
