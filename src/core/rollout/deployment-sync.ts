import type { Condition } from '../cluster/metadata.js';
import { isTerminal } from '../cluster/pod.js';
import type { Deployment, ReplicaSet } from '../cluster/workload.js';
import type { DeploymentAction, ScaleReason } from './deployment-action.js';
import {
  countAnnotation,
  desiredReplicasAnnotation,
  differIn,
  replicasAnnotations,
} from './deployment-annotations.js';
import {
  type DeploymentStatus,
  deploymentCounts,
  isComplete,
  pausedConditions,
  rolloutStatusOf,
} from './deployment-conditions.js';
import { fencepostsOf } from './fenceposts.js';
import { identify, type Known } from './known-replica-sets.js';
import { scaledSizes } from './proportional-scaling.js';
import { expiredReplicaSets } from './revision-history.js';
import { isActiveReplicaSet, podsOfReplicaSet } from './revisions.js';
import { newReplicaSetSize, oldReplicaSetSizes } from './rolling-steps.js';
import type { DeploymentState } from './rollout-state.js';

/** What one sync does, in order, and the status it then writes. No actions: status only. */
export interface DeploymentSync {
  /** The branch that the controller takes. `invalid`: it fails and retries, since it cannot read maxSurge. */
  readonly path: 'deleting' | 'paused' | 'scaling' | 'rolling' | 'recreate' | 'invalid';
  readonly actions: readonly DeploymentAction[];
  readonly status: DeploymentStatus;
  /** Value of the Deployment's revision annotation afterwards; `undefined` leaves it. */
  readonly revision: string | undefined;
}

/**
 * One sync of the Deployment controller over the objects as they are: which ReplicaSets it creates, scales
 * and deletes, and the status it writes (kubernetes `deployment_controller.go: syncDeployment`, `sync.go`,
 * `rolling.go`, `recreate.go`). Not simulated: hash collisions, adoption, the rollback annotation of
 * `extensions/v1beta1`.
 */
export function syncDeployment(state: DeploymentState): DeploymentSync {
  const { deployment, now } = state;
  if (deployment.metadata.deletionTimestamp !== undefined) {
    const known = identify(state, deployment.status.conditions, false);
    return { path: 'deleting', ...finish(known, countsOf(known)) };
  }
  const conditions = pausedConditions(deployment, now);
  if (deployment.spec.paused) return { path: 'paused', ...scaling(state, conditions) };
  if (isScalingEvent(state)) return { path: 'scaling', ...scaling(state, conditions) };
  if (deployment.spec.strategy.type === 'Recreate') {
    return { path: 'recreate', ...recreate(state, conditions) };
  }
  if (deployment.spec.strategy.type !== 'RollingUpdate' || fencepostsOf(deployment).kind === 'invalid') {
    const { status } = deployment;
    return { path: 'invalid', actions: [], status: { ...status, conditions }, revision: undefined };
  }
  return { path: 'rolling', ...rolling(state, conditions) };
}

/** Some active ReplicaSet was last sized for another `spec.replicas` (`isScalingEvent`). */
function isScalingEvent({ deployment, replicaSets }: DeploymentState): boolean {
  return replicaSets.filter(isActiveReplicaSet).some((replicaSet) => {
    const desired = countAnnotation(replicaSet, desiredReplicasAnnotation);
    return desired !== undefined && desired !== deployment.spec.replicas;
  });
}

type Outcome = Omit<DeploymentSync, 'path'>;

function finish(known: Known, status: DeploymentStatus, more: readonly DeploymentAction[] = []): Outcome {
  return { actions: [...known.actions, ...more], status, revision: known.revision };
}

function allOf({ oldReplicaSets, newReplicaSet }: Known): readonly ReplicaSet[] {
  return newReplicaSet === undefined ? oldReplicaSets : [...oldReplicaSets, newReplicaSet];
}

function countsOf(known: Known): DeploymentStatus {
  const { deployment, now } = known.state;
  return deploymentCounts(deployment, known.conditions, allOf(known), known.newReplicaSet, now);
}

function statusOf(known: Known): DeploymentStatus {
  const { deployment, now } = known.state;
  return rolloutStatusOf(deployment, known.conditions, allOf(known), known.newReplicaSet, now);
}

/** `sync.go: sync`, the branch for a paused or scaled Deployment. */
function scaling(state: DeploymentState, conditions: readonly Condition[]): Outcome {
  const known = identify(state, conditions, false);
  const wanted = replicasAnnotations(state.deployment);
  const scales = scaledSizes(state.deployment, known)
    .filter(
      ({ replicaSet, replicas, because }) =>
        replicaSet.spec.replicas !== replicas ||
        (because === 'proportion' && differIn(replicaSet.metadata.annotations, wanted)),
    )
    .map(({ replicaSet, replicas, because }) =>
      scale(state.deployment, replicaSet, replicaSet.spec.replicas, replicas, because),
    );
  const expired = state.deployment.spec.paused ? deletions(known) : [];
  return finish(known, countsOf(known), [...scales, ...expired]);
}

/** `rolling.go: rolloutRolling`. */
function rolling(state: DeploymentState, conditions: readonly Condition[]): Outcome {
  const { deployment } = state;
  const known = identify(state, conditions, true);
  const newReplicaSet = known.newReplicaSet;
  if (newReplicaSet === undefined) return finish(known, statusOf(known));
  const size = newReplicaSetSize(deployment, known.oldReplicaSets, newReplicaSet);
  const current = newReplicaSet.spec.replicas;
  if (size !== current) {
    const because = size > current ? 'new-up' : 'new-down';
    return finish(known, statusOf(known), [scale(deployment, newReplicaSet, current, size, because)]);
  }
  const downs = oldReplicaSetSizes(deployment, known.oldReplicaSets, newReplicaSet);
  if (downs.length > 0) {
    const scales = downs.map(({ replicaSet, from, to, because }) =>
      scale(deployment, replicaSet, from, to, because),
    );
    return finish(known, statusOf(known), scales);
  }
  const expired = isComplete(deployment, deployment.status) ? deletions(known) : [];
  return finish(known, statusOf(known), expired);
}

/** `recreate.go: rolloutRecreate`: nothing new before the last old pod is gone from the API server. */
function recreate(state: DeploymentState, conditions: readonly Condition[]): Outcome {
  const { deployment } = state;
  const known = identify(state, conditions, false);
  const active = known.oldReplicaSets.filter(isActiveReplicaSet);
  if (active.length > 0) {
    const scales = active.map((replicaSet) =>
      scale(deployment, replicaSet, replicaSet.spec.replicas, 0, 'recreate-down'),
    );
    return finish(known, statusOf(known), scales);
  }
  if (oldPodsRemain(state, known.oldReplicaSets)) return finish(known, statusOf(known));
  const settled = known.newReplicaSet === undefined ? identify(state, known.conditions, true) : known;
  const newReplicaSet = settled.newReplicaSet;
  const current = newReplicaSet?.spec.replicas;
  const up =
    newReplicaSet !== undefined && current !== undefined && current !== deployment.spec.replicas
      ? [scale(deployment, newReplicaSet, current, deployment.spec.replicas, 'recreate-up')]
      : [];
  const expired = isComplete(deployment, deployment.status) ? deletions(settled) : [];
  return finish(settled, statusOf(settled), [...up, ...expired]);
}

/** Terminating pods count, terminal ones do not (`recreate.go: oldPodsRunning`). */
function oldPodsRemain(state: DeploymentState, oldReplicaSets: readonly ReplicaSet[]): boolean {
  return oldReplicaSets.some(
    (replicaSet) =>
      replicaSet.status.replicas > 0 ||
      (replicaSet.status.terminatingReplicas ?? 0) > 0 ||
      podsOfReplicaSet(state, replicaSet).some((pod) => !isTerminal(pod)),
  );
}

function deletions(known: Known): readonly DeploymentAction[] {
  return expiredReplicaSets(known.state.deployment, known.oldReplicaSets).map(({ metadata }) => ({
    kind: 'delete-replica-set',
    replicaSet: metadata.name,
    because: 'revision-history',
  }));
}

function scale(
  deployment: Deployment,
  replicaSet: ReplicaSet,
  from: number,
  to: number,
  because: ScaleReason,
): DeploymentAction {
  return {
    kind: 'scale',
    replicaSet: replicaSet.metadata.name,
    from,
    to,
    because,
    annotations: replicasAnnotations(deployment),
  };
}
