/**
 * The work of one whole diagnosis: all rules, all simulations, all questions about placement together.
 * Counted in objects examined (pods, nodes, ReplicaSets), each as often as it is examined, so that equal
 * snapshots spend the same on every machine. Written by that diagnosis only.
 */
export interface WorkBudget {
  readonly spend: (units: number) => void;
  /** True once everything is spent. It never becomes false again. */
  readonly isSpent: () => boolean;
}

/** Published in docs/engines.md. */
const maxDiagnosisWork = 20_000_000;

export function createWorkBudget(max: number = maxDiagnosisWork): WorkBudget {
  let spent = 0;
  return {
    spend: (units) => {
      spent += units;
    },
    isSpent: () => spent > max,
  };
}
