import { isWorse, unlessPlaced } from './contested-forecast.js';
import { daemonSetHash } from './controller-revisions.js';
import { daemonSetBounds } from './daemon-set-bounds.js';
import { deploymentModel, type Forecast, forecastOf, podsAreUnseen, readyCount } from './forecast.js';
import { type Member, memberOf, simulateJointly } from './joint-simulation.js';
import type { PodSimulator } from './pod-oracle.js';
import { changedDaemonSet, type DaemonSetChange } from './revision-change.js';
import { daemonSetModel, statefulSetModel } from './revision-forecast.js';
import { changedState, type DeploymentChange } from './rollout-change.js';
import type { RolloutState } from './rollout-state.js';

/** A change of one workload; the kind of the change belongs to the kind of the workload. */
export type MemberChange =
  | { readonly of: 'Deployment'; readonly change: DeploymentChange }
  | { readonly of: 'DaemonSet'; readonly change: DaemonSetChange };

/** What follows for several workloads whose rollouts share nodes, when one of them is changed. */
export interface JointForecast {
  /**
   * `complete`: every rollout completes. The other values are those of `Forecast`, for at least one of them.
   */
  readonly ends: Forecast['ends'];
  /** One for each workload, in the same order; empty where nothing was simulated. */
  readonly members: readonly Forecast[];
  /**
   * Waiting pods and refused workloads beside these that could take what becomes free, and then the rollouts
   * fare worse.
   */
  readonly winners?: Forecast['winners'];
}

/**
 * Plays all rollouts forward together, with a change to one of them or to none. As for one rollout, the
 * forecast is played a second time against further workloads (`forecastBesideOthers`).
 *
 * @param states the workloads as they are observed
 * @param change left out: nobody does anything
 * @param simulator must not count on pods that had their time to become ready
 */
export function forecastJointly(
  states: readonly RolloutState[],
  simulator: PodSimulator,
  change?: { readonly member: number } & MemberChange,
): JointForecast {
  const started = states.map((state, at) => memberAfter(state, change?.member === at ? change : undefined));
  const members = started.filter((member) => member !== undefined);
  if (members.length < states.length) return { ends: 'unknown', members: [] };
  const alone = runTogether(states, members, simulator);
  if (alone.ends !== 'complete' && alone.ends !== 'stuck') return alone;
  const contest = simulator.contest?.(states.flatMap(({ pods }) => [...pods]));
  if (contest === undefined) return alone;
  const contested = runTogether(states, members, { ...simulator, ...contest.simulator });
  const worse = (one: Forecast, at: number): boolean => {
    const other = alone.members[at];
    return other === undefined || isWorse(one, other);
  };
  if (contested.ends === alone.ends && !contested.members.some(worse)) return alone;
  const winners = contest.winners();
  return {
    ends: alone.ends === 'complete' ? 'contested' : alone.ends,
    members: alone.members.map((each, at) => ({
      ...each,
      downtime: contested.members[at]?.downtime ?? each.downtime,
      seconds: undefined,
    })),
    winners: winners.length > 0 ? winners : contest.competitors,
  };
}

function runTogether(
  states: readonly RolloutState[],
  members: readonly Member[],
  simulator: PodSimulator,
): JointForecast {
  const results = simulateJointly(members, simulator);
  const forecasts = states.flatMap((state, at) => {
    const result = results[at];
    return result === undefined
      ? []
      : [unlessPlaced(forecastOf(state.pods, readyCount(state.pods), wantedOf(state), result), simulator)];
  });
  const isTooLarge = forecasts.some(({ ends }) => ends === 'too-large');
  const isComplete = forecasts.every(({ ends }) => ends === 'complete');
  const isUnknown = forecasts.some(({ ends }) => ends === 'unknown');
  const end = isComplete ? 'complete' : isUnknown ? 'unknown' : 'stuck';
  return { ends: isTooLarge ? 'too-large' : end, members: forecasts };
}

/**
 * The workload right after the change; `undefined` where it was not read whole or the change does not fit it.
 */
function memberAfter(state: RolloutState, change: MemberChange | undefined): Member | undefined {
  switch (state.kind) {
    case 'Deployment': {
      if (podsAreUnseen(state) || (change !== undefined && change.of !== 'Deployment')) return undefined;
      const start = changedState(state, change?.change ?? { kind: 'none' });
      return start && memberOf({ state: start, model: deploymentModel(start) });
    }
    case 'DaemonSet': {
      if (change !== undefined && change.of !== 'DaemonSet') return undefined;
      const start = changedDaemonSet(state, change?.change ?? { kind: 'none' });
      if (start === undefined || daemonSetHash(start) === undefined) return undefined;
      return memberOf({ state: start, model: daemonSetModel(start) });
    }
    case 'Rollout':
    case 'LeaderWorkerSet':
    case 'Revisioned':
      return undefined;
    case 'StatefulSet':
      if (change !== undefined || state.maxUnavailable.instead.length > 0) return undefined;
      return memberOf({ state, model: statefulSetModel(state) });
  }
}

function wantedOf(state: RolloutState): number {
  switch (state.kind) {
    case 'Deployment':
      return state.deployment.spec.replicas;
    case 'StatefulSet':
      return state.statefulSet.spec.replicas;
    case 'Rollout':
      return state.rollout.spec.replicas;
    case 'LeaderWorkerSet':
      return state.leaderWorkerSet.spec.replicas * state.leaderWorkerSet.spec.leaderWorkerTemplate.size;
    case 'Revisioned':
      return state.service.spec.replicas;
    case 'DaemonSet':
      return daemonSetBounds(state).desired;
  }
}
