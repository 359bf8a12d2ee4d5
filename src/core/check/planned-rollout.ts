import type { ClusterIndex } from '../cluster/cluster-index.js';
import { controllerOf } from '../cluster/metadata.js';
import type { Pod } from '../cluster/pod.js';
import type { Workload } from '../cluster/workload.js';
import type { Placement } from '../placement/placement.js';
import { nextArgoRolloutSteps } from '../rollout/argo-rollout/forecast.js';
import { type Forecast, nextSteps } from '../rollout/forecast.js';
import { nextLeaderWorkerSetSteps } from '../rollout/leader-worker-set/forecast.js';
import type { PodSimulator } from '../rollout/pod-oracle.js';
import { nextDaemonSetSteps, nextStatefulSetSteps } from '../rollout/revision-forecast.js';
import { nextRevisionedSteps } from '../rollout/revisioned/forecast.js';
import { newReplicaSetOf } from '../rollout/revisions.js';
import { restarted } from '../rollout/rollout-change.js';
import { type RolloutState, rolloutStateIn } from '../rollout/rollout-state.js';

/** An update that nobody has applied, on a cluster as it is. */
export interface Planned {
  readonly index: ClusterIndex;
  readonly placement: Placement;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly planned: Workload;
  readonly live: Workload | undefined;
}

/**
 * What the workload's controllers see right after the update: its old pods and revisions, and the new
 * template.
 */
export function plannedState({ index, planned, now }: Planned): RolloutState {
  return rolloutStateIn(index, planned, now);
}

/** The update, played forward. */
export function forecastOf(rollout: Planned, simulator: PodSimulator): Forecast {
  const state = plannedState(rollout);
  switch (state.kind) {
    case 'Deployment':
      return nextSteps(state, { kind: 'none' }, simulator);
    case 'StatefulSet':
      return nextStatefulSetSteps(
        state,
        { kind: 'template', template: state.statefulSet.spec.template },
        simulator,
      );
    case 'DaemonSet':
      return nextDaemonSetSteps(
        state,
        { kind: 'template', template: state.daemonSet.spec.template },
        simulator,
      );
    case 'Rollout':
      return nextArgoRolloutSteps(state, { kind: 'none' }, simulator);
    case 'LeaderWorkerSet':
      return nextLeaderWorkerSetSteps(state, { kind: 'none' }, simulator);
    case 'Revisioned':
      return nextRevisionedSteps(state, simulator);
  }
}

/** Observed pods that the update is to replace. */
export function oldPodsOf(rollout: Planned): readonly Pod[] {
  const state = plannedState(rollout);
  if (state.kind !== 'Deployment' && state.kind !== 'Rollout') return state.pods;
  const newUid = newReplicaSetOf(state)?.metadata.uid;
  return state.pods.filter((pod) => controllerOf(pod)?.uid !== newUid);
}

/** The same with one more change of the template, as a restart makes it. */
export function withTemplate(rollout: Planned): Planned {
  const { planned, now } = rollout;
  const template = restarted(planned.spec.template, now);
  // The spread keeps the kind and its spec together, which the compiler cannot see.
  return { ...rollout, planned: { ...planned, spec: { ...planned.spec, template } } as Workload };
}
