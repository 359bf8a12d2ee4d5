import { isActive, isReady, type Pod } from '../cluster/pod.js';
import type { PodTemplate } from '../cluster/pod-spec.js';
import { type Forecast, nextDaemonSetSteps, nextStatefulSetSteps, nextSteps } from '../rollout/forecast.js';
import type { PodOracle } from '../rollout/pod-oracle.js';
import type { RolloutState, StatefulSetState } from '../rollout/rollout-state.js';
import {
  type StartToReady,
  scheduledSince,
  startAllowance,
  startToReady,
} from '../rollout/start-to-ready.js';

/** A change that every kind of workload can have. */
export type AnyChange =
  | { readonly kind: 'template'; readonly template: PodTemplate }
  /** Back to the template of that ReplicaSet or ControllerRevision. */
  | { readonly kind: 'undo'; readonly revision: string }
  | { readonly kind: 'restart' }
  | { readonly kind: 'delete-pod'; readonly pod: string };

/**
 * Plays the workload's controllers forward under a change. A pod that had its time to become ready and is not, stays
 * so: no remediation may count on it.
 */
export function forecastChange(state: RolloutState, change: AnyChange, oracle: PodOracle): Forecast {
  const sober = withoutHopeless(state, oracle);
  switch (state.kind) {
    case 'Deployment':
      return nextSteps(
        state,
        change.kind === 'undo' ? { kind: 'undo', replicaSet: change.revision } : change,
        sober,
      );
    case 'StatefulSet':
      return nextStatefulSetSteps(
        state,
        change.kind === 'undo' ? { kind: 'undo', controllerRevision: change.revision } : change,
        sober,
      );
    case 'DaemonSet':
      return nextDaemonSetSteps(
        state,
        change.kind === 'undo' ? { kind: 'undo', controllerRevision: change.revision } : change,
        sober,
      );
  }
}

/** The same for a StatefulSet that goes back to a ControllerRevision while the pods of these names are deleted. */
export function forecastUndoAndDelete(
  state: StatefulSetState,
  controllerRevision: string,
  pods: readonly string[],
  oracle: PodOracle,
): Forecast {
  const change = { kind: 'undo-and-delete', controllerRevision, pods } as const;
  return nextStatefulSetSteps(state, change, withoutHopeless(state, oracle));
}

/** An oracle under which pods of this state that had their time to become ready stay as they are. */
export function withoutHopeless(state: Pick<RolloutState, 'pods' | 'now'>, oracle: PodOracle): PodOracle {
  const observed = startToReady(state);
  const hopeless = new Set(
    state.pods.filter((pod) => isHopeless(pod, state.now, observed)).map(({ metadata }) => metadata.uid),
  );
  return {
    ...oracle,
    becomesReady: (pod, node, difference) =>
      !hopeless.has(pod.metadata.uid) && oracle.becomesReady(pod, node, difference),
  };
}

/** It has restarted, or runs longer than any start may take, and is not ready. */
function isHopeless(pod: Pod, now: number, observed: StartToReady | undefined): boolean {
  const since = scheduledSince(pod);
  if (!isActive(pod) || isReady(pod) || since === undefined) return false;
  const restarted = pod.status.containerStatuses.some(({ restartCount }) => restartCount > 0);
  return restarted || now - since > startAllowance(pod, observed) * 1000;
}
