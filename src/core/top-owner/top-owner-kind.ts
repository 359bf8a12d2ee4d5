import type { Workload } from '../cluster/workload.js';

/** Where an owner declares the strategy of one of its workloads. */
export interface StrategyField {
  /** Names from the root: `['spec', 'predictor', 'deploymentStrategy']`. The value is a DeploymentStrategy. */
  readonly path: readonly string[];
  /** `recreate`: the controller replaces the values of a RollingUpdate by its own. */
  readonly honours: 'every-strategy' | 'recreate';
}

/** A kind of object whose controller makes workloads and writes them. One folder entry each in `kinds/`. */
export interface TopOwnerKind {
  readonly kind: string;
  readonly group: string;
  /** `undefined` where the kind has no such field, or the workload is none that its controller is known to make. */
  readonly strategyFieldOf: (workload: Workload, owner: string) => StrategyField | undefined;
}
