import type { Rollout } from '../objects/argo-rollout.js';
import type { LeaderWorkerSet } from '../objects/leader-worker-set.js';
import { conditionOf } from '../objects/metadata.js';
import type { DaemonSet, Deployment, RevisionedService, StatefulSet, Workload } from '../objects/workload.js';
import { hasObservedSpec, isRevisioned } from '../objects/workload.js';
import { isObserved } from './argo-rollout/replica-set-roles.js';

/** What `kubectl rollout status` says, as data. */
type RolloutStatus =
  | { readonly kind: 'complete' }
  | {
      readonly kind: 'waiting';
      /** `observed`: the controller has not seen the latest spec. The others name what is still missing. */
      readonly for: 'observed' | 'updated' | 'old-terminated' | 'available' | 'ready' | 'revision';
      readonly done: number;
      readonly of: number;
    }
  | { readonly kind: 'failed'; readonly because: 'progress-deadline-exceeded' }
  /** The update strategy has no rollout to follow (OnDelete). */
  | { readonly kind: 'not-followed' };

/**
 * The answer of kubectl for each kind (kubernetes `kubectl/pkg/polymorphichelpers/rollout_status.go`). Only a
 * Deployment can fail; the others wait for ever.
 */
export function rolloutStatus(workload: Workload): RolloutStatus {
  if (isRevisioned(workload)) return revisionedRollout(workload);
  switch (workload.kind) {
    case 'Deployment':
      return deploymentRollout(workload);
    case 'StatefulSet':
      return statefulSetRollout(workload);
    case 'DaemonSet':
      return daemonSetRollout(workload);
    case 'Rollout':
      return argoRollout(workload);
    case 'LeaderWorkerSet':
      return leaderWorkerSetRollout(workload);
  }
}

const complete: RolloutStatus = { kind: 'complete' };

function deploymentRollout({ metadata, spec, status }: Deployment): RolloutStatus {
  const { replicas, updatedReplicas, availableReplicas } = status;
  if ((metadata.generation ?? 0) > status.observedGeneration) return waiting('observed', 0, 1);
  if (conditionOf(status, 'Progressing')?.reason === 'ProgressDeadlineExceeded') {
    return { kind: 'failed', because: 'progress-deadline-exceeded' };
  }
  if (updatedReplicas < spec.replicas) return waiting('updated', updatedReplicas, spec.replicas);
  if (replicas > updatedReplicas) return waiting('old-terminated', 0, replicas - updatedReplicas);
  if (availableReplicas < updatedReplicas) return waiting('available', availableReplicas, updatedReplicas);
  return complete;
}

/**
 * As `kubectl argo rollouts status` reads it: promoted, and every pod available
 * (`rolloututil.go: CalculateRolloutPhase`).
 */
function argoRollout(rollout: Rollout): RolloutStatus {
  const { spec, status } = rollout;
  if (!isObserved(rollout)) return waiting('observed', 0, 1);
  // An aborted update is over: only pods of the stable revision may be missing.
  if (status.abort) {
    return status.availableReplicas < spec.replicas
      ? waiting('available', status.availableReplicas, spec.replicas)
      : complete;
  }
  if (conditionOf(status, 'Progressing')?.reason === 'ProgressDeadlineExceeded') {
    return { kind: 'failed', because: 'progress-deadline-exceeded' };
  }
  if (status.updatedReplicas < spec.replicas || status.stableRS !== status.currentPodHash) {
    return waiting('updated', Math.min(status.updatedReplicas, spec.replicas), spec.replicas);
  }
  const isRouted = spec.strategy.canary?.trafficRouting !== undefined;
  const keepsOld = isRouted || spec.strategy.blueGreen !== undefined;
  if (!keepsOld && status.replicas > status.updatedReplicas) {
    return waiting('old-terminated', 0, status.replicas - status.updatedReplicas);
  }
  if (status.availableReplicas < status.updatedReplicas) {
    return waiting('available', status.availableReplicas, status.updatedReplicas);
  }
  return complete;
}

/**
 * kubectl follows no LeaderWorkerSet: every group from the partition on is updated, and all of them are
 * ready.
 */
function leaderWorkerSetRollout({ metadata, spec, status }: LeaderWorkerSet): RolloutStatus {
  const wanted = spec.replicas - spec.rolloutStrategy.rollingUpdateConfiguration.partition;
  if ((metadata.generation ?? 0) > status.observedGeneration) return waiting('observed', 0, 1);
  if (status.updatedReplicas < wanted) return waiting('updated', status.updatedReplicas, wanted);
  if (status.replicas > spec.replicas) return waiting('old-terminated', 0, status.replicas - spec.replicas);
  if (status.readyReplicas < spec.replicas) return waiting('ready', status.readyReplicas, spec.replicas);
  return complete;
}

/** kubectl follows no such service: the newest revision serves. */
function revisionedRollout(service: RevisionedService): RolloutStatus {
  if (!hasObservedSpec(service)) return waiting('observed', 0, 1);
  return service.revisions.next === undefined ? complete : waiting('revision', 0, service.spec.replicas);
}

function daemonSetRollout({ metadata, spec, status }: DaemonSet): RolloutStatus {
  const { desiredNumberScheduled, updatedNumberScheduled, numberAvailable } = status;
  if (spec.updateStrategy.type !== 'RollingUpdate') return { kind: 'not-followed' };
  if ((metadata.generation ?? 0) > status.observedGeneration) return waiting('observed', 0, 1);
  if (updatedNumberScheduled < desiredNumberScheduled) {
    return waiting('updated', updatedNumberScheduled, desiredNumberScheduled);
  }
  if (numberAvailable < desiredNumberScheduled) {
    return waiting('available', numberAvailable, desiredNumberScheduled);
  }
  return complete;
}

function statefulSetRollout({ metadata, spec, status }: StatefulSet): RolloutStatus {
  const { updateStrategy, replicas } = spec;
  if (updateStrategy.type !== 'RollingUpdate') return { kind: 'not-followed' };
  if (status.observedGeneration === 0 || (metadata.generation ?? 0) > status.observedGeneration) {
    return waiting('observed', 0, 1);
  }
  if (status.readyReplicas < replicas) return waiting('ready', status.readyReplicas, replicas);
  if (updateStrategy.rollingUpdate !== undefined) {
    const wanted = replicas - updateStrategy.rollingUpdate.partition;
    return status.updatedReplicas < wanted ? waiting('updated', status.updatedReplicas, wanted) : complete;
  }
  if (status.updateRevision !== status.currentRevision) {
    return waiting('revision', status.updatedReplicas, replicas);
  }
  return complete;
}

function waiting(
  missing: Extract<RolloutStatus, { kind: 'waiting' }>['for'],
  done: number,
  of: number,
): RolloutStatus {
  return { kind: 'waiting', for: missing, done, of };
}
