import type { ObjectRef } from '../objects/metadata.js';
import type { Pod } from '../objects/pod.js';
import type { WorkBudget } from '../objects/work-budget.js';

/** How the simulated cluster differs from the one that was observed. */
export interface Difference {
  /** Observed pods that are gone from the API server. Terminating ones are still there. */
  readonly gone: readonly Pod[];
  /** Observed pods that have been marked for deletion since, and are still there. Left out: none. */
  readonly leaving?: readonly Pod[];
  /** Pods with a node that were not observed with it: created since, or waiting then. */
  readonly placed: readonly Pod[];
  /** Pods that were not observed, with a node or still without: quotas charge both. */
  readonly created: readonly Pod[];
  /**
   * The same by node; absent where nobody keeps it. One object for a whole simulation, which goes on changing
   * it.
   */
  readonly byNode?: DifferenceByNode;
}

/** A difference, node by node, so that a simulator need not read all of it at each question. */
export interface DifferenceByNode {
  /** Names of the nodes that a pod came to or left, oldest first. It only grows. */
  readonly changed: readonly string[];
  readonly goneFrom: (node: string) => readonly Pod[];
  readonly placedOn: (node: string) => readonly Pod[];
}

/** One simulation in which other workloads compete for what becomes free: places on nodes, and quota. */
export interface Contest {
  /** As the simulator's own, with the competitors where they took something. */
  readonly simulator: Pick<PodSimulator, 'placementOf' | 'admits' | 'takeWork'>;
  /**
   * Waiting pods that could use what becomes free, in the order of the scheduling queue, then workloads whose
   * pods a quota refuses.
   */
  readonly competitors: readonly ObjectRef[];
  /** Those that took something from a pod of the workload so far, in the same order. */
  readonly winners: () => readonly ObjectRef[];
}

/** Answers for the scheduler, the quotas and the application what the rollout controllers do not decide. */
export interface PodSimulator {
  /** Node on which the pod would be placed; `undefined`: it keeps waiting. */
  placementOf(pod: Pod, difference: Difference): string | undefined;
  /** Whether it becomes ready there. */
  becomesReady(pod: Pod, node: string, difference: Difference): boolean;
  /** Whether the API server would create it; left out: always. */
  admits?(pod: Pod, difference: Difference): boolean;
  /**
   * Equal text for pods that get the same answer from `placementOf` at the same moment; `undefined` for a pod
   * that must be asked about by itself. Left out: every pod is asked about.
   */
  likenessOf?(pod: Pod): string | undefined;
  /**
   * How many pods of the workload fit on each node while none of `own` is there, where every pod of it takes
   * exactly one place, whichever pod it is; `undefined` where that does not hold. A simulator that answers
   * makes a promise: `becomesReady` follows from pod and node alone, and pods of one owner that had no node
   * when the simulation began get the same answer on the same node.
   */
  countPlaces?(own: readonly Pod[], wanted: readonly Pod[]): ReadonlyMap<string, number> | undefined;
  /**
   * Answers for a cluster in which other workloads take what the simulation frees: waiting pods wherever the
   * scheduler could try them first, and workloads whose pods a quota refuses. `undefined` when none could use
   * it. One call for each simulation. Left out: nobody else waits.
   *
   * @param own the pods of the workload, which do not compete with themselves
   */
  contest?(own: readonly Pod[]): Contest | undefined;
  /**
   * Whether a pod may find a node although `placementOf` names none, because nodes or what decides there was
   * not read or is not simulated. Left out: never.
   *
   * @param gone observed pods that are gone
   */
  mayBePlaced?(pod: Pod, gone: readonly Pod[]): boolean;
  /**
   * What the diagnosis that asks has left to spend; left out: the simulation's own budget alone bounds it.
   */
  readonly work?: WorkBudget;
  /** Pods and nodes examined since the last call, for the budget of the simulation. */
  takeWork?(): number;
}
