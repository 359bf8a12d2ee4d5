import { controllerOf } from '../../cluster/metadata.js';
import { isAvailable, isTerminating, type Pod } from '../../cluster/pod.js';
import { byCreation, epochOf } from '../creation-order.js';
import type { ArgoRolloutState } from '../rollout-state.js';
import { total } from './basic-canary.js';
import { canaryBounds } from './bounds.js';
import { rolesOf } from './replica-set-roles.js';

/** Pods that a restart evicts now, and whether every pod is young enough. */
export interface Restart {
  readonly evicted: readonly Pod[];
  readonly isDone: boolean;
}

const nothing: Restart = { evicted: [], isDone: false };

/**
 * Evicts pods that are older than `spec.restartAt`, the stable ones first, as many as may be unavailable and
 * at least one (`restart.go: RolloutPodRestarter.Reconcile`). A PodDisruptionBudget that refuses an eviction
 * is not simulated.
 */
export function restartPods(state: ArgoRolloutState): Restart {
  const { rollout, replicaSets, pods, now } = state;
  const { spec, status } = rollout;
  const at = epochOf(spec.restartAt);
  if (at === undefined || now <= at || epochOf(status.restartedAt) === at) return nothing;
  const { newReplicaSet, stableReplicaSet } = rolesOf(rollout, replicaSets);
  const rank = (uid: string | undefined): number => {
    if (uid === stableReplicaSet?.metadata.uid) return -2;
    if (uid === newReplicaSet?.metadata.uid) return -1;
    return [...replicaSets].sort(byCreation).findIndex(({ metadata }) => metadata.uid === uid);
  };
  const available = pods.filter(
    (pod) => !isTerminating(pod) && isAvailable(pod, spec.minReadySeconds, now),
  ).length;
  const atOnce = Math.max(canaryBounds(rollout).maxUnavailable, 1);
  let mayGo = available - (Math.max(spec.replicas, total(replicaSets)) - atOnce);
  const older = pods
    .filter(({ metadata }) => (epochOf(metadata.creationTimestamp) ?? 0) < at)
    .sort((a, b) => rank(controllerOf(a)?.uid) - rank(controllerOf(b)?.uid));
  const evicted: Pod[] = [];
  for (const pod of older) {
    if (mayGo <= 0 || isTerminating(pod)) continue;
    evicted.push(pod);
    mayGo -= 1;
  }
  return { evicted, isDone: older.length === evicted.length };
}
