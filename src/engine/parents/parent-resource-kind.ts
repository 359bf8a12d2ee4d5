import type { Workload } from '../objects/workload.js';

/** Where an owner declares the strategy of one of its workloads. */
export interface StrategyField {
  /** Names from the root: `['spec', 'predictor', 'deploymentStrategy']`. */
  readonly path: readonly string[];
  /** The `name` of the item, where the value at `path[1]` is a list. */
  readonly item?: string;
  /**
   * Absent: the value is a DeploymentStrategy. `type`: a field `deploymentStrategy` with the name of the type
   * alone. `bounds`: the two bounds of a RollingUpdate.
   */
  readonly form?: 'type' | 'bounds' | 'dynamo-annotations';
  /**
   * `recreate`: the controller replaces the values of a RollingUpdate by its own. `rolling-update`: there is
   * no Recreate.
   */
  readonly honours: 'every-strategy' | 'recreate' | 'rolling-update';
  /**
   * Absent: at once, and it reverts changes of the workload. `with-another-change`: it does neither until
   * something else changes. `in-next-revision`: it makes further workloads with it, and never changes this
   * one.
   */
  readonly applies?: 'with-another-change' | 'in-next-revision';
}

/** The parts of a workload that decide which fields of its owner are meant. */
export interface Child {
  readonly kind: string;
  readonly name: string;
}

/** Fields of an owner from which its controller writes fields of one workload. Names from the root. */
export interface OwnerFields {
  readonly strategy: readonly string[];
  /** The strategy is the two bounds of a RollingUpdate alone, and no DeploymentStrategy. */
  readonly isBounds: boolean;
  /** Annotations of the pods. */
  readonly annotations: readonly string[];
  /** The affinity of the pods. */
  readonly affinity: readonly string[];
}

/** A kind of object whose controller makes workloads and writes them. One folder entry each in `kinds/`. */
export interface ParentResourceKind {
  readonly kind: string;
  readonly group: string;
  /** The object above this one, where people write that. */
  readonly declaredBy?: (workload: Workload) => { readonly kind: string; readonly name: string } | undefined;
  /**
   * `undefined` where the kind has no such field, or the workload is none that its controller is known to
   * make.
   */
  readonly strategyFieldOf: (workload: Workload, owner: string) => StrategyField | undefined;
  /**
   * Present where the object is what people name, and a change is made there and never in its workload.
   * `undefined` for a workload that its controller is not known to make.
   */
  readonly fieldsOf?: (child: Child, owner: string) => OwnerFields | undefined;
  /** Its controller copies its annotations into the pod template, where a new one starts a rollout. */
  readonly copiesAnnotations?: true;
}
