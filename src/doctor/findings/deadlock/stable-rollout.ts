import type { Statement } from '../../../engine/language/statement.js';
import { hasCanaryBounds, type Rollout } from '../../../engine/objects/argo-rollout.js';
import { groupIndexOf, type LeaderWorkerSet } from '../../../engine/objects/leader-worker-set.js';
import { conditionOf } from '../../../engine/objects/metadata.js';
import { hasNode, isActive, isAvailable, isReady, type Pod } from '../../../engine/objects/pod.js';
import type { Snapshot } from '../../../engine/objects/snapshot.js';
import { hasOrdinals, hasPodPerNode, workloadKinds } from '../../../engine/objects/workload.js';
import {
  canaryBounds,
  currentSetWeight,
  defaultBound,
} from '../../../engine/workloads/argo-rollout/canary-steps.js';
import { notSimulatedSettings } from '../../../engine/workloads/leader-worker-set/forecast.js';
import {
  formerGroupPods,
  groupBounds,
  leaderSetIn,
  newGroupPods,
} from '../../../engine/workloads/leader-worker-set/leader-set.js';
import { newPods, oldPods } from '../../../engine/workloads/revisions.js';
import type { ArgoRolloutState, LeaderWorkerSetState } from '../../../engine/workloads/rollout-state.js';
import { rolloutStateOf } from '../../../engine/workloads/rollout-state.js';
import type { Evidence } from '../finding.js';
import { rests, stuckRolloutOf } from '../stuck-rollout.js';
import { type StrategyFacts, strategyFactsOf } from './facts.js';
import { type StableRollout, subjectOf } from './stable.js';
import { stableRevisionsOf } from './stable-revisions.js';
import { strategies } from './strategies-text.js';
import { progressEvidence, strategyEvidence, strategyStatement } from './strategy.js';
import { deadlock } from './text.js';

/** The kinds whose strategy bounds how many pods or groups exist beside the old ones. */
export const boundedKinds = ['Deployment', 'Rollout', 'LeaderWorkerSet'] as const;

/** The kinds that start new pods beside old ones and wait for them. */
export const stableKinds = workloadKinds.filter((kind) => !hasOrdinals({ kind }) && !hasPodPerNode({ kind }));

/**
 * The rollout as a candidate for a deadlock with itself, or `undefined` when it is none: it waits for a
 * person, is not observed yet, has no old pods left, or something is still moving by itself.
 *
 * @param cannotStart tells young pods of which it is known that they will not become ready, however long they
 *   are given
 */
export function stableRolloutOf(
  snapshot: Snapshot,
  cannotStart: (pod: Pod) => boolean = () => false,
): StableRollout | undefined {
  if (snapshot.workload.metadata.deletionTimestamp !== undefined) return undefined;
  const state = rolloutStateOf(snapshot);
  switch (state.kind) {
    case 'Deployment':
      return stableDeploymentOf(snapshot, cannotStart);
    case 'Rollout':
      return stableArgoRolloutOf(state, cannotStart);
    case 'LeaderWorkerSet':
      return stableGroupsOf(state, cannotStart);
    case 'Revisioned':
      return stableRevisionsOf(state, cannotStart);
    case 'StatefulSet':
    case 'DaemonSet':
      return undefined;
  }
}

function stableDeploymentOf(
  snapshot: Snapshot,
  cannotStart: (pod: Pod) => boolean,
): StableRollout | undefined {
  const rollout = stuckRolloutOf(snapshot, cannotStart);
  if (rollout === undefined) return undefined;
  const { deployment, state, holding, blocked } = rollout;
  return {
    workload: deployment,
    state,
    holding,
    blocked,
    strategy: strategyStatement(rollout),
    strategyFacts: strategyFactsOf(deployment),
    strategyEvidence: strategyEvidence(rollout),
  };
}

/**
 * A Rollout at rest half-way. One that waits for a person, an analysis or a moment is none: something else
 * than its pods may take it further.
 */
function stableArgoRolloutOf(
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
    strategy: canaryStatement(rollout),
    strategyFacts: canaryFacts(rollout),
    strategyEvidence: canaryEvidence(rollout),
  };
}

function blockedOf(rolled: ArgoRolloutState): readonly Pod[] {
  const { minReadySeconds } = rolled.rollout.spec;
  return newPods(rolled).filter((pod) => isActive(pod) && !isAvailable(pod, minReadySeconds, rolled.now));
}

/** Why the controller takes no old pod. */
function canaryStatement(rollout: Rollout): Statement {
  const { replicas, strategy } = rollout.spec;
  const { canary, blueGreen } = strategy;
  if (blueGreen !== undefined) return strategies('strategy-blue-green', { replicas });
  if (canary?.trafficRouting !== undefined) {
    return canary.dynamicStableScale
      ? strategies('strategy-routed-dynamic', { weight: currentSetWeight(rollout) })
      : strategies('strategy-routed', { replicas });
  }
  const { maxSurge, maxUnavailable, unavailable = 0, missing = 0 } = canaryFacts(rollout);
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
function canaryFacts(rollout: Rollout): StrategyFacts {
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

function canaryEvidence(rollout: Rollout): readonly Evidence[] {
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
        : canaryStatement(rollout),
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

/** A LeaderWorkerSet at rest half-way. Groups below the partition stay, whatever happens to the new ones. */
function stableGroupsOf(
  state: LeaderWorkerSetState,
  cannotStart: (pod: Pod) => boolean,
): StableRollout | undefined {
  const { leaderWorkerSet } = state;
  // The controller stops with an error where it cannot read a bound.
  if (groupBounds(leaderWorkerSet) === undefined || !rests(state, cannotStart)) return undefined;
  const { partition } = leaderWorkerSet.spec.rolloutStrategy.rollingUpdateConfiguration;
  const holding = formerGroupPods(state).filter(
    (pod) => isActive(pod) && hasNode(pod) && groupIndexOf(pod) >= partition,
  );
  if (holding.length === 0) return undefined;
  return {
    workload: leaderWorkerSet,
    state,
    holding,
    blocked: newGroupPods(state).filter((pod) => isActive(pod) && !isReady(pod)),
    strategy: groupStatement(state),
    strategyFacts: groupFacts(leaderWorkerSet),
    strategyEvidence: groupEvidence(leaderWorkerSet),
  };
}

/** What the engine leaves out: it weakens every proof about these groups. */
export function groupsDoubts(leaderWorkerSet: LeaderWorkerSet): readonly Statement[] {
  const settings = notSimulatedSettings(leaderWorkerSet);
  return settings.length === 0 ? [] : [strategies('groups-not-simulated', { settings })];
}

/** Why the controllers stop no old group. */
function groupStatement(state: LeaderWorkerSetState): Statement {
  const { leaderWorkerSet } = state;
  const { maxSurge, maxUnavailable } = leaderWorkerSet.spec.rolloutStrategy.rollingUpdateConfiguration;
  const { replicas } = leaderWorkerSet.spec;
  const values = { maxSurge: String(maxSurge), maxUnavailable: String(maxUnavailable), replicas };
  const leaderSet = leaderSetIn(leaderWorkerSet, state.statefulSets);
  const partition = leaderSet?.spec.updateStrategy.rollingUpdate?.partition ?? 0;
  const isReleased = formerGroupPods(state).some((pod) => groupIndexOf(pod) >= partition);
  return isReleased ? strategies('strategy-groups-in-order', values) : strategies('strategy-groups', values);
}

/** In groups. */
function groupFacts(leaderWorkerSet: LeaderWorkerSet): StrategyFacts {
  const { replicas, rolloutStrategy } = leaderWorkerSet.spec;
  const { maxSurge, maxUnavailable } = rolloutStrategy.rollingUpdateConfiguration;
  const { surge = 0, unavailable = 0 } = groupBounds(leaderWorkerSet) ?? {};
  return {
    maxSurge: String(maxSurge),
    maxUnavailable: String(maxUnavailable),
    surge,
    unavailable,
    replicas,
    missing: Math.max(0, replicas - leaderWorkerSet.status.readyReplicas),
  };
}

function groupEvidence(leaderWorkerSet: LeaderWorkerSet): readonly Evidence[] {
  const object = subjectOf(leaderWorkerSet);
  const { rollingUpdateConfiguration } = leaderWorkerSet.spec.rolloutStrategy;
  const { surge = 0, unavailable = 0 } = groupBounds(leaderWorkerSet) ?? {};
  const updating = conditionOf(leaderWorkerSet.status, 'UpdateInProgress');
  return [
    {
      object,
      field: 'spec.rolloutStrategy.rollingUpdateConfiguration',
      value: JSON.stringify(rollingUpdateConfiguration),
      says: strategies('ev-groups', { surge, unavailable }),
    },
    ...(updating === undefined
      ? []
      : [
          {
            object,
            field: 'status.conditions[UpdateInProgress]',
            value: `${updating.status} ${updating.reason}`,
            at: updating.lastTransitionTime,
            says: deadlock('ev-progress', { reason: updating.reason }),
          },
        ]),
  ];
}
