import { compareText, greatestOf, groupBy } from '../collections/collections.js';
import type { ClusterIndex } from '../objects/cluster-index.js';
import { controllerOf } from '../objects/metadata.js';
import type { Pod } from '../objects/pod.js';
import { byPodName } from '../objects/pod.js';
import { priorityOf } from '../scheduler/pod-defaults.js';
import { workloadByName } from '../workloads/tied-pods.js';

/** The workload a pod belongs to, as people know it: the Deployment rather than its ReplicaSet. */
export interface PodOwner {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/**
 * Of a pod without controller: the pod itself. ReplicaSets of other namespaces are not read; their names tell
 * the workload.
 */
export function ownerOf(index: ClusterIndex, pod: Pod): PodOwner {
  const { namespace, name } = pod.metadata;
  const owner = controllerOf(pod);
  if (owner === undefined) return { kind: 'Pod', namespace, name };
  if (owner.kind !== 'ReplicaSet') return { kind: owner.kind, namespace, name: owner.name };
  const replicaSet = index.replicaSets.get(owner.uid);
  const above = replicaSet === undefined ? undefined : controllerOf(replicaSet);
  if (above !== undefined) return { kind: above.kind, namespace, name: above.name };
  if (replicaSet !== undefined) return { kind: 'ReplicaSet', namespace, name: owner.name };
  const { kind, name: workload } = workloadByName(pod) ?? { kind: 'ReplicaSet', name: owner.name };
  return { kind, namespace, name: workload };
}

/** A workload and those of its pods that are meant. */
export interface OwnedPods {
  readonly owner: PodOwner;
  /** Sorted by name. */
  readonly pods: readonly Pod[];
  /** The highest among the pods. */
  readonly priority: number;
}

/** As `namespace/name`. */
export function ownerNames(owned: readonly { readonly owner: PodOwner }[]): readonly string[] {
  return owned.map(({ owner }) => `${owner.namespace}/${owner.name}`);
}

/** Pods by the workload they belong to, the highest priority first, then the most pods, then by name. */
export function byOwner(index: ClusterIndex, pods: readonly Pod[]): readonly OwnedPods[] {
  const groups = groupBy(
    pods.map((pod) => ({ pod, owner: ownerOf(index, pod) })),
    ({ owner }) => ownerKey(owner),
  );
  return [...groups.values()]
    .map((members): OwnedPods => {
      const [{ owner }] = members;
      const own = members.map(({ pod }) => pod).sort(byPodName);
      return { owner, pods: own, priority: greatestOf(own.map(priorityOf)) };
    })
    .sort(inOwnerOrder);
}

/** The order of `byOwner`. */
export function inOwnerOrder(a: OwnedPods, b: OwnedPods): number {
  return (
    b.priority - a.priority ||
    b.pods.length - a.pods.length ||
    compareText(ownerKey(a.owner), ownerKey(b.owner))
  );
}

/** Differs between any two workloads of a cluster. */
export function ownerKey({ kind, namespace, name }: PodOwner): string {
  return `${namespace}/${kind}/${name}`;
}
