import { isActive, isReady, type Pod } from '../../engine/objects/pod.js';
import { nowOf } from '../../engine/objects/snapshot.js';
import { hasDeploymentStrategy, isPaused, type Workload } from '../../engine/objects/workload.js';
import { restState, waitsForSurgePods } from '../../engine/workloads/fixed-point.js';
import { type RolloutState, rolloutStateOf } from '../../engine/workloads/rollout-state.js';
import { rolloutStatus } from '../../engine/workloads/rollout-status.js';
import type { Completion } from './diagnosis.js';
import { isAboutToBePlaced } from './pod-simulator-of.js';
import { readinessOf } from './readiness-of.js';
import type { Examination } from './rule.js';

/** Kubernetes gives a rollout this long between two steps where the workload states nothing else. */
const defaultPatienceSeconds = 600;

/**
 * How far the workload is, whatever the rules find: with all its pods, on the way, or neither. A rollout in
 * progress is no trouble. One without a change for as long as its progress deadline is.
 */
export function completionOf(examination: Examination): Completion {
  const { snapshot } = examination;
  const { workload } = snapshot;
  const ready = readinessOf(snapshot);
  const status = rolloutStatus(workload);
  const hasPods = ready.pods >= ready.wanted;
  const state = rolloutStateOf(snapshot);
  // Files may lack pods that the workload counts. A controller would then seem to be about to create them.
  const lacksPods =
    snapshot.age === undefined && (countedPods(workload) > state.pods.length || lacksSurge(state));
  if (
    hasPods &&
    !lacksPods &&
    (isPaused(workload) || status.kind === 'complete' || status.kind === 'not-followed')
  ) {
    return 'complete';
  }
  // What comes next may have come again and again: pods that fail at once are replaced for hours.
  if (!hasPods && snapshot.isTimeUnknown === true) return 'stopped';
  if (status.kind === 'waiting' && status.for === 'observed') return 'moving';
  if (lacksPods || (state.pods.length > 0 && state.pods.every(isTimeless))) return 'stopped';
  const { kind } = restState(state);
  if (kind === 'settling' || kind === 'acting' || kind === 'waiting') return 'moving';
  return isOnTheWay(examination, state) ? 'moving' : 'stopped';
}

function countedPods({ status }: Workload): number {
  if ('currentNumberScheduled' in status) return status.currentNumberScheduled;
  return 'replicas' in status ? status.replicas : 0;
}

/** Without any time, nothing shows that a pod began a moment ago. */
function isTimeless(pod: Pod): boolean {
  return changesOf(pod).every(Number.isNaN);
}

/**
 * A DaemonSet counts one pod a node. With a surge, the file may hold all pods of the former revision and none
 * of the new one, which the controller makes within seconds.
 */
function lacksSurge(state: RolloutState): boolean {
  if (!('daemonSet' in state) || !waitsForSurgePods(state)) return false;
  const made = state.controllerRevisions.map(({ metadata }) => Date.parse(metadata.creationTimestamp ?? ''));
  return !(state.now - Math.max(...made) < surgeSeconds * 1000);
}

/** Within this time the controller has made the pods of a new revision, or was refused. */
const surgeSeconds = 60;

function isOnTheWay(examination: Examination, state: RolloutState): boolean {
  const { snapshot } = examination;
  const since = nowOf(snapshot) - patienceOf(state) * 1000;
  // The newest time of a recording is that of a change, so that each one would seem to be on the way.
  if (snapshot.isTimeUnknown !== true && state.pods.some((pod) => changesOf(pod).some((at) => at >= since)))
    return true;
  const missing = state.pods.filter((pod) => isActive(pod) && !isReady(pod));
  return (
    missing.length > 0 &&
    missing.every((pod) =>
      (pod.spec.nodeName ?? '') === '' ? isAboutToBePlaced(examination, pod) : isPulling(examination, pod),
    )
  );
}

function patienceOf(state: RolloutState): number {
  const seconds = hasDeploymentStrategy(state)
    ? state.deployment.spec.progressDeadlineSeconds
    : defaultPatienceSeconds;
  return seconds < 2 ** 31 - 1 ? seconds : defaultPatienceSeconds;
}

/** Moments at which the pod changed, in epoch milliseconds. */
function changesOf({ metadata, status }: Pod): readonly number[] {
  return [
    metadata.creationTimestamp,
    metadata.deletionTimestamp,
    ...status.conditions.map(({ lastTransitionTime }) => lastTransitionTime),
    ...[...status.initContainerStatuses, ...status.containerStatuses].flatMap(({ state, lastState }) => [
      state.running?.startedAt,
      lastState.terminated?.finishedAt,
    ]),
  ].map((at) => Date.parse(at ?? ''));
}

/** The kubelet downloads an image, which takes as long as the image is large. */
function isPulling({ snapshot }: Examination, pod: Pod): boolean {
  return snapshot.index.eventsByUid.get(pod.metadata.uid)?.at(-1)?.reason === 'Pulling';
}
