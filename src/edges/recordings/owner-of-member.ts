import type { NamedWorkload } from '../../doctor/commands/command.js';
import { workloadsIn } from '../../engine/objects/cluster-objects.js';
import { controllerOf, type OwnerReference } from '../../engine/objects/metadata.js';
import type { Pod } from '../../engine/objects/pod.js';
import type { ReplicaSet, Workload } from '../../engine/objects/workload.js';
import { kindNamed, kindWithParts, namesRevision, WorkloadKind } from '../../engine/objects/workload.js';
import type { Recording } from './collect-objects.js';

/**
 * The workload that owns the Pod or ReplicaSet that is named, by the same name as people would use for it.
 */
export function ownerOf(
  objects: Recording['objects'],
  { member = 'Pod', namespace, name }: NamedWorkload,
): NamedWorkload | undefined {
  if (member === 'RayCluster') {
    return workloadsIn(objects)
      .filter((each) => each.kind === kindWithParts(member) && namesRevision(each, name))
      .map(({ kind, metadata }) => ({ kind, namespace: metadata.namespace, name: metadata.name }))
      .find((each) => namespace === undefined || each.namespace === namespace);
  }
  const object = memberNamed(objects, member, name, namespace);
  const whole = object && addOnOf(objects, object);
  if (whole !== undefined) {
    return { kind: whole.kind, namespace: whole.metadata.namespace, name: whole.metadata.name };
  }
  const owner = controllerAbove(objects, { member, ...(namespace === undefined ? {} : { namespace }), name });
  const kind = WorkloadKind.safeParse(owner?.kind);
  if (object === undefined || owner === undefined || !kind.success) return undefined;
  return { kind: kind.data, namespace: object.metadata.namespace, name: owner.name };
}

function memberNamed(
  objects: Recording['objects'],
  kind: 'Pod' | 'ReplicaSet',
  name: string,
  namespace: string | undefined,
): Pod | ReplicaSet | undefined {
  return objects[kind].find(
    ({ metadata }) => metadata.name === name && (namespace === undefined || metadata.namespace === namespace),
  );
}

/** The controller of a Pod or ReplicaSet, above a ReplicaSet in between. */
export function controllerAbove(
  objects: Recording['objects'],
  { member = 'Pod', namespace, name }: NamedWorkload,
): OwnerReference | undefined {
  if (member === 'RayCluster') return undefined;
  const object = memberNamed(objects, member, name, namespace);
  const controller = object && controllerOf(object);
  const replicaSet =
    controller?.kind === 'ReplicaSet'
      ? memberNamed(objects, 'ReplicaSet', controller.name, object?.metadata.namespace)
      : undefined;
  return replicaSet === undefined ? controller : controllerOf(replicaSet);
}

/** The recorded workload of an add-on whose name, or whose revision, is in labels of a pod or ReplicaSet. */
function addOnOf(objects: Recording['objects'], part: Pick<Pod, 'metadata'>): Workload | undefined {
  return workloadsIn(objects).find((workload) => {
    const { name, namespace } = workload.metadata;
    const { nameIn, revisionIn } = kindNamed(workload.kind);
    const revision = revisionIn?.(part);
    return (
      namespace === part.metadata.namespace &&
      (nameIn?.(part) === name || (revision !== undefined && namesRevision(workload, revision)))
    );
  });
}
