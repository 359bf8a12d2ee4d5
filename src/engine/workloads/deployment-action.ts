import type { Annotations } from './deployment-annotations.js';

export type ScaleReason =
  | 'only-active'
  | 'new-is-saturated'
  | 'proportion'
  | 'new-up'
  | 'new-down'
  | 'unhealthy-old'
  | 'old-down'
  | 'recreate-down'
  | 'recreate-up';

/** One write of the Deployment controller to a ReplicaSet. */
export type DeploymentAction =
  | {
      readonly kind: 'create-replica-set';
      /** Its `spec.replicas`. Name, uid, hash and creation time are the caller's to choose. */
      readonly replicas: number;
      readonly revision: number;
      readonly annotations: Annotations;
    }
  | {
      readonly kind: 'scale';
      readonly replicaSet: string;
      readonly from: number;
      /** Equal to `from` where only the annotations are brought up to date. */
      readonly to: number;
      readonly because: ScaleReason;
      /** To be merged into those it has. */
      readonly annotations: Annotations;
    }
  | {
      readonly kind: 'update-replica-set';
      readonly replicaSet: string;
      /** The complete new set. */
      readonly annotations: Annotations;
      readonly minReadySeconds: number;
    }
  | {
      readonly kind: 'delete-replica-set';
      readonly replicaSet: string;
      readonly because: 'revision-history';
    };

/**
 * True when it changes how many pods there should be, or makes a ReplicaSet, be it an empty one, to go on
 * with.
 */
export function changesPods(action: DeploymentAction): boolean {
  return action.kind === 'create-replica-set' || (action.kind === 'scale' && action.from !== action.to);
}
