import type { ClusterIndex } from '../objects/cluster-index.js';
import { type ClusterObjects, workloadsIn } from '../objects/cluster-objects.js';
import type { Pod } from '../objects/pod.js';
import {
  type Deployment,
  hasObservedSpec,
  hasPodPerNode,
  isRevisioned,
  type Workload,
} from '../objects/workload.js';
import { ownerKey, type PodOwner } from './pod-owner.js';

/** The workload that owns the pods, where it was read. */
export function workloadOf(
  { objects }: Pick<ClusterIndex, 'objects'>,
  owner: PodOwner,
): Workload | undefined {
  return workloadsOf(objects).get(ownerKey(owner));
}

/** By `ownerKey`, once for all objects of a diagnosis; the first of a name counts. */
function workloadsOf(objects: ClusterObjects): ReadonlyMap<string, Workload> {
  const known = workloads.get(objects);
  if (known !== undefined) return known;
  const all = [...workloadsIn(objects)];
  const byKey = new Map(
    all.reverse().map((each) => [ownerKey({ kind: each.kind, ...each.metadata }), each] as const),
  );
  workloads.set(objects, byKey);
  return byKey;
}

const workloads = new WeakMap<ClusterObjects, ReadonlyMap<string, Workload>>();

/**
 * A paused Deployment is still scaled: its old pods are stopped as soon as the new ReplicaSet has all
 * replicas and these are available (kubernetes deployment/sync.go: scale, `IsSaturated`). With fewer of them,
 * nothing moves until somebody resumes it.
 */
export function isHeldByPause({ spec, status }: Deployment): boolean {
  return spec.paused && status.updatedReplicas < spec.replicas;
}

/**
 * True where its status shows that no pod of it is of a former revision, or where its controller waits for a
 * person: it is paused, `OnDelete`, or has a partition above every old pod. A workload that is being deleted
 * does not rest.
 */
export function isAtRest(workload: Workload): boolean {
  if (workload.metadata.deletionTimestamp !== undefined || !hasObservedSpec(workload)) return false;
  if (isRevisioned(workload)) return workload.revisions.next === undefined;
  switch (workload.kind) {
    case 'Deployment': {
      const { spec, status } = workload;
      const isComplete = status.updatedReplicas >= spec.replicas && status.replicas <= status.updatedReplicas;
      return isHeldByPause(workload) || (isComplete && status.replicas <= spec.replicas);
    }
    case 'Rollout': {
      const { spec, status } = workload;
      return status.replicas <= status.updatedReplicas && status.replicas <= spec.replicas;
    }
    case 'StatefulSet': {
      const { spec, status } = workload;
      const { type, rollingUpdate } = spec.updateStrategy;
      const isHeldBack = type === 'OnDelete' || (rollingUpdate?.partition ?? 0) >= spec.replicas;
      return (
        (status.updateRevision === status.currentRevision || isHeldBack) && status.replicas <= spec.replicas
      );
    }
    case 'LeaderWorkerSet': {
      const { spec, status } = workload;
      const { partition } = spec.rolloutStrategy.rollingUpdateConfiguration;
      return status.updatedReplicas >= spec.replicas - partition && status.replicas <= spec.replicas;
    }
    case 'DaemonSet': {
      const { spec, status } = workload;
      return (
        spec.updateStrategy.type !== 'RollingUpdate' ||
        status.updatedNumberScheduled >= status.desiredNumberScheduled
      );
    }
  }
}

/** Whether pods may exist that were not read, because they are on a node whose pods were not asked for. */
export function hasUnreadNodes({ objects, podsReadOn }: ClusterIndex): boolean {
  return podsReadOn !== undefined && objects.Node.some(({ metadata }) => !podsReadOn.has(metadata.name));
}

/** Whether as many of its pods were read as its status counts. */
export function isReadWhole(index: ClusterIndex, workload: Workload, pods: readonly Pod[]): boolean {
  return !hasUnreadNodes(index) || pods.length >= countedPods(workload);
}

function countedPods(workload: Workload): number {
  if (isRevisioned(workload)) return workload.spec.replicas;
  return hasPodPerNode(workload) ? workload.status.currentNumberScheduled : workload.status.replicas;
}
