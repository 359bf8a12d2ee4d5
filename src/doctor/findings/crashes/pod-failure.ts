import type { Event } from '../../../engine/objects/event.js';
import type { Pod } from '../../../engine/objects/pod.js';
import type { ContainerView, EndedRun } from './container-view.js';
import type { ProbeKillSign } from './probe-kill-sign.js';

/** Causes that one pod shows on its own, without a comparison with the other pods of its workload. */
export type PodCause =
  | 'evicted'
  | 'kubelet-rejected'
  | 'preempted'
  | 'image-pull-failure'
  | 'config-missing'
  | 'bad-command'
  | 'mount-failure'
  | 'sandbox-failure'
  | 'pod-start-stalled'
  | 'init-container-stuck'
  | 'out-of-memory'
  | 'node-out-of-memory'
  | 'startup-probe-kill'
  | 'liveness-probe-kill'
  | 'readiness-failing'
  | 'process-exits-zero'
  | 'application-crash'
  | 'node-not-ready';

/** One failure of one pod, with its evidence. */
export interface PodFailure {
  readonly cause: PodCause;
  readonly pod: Pod;
  /** Pod-template-hash or controller-revision-hash; '' for a pod without one. */
  readonly revision: string;
  /** The failing container; absent when the whole pod fails. */
  readonly container: ContainerView | undefined;
  /** The run that ended with the failure; absent when nothing ran. */
  readonly run: EndedRun | undefined;
  /** Events that show or confirm the failure, oldest first. */
  readonly events: readonly Event[];
  /** The reason as the API spells it: of the waiting state, the terminated run, the pod, or the event. */
  readonly reason: string;
  readonly message: string;
  /** False for a past crash: the container runs again and is ready. */
  readonly ongoing: boolean;
  /** What shows that a probe ended the run; absent for other causes. */
  readonly killSign?: ProbeKillSign;
}
