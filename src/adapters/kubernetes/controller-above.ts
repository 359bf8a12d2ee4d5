import { controllerOf } from '../../core/cluster/metadata.js';
import type { Unreadable } from '../../usecases/diagnose/cluster-reader.js';
import type { ApiCall } from './api-call.js';
import { listObjects } from './read-objects.js';

export interface NamedOwner {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/**
 * The controller of a pod or ReplicaSet; `undefined` when it has none or is gone. Listed by name, since reading single
 * ones is a right of its own, which a diagnosis does not need.
 */
export async function controllerAbove(
  call: ApiCall,
  kind: 'Pod' | 'ReplicaSet',
  { namespace, name }: Omit<NamedOwner, 'kind'>,
  signal: AbortSignal,
): Promise<NamedOwner | undefined | Unreadable> {
  const reading = { type: 'one-object' } as const;
  const selection = { namespace, fieldSelector: `metadata.name=${name}`, reading };
  const read = await listObjects(call, kind, selection, signal);
  if (read.type === 'unreadable') return read;
  const [object] = read.value.items;
  const controller = object && controllerOf(object);
  return controller && { kind: controller.kind, namespace, name: controller.name };
}
