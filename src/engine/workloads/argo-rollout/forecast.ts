import { isTerminating, type Pod } from '../../objects/pod.js';
import { forecastBesideOthers } from '../contested-forecast.js';
import { apiTime } from '../creation-order.js';
import { type Forecast, forecastOf, podsAreUnseen, readyCount, unknownForecast } from '../forecast.js';
import { createPodSet, type PodSet } from '../pod-set.js';
import type { PodSimulator } from '../pod-simulator.js';
import { append, counted, deletionsOf, manageReplicaSets, refreshed } from '../replica-set-controllers.js';
import type { Shrinking } from '../replica-set-victims.js';
import type { ArgoRolloutState } from '../rollout-state.js';
import { deletedPod } from '../simulated-pods.js';
import type { Acted, Admission, ControllerModel, SimulationOptions, WorkMeter } from '../simulation.js';
import { defaultSimulationBudget, neverExhausted, simulate } from '../simulation.js';
import { currentStepOf, hasOpaquePart, isOpaque, isRestartPending } from './canary-steps.js';
import { availableOf, deadlineOf, isFullyPromoted, scaleDownDeadlineAnnotation } from './reconciliation.js';
import { rolesOf } from './replica-set-roles.js';
import type { ArgoRolloutChange } from './rollout-change.js';
import { changedArgoRollout, pauseEndsByTime, updateEndOf } from './rollout-change.js';
import { syncArgoRollout } from './rollout-sync.js';

/**
 * Plays a Rollout forward under a hypothetical change, up to its promotion or to a step that a person or an
 * analysis ends. `unknown` where an analysis runs beside the steps, because it may abort the update at any
 * time. Its length is not known, because steps may wait.
 */
export function nextArgoRolloutSteps(
  state: ArgoRolloutState,
  change: ArgoRolloutChange,
  simulator: PodSimulator,
  options: SimulationOptions = {},
): Forecast {
  const { maxRevisions } = options.budget ?? defaultSimulationBudget;
  if (state.replicaSets.length > maxRevisions) {
    return { ...unknownForecast, ends: 'too-large', limit: 'revisions' };
  }
  const start = changedArgoRollout(state, change);
  if (start === undefined || podsAreUnseen(state)) return unknownForecast;
  const endsUpdate = change.kind === 'abort' || change.kind === 'promote-full';
  if (!endsUpdate && hasOpaquePart(start.rollout)) return unknownForecast;
  const { pods } = state;
  const { replicas } = start.rollout.spec;
  return forecastBesideOthers(pods, simulator, (each) => {
    const result = simulate(start, argoRolloutModel(start), each, options);
    const forecast = forecastOf(pods, readyCount(pods), replicas, result);
    return forecast.ends === 'complete'
      ? { ...forecast, updateEnd: updateEndOf(result.end.rollout) }
      : forecast;
  });
}

/** Each pause and each delay passes once. */
const maxDelays = 100;

/**
 * The controllers of a Rollout, as a simulation drives them. Pauses with a length and delays before a
 * scale-down pass at once: they take time, and change nothing about who needs which place.
 */
function argoRolloutModel({ rollout }: ArgoRolloutState): ControllerModel<ArgoRolloutState> {
  return {
    act: actThroughDelays,
    // While pods start that will never be ready, delays pass once nothing else changes.
    afterDelay: afterNextDelay,
    isComplete: argoRolloutIsComplete,
    minReadySeconds: rollout.spec.minReadySeconds,
  };
}

function actThroughDelays(
  podSet: PodSet,
  start: ArgoRolloutState,
  admits: (pod: Pod) => boolean,
  meter: WorkMeter,
): Acted<ArgoRolloutState> {
  const { minReadySeconds } = start.rollout.spec;
  let acted = actArgoRolloutOn(podSet, start, admits, meter);
  for (let count = 0; count < maxDelays && acted.isAtRest; count += 1) {
    // What was created now is placed first, and what moves may take the update further.
    if (acted.created.length > 0 || podSet.moving(minReadySeconds, start.now).length > 0) break;
    const later = afterNextDelay(acted.state);
    if (later === undefined) break;
    const next = actArgoRolloutOn(podSet, later, admits, meter);
    acted = {
      ...next,
      deleted: [...acted.deleted, ...next.deleted],
      orElse: [...acted.orElse, ...next.orElse],
    };
  }
  return acted;
}

/** The state once the pause or the delays are over; `undefined` where nothing ends by time. */
function afterNextDelay(state: ArgoRolloutState): ArgoRolloutState | undefined {
  const { rollout, replicaSets, now } = state;
  const { status } = rollout;
  if (rollout.spec.paused) return undefined;
  const over = apiTime(now - 366 * 86_400_000);
  const pauses = status.pauseConditions.filter(({ reason }) => pauseEndsByTime(rollout, reason));
  if (pauses.some(({ startTime }) => startTime !== over)) {
    const pauseConditions = status.pauseConditions.map((pause) =>
      pauses.includes(pause) ? { ...pause, startTime: over } : pause,
    );
    return { ...state, rollout: { ...rollout, status: { ...status, pauseConditions } } };
  }
  const isAhead = (replicaSet: ArgoRolloutState['replicaSets'][number]): boolean =>
    (deadlineOf(replicaSet) ?? 0) > now;
  if (!replicaSets.some(isAhead)) return undefined;
  return {
    ...state,
    replicaSets: replicaSets.map((replicaSet) => {
      if (!isAhead(replicaSet)) return replicaSet;
      const { metadata } = replicaSet;
      const annotations = { ...metadata.annotations, [scaleDownDeadlineAnnotation]: over };
      return { ...replicaSet, metadata: { ...metadata, annotations } };
    }),
  };
}

/**
 * The update has come to an end that needs no pod: promoted with every pod available, back at the stable
 * revision after an abort, or at a step that a person or an analysis ends, with every pod of that step
 * available.
 */
function argoRolloutIsComplete({ rollout, replicaSets }: ArgoRolloutState): boolean {
  const { spec, status } = rollout;
  const { newReplicaSet, stableReplicaSet } = rolesOf(rollout, replicaSets);
  const isWhole = replicaSets.every(
    ({ spec: { replicas }, status: { availableReplicas } }) => availableReplicas >= replicas,
  );
  if (!isWhole) return false;
  if (isFullyPromoted(rollout)) return availableOf([newReplicaSet]) >= spec.replicas;
  const step = currentStepOf(rollout)?.step;
  const isHeld = status.pauseConditions.length > 0 || status.abort || (step !== undefined && isOpaque(step));
  return isHeld && availableOf([newReplicaSet, stableReplicaSet]) >= spec.replicas;
}

/**
 * How an update came to rest before its promotion: `held` by a person or an analysis with every pod of its
 * step available, or `on-stable` with every stable pod available after an abort. `undefined` while it moves
 * or lacks pods.
 */
export function updateRestOf(state: ArgoRolloutState): 'held' | 'on-stable' | undefined {
  const { rollout, replicaSets } = state;
  const { spec, status } = rollout;
  if (isFullyPromoted(rollout) || isRestartPending(rollout)) return undefined;
  if (!status.abort) return argoRolloutIsComplete(state) ? 'held' : undefined;
  const { stableReplicaSet } = rolesOf(rollout, replicaSets);
  return availableOf([stableReplicaSet]) >= spec.replicas ? 'on-stable' : undefined;
}

/** Enough for every step of a long canary, each of which takes several reconciliations. */
const maxRounds = 2_000;

/** Runs the controllers of Argo Rollouts and of ReplicaSets until they are at rest. */
export function actArgoRollout(start: ArgoRolloutState, admits: Admission): Acted<ArgoRolloutState> {
  const podSet = createPodSet(start.pods);
  const acted = actArgoRolloutOn(podSet, start, (pod) => admits(pod, podSet.all()), neverExhausted);
  return { ...acted, state: refreshed({ ...acted.state, pods: podSet.all() }) };
}

/** The same on a pod set, which it changes; `state.pods` is not read, and empty afterwards. */
function actArgoRolloutOn(
  podSet: PodSet,
  start: ArgoRolloutState,
  admits: (pod: Pod) => boolean,
  meter: WorkMeter,
): Acted<ArgoRolloutState> {
  let state = counted<ArgoRolloutState>(podSet, { ...start, pods: [] });
  const created: Pod[] = [];
  const evicted: Pod[] = [];
  const shrinking: Shrinking[] = [];
  let refused: readonly Pod[] = [];
  let isAtRest = false;
  for (let round = 0; round < maxRounds && !isAtRest && !meter.isExhausted(); round += 1) {
    meter.spend(1 + state.replicaSets.length);
    const restarts = state.rollout.spec.restartAt !== undefined;
    const sync = syncArgoRollout(restarts ? { ...state, pods: podSet.all() } : state);
    state = { ...sync.state, pods: [] };
    evict(podSet, sync.evicted, state.now);
    append(evicted, sync.evicted);
    const pods = manageReplicaSets(podSet, state, { admits, meter, sizedInBetween: new Map() });
    state = counted(podSet, pods.state);
    append(created, pods.created);
    append(shrinking, pods.shrinking);
    refused = pods.refused;
    isAtRest = !sync.hasActed && pods.created.length + pods.shrinking.length === 0;
  }
  const { deleted, orElse } = deletionsOf(shrinking, podSet, state.now, meter);
  return { state, actions: [], created, deleted: [...evicted, ...deleted], orElse, refused, isAtRest };
}

function evict(podSet: PodSet, pods: readonly Pod[], now: number): void {
  for (const pod of pods) {
    if (isTerminating(pod)) continue;
    const [left] = deletedPod(pod, now);
    if (left === undefined) podSet.remove(pod);
    else podSet.replace(pod, left);
  }
}
