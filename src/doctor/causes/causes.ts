import type { AnyRule } from '../findings/rule.js';
import { admissionDenied } from './admission-denied/rule.js';
import { applicationCrash } from './application-crash.js';
import { badCommand } from './bad-command.js';
import { capacityContention } from './capacity-contention/rule.js';
import { configMissing } from './config-missing.js';
import { controlPlaneNotActing } from './control-plane-not-acting/rule.js';
import { crashLoopAfterRollout } from './crash-loop-after-rollout.js';
import { crashLoopOnNode } from './crash-loop-on-node/rule.js';
import { daemonSetBudgetUsed } from './daemon-set-budget-used.js';
import { evicted } from './evicted.js';
import { evictedByKueue } from './evicted-by-kueue.js';
import { fragileStrategy } from './fragile-strategy/rule.js';
import { gangDeadlock } from './gang-deadlock.js';
import { imagePullFailure } from './image-pull-failure/rule.js';
import { initContainerStuck } from './init-container-stuck.js';
import { insufficientCapacity } from './insufficient-capacity.js';
import { kubeletRejected } from './kubelet-rejected/rule.js';
import { livenessProbeKill } from './liveness-probe-kill.js';
import { mountFailure } from './mount-failure/rule.js';
import { nodeCordoned } from './node-cordoned.js';
import { nodeNotReady } from './node-not-ready/rule.js';
import { nodeOutOfMemory } from './node-out-of-memory.js';
import { orderedReadyStuck } from './ordered-ready-stuck/rule.js';
import { outOfMemory } from './out-of-memory/rule.js';
import { podStartStalled } from './pod-start-stalled.js';
import { preempted } from './preempted/rule.js';
import { probeConfiguration } from './probe-configuration.js';
import { processExitsZero } from './process-exits-zero.js';
import { progressDeadlineExceeded } from './progress-deadline-exceeded.js';
import { queueDeadlock } from './queue-deadlock/rule.js';
import { quotaDeadlock } from './quota-deadlock/rule.js';
import { quotaExceeded } from './quota-exceeded/rule.js';
import { readinessDeadlock } from './readiness-deadlock/rule.js';
import { readinessFailing } from './readiness-failing.js';
import { resizePending } from './resize-pending/rule.js';
import { resourceConfiguration } from './resource-configuration.js';
import { revisionFailed } from './revision-failed.js';
import { rolloutAborted } from './rollout-aborted.js';
import { rolloutPaused } from './rollout-paused/rule.js';
import { sandboxFailure } from './sandbox-failure.js';
import { scaleUpPending } from './scale-up-pending.js';
import { scaledToZero } from './scaled-to-zero.js';
import { schedulerRefusal } from './scheduler-refusal.js';
import { schedulingGated } from './scheduling-gated/rule.js';
import { startupProbeKill } from './startup-probe-kill.js';
import { stuckTerminating } from './stuck-terminating/rule.js';
import { surgeDeadlock } from './surge-deadlock/rule.js';
import { terminationGraceExceeded } from './termination-grace-exceeded.js';
import { unsatisfiablePlacement } from './unsatisfiable-placement/rule.js';
import { updateHeldBack } from './update-held-back/rule.js';
import { volumeAttachDeadlock } from './volume-attach-deadlock/rule.js';
import { volumeUnbound } from './volume-unbound/rule.js';
import { waitingForAutoscaler } from './waiting-for-autoscaler.js';
import { workloadBeingDeleted } from './workload-being-deleted/rule.js';

/**
 * Every cause there is; a test compares this list with the folders beside it. Among findings of equal
 * severity and confidence, the cause that stands first here comes first: the most specific ones do.
 */
export const causes: readonly AnyRule[] = [
  surgeDeadlock,
  quotaDeadlock,
  queueDeadlock,
  gangDeadlock,
  volumeAttachDeadlock,
  readinessDeadlock,
  crashLoopOnNode,
  workloadBeingDeleted,
  controlPlaneNotActing,
  rolloutPaused,
  rolloutAborted,
  schedulingGated,
  waitingForAutoscaler,
  volumeUnbound,
  nodeCordoned,
  capacityContention,
  unsatisfiablePlacement,
  scaleUpPending,
  insufficientCapacity,
  quotaExceeded,
  admissionDenied,
  orderedReadyStuck,
  daemonSetBudgetUsed,
  stuckTerminating,
  kubeletRejected,
  evictedByKueue,
  evicted,
  preempted,
  resizePending,
  nodeNotReady,
  configMissing,
  imagePullFailure,
  mountFailure,
  sandboxFailure,
  badCommand,
  outOfMemory,
  nodeOutOfMemory,
  startupProbeKill,
  livenessProbeKill,
  initContainerStuck,
  crashLoopAfterRollout,
  readinessFailing,
  terminationGraceExceeded,
  processExitsZero,
  applicationCrash,
  schedulerRefusal,
  podStartStalled,
  revisionFailed,
  progressDeadlineExceeded,
  scaledToZero,
  updateHeldBack,
  fragileStrategy,
  probeConfiguration,
  resourceConfiguration,
];
