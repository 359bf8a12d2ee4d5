import { leastOf } from '../../engine/collections/collections.js';
import { conditionOf } from '../../engine/objects/metadata.js';
import { hasNode, isActive, isAvailable, isReady, type Pod } from '../../engine/objects/pod.js';
import { nowOf, type Snapshot } from '../../engine/objects/snapshot.js';
import { type Deployment, hasDeploymentStrategy, type ReplicaSet } from '../../engine/objects/workload.js';
import { restState } from '../../engine/workloads/fixed-point.js';
import { newPods, oldPods, oldReplicaSetsOf, revisionsOf } from '../../engine/workloads/revisions.js';
import type { DeploymentState, RolloutState } from '../../engine/workloads/rollout-state.js';
import { rolloutStateOf } from '../../engine/workloads/rollout-state.js';

/** A Deployment's rollout that has come to rest half-way: the first two conditions of every deadlock. */
export interface StuckRollout {
  readonly deployment: Deployment;
  readonly state: DeploymentState;
  readonly newReplicaSet: ReplicaSet;
  readonly oldReplicaSets: readonly ReplicaSet[];
  /** Active pods of old revisions that hold a node. They go only when the controller takes them. */
  readonly holding: readonly Pod[];
  /** Active pods of the new revision that are not available. */
  readonly blocked: readonly Pod[];
}

/**
 * The rollout as a candidate for a deadlock with itself, or `undefined` when it is none: paused, not observed
 * yet, Recreate, no old pods left, every new pod available, or something is still moving by itself.
 *
 * @param cannotStart tells young pods of which it is known that they will not become ready, however long they
 *   are given
 */
export function stuckRolloutOf(
  snapshot: Snapshot,
  cannotStart: (pod: Pod) => boolean = () => false,
): StuckRollout | undefined {
  const state = rolloutStateOf(snapshot);
  if (!hasDeploymentStrategy(state)) return undefined;
  const { deployment } = state;
  const { metadata, spec, status } = deployment;
  if (spec.paused || metadata.deletionTimestamp !== undefined) return undefined;
  if (status.observedGeneration < (metadata.generation ?? 0)) return undefined;
  if (spec.strategy.type !== 'RollingUpdate') return undefined;
  const { newReplicaSet } = revisionsOf(state);
  if (newReplicaSet === undefined) return undefined;
  const holding = oldPods(state).filter((pod) => isActive(pod) && hasNode(pod));
  if (holding.length === 0) return undefined;
  if (!rests(state, cannotStart)) return undefined;
  const now = nowOf(snapshot);
  const blocked = newPods(state).filter(
    (pod) => isActive(pod) && !(isReady(pod) && isAvailable(pod, spec.minReadySeconds, now)),
  );
  return {
    deployment,
    state,
    newReplicaSet,
    oldReplicaSets: oldReplicaSetsOf(state).filter((replicaSet) => replicaSet.spec.replicas > 0),
    holding,
    blocked,
  };
}

/** Whether the rollout rests, where pods that are known not to start do not count as under way. */
export function rests(state: RolloutState, cannotStart: (pod: Pod) => boolean): boolean {
  const rest = restState(state);
  if (rest.kind !== 'settling') return rest.kind === 'fixed';
  return rest.pods.every(
    ({ pod, will }) => (will === 'become-ready' || will === 'be-scheduled') && cannotStart(pod),
  );
}

/** The scheduler has tried the pod and found no node; gated pods were never tried. */
export function isUnschedulable(pod: Pod): boolean {
  const scheduled = conditionOf(pod.status, 'PodScheduled');
  return !hasNode(pod) && scheduled?.status === 'False' && scheduled.reason === 'Unschedulable';
}

/** Since when the scheduler refuses the pod, RFC3339. */
export function refusedSince(pod: Pod): string | undefined {
  return conditionOf(pod.status, 'PodScheduled')?.lastTransitionTime ?? pod.metadata.creationTimestamp;
}

/** Since the scheduler refused the pod that waits longest, in seconds. */
export function longestRefusedSeconds(snapshot: Snapshot, pods: readonly Pod[]): number | undefined {
  const since = pods.map((pod) => Date.parse(refusedSince(pod) ?? '')).filter((time) => !Number.isNaN(time));
  return since.length === 0 ? undefined : Math.max(0, (nowOf(snapshot) - leastOf(since)) / 1000);
}

/** `namespace/name` of the workload, as every sentence names it. */
export function workloadName({ workload }: Pick<Snapshot, 'workload'>): string {
  return `${workload.metadata.namespace}/${workload.metadata.name}`;
}
