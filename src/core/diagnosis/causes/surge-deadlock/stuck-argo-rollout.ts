import type { Rollout } from '../../../cluster/argo-rollout.js';
import { conditionOf } from '../../../cluster/metadata.js';
import { hasNode, isActive, isAvailable, type Pod } from '../../../cluster/pod.js';
import type { Statement } from '../../../language/statement.js';
import { canaryBounds, defaultBound } from '../../../rollout/argo-rollout/bounds.js';
import { currentSetWeight } from '../../../rollout/argo-rollout/canary-steps.js';
import { isFixedPoint } from '../../../rollout/fixed-point.js';
import { newPods, oldPods } from '../../../rollout/revisions.js';
import { type ArgoRolloutState, rolloutStateOf } from '../../../rollout/rollout-state.js';
import type { StrategyFacts } from '../../deadlock/facts.js';
import { deadlock } from '../../deadlock/text.js';
import type { Evidence } from '../../finding.js';
import type { Examination } from '../../rule.js';
import { isUnschedulable } from '../../stuck-rollout.js';
import { argoRolloutRemedies } from './remedies.js';
import { type Stuck, subjectOf } from './stuck.js';
import { state } from './text.js';

/**
 * A Rollout at rest half-way, all of whose new pods that are not available were refused by the scheduler. A Rollout that
 * waits for a person, an analysis or a moment is none: something else than a place may take it further.
 */
export function stuckArgoRolloutOf(examination: Examination): Stuck | undefined {
  const { snapshot } = examination;
  const rolled = rolloutStateOf(snapshot);
  if (rolled.kind !== 'Rollout' || rolled.rollout.metadata.deletionTimestamp !== undefined) return undefined;
  if (!isFixedPoint(rolled)) return undefined;
  const holding = oldPods(rolled).filter((pod) => isActive(pod) && hasNode(pod));
  const blocked = blockedOf(rolled);
  const [first, ...rest] = blocked.filter(isUnschedulable);
  if (holding.length === 0 || first === undefined || 1 + rest.length < blocked.length) return undefined;
  const { rollout } = rolled;
  return {
    workload: rollout,
    holding,
    waiting: [first, ...rest],
    strategy: strategyStatement(rollout),
    strategyFacts: strategyFacts(rollout),
    strategyEvidence: strategyEvidence(rollout),
    weakenedBy: [],
    remedies: (node, resource) => argoRolloutRemedies(examination, rolled, { node, resource }),
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
  if (blueGreen !== undefined) return state('strategy-blue-green', { replicas });
  if (canary?.trafficRouting !== undefined) {
    return canary.dynamicStableScale
      ? state('strategy-routed-dynamic', { weight: currentSetWeight(rollout) })
      : state('strategy-routed', { replicas });
  }
  const { maxSurge, maxUnavailable, unavailable = 0, missing = 0 } = strategyFacts(rollout);
  return missing > 0 && unavailable > 0
    ? deadlock('strategy-spent', { maxSurge, maxUnavailable: maxUnavailable ?? '-', unavailable, missing })
    : state('strategy-canary', { maxSurge, maxUnavailable: maxUnavailable ?? '-', replicas, unavailable });
}

/** Absent bounds are those of the controller (argo-rollouts `utils/defaults/defaults.go: DefaultMaxSurge`). */
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
  const { canary, blueGreen } = rollout.spec.strategy;
  const object = subjectOf(rollout);
  const { maxSurge: surge, maxUnavailable: unavailable } = canaryBounds(rollout);
  const progressing = conditionOf(rollout.status, 'Progressing');
  const isBounded = canary !== undefined && canary.trafficRouting === undefined;
  return [
    {
      object,
      field: blueGreen === undefined ? 'spec.strategy.canary' : 'spec.strategy.blueGreen',
      value: JSON.stringify(shownStrategy(rollout)),
      says: isBounded ? deadlock('ev-strategy', { surge, unavailable }) : strategyStatement(rollout),
    },
    ...(progressing === undefined
      ? []
      : [
          {
            object,
            field: 'status.conditions[Progressing]',
            value: `${progressing.status} ${progressing.reason}`,
            at: progressing.lastUpdateTime,
            says: deadlock('ev-progress', { reason: progressing.reason }),
          },
        ]),
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
