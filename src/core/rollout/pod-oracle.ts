import type { Pod } from '../cluster/pod.js';

/** How the simulated cluster differs from the one that was observed. */
export interface Difference {
  /** Observed pods that are gone from the API server. Terminating ones are still there. */
  readonly gone: readonly Pod[];
  /** Pods with a node that were not observed with it: created since, or waiting then. */
  readonly placed: readonly Pod[];
  /** Pods that were not observed, with a node or still without: quotas charge both. */
  readonly created: readonly Pod[];
}

/** Answers for the scheduler, the quotas and the application what the rollout controllers do not decide. */
export interface PodOracle {
  /** Node on which the pod would be placed; `undefined`: it keeps waiting. */
  placementOf(pod: Pod, difference: Difference): string | undefined;
  /** Whether it becomes ready there. */
  becomesReady(pod: Pod, node: string, difference: Difference): boolean;
  /** Whether the API server would create it; left out: always. */
  admits?(pod: Pod, difference: Difference): boolean;
}
