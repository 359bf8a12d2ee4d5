import { type Condition, conditionOf, controllerOf } from '../objects/metadata.js';
import { isActive, isAvailable, isReady, isTerminal, isTerminating, type Pod } from '../objects/pod.js';
import type { ReplicaSet } from '../objects/workload.js';
import { newCondition, withCondition, withoutCondition } from './deployment-conditions.js';
import { type Victims, victimsOf } from './replica-set-victims.js';
import type { DeploymentState } from './rollout-state.js';

/** The controller creates or deletes at most this many pods in one sync (`replica_set.go: BurstReplicas`). */
const burstReplicas = 500;

export interface ReplicaSetState {
  readonly replicaSet: ReplicaSet;
  /** Controlled by it, terminal and terminating ones included. */
  readonly pods: readonly Pod[];
  /** Pods of all ReplicaSets of the same Deployment, its own included. */
  readonly relatedPods: readonly Pod[];
  /** Epoch milliseconds. */
  readonly now: number;
}

/** What one sync of the ReplicaSet controller does to its pods. */
export type ReplicaSetAction =
  | { readonly kind: 'create'; readonly count: number }
  | { readonly kind: 'delete'; readonly victims: Victims }
  | { readonly kind: 'none' };

/** Pods to create or delete now (kubernetes `replica_set.go: manageReplicas`). */
export function syncReplicaSet({ replicaSet, pods, relatedPods, now }: ReplicaSetState): ReplicaSetAction {
  const active = pods.filter(isActive);
  const change = replicaSetChange(replicaSet, active.length);
  if (change === 0) return { kind: 'none' };
  if (change > 0) return { kind: 'create', count: change };
  return { kind: 'delete', victims: victimsOf(active, relatedPods, -change, now) };
}

/**
 * Pods that one sync creates, or deletes when it is below 0, beside `active` ones.
 *
 * @param burst at most so many; `Infinity`: as many as all syncs of one moment together
 */
export function replicaSetChange(
  { metadata, spec }: ReplicaSet,
  active: number,
  burst: number = burstReplicas,
): number {
  if (metadata.deletionTimestamp !== undefined) return 0;
  return Math.max(-burst, Math.min(burst, spec.replicas - active));
}

/** How creating or deleting pods failed in this sync, in the API server's words. */
export interface ManageFailure {
  readonly reason: 'FailedCreate' | 'FailedDelete';
  readonly message: string;
}

/**
 * The status after a sync, from the pods as they are (kubernetes `replica_set_utils.go: calculateStatus`). An
 * existing ReplicaFailure stays as it is while creating or deleting fails, and goes with the first success.
 */
export function replicaSetStatus(
  { replicaSet, pods, now }: Pick<ReplicaSetState, 'replicaSet' | 'pods' | 'now'>,
  failure?: ManageFailure,
): ReplicaSet['status'] {
  const active = pods.filter(isActive);
  const ready = active.filter(isReady);
  const { labels } = replicaSet.spec.template.metadata;
  return {
    observedGeneration: Math.max(replicaSet.metadata.generation ?? 0, replicaSet.status.observedGeneration),
    replicas: active.length,
    fullyLabeledReplicas: active.filter((pod) => hasLabels(pod, labels)).length,
    readyReplicas: ready.length,
    availableReplicas: ready.filter((pod) => isAvailable(pod, replicaSet.spec.minReadySeconds, now)).length,
    terminatingReplicas: pods.filter((pod) => isTerminating(pod) && !isTerminal(pod)).length,
    conditions: failureConditions(replicaSet, failure, now),
  };
}

function failureConditions(
  { status }: ReplicaSet,
  failure: ManageFailure | undefined,
  now: number,
): readonly Condition[] {
  if (failure === undefined) return withoutCondition(status.conditions, 'ReplicaFailure');
  if (conditionOf(status, 'ReplicaFailure') !== undefined) return status.conditions;
  const condition = newCondition('ReplicaFailure', 'True', failure.reason, failure.message, now);
  return withCondition(status.conditions, { ...condition, lastUpdateTime: undefined });
}

function hasLabels(pod: Pod, labels: Readonly<Record<string, string>>): boolean {
  return Object.entries(labels).every(([key, value]) => pod.metadata.labels[key] === value);
}

/** The ReplicaSet controller's view of one ReplicaSet of a Deployment. */
export function replicaSetStateOf(
  state: Pick<DeploymentState, 'pods' | 'now'>,
  replicaSet: ReplicaSet,
): ReplicaSetState {
  const pods = state.pods.filter((pod) => controllerOf(pod)?.uid === replicaSet.metadata.uid);
  return { replicaSet, pods, relatedPods: state.pods, now: state.now };
}
