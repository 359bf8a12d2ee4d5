/**
 * How much one simulation may take. The limits are published in docs/engines.md. Each is far above what a rollout in a
 * cluster of 5,000 nodes needs, and low enough that one object cannot keep a worker busy.
 */
export interface SimulationBudget {
  /** Pods that exist and are created, in all. */
  readonly maxPods: number;
  /** ReplicaSets, or ControllerRevisions, of the workload. */
  readonly maxRevisions: number;
  /** Moments at which something happens. */
  readonly maxSteps: number;
  /** Pods, ReplicaSets and nodes that are examined, each as often as it is examined. */
  readonly maxWork: number;
}

export const defaultSimulationBudget: SimulationBudget = {
  maxPods: 6_000,
  maxRevisions: 2_000,
  maxSteps: 10_000,
  maxWork: 10_000_000,
};

/** Counts what a simulation takes. Written by that simulation only. */
export interface WorkMeter {
  /** Records work: pods, ReplicaSets and nodes examined. */
  readonly spend: (units: number) => void;
  readonly notePods: (count: number) => void;
  readonly noteStep: () => void;
  /** True once a limit is reached. It never becomes false again. */
  readonly isExhausted: () => boolean;
}

export function createWorkMeter(budget: SimulationBudget): WorkMeter {
  let work = 0;
  let pods = 0;
  let steps = 0;
  let exhausted = false;
  return {
    spend: (units) => {
      work += units;
    },
    notePods: (count) => {
      pods += count;
    },
    noteStep: () => {
      steps += 1;
    },
    isExhausted: () => {
      exhausted ||= work > budget.maxWork || pods > budget.maxPods || steps > budget.maxSteps;
      return exhausted;
    },
  };
}

/** For one act of a controller, which ends by itself. */
export const neverExhausted: WorkMeter = {
  spend: () => undefined,
  notePods: () => undefined,
  noteStep: () => undefined,
  isExhausted: () => false,
};
