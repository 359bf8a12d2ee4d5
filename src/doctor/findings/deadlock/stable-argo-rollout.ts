import type { Statement } from '../../../engine/language/statement.js';
import { hasCanaryBounds, type Rollout } from '../../../engine/objects/argo-rollout.js';
import { hasNode, isActive, isAvailable, type Pod } from '../../../engine/objects/pod.js';
import {
  canaryBounds,
  currentSetWeight,
  defaultBound,
} from '../../../engine/workloads/argo-rollout/canary-steps.js';
import { newPods, oldPods } from '../../../engine/workloads/revisions.js';
import type { ArgoRolloutState } from '../../../engine/workloads/rollout-state.js';
import type { Evidence } from '../finding.js';
import { rests } from '../stuck-rollout.js';
import type { StrategyFacts } from './facts.js';
import { type StableRollout, subjectOf } from './stable.js';
import { strategies } from './strategies-text.js';
import { progressEvidence } from './strategy.js';
import { deadlock } from './text.js';

/**
 * A Rollout at rest half-way. One that waits for a person, an analysis or a moment is none: something else
 * than its pods may take it further.
 */
export function stableArgoRolloutOf(
  state: ArgoRolloutState,
  cannotStart: (pod: Pod) => boolean,
): StableRollout | undefined {
  if (!rests(state, cannotStart)) return undefined;
  const holding = oldPods(state).filter((pod) => isActive(pod) && hasNode(pod));
  if (holding.length === 0) return undefined;
  const { rollout } = state;
  return {
    workload: rollout,
    state,
    holding,
    blocked: blockedOf(state),
    strategy: strategyStatement(rollout),
    strategyFacts: strategyFacts(rollout),
    strategyEvidence: strategyEvidence(rollout),
  };
}

function blockedOf(rolled: ArgoRolloutState): readonly Pod[] {
  const { minReadySeconds } = rolled.rollout.spec;
  return newPods(rolled).filter((pod) => isActive(pod) && !isAvailable(pod, minReadySeconds, rolled.now));
}

/** Why the controller takes no old pod. */
function strategyStatement(rollout: Rollout): Statement {
  const { replicas, strategy } = rollout.spec;
  const { canary, blueGreen } = strategy;
  if (blueGreen !== undefined) return strategies('strategy-blue-green', { replicas });
  if (canary?.trafficRouting !== undefined) {
    return canary.dynamicStableScale
      ? strategies('strategy-routed-dynamic', { weight: currentSetWeight(rollout) })
      : strategies('strategy-routed', { replicas });
  }
  const { maxSurge, maxUnavailable, unavailable = 0, missing = 0 } = strategyFacts(rollout);
  return missing > 0 && unavailable > 0
    ? deadlock('strategy-spent', { maxSurge, maxUnavailable: maxUnavailable ?? '-', unavailable, missing })
    : strategies('strategy-canary', {
        maxSurge,
        maxUnavailable: maxUnavailable ?? '-',
        replicas,
        unavailable,
      });
}

/**
 * Absent bounds are those of the controller (argo-rollouts `utils/defaults/defaults.go: DefaultMaxSurge`).
 */
function strategyFacts(rollout: Rollout): StrategyFacts {
  const { replicas, strategy } = rollout.spec;
  const { maxSurge: surge, maxUnavailable: unavailable } = canaryBounds(rollout);
  return {
    maxSurge: strategy.canary === undefined ? '-' : String(strategy.canary.maxSurge ?? defaultBound),
    maxUnavailable: String((strategy.canary ?? strategy.blueGreen)?.maxUnavailable ?? defaultBound),
    surge,
    unavailable,
    replicas,
    missing: Math.max(0, replicas - rollout.status.availableReplicas),
  };
}

function strategyEvidence(rollout: Rollout): readonly Evidence[] {
  const { blueGreen } = rollout.spec.strategy;
  const object = subjectOf(rollout);
  const { maxSurge: surge, maxUnavailable: unavailable } = canaryBounds(rollout);
  return [
    {
      object,
      field: blueGreen === undefined ? 'spec.strategy.canary' : 'spec.strategy.blueGreen',
      value: JSON.stringify(shownStrategy(rollout)),
      says: hasCanaryBounds(rollout)
        ? deadlock('ev-strategy', { surge, unavailable })
        : strategyStatement(rollout),
    },
    ...progressEvidence(object, rollout.status),
  ];
}

/** The fields that decide how many pods there are. */
function shownStrategy({ spec, status }: Rollout): object {
  const { canary, blueGreen } = spec.strategy;
  if (blueGreen !== undefined) {
    const { previewReplicaCount, maxUnavailable } = blueGreen;
    return { previewReplicaCount, maxUnavailable };
  }
  const { maxSurge, maxUnavailable, dynamicStableScale, trafficRouting } = canary ?? {};
  return {
    maxSurge,
    maxUnavailable,
    ...(trafficRouting === undefined
      ? {}
      : { trafficRouting: Object.keys(trafficRouting), dynamicStableScale }),
    currentStepIndex: status.currentStepIndex,
  };
}
