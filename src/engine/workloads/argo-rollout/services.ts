import type { ReplicaSet } from '../../objects/workload.js';
import { isFullyPromoted, type Reconciliation, rollsBackDynamically } from './reconciliation.js';
import { hashOf } from './replica-set-roles.js';

type Seen = Pick<Reconciliation, 'rollout' | 'roles' | 'writes' | 'isAborted'>;

/**
 * Points the Service at the ReplicaSet. A Service that the controller has not taken over yet waits until all
 * of its pods are available, others until one is (`service.go: ensureSVCTargets`).
 */
export function switchServiceTo(
  { writes }: Pick<Seen, 'writes'>,
  name: string,
  replicaSet: ReplicaSet | undefined,
  waitsForPods: boolean,
): void {
  const service = writes.serviceOf(name);
  if (replicaSet === undefined || name === '' || service === undefined) return;
  const hash = hashOf(replicaSet);
  if (service.hash === hash) return;
  const { availableReplicas } = replicaSet.status;
  const { replicas } = replicaSet.spec;
  if (waitsForPods && availableReplicas === 0) return;
  if (waitsForPods && !service.isManaged && availableReplicas < replicas) return;
  writes.switchService(name, hash);
}

/** `service.go: reconcileStableAndCanaryService`. */
export function switchCanaryServices(seen: Seen): void {
  const { rollout, roles, isAborted } = seen;
  const { canary } = rollout.spec.strategy;
  if (canary === undefined) return;
  switchServiceTo(seen, canary.stableService, roles.stableReplicaSet, true);
  if (isAborted && canary.trafficRouting === undefined) {
    switchServiceTo(seen, canary.canaryService, roles.stableReplicaSet, true);
    return;
  }
  if (isFullyPromoted(rollout) && rollsBackDynamically(rollout, roles.newReplicaSet) !== undefined) return;
  switchServiceTo(seen, canary.canaryService, roles.newReplicaSet, true);
}
