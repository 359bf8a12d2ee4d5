import type { Statement } from '../../../engine/language/statement.js';
import { groupIndexOf, type LeaderWorkerSet } from '../../../engine/objects/leader-worker-set.js';
import { conditionOf } from '../../../engine/objects/metadata.js';
import { hasNode, isActive, isReady, type Pod } from '../../../engine/objects/pod.js';
import { notSimulatedSettings } from '../../../engine/workloads/leader-worker-set/forecast.js';
import {
  formerGroupPods,
  groupBounds,
  leaderSetIn,
  newGroupPods,
} from '../../../engine/workloads/leader-worker-set/leader-set.js';
import type { LeaderWorkerSetState } from '../../../engine/workloads/rollout-state.js';
import type { Evidence } from '../finding.js';
import { rests } from '../stuck-rollout.js';
import type { StrategyFacts } from './facts.js';
import { type StableRollout, subjectOf } from './stable.js';
import { strategies } from './strategies-text.js';
import { deadlock } from './text.js';

/** A LeaderWorkerSet at rest half-way. Groups below the partition stay, whatever happens to the new ones. */
export function stableGroupsOf(
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
    strategy: strategyStatement(state),
    strategyFacts: strategyFacts(leaderWorkerSet),
    strategyEvidence: strategyEvidence(leaderWorkerSet),
  };
}

/** What the engine leaves out: it weakens every proof about these groups. */
export function groupsDoubts(leaderWorkerSet: LeaderWorkerSet): readonly Statement[] {
  const settings = notSimulatedSettings(leaderWorkerSet);
  return settings.length === 0 ? [] : [strategies('groups-not-simulated', { settings })];
}

/** Why the controllers stop no old group. */
function strategyStatement(state: LeaderWorkerSetState): Statement {
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
function strategyFacts(leaderWorkerSet: LeaderWorkerSet): StrategyFacts {
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

function strategyEvidence(leaderWorkerSet: LeaderWorkerSet): readonly Evidence[] {
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
