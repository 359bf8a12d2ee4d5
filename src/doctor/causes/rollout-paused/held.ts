import * as z from 'zod';
import type { Rollout } from '../../../engine/objects/argo-rollout.js';
import type { Snapshot } from '../../../engine/objects/snapshot.js';
import { hasSteps } from '../../../engine/objects/workload.js';
import { currentStepOf } from '../../../engine/workloads/argo-rollout/canary-steps.js';
import { isFullyPromoted } from '../../../engine/workloads/argo-rollout/reconciliation.js';
import { pauseEndsByTime } from '../../../engine/workloads/argo-rollout/rollout-change.js';
import { type FactsOf, fact } from '../../findings/facts.js';

/** What an update of Argo Rollouts waits for a person at. */
export interface Held {
  readonly rollout: Rollout;
  readonly at: NonNullable<FactsOf<typeof RolloutPausedFacts>['heldAt']>;
  /** RFC3339; absent where the controller did not write it. */
  readonly since: string | undefined;
  /** Counted from 1; absent without steps. */
  readonly step: number | undefined;
  readonly steps: number | undefined;
}

/** `undefined` where no update is under way, or where time or an analysis ends its pause. */
export function heldOf({ workload }: Snapshot): Held | undefined {
  if (!hasSteps(workload) || workload.spec.paused || workload.status.abort) return undefined;
  if (workload.metadata.deletionTimestamp !== undefined || isFullyPromoted(workload)) return undefined;
  const pauses = workload.status.pauseConditions.filter(({ reason }) => !pauseEndsByTime(workload, reason));
  // An analysis without a conclusion decides, also where the strategy asks for a pause as well.
  const pause = pauses.find(({ reason }) => placeOf(reason) === 'analysis') ?? pauses[0];
  if (pause === undefined) return undefined;
  const current = currentStepOf(workload);
  return {
    rollout: workload,
    at: placeOf(pause.reason),
    since: pause.startTime,
    step: current && current.index + 1,
    steps: current && workload.spec.strategy.canary?.steps.length,
  };
}

/**
 * The revisions that users reach while an update waits: by the weights of a router, by the active Service, or
 * by their pods.
 */
export function trafficOf({ spec, status }: Rollout): 'stable' | 'both' | 'new' {
  if (spec.strategy.blueGreen !== undefined) {
    return status.blueGreen.activeSelector === status.currentPodHash ? 'new' : 'stable';
  }
  const { weights } = status.canary;
  const ofNew = weights === undefined ? status.updatedReplicas : weights.canary.weight;
  const ofStable = weights === undefined ? status.replicas - status.updatedReplicas : weights.stable.weight;
  if (ofNew <= 0) return 'stable';
  return ofStable > 0 ? 'both' : 'new';
}

/** By the reasons of argo-rollouts `pkg/apis/rollouts/v1alpha1/types.go: PauseReason`. */
function placeOf(reason: string): Held['at'] {
  switch (reason) {
    case 'CanaryPauseStep':
      return 'pause-step';
    case 'BlueGreenPause':
      return 'promotion';
    default:
      return 'analysis';
  }
}

export const RolloutPausedFacts = z.strictObject({
  revision: fact.text('The present revision'),
  heldAt: fact
    .oneOf(
      ['pause-step', 'promotion', 'analysis'],
      'Where an update of Argo Rollouts waits for a person; absent where `spec.paused` is set. `analysis`: one without a conclusion',
    )
    .optional(),
  step: fact.count('The step of the canary that it waits at, from 1').optional(),
  steps: fact.count('Steps of the canary').optional(),
  pausedBy: fact.text('Who wrote spec.paused, as the API server recorded the writer').optional(),
  pausedAt: fact.time('The last write of this writer, or the start of the pause').optional(),
  pausedSeconds: fact.seconds('How long the rollout has been paused').optional(),
  stage: fact.oneOf(['never-begun', 'not-begun', 'half-way'], '`never-begun`: it has no pods at all'),
  updated: fact.count('Pods of the present revision'),
  old: fact.count('Pods of former revisions'),
  wanted: fact.count('Pods wanted'),
  changes: z
    .array(
      z.strictObject({ path: fact.text('Path in the pod template'), after: fact.text('New value, or `-`') }),
    )
    .describe('Fields in which the pod template differs from the former revision'),
});
