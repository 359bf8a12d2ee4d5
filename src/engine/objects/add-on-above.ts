import { controllerOf, type ObjectMeta } from './metadata.js';
import type { Immutable } from './wire.js';
import type { AddOnKind } from './workload.js';

/** By the kind of the controller that the objects of such a workload have. */
const kinds: ReadonlyMap<string, AddOnKind> = new Map([
  ['Rollout', 'Rollout'],
  ['LeaderWorkerSet', 'LeaderWorkerSet'],
  ['Revision', 'KnativeService'],
  ['RayCluster', 'RayService'],
  ['DynamoComponentDeployment', 'DynamoGraphDeployment'],
]);

/** The kind of the add-on's workload that the object is a part of. */
export function addOnAbove(object: { readonly metadata: Immutable<ObjectMeta> }): AddOnKind | undefined {
  return kinds.get(controllerOf(object)?.kind ?? '');
}
