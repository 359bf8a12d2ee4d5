import type { AnyCatalogue } from '../../language/catalogue.js';
import type { Rule } from '../rule.js';
import { admissionDenied } from './admission-denied/rule.js';
import { text as admissionDeniedText } from './admission-denied/text.js';
import { applicationCrash } from './application-crash/rule.js';
import { text as applicationCrashText } from './application-crash/text.js';
import { badCommand } from './bad-command/rule.js';
import { text as badCommandText } from './bad-command/text.js';
import { capacityContention } from './capacity-contention/rule.js';
import { text as capacityContentionText } from './capacity-contention/text.js';
import { configMissing } from './config-missing/rule.js';
import { text as configMissingText } from './config-missing/text.js';
import { controlPlaneNotActing } from './control-plane-not-acting/rule.js';
import { text as controlPlaneNotActingText } from './control-plane-not-acting/text.js';
import { crashLoopAfterRollout } from './crash-loop-after-rollout/rule.js';
import { text as crashLoopAfterRolloutText } from './crash-loop-after-rollout/text.js';
import { crashLoopOnNode } from './crash-loop-on-node/rule.js';
import { text as crashLoopOnNodeText } from './crash-loop-on-node/text.js';
import { evicted } from './evicted/rule.js';
import { text as evictedText } from './evicted/text.js';
import { fragileStrategy } from './fragile-strategy/rule.js';
import { text as fragileStrategyText } from './fragile-strategy/text.js';
import { imagePullFailure } from './image-pull-failure/rule.js';
import { text as imagePullFailureText } from './image-pull-failure/text.js';
import { initContainerStuck } from './init-container-stuck/rule.js';
import { text as initContainerStuckText } from './init-container-stuck/text.js';
import { insufficientCapacity } from './insufficient-capacity/rule.js';
import { text as insufficientCapacityText } from './insufficient-capacity/text.js';
import { kubeletRejected } from './kubelet-rejected/rule.js';
import { text as kubeletRejectedText } from './kubelet-rejected/text.js';
import { livenessProbeKill } from './liveness-probe-kill/rule.js';
import { text as livenessProbeKillText } from './liveness-probe-kill/text.js';
import { mountFailure } from './mount-failure/rule.js';
import { text as mountFailureText } from './mount-failure/text.js';
import { nodeCordoned } from './node-cordoned/rule.js';
import { text as nodeCordonedText } from './node-cordoned/text.js';
import { nodeNotReady } from './node-not-ready/rule.js';
import { text as nodeNotReadyText } from './node-not-ready/text.js';
import { nodeOutOfMemory } from './node-out-of-memory/rule.js';
import { text as nodeOutOfMemoryText } from './node-out-of-memory/text.js';
import { orderedReadyStuck } from './ordered-ready-stuck/rule.js';
import { text as orderedReadyStuckText } from './ordered-ready-stuck/text.js';
import { outOfMemory } from './out-of-memory/rule.js';
import { text as outOfMemoryText } from './out-of-memory/text.js';
import { preempted } from './preempted/rule.js';
import { text as preemptedText } from './preempted/text.js';
import { probeConfiguration } from './probe-configuration/rule.js';
import { text as probeConfigurationText } from './probe-configuration/text.js';
import { processExitsZero } from './process-exits-zero/rule.js';
import { text as processExitsZeroText } from './process-exits-zero/text.js';
import { progressDeadlineExceeded } from './progress-deadline-exceeded/rule.js';
import { text as progressDeadlineExceededText } from './progress-deadline-exceeded/text.js';
import { quotaDeadlock } from './quota-deadlock/rule.js';
import { text as quotaDeadlockText } from './quota-deadlock/text.js';
import { quotaExceeded } from './quota-exceeded/rule.js';
import { text as quotaExceededText } from './quota-exceeded/text.js';
import { readinessDeadlock } from './readiness-deadlock/rule.js';
import { text as readinessDeadlockText } from './readiness-deadlock/text.js';
import { readinessFailing } from './readiness-failing/rule.js';
import { text as readinessFailingText } from './readiness-failing/text.js';
import { resizePending } from './resize-pending/rule.js';
import { text as resizePendingText } from './resize-pending/text.js';
import { resourceConfiguration } from './resource-configuration/rule.js';
import { text as resourceConfigurationText } from './resource-configuration/text.js';
import { rolloutPaused } from './rollout-paused/rule.js';
import { text as rolloutPausedText } from './rollout-paused/text.js';
import { sandboxFailure } from './sandbox-failure/rule.js';
import { text as sandboxFailureText } from './sandbox-failure/text.js';
import { scaleUpPending } from './scale-up-pending/rule.js';
import { text as scaleUpPendingText } from './scale-up-pending/text.js';
import { schedulerRefusal } from './scheduler-refusal/rule.js';
import { text as schedulerRefusalText } from './scheduler-refusal/text.js';
import { schedulingGated } from './scheduling-gated/rule.js';
import { text as schedulingGatedText } from './scheduling-gated/text.js';
import { startupProbeKill } from './startup-probe-kill/rule.js';
import { text as startupProbeKillText } from './startup-probe-kill/text.js';
import { stuckTerminating } from './stuck-terminating/rule.js';
import { text as stuckTerminatingText } from './stuck-terminating/text.js';
import { surgeDeadlock } from './surge-deadlock/rule.js';
import { text as surgeDeadlockText } from './surge-deadlock/text.js';
import { terminationGraceExceeded } from './termination-grace-exceeded/rule.js';
import { text as terminationGraceExceededText } from './termination-grace-exceeded/text.js';
import { unsatisfiablePlacement } from './unsatisfiable-placement/rule.js';
import { text as unsatisfiablePlacementText } from './unsatisfiable-placement/text.js';
import { volumeAttachDeadlock } from './volume-attach-deadlock/rule.js';
import { text as volumeAttachDeadlockText } from './volume-attach-deadlock/text.js';
import { volumeUnbound } from './volume-unbound/rule.js';
import { text as volumeUnboundText } from './volume-unbound/text.js';
import { waitingForAutoscaler } from './waiting-for-autoscaler/rule.js';
import { text as waitingForAutoscalerText } from './waiting-for-autoscaler/text.js';
import { workloadBeingDeleted } from './workload-being-deleted/rule.js';
import { text as workloadBeingDeletedText } from './workload-being-deleted/text.js';

/** A cause: its rule and its words. */
export interface Cause {
  readonly rule: Rule;
  readonly text: AnyCatalogue;
}

/** Every cause there is; a test compares this list with the folders beside it. */
export const causes: readonly Cause[] = [
  { rule: surgeDeadlock, text: surgeDeadlockText },
  { rule: applicationCrash, text: applicationCrashText },
  { rule: crashLoopAfterRollout, text: crashLoopAfterRolloutText },
  { rule: crashLoopOnNode, text: crashLoopOnNodeText },
  { rule: livenessProbeKill, text: livenessProbeKillText },
  { rule: startupProbeKill, text: startupProbeKillText },
  { rule: configMissing, text: configMissingText },
  { rule: imagePullFailure, text: imagePullFailureText },
  { rule: badCommand, text: badCommandText },
  { rule: processExitsZero, text: processExitsZeroText },
  { rule: nodeOutOfMemory, text: nodeOutOfMemoryText },
  { rule: kubeletRejected, text: kubeletRejectedText },
  { rule: mountFailure, text: mountFailureText },
  { rule: sandboxFailure, text: sandboxFailureText },
  { rule: initContainerStuck, text: initContainerStuckText },
  { rule: evicted, text: evictedText },
  { rule: readinessFailing, text: readinessFailingText },
  { rule: terminationGraceExceeded, text: terminationGraceExceededText },
  { rule: probeConfiguration, text: probeConfigurationText },
  { rule: resourceConfiguration, text: resourceConfigurationText },
  { rule: outOfMemory, text: outOfMemoryText },
  { rule: readinessDeadlock, text: readinessDeadlockText },
  { rule: volumeAttachDeadlock, text: volumeAttachDeadlockText },
  { rule: volumeUnbound, text: volumeUnboundText },
  { rule: insufficientCapacity, text: insufficientCapacityText },
  { rule: unsatisfiablePlacement, text: unsatisfiablePlacementText },
  { rule: scaleUpPending, text: scaleUpPendingText },
  { rule: quotaDeadlock, text: quotaDeadlockText },
  { rule: capacityContention, text: capacityContentionText },
  { rule: quotaExceeded, text: quotaExceededText },
  { rule: nodeCordoned, text: nodeCordonedText },
  { rule: waitingForAutoscaler, text: waitingForAutoscalerText },
  { rule: admissionDenied, text: admissionDeniedText },
  { rule: nodeNotReady, text: nodeNotReadyText },
  { rule: workloadBeingDeleted, text: workloadBeingDeletedText },
  { rule: controlPlaneNotActing, text: controlPlaneNotActingText },
  { rule: rolloutPaused, text: rolloutPausedText },
  { rule: preempted, text: preemptedText },
  { rule: resizePending, text: resizePendingText },
  { rule: schedulerRefusal, text: schedulerRefusalText },
  { rule: schedulingGated, text: schedulingGatedText },
  { rule: orderedReadyStuck, text: orderedReadyStuckText },
  { rule: stuckTerminating, text: stuckTerminatingText },
  { rule: fragileStrategy, text: fragileStrategyText },
  { rule: progressDeadlineExceeded, text: progressDeadlineExceededText },
];
