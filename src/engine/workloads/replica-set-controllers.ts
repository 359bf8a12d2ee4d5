import { type Condition, conditionOf, controllerOf } from '../objects/metadata.js';
import { isActive, isAvailable, isReady, isTerminal, isTerminating, type Pod } from '../objects/pod.js';
import type { ReplicaSet } from '../objects/workload.js';
import { newCondition, withCondition, withoutCondition, withoutFailures } from './deployment-writes.js';
import type { PodSet } from './pod-set.js';
import type { Shrinking, Victims } from './replica-set-victims.js';
import { victimsAmong, victimsInAnyOrder, victimsInTwoSteps, victimsOf } from './replica-set-victims.js';
import { podsByOwnerOf } from './revisions.js';
import type { DeploymentState } from './rollout-state.js';
import { deletedPod, simulatedPod } from './simulated-pods.js';
import type { WorkMeter } from './simulation.js';

/** What the ReplicaSet controller needs of the state of a workload that rolls out by ReplicaSets. */
interface SizedState {
  readonly replicaSets: readonly ReplicaSet[];
  /** Epoch milliseconds. */
  readonly now: number;
}

/** The Deployment controller does not wait for one ReplicaSet's deletions before it resizes the next. */
export function deletionsOf(
  shrinking: readonly Shrinking[],
  podSet: PodSet,
  now: number,
  meter: WorkMeter,
): { readonly deleted: readonly Pod[]; readonly orElse: readonly Pod[] } {
  const deleted = shrinking.flatMap(({ victims }) => victims.pods);
  const inAnyOrder = victimsInAnyOrder(shrinking, podSet.ranks, now, meter.spend);
  const possible = new Set([...shrinking.flatMap(({ victims }) => victims.orElse), ...inAnyOrder]);
  for (const pod of deleted) possible.delete(pod);
  return { deleted, orElse: [...possible] };
}

/** A spread of so many arguments as a large rollout has pods would overflow the stack. */
export function append<Item>(list: Item[], items: readonly Item[]): void {
  for (const item of items) list.push(item);
}

/** The ReplicaSets with the counts that follow from their pods; a ReplicaFailure stays. */
export function refreshed<State extends SizedState & { readonly pods: readonly Pod[] }>(state: State): State {
  const byOwner = podsByOwnerOf(state);
  const replicaSets = state.replicaSets.map((replicaSet) => {
    const pods = byOwner.get(replicaSet.metadata.uid) ?? [];
    const { conditions } = replicaSet.status;
    return {
      ...replicaSet,
      status: { ...replicaSetStatus({ replicaSet, pods, now: state.now }), conditions },
    };
  });
  return { ...state, replicaSets };
}

/** The ReplicaSets with the counts of the pod set. */
export function counted<State extends SizedState>(podSet: PodSet, state: State): State {
  const replicaSets = state.replicaSets.map((replicaSet): ReplicaSet => {
    const { metadata, spec, status } = replicaSet;
    const group = podSet.groupOf(metadata.uid);
    const counts = {
      observedGeneration: Math.max(metadata.generation ?? 0, status.observedGeneration),
      replicas: group.active.size,
      readyReplicas: group.ready(),
      availableReplicas: group.countAvailable(spec.minReadySeconds, state.now),
      terminatingReplicas: group.terminating(),
    };
    return isSame(status, counts) ? replicaSet : { ...replicaSet, status: { ...status, ...counts } };
  });
  return { ...state, replicaSets };
}

function isSame(status: ReplicaSet['status'], counts: Partial<ReplicaSet['status']>): boolean {
  return Object.entries(counts).every(([name, value]) => status[name as keyof typeof counts] === value);
}

interface Managed<State> {
  readonly state: State;
  readonly created: readonly Pod[];
  readonly shrinking: readonly Shrinking[];
  readonly refused: readonly Pod[];
}

interface Managing {
  readonly admits: (pod: Pod) => boolean;
  readonly meter: WorkMeter;
  /**
   * Sizes that its owner wrote in between, in one sync, before the present ones; by name of the ReplicaSet.
   */
  readonly sizedInBetween: ReadonlyMap<string, number>;
}

/**
 * Each ReplicaSet creates the pods that it lacks, and deletes those beyond its size
 * (`replica_set.go: manageReplicas`).
 */
export function manageReplicaSets<State extends SizedState>(
  podSet: PodSet,
  state: State,
  { admits, meter, sizedInBetween }: Managing,
): Managed<State> {
  const created: Pod[] = [];
  const shrinking: Shrinking[] = [];
  const refused: Pod[] = [];
  const served = new Set<ReplicaSet>();
  for (const replicaSet of state.replicaSets) {
    const { active } = podSet.groupOf(replicaSet.metadata.uid);
    const change = replicaSetChange(replicaSet, active.size);
    const before = refused.length;
    if (change < 0) {
      const candidates = [...active.values()];
      const inOneStep = victimsAmong(candidates, podSet.ranks, -change, state.now);
      meter.spend(active.size);
      const between = sizedInBetween.get(replicaSet.metadata.name) ?? 0;
      const stepsSeen =
        between > replicaSet.spec.replicas
          ? victimsInTwoSteps(candidates, podSet.ranks, active.size - between, -change, state.now)
          : [];
      const orElse = [...new Set([...inOneStep.orElse, ...stepsSeen])];
      const victims = { pods: inOneStep.pods, orElse: orElse.filter((pod) => !inOneStep.pods.includes(pod)) };
      shrinking.push({ owner: replicaSet.metadata.uid, active: candidates, victims });
      for (const pod of victims.pods) {
        const [left] = deletedPod(pod, state.now);
        if (left === undefined) podSet.remove(pod);
        else podSet.replace(pod, left);
      }
    }
    for (let count = 0; count < change && !meter.isExhausted(); count += 1) {
      const pod = nextPod(podSet, state, replicaSet);
      meter.spend(1);
      if (!admits(pod)) {
        refused.push(pod);
        break;
      }
      meter.notePods(1);
      created.push(pod);
      podSet.add(pod);
    }
    const hasFailed = conditionOf(replicaSet.status, 'ReplicaFailure') !== undefined;
    if (hasFailed && refused.length === before) served.add(replicaSet);
  }
  return { state: withoutFailures(state, served), created, shrinking, refused };
}

/** As the ReplicaSet would create it; names go on where those that exist end. */
function nextPod(podSet: PodSet, { now }: SizedState, replicaSet: ReplicaSet): Pod {
  const { metadata, spec } = replicaSet;
  const name = podSet.freeName(`${metadata.name}-next-`);
  return simulatedPod(replicaSet, spec.template, name, now, podSet.groupOf(metadata.uid).like());
}

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
type ReplicaSetAction =
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
export type ManageFailure = { readonly reason: 'FailedCreate' | 'FailedDelete'; readonly message: string };

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
