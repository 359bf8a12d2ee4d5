import type { PodTemplate } from '../../engine/objects/pod-spec.js';
import { nextArgoRolloutSteps } from '../../engine/workloads/argo-rollout/forecast.js';
import { type Forecast, nextSteps, unknownForecast } from '../../engine/workloads/forecast.js';
import { nextLeaderWorkerSetSteps } from '../../engine/workloads/leader-worker-set/forecast.js';
import type { PodSimulator } from '../../engine/workloads/pod-simulator.js';
import { nextDaemonSetSteps, nextStatefulSetSteps } from '../../engine/workloads/revision-forecast.js';
import type { RolloutState, StatefulSetState } from '../../engine/workloads/rollout-state.js';
import { failsToStart, startToReady } from '../../engine/workloads/start-to-ready.js';

/** A change that every kind of workload can have. */
export type AnyChange =
  | { readonly kind: 'template'; readonly template: PodTemplate }
  /** Back to the template of that ReplicaSet or ControllerRevision. */
  | { readonly kind: 'undo'; readonly revision: string }
  | { readonly kind: 'restart' }
  | { readonly kind: 'delete-pod'; readonly pod: string };

/**
 * Plays the workload's controllers forward under a change. A pod that had its time to become ready and is
 * not, stays so: no remediation may count on it.
 */
export function forecastChange(state: RolloutState, change: AnyChange, simulator: PodSimulator): Forecast {
  const cautious = withoutFailedStarts(state, simulator);
  switch (state.kind) {
    case 'Deployment':
      return nextSteps(
        state,
        change.kind === 'undo' ? { kind: 'undo', replicaSet: change.revision } : change,
        cautious,
      );
    case 'Rollout':
      return nextArgoRolloutSteps(
        state,
        change.kind === 'undo' ? { kind: 'undo', replicaSet: change.revision } : change,
        cautious,
      );
    case 'LeaderWorkerSet':
      // No other plan changes the templates of its pods.
      return change.kind === 'restart' ? nextLeaderWorkerSetSteps(state, change, cautious) : unknownForecast;
    case 'Revisioned':
      // No plan changes the templates of its pods.
      return unknownForecast;
    case 'StatefulSet':
      return nextStatefulSetSteps(
        state,
        change.kind === 'undo' ? { kind: 'undo', controllerRevision: change.revision } : change,
        cautious,
      );
    case 'DaemonSet':
      return nextDaemonSetSteps(
        state,
        change.kind === 'undo' ? { kind: 'undo', controllerRevision: change.revision } : change,
        cautious,
      );
  }
}

/**
 * The same for a StatefulSet that goes back to a ControllerRevision while the pods of these names are
 * deleted.
 */
export function forecastUndoAndDelete(
  state: StatefulSetState,
  controllerRevision: string,
  pods: readonly string[],
  simulator: PodSimulator,
): Forecast {
  const change = { kind: 'undo-and-delete', controllerRevision, pods } as const;
  return nextStatefulSetSteps(state, change, withoutFailedStarts(state, simulator));
}

/** A simulator under which pods of this state that had their time to become ready stay as they are. */
export function withoutFailedStarts(
  state: Pick<RolloutState, 'pods' | 'now'>,
  simulator: PodSimulator,
): PodSimulator {
  const observed = startToReady(state);
  const failed = new Set(
    state.pods.filter((pod) => failsToStart(pod, state.now, observed)).map(({ metadata }) => metadata.uid),
  );
  return {
    ...simulator,
    becomesReady: (pod, node, difference) =>
      !failed.has(pod.metadata.uid) && simulator.becomesReady(pod, node, difference),
  };
}
