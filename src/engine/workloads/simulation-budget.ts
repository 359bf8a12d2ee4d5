import type { WorkBudget } from '../objects/work-budget.js';

/**
 * How much one simulation may take. The limits are published in docs/engines.md. Each is far above what a
 * rollout in a cluster of 5,000 nodes needs, and low enough that one object cannot keep a worker busy.
 */
export interface SimulationBudget {
  /**
   * Replicas up to which each pod is simulated by itself; those of a larger Deployment are counted where
   * possible.
   */
  readonly maxSimulated: number;
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
  maxSimulated: 200,
  maxPods: 6_000,
  maxRevisions: 2_000,
  maxSteps: 10_000,
  maxWork: 10_000_000,
};

/**
 * The limit that a simulation reached. `syncs`: the controllers were not at rest after so many syncs of one
 * moment. `claims`: the volume claims of a StatefulSet that a check makes up. `diagnosis`: the work of the
 * whole diagnosis was spent (`WorkBudget`).
 */
const simulationLimits = ['pods', 'revisions', 'steps', 'work', 'syncs', 'claims', 'diagnosis'] as const;
export type SimulationLimit = (typeof simulationLimits)[number];

/** Counts what a simulation takes. Written by that simulation only. */
export interface WorkMeter {
  /** Records work: pods, ReplicaSets and nodes examined. */
  readonly spend: (units: number) => void;
  readonly notePods: (count: number) => void;
  readonly noteStep: () => void;
  /** True once a limit is reached. It never becomes false again. */
  readonly isExhausted: () => boolean;
  /** The limit that was reached first. */
  readonly reached: () => SimulationLimit | undefined;
}

/** @param shared the budget of the diagnosis that the simulation belongs to, if any */
export function createWorkMeter(budget: SimulationBudget, shared?: WorkBudget): WorkMeter {
  let work = 0;
  let pods = 0;
  let steps = 0;
  let reached: SimulationLimit | undefined;
  const limitOf = (): SimulationLimit | undefined => {
    if (pods > budget.maxPods) return 'pods';
    if (steps > budget.maxSteps) return 'steps';
    if (work > budget.maxWork) return 'work';
    return shared?.isSpent() ? 'diagnosis' : undefined;
  };
  return {
    spend: (units) => {
      work += units;
      shared?.spend(units);
    },
    notePods: (count) => {
      pods += count;
    },
    noteStep: () => {
      steps += 1;
    },
    isExhausted: () => {
      reached ??= limitOf();
      return reached !== undefined;
    },
    reached: () => reached,
  };
}

/** For one act of a controller, which ends by itself. */
export const neverExhausted: WorkMeter = {
  spend: () => undefined,
  notePods: () => undefined,
  noteStep: () => undefined,
  isExhausted: () => false,
  reached: () => undefined,
};
