import type { Workload } from '../cluster/workload.js';

/** Where an owner declares the strategy of one of its workloads. */
export interface StrategyField {
  /** Names from the root: `['spec', 'predictor', 'deploymentStrategy']`. */
  readonly path: readonly string[];
  /** The `name` of the item, where the value at `path[1]` is a list. */
  readonly item?: string;
  /** Absent: the value is a DeploymentStrategy. `type`: a field `deploymentStrategy` with the name of the type alone. */
  readonly form?: 'type' | 'dynamo-annotations';
  /** `recreate`: the controller replaces the values of a RollingUpdate by its own. */
  readonly honours: 'every-strategy' | 'recreate';
  /** Absent: at once, and it reverts changes of the workload. Otherwise it does neither until something else changes. */
  readonly applies?: 'with-another-change';
}

/** A kind of object whose controller makes workloads and writes them. One folder entry each in `kinds/`. */
export interface TopOwnerKind {
  readonly kind: string;
  readonly group: string;
  /** The object above this one, where people write that. */
  readonly declaredBy?: (workload: Workload) => { readonly kind: string; readonly name: string } | undefined;
  /** `undefined` where the kind has no such field, or the workload is none that its controller is known to make. */
  readonly strategyFieldOf: (workload: Workload, owner: string) => StrategyField | undefined;
}
