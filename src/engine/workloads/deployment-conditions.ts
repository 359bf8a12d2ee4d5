import { type Condition, conditionOf } from '../objects/metadata.js';
import type { Deployment, ReplicaSet } from '../objects/workload.js';
import { apiTime, epochOf } from './creation-order.js';
import { hasProgressDeadline } from './deployment-annotations.js';
import { rollingBounds } from './fenceposts.js';

export type DeploymentStatus = Deployment['status'];
type Conditions = readonly Condition[];

export function newCondition(
  type: string,
  status: 'True' | 'False' | 'Unknown',
  reason: string,
  message: string,
  now: number,
): Condition {
  const time = apiTime(now);
  return {
    type,
    status,
    reason,
    message,
    lastUpdateTime: time,
    lastTransitionTime: time,
    lastHeartbeatTime: undefined,
  };
}

/**
 * Unchanged when status and reason are; a kept status keeps its transition time (`SetDeploymentCondition`).
 */
export function withCondition(conditions: Conditions, condition: Condition): Conditions {
  const current = conditionOf({ conditions }, condition.type);
  if (current?.status === condition.status && current.reason === condition.reason) return conditions;
  const lastTransitionTime =
    current?.status === condition.status ? current.lastTransitionTime : condition.lastTransitionTime;
  return [...withoutCondition(conditions, condition.type), { ...condition, lastTransitionTime }];
}

export function withoutCondition(conditions: Conditions, type: string): Conditions {
  return conditions.filter((condition) => condition.type !== type);
}

/** Pausing and resuming restart the progress clock, except once it has run out (`checkPausedConditions`). */
export function pausedConditions(deployment: Deployment, now: number): Conditions {
  const { conditions } = deployment.status;
  if (!hasProgressDeadline(deployment)) return conditions;
  const reason = conditionOf({ conditions }, 'Progressing')?.reason;
  if (reason === 'ProgressDeadlineExceeded') return conditions;
  const saysPaused = reason === 'DeploymentPaused';
  if (deployment.spec.paused === saysPaused) return conditions;
  const condition = deployment.spec.paused
    ? newCondition('Progressing', 'Unknown', 'DeploymentPaused', 'Deployment is paused', now)
    : newCondition('Progressing', 'Unknown', 'DeploymentResumed', 'Deployment is resumed', now);
  return withCondition(conditions, condition);
}

/** Counts of all ReplicaSets and the Available condition (`sync.go: calculateStatus`). */
export function deploymentCounts(
  deployment: Deployment,
  conditions: Conditions,
  replicaSets: readonly ReplicaSet[],
  newReplicaSet: ReplicaSet | undefined,
  now: number,
): DeploymentStatus {
  const availableReplicas = sum(replicaSets, ({ status }) => status.availableReplicas);
  const wanted = sum(replicaSets, ({ spec }) => spec.replicas);
  const enough = availableReplicas >= deployment.spec.replicas - rollingBounds(deployment).maxUnavailable;
  const available = enough
    ? newCondition(
        'Available',
        'True',
        'MinimumReplicasAvailable',
        'Deployment has minimum availability.',
        now,
      )
    : newCondition(
        'Available',
        'False',
        'MinimumReplicasUnavailable',
        'Deployment does not have minimum availability.',
        now,
      );
  return {
    observedGeneration: deployment.metadata.generation ?? 0,
    replicas: sum(replicaSets, ({ status }) => status.replicas),
    updatedReplicas: newReplicaSet?.status.replicas ?? 0,
    readyReplicas: sum(replicaSets, ({ status }) => status.readyReplicas),
    availableReplicas,
    unavailableReplicas: Math.max(0, wanted - availableReplicas),
    terminatingReplicas: terminatingReplicas(replicaSets),
    conditions: withCondition(conditions, available),
  };
}

/**
 * Unknown as soon as one synced ReplicaSet does not report it (`GetTerminatingReplicaCountForReplicaSets`).
 */
function terminatingReplicas(replicaSets: readonly ReplicaSet[]): number | undefined {
  const synced = replicaSets.filter(
    ({ status }) => status.observedGeneration !== 0 || status.terminatingReplicas !== undefined,
  );
  if (synced.some(({ status }) => status.terminatingReplicas === undefined)) return undefined;
  return sum(synced, ({ status }) => status.terminatingReplicas ?? 0);
}

/** All wanted replicas updated and available, none of an old revision left (`DeploymentComplete`). */
export function isComplete(deployment: Deployment, status: DeploymentStatus): boolean {
  const { replicas } = deployment.spec;
  return (
    status.updatedReplicas === replicas &&
    status.replicas === replicas &&
    status.availableReplicas === replicas &&
    status.observedGeneration >= (deployment.metadata.generation ?? 0)
  );
}

/** More updated, fewer old, more ready or more available than before (`DeploymentProgressing`). */
function hasProgressed(before: DeploymentStatus, after: DeploymentStatus): boolean {
  return (
    after.updatedReplicas > before.updatedReplicas ||
    after.replicas - after.updatedReplicas < before.replicas - before.updatedReplicas ||
    after.readyReplicas > before.readyReplicas ||
    after.availableReplicas > before.availableReplicas
  );
}

/** The progress deadline has run out since the last progress (`DeploymentTimedOut`). */
function isTimedOut(deployment: Deployment, conditions: Conditions, now: number): boolean {
  if (!hasProgressDeadline(deployment)) return false;
  const progressing = conditionOf({ conditions }, 'Progressing');
  if (progressing === undefined || progressing.reason === 'NewReplicaSetAvailable') return false;
  if (progressing.reason === 'ProgressDeadlineExceeded') return true;
  const from = epochOf(progressing.lastUpdateTime);
  return from === undefined || from + deployment.spec.progressDeadlineSeconds * 1000 < now;
}

/**
 * The status after a rollout step: counts, Progressing and ReplicaFailure (`progress.go: syncRolloutStatus`).
 * `current` holds the conditions as this sync has changed them so far.
 */
export function rolloutStatusOf(
  deployment: Deployment,
  current: Conditions,
  replicaSets: readonly ReplicaSet[],
  newReplicaSet: ReplicaSet | undefined,
  now: number,
): DeploymentStatus {
  const counts = deploymentCounts(deployment, current, replicaSets, newReplicaSet, now);
  const progressed = hasProgressDeadline(deployment)
    ? progressingConditions(deployment, current, counts, newReplicaSet, now)
    : withoutCondition(counts.conditions, 'Progressing');
  const failure = replicaFailure(replicaSets, newReplicaSet);
  const conditions =
    failure === undefined
      ? withoutCondition(progressed, 'ReplicaFailure')
      : withCondition(progressed, failure);
  return { ...counts, conditions };
}

function progressingConditions(
  deployment: Deployment,
  current: Conditions,
  counts: DeploymentStatus,
  newReplicaSet: ReplicaSet | undefined,
  now: number,
): Conditions {
  const progressing = conditionOf({ conditions: current }, 'Progressing');
  const alreadyComplete =
    counts.replicas === counts.updatedReplicas && progressing?.reason === 'NewReplicaSetAvailable';
  if (alreadyComplete) return counts.conditions;
  const subject =
    newReplicaSet === undefined
      ? `Deployment "${deployment.metadata.name}"`
      : `ReplicaSet "${newReplicaSet.metadata.name}"`;
  if (isComplete(deployment, counts)) {
    const message = `${subject} has successfully progressed.`;
    return withCondition(
      counts.conditions,
      newCondition('Progressing', 'True', 'NewReplicaSetAvailable', message, now),
    );
  }
  if (hasProgressed(deployment.status, counts)) {
    const condition = newCondition(
      'Progressing',
      'True',
      'ReplicaSetUpdated',
      `${subject} is progressing.`,
      now,
    );
    const lastTransitionTime =
      progressing?.status === 'True' ? progressing.lastTransitionTime : condition.lastTransitionTime;
    return [...withoutCondition(counts.conditions, 'Progressing'), { ...condition, lastTransitionTime }];
  }
  if (isTimedOut(deployment, counts.conditions, now)) {
    const message = `${subject} has timed out progressing.`;
    return withCondition(
      counts.conditions,
      newCondition('Progressing', 'False', 'ProgressDeadlineExceeded', message, now),
    );
  }
  return counts.conditions;
}

/** The new ReplicaSet's failure, else the first of any (`getReplicaFailures`). */
function replicaFailure(
  replicaSets: readonly ReplicaSet[],
  newReplicaSet: ReplicaSet | undefined,
): Condition | undefined {
  const candidates = newReplicaSet === undefined ? replicaSets : [newReplicaSet, ...replicaSets];
  const failure = candidates.map(({ status }) => conditionOf(status, 'ReplicaFailure')).find(Boolean);
  return failure && { ...failure, lastUpdateTime: failure.lastTransitionTime };
}

function sum(replicaSets: readonly ReplicaSet[], count: (replicaSet: ReplicaSet) => number): number {
  return replicaSets.reduce((total, replicaSet) => total + count(replicaSet), 0);
}
