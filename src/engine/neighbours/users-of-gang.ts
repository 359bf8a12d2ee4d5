import { workloadsIn } from '../objects/cluster-objects.js';
import { controllerOf } from '../objects/metadata.js';
import type { Snapshot } from '../objects/snapshot.js';
import { type Gang, groupNameOf } from './pod-gang.js';
import { ownerKey, ownerNames, ownerOf, type PodOwner } from './pod-owner.js';

/**
 * Who else may complete a group, as `namespace/name`: workloads with pods of it or with a template that names
 * it, since pods of every owner count, and the controller of the group, which may lower its minimum. A pod
 * without a controller is not created again.
 */
export function otherUsersOf(
  { index, workload }: Pick<Snapshot, 'index' | 'workload'>,
  { name, by, members, group }: Gang,
): readonly string[] {
  const { namespace, uid } = workload.metadata;
  const sets = index.objects.ReplicaSet.filter((set) => controllerOf(set)?.uid === uid);
  const own = new Set([uid, ...sets.map(({ metadata }) => metadata.uid)]);
  const ofMembers = members
    .filter((pod) => !own.has(controllerOf(pod)?.uid ?? uid))
    .map((pod) => ownerOf(index, pod));
  const ofTemplates = workloadsIn(index.objects)
    .filter(({ metadata, spec: { template } }) => {
      const named = groupNameOf(template);
      const isOther = metadata.namespace === namespace && !own.has(metadata.uid);
      return isOther && named?.name === name && named.by === by;
    })
    .map(({ kind, metadata }): PodOwner => ({ kind, namespace, name: metadata.name }));
  const manager = group && controllerOf(group);
  const managers: readonly PodOwner[] =
    manager === undefined || own.has(manager.uid)
      ? []
      : [{ kind: manager.kind, namespace, name: manager.name }];
  const owners = [...ofMembers, ...ofTemplates, ...managers].map((owner) => ({ owner }));
  return ownerNames([...new Map(owners.map((each) => [ownerKey(each.owner), each])).values()]);
}
