import { controllerOf, type ObjectMeta } from '../../engine/objects/metadata.js';
import type { Immutable } from '../../engine/objects/wire.js';
import type { AddOnKind, WorkloadKind } from '../../engine/objects/workload.js';
import { addOnKinds, kindNamed, namesRevision } from '../../engine/objects/workload.js';
import type { Unreadable } from '../../service/diagnose/cluster-reader.js';
import type { ApiCall } from './api-call.js';
import { cachedList } from './list-reading.js';
import { listObjects } from './read-objects.js';
import { workloadNames } from './workload-names.js';

export type NamedOwner = { readonly kind: string; readonly namespace: string; readonly name: string };

type Member = { readonly metadata: Immutable<ObjectMeta> };

/**
 * The object that people own above a pod or ReplicaSet that was read; `undefined` when it has no controller.
 * A service or group of an add-on counts only where it may be read, else the object below it does.
 */
export async function ownerAbove(
  call: ApiCall,
  object: Member,
  signal: AbortSignal,
): Promise<NamedOwner | undefined | Unreadable> {
  const { namespace } = object.metadata;
  const controller = controllerOf(object);
  if (controller === undefined) return undefined;
  const whole = await addOnAbove(call, object, signal);
  if (whole !== undefined) return whole;
  if (controller.kind !== 'ReplicaSet') return { kind: controller.kind, namespace, name: controller.name };
  const read = await membersNamed(call, 'ReplicaSet', { namespace, name: controller.name }, signal);
  if ('type' in read) return read;
  const above = read[0] && controllerOf(read[0]);
  return above && { kind: above.kind, namespace, name: above.name };
}

/** The same for a pod or ReplicaSet of this name; `undefined` when it is gone. */
export async function ownerOfNamed(
  call: ApiCall,
  kind: 'Pod' | 'ReplicaSet',
  at: Omit<NamedOwner, 'kind'>,
  signal: AbortSignal,
): Promise<NamedOwner | undefined | Unreadable> {
  const read = await membersNamed(call, kind, at, signal);
  if ('type' in read) return read;
  return read[0] && ownerAbove(call, read[0], signal);
}

/** Listed by name, since reading single ones is a right of its own, which a diagnosis does not need. */
async function membersNamed(
  call: ApiCall,
  kind: 'Pod' | 'ReplicaSet',
  { namespace, name }: Omit<NamedOwner, 'kind'>,
  signal: AbortSignal,
): Promise<readonly Member[] | Unreadable> {
  const reading = { type: 'one-object' } as const;
  const selection = { namespace, fieldSelector: `metadata.name=${name}`, reading };
  const read = await listObjects(call, kind, selection, signal);
  return read.type === 'unreadable' ? read : read.value.items;
}

async function addOnAbove(
  call: ApiCall,
  object: Member,
  signal: AbortSignal,
): Promise<NamedOwner | undefined> {
  const { namespace } = object.metadata;
  for (const kind of addOnKinds) {
    const { nameIn, revisionIn } = kindNamed(kind);
    const name = nameIn?.(object);
    if (name !== undefined) return named(call, kind, namespace, name, signal);
    const revision = revisionIn?.(object);
    if (revision !== undefined) return serviceOf(call, kind, { namespace, revision }, signal);
  }
  return undefined;
}

async function named(
  call: ApiCall,
  kind: WorkloadKind,
  namespace: string,
  name: string,
  signal: AbortSignal,
): Promise<NamedOwner | undefined> {
  const found = await workloadNames(call, [kind], namespace, signal, () => true, name);
  return 'type' in found ? undefined : found[0];
}

/** A namespace is expected to hold fewer. */
const maxServices = 500;

/** Pods have the name of their revision only, and the service names its revisions in its status. */
async function serviceOf(
  call: ApiCall,
  kind: AddOnKind,
  { namespace, revision }: { namespace: string; revision: string },
  signal: AbortSignal,
): Promise<NamedOwner | undefined> {
  const selection = { namespace, max: maxServices, reading: cachedList };
  const listed = await listObjects(call, kind, selection, signal);
  if (listed.type === 'unreadable') return undefined;
  const found = listed.value.items.find((each) => namesRevision(each, revision));
  return found && { kind, namespace, name: found.metadata.name };
}
