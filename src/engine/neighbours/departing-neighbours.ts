import type { ClusterIndex } from '../objects/cluster-index.js';
import { workloadsIn } from '../objects/cluster-objects.js';
import { controllerOf } from '../objects/metadata.js';
import { hasNode, isActive, type Pod } from '../objects/pod.js';
import { nowOf, type Snapshot } from '../objects/snapshot.js';
import { hasObservedSpec, hasOrdinals, isRevisioned, type StatefulSet } from '../objects/workload.js';
import { restState } from '../workloads/fixed-point.js';
import { replicaSetStateOf, syncReplicaSet } from '../workloads/replica-set-controllers.js';
import { podsThatRetire } from '../workloads/revisioned/pods.js';
import { deploymentStateIn, rolloutStateIn, rolloutStateOf } from '../workloads/rollout-state.js';
import { ordinalOf } from '../workloads/stateful-set-model.js';
import { deploymentOf, type MovingNeighbour } from './moving-neighbour.js';
import { byOwner, type OwnedPods, type PodOwner } from './pod-owner.js';
import { placedPodsOfOthers } from './pods-of-others.js';
import { workloadOf } from './rest-of-workload.js';

/**
 * Workloads of others whose pods are stopped without a replacement: their namespace or they themselves are
 * being deleted, or they have more pods than replicas. Nothing has to become ready first, so what these pods
 * use becomes free.
 */
export function departingNeighbours(snapshot: Snapshot): readonly MovingNeighbour[] {
  const known = computed.get(snapshot);
  if (known !== undefined) return known;
  const now = nowOf(snapshot);
  const own = rolloutStateOf(snapshot).pods;
  const deleted = namesOfDeleted(snapshot.index);
  const found = placedPodsOfOthers(snapshot.index, own).flatMap((group): readonly MovingNeighbour[] => {
    const leaving = deleted.has(group.owner.namespace)
      ? group.pods
      : departingPods(snapshot.index, group, now);
    return leaving.length === 0 ? [] : [{ owner: group.owner, starting: [], leaving, departs: true }];
  });
  const bare = byOwner(snapshot.index, bareIn(snapshot.index, deleted));
  const all = [
    ...found,
    ...bare.map(
      ({ owner, pods }): MovingNeighbour => ({ owner, starting: [], leaving: pods, departs: true }),
    ),
    ...retiredRevisions(snapshot),
  ];
  computed.set(snapshot, all);
  return all;
}

/** Several rules ask the same of one snapshot. */
const computed = new WeakMap<Snapshot, readonly MovingNeighbour[]>();

/** Pods of revisions of other services that no longer serve, which their controllers stop after a while. */
function retiredRevisions({ index, workload }: Snapshot): readonly MovingNeighbour[] {
  const others = workloadsIn(index.objects)
    .filter(isRevisioned)
    .filter(({ metadata }) => metadata.uid !== workload.metadata.uid);
  return others.flatMap((service): readonly MovingNeighbour[] => {
    const { namespace, name } = service.metadata;
    const leaving = podsThatRetire(index, service).filter((pod) => isActive(pod) && hasNode(pod));
    const owner = { kind: service.kind, namespace, name };
    return leaving.length === 0 ? [] : [{ owner, starting: [], leaving, departs: true }];
  });
}

function departingPods(index: ClusterIndex, group: OwnedPods, now: number): readonly Pod[] {
  const { owner } = group;
  const workload = workloadOf(index, owner);
  if (workload === undefined) return [];
  // Without this finalizer the pods stay: the collector deletes them only after the workload is gone.
  const { deletionTimestamp, finalizers } = workload.metadata;
  if (deletionTimestamp !== undefined) return finalizers.includes('foregroundDeletion') ? group.pods : [];
  if (hasOrdinals(workload)) return condemnedPods(index, workload, group.pods, now);
  return surplusPods(index, owner, now).filter(hasNode);
}

function namesOfDeleted({ objects }: ClusterIndex): ReadonlySet<string> {
  const deleted = objects.Namespace.filter(({ metadata }) => metadata.deletionTimestamp !== undefined);
  return new Set(deleted.map(({ metadata }) => metadata.name));
}

/** Pods without a controller in these namespaces. */
function bareIn({ objects }: ClusterIndex, namespaces: ReadonlySet<string>): readonly Pod[] {
  if (namespaces.size === 0) return [];
  return objects.Pod.filter(
    (pod) =>
      namespaces.has(pod.metadata.namespace) &&
      controllerOf(pod) === undefined &&
      isActive(pod) &&
      hasNode(pod),
  );
}

/** Pods beyond the last ordinal. An ordered StatefulSet stops them only while no lower one is broken. */
function condemnedPods(
  index: ClusterIndex,
  statefulSet: StatefulSet,
  pods: readonly Pod[],
  now: number,
): readonly Pod[] {
  const start = statefulSet.spec.ordinals?.start ?? 0;
  const condemned = pods.filter((pod) => {
    const ordinal = ordinalOf(pod);
    return ordinal < start || ordinal >= start + statefulSet.spec.replicas;
  });
  if (condemned.length === 0) return [];
  const moves =
    !hasObservedSpec(statefulSet) || restState(rolloutStateIn(index, statefulSet, now)).kind !== 'fixed';
  return moves ? condemned : [];
}

/** Pods that the controllers of its ReplicaSets delete next. */
function surplusPods(index: ClusterIndex, owner: PodOwner, now: number): readonly Pod[] {
  const deployment = deploymentOf(index, owner);
  if (deployment === undefined || !index.replicaSetsByOwner.has(deployment.metadata.uid)) return [];
  const state = deploymentStateIn(index, deployment, now);
  return state.replicaSets.flatMap((replicaSet) => {
    const action = syncReplicaSet(replicaSetStateOf(state, replicaSet));
    return action.kind === 'delete' ? [...action.victims.pods, ...action.victims.orElse] : [];
  });
}
