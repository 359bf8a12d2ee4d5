import type { Statement } from '../../engine/language/statement.js';
import type { ObjectRef } from '../../engine/objects/metadata.js';
import type { WorkloadRef } from '../../engine/objects/workload.js';
import type { Downtime } from '../../engine/workloads/downtime.js';

/**
 * What would become of an update.
 *
 * - `deadlock`: it comes to rest half-way, and the workload's own old pods hold what the new ones need.
 * - `stuck`: it comes to rest half-way, and nobody's own pods are the reason: there is no room, no node, no
 *   quota.
 * - `refused`: the API server would not take the manifest.
 * - `completes`: every wanted pod of the new revision comes up, if the new pods become ready.
 * - `unchanged`: no pod is replaced.
 * - `cannot-tell`: the engines do not know enough; `reasoning` says what is missing.
 */
export type CheckOutcome = 'deadlock' | 'stuck' | 'refused' | 'completes' | 'unchanged' | 'cannot-tell';

/** A strategy under which the same update would complete. */
export interface WayOut {
  readonly strategy:
    | { readonly type: 'RollingUpdate'; readonly maxSurge: number; readonly maxUnavailable: number }
    | { readonly type: 'Recreate' };
  readonly downtime: Downtime | undefined;
  readonly summary: Statement;
}

/** The answer for one manifest. Plain data, without sentences. */
export interface RolloutCheck {
  readonly workload: WorkloadRef;
  readonly outcome: CheckOutcome;
  /**
   * `undefined` for `cannot-tell`. `likely`: it holds for every choice of nodes that was tried, but the
   * scheduler had a choice.
   */
  readonly confidence: 'proven' | 'likely' | undefined;
  readonly summary: Statement;
  readonly reasoning: readonly Statement[];
  /**
   * What is short, in the words of findings: an extended resource's name, `cpu`, `hostPort`,
   * `podAntiAffinity`, …
   */
  readonly resource: string | undefined;
  /** Nodes on which own old pods are in the way. */
  readonly nodes: readonly string[];
  /** Pods that would have to go. */
  readonly holders: readonly ObjectRef[];
  /** What the scheduler or the API server would say of the new pod. */
  readonly message: string | undefined;
  /** While the update runs, as far as it gets. */
  readonly downtime: Downtime | undefined;
  readonly wayOut: WayOut | undefined;
}
