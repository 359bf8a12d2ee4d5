import { basicCanarySizes } from './basic-canary.js';
import { scaleDownOthers } from './other-replica-sets.js';
import {
  abortDelayOf,
  availableOf,
  delaysScaleDownOnAbort,
  isHalted,
  type Reconciliation,
} from './reconciliation.js';
import { hashOf, hasOwnStable } from './replica-set-roles.js';
import { routedCanarySizes } from './routed-canary.js';
import { deadlineIn, deadlineOf, hasDeadline, scaleDownDeadlineAnnotation } from './writes.js';

/**
 * Delays from here on count as over, because the controller reconciles again only so often
 * (`controller.go: resyncPeriod`).
 */
const resyncMs = 900_000;

/**
 * Stable first, then new, then the others; a reconciliation changes the size of one of them only (`canary.go:
 * reconcileCanaryReplicaSets`).
 *
 * @returns true when a size changed
 */
export function scaleForCanary(reconciliation: Reconciliation): boolean {
  const { rollout, roles, writes } = reconciliation;
  if (isHalted(rollout)) return false;
  removeDeadlines(reconciliation);
  const { stableReplicaSet } = roles;
  if (hasOwnStable(roles) && stableReplicaSet !== undefined) {
    const isRouted = rollout.spec.strategy.canary?.trafficRouting !== undefined;
    // The weights of the status as it was: the stable ReplicaSet follows the router one reconciliation later.
    const { stable } = isRouted
      ? routedCanarySizes(rollout, roles, rollout.status.canary.weights)
      : basicCanarySizes(rollout, roles);
    if (writes.scale(stableReplicaSet, stable)) return true;
  }
  return scaleNew(reconciliation) || scaleDownOthers(reconciliation);
}

/** Stable and new both, then the others (`bluegreen.go: reconcileBlueGreenReplicaSets`). */
export function scaleForBlueGreen(reconciliation: Reconciliation): void {
  const { rollout, roles, writes } = reconciliation;
  removeDeadlines(reconciliation);
  const { stableReplicaSet } = roles;
  if (stableReplicaSet !== undefined) writes.scale(stableReplicaSet, rollout.spec.replicas);
  scaleNew(reconciliation);
  scaleDownOthers(reconciliation);
}

/**
 * A revision that is new or stable again is not scaled down any more
 * (`replicaset.go: removeScaleDownDeadlines`).
 */
function removeDeadlines(reconciliation: Reconciliation): void {
  const { roles, writes } = reconciliation;
  const { newReplicaSet, stableReplicaSet } = roles;
  const kept = delaysScaleDownOnAbort(reconciliation) ? [] : [newReplicaSet];
  for (const replicaSet of new Set([...kept, stableReplicaSet])) {
    if (replicaSet === undefined || !hasDeadline(replicaSet)) continue;
    writes.annotate(replicaSet, { [scaleDownDeadlineAnnotation]: undefined });
  }
}

/** `replicaset.go: reconcileNewReplicaSet`. */
function scaleNew(reconciliation: Reconciliation): boolean {
  const { state, rollout, roles, writes } = reconciliation;
  const { newReplicaSet, stableReplicaSet } = roles;
  if (newReplicaSet === undefined) return false;
  let replicas = newSize(reconciliation);
  if (delaysScaleDownOnAbort(reconciliation)) {
    const present = writes.written(newReplicaSet);
    const deadline = deadlineOf(present);
    const { seconds } = abortDelayOf(rollout);
    if (deadline !== undefined) {
      const left = deadline - state.now;
      if (left > 0 && left < resyncMs) return false;
      if (left <= 0) replicas = 0;
    } else if (!hasDeadline(present) && seconds !== undefined) {
      if (availableOf([stableReplicaSet]) === rollout.spec.replicas) {
        writes.annotate(newReplicaSet, deadlineIn(seconds, state.now));
      }
      return false;
    }
  }
  return writes.scale(newReplicaSet, replicas);
}

/** What the new ReplicaSet is sized for (`utils/replicaset/replicaset.go: NewRSNewReplicas`). */
export function newSize({
  state,
  rollout,
  roles,
  weights,
}: Pick<Reconciliation, 'state' | 'rollout' | 'roles' | 'weights'>): number {
  const { spec, status } = rollout;
  const { canary, blueGreen } = spec.strategy;
  if (blueGreen === undefined) {
    return canary?.trafficRouting === undefined
      ? basicCanarySizes(rollout, roles).canary
      : routedCanarySizes(rollout, roles, weights).canary;
  }
  const { previewReplicaCount } = blueGreen;
  if (previewReplicaCount === undefined) return spec.replicas;
  const { activeSelector, scaleUpPreviewCheckPoint } = status.blueGreen;
  const active = state.replicaSets.find((each) => activeSelector !== '' && hashOf(each) === activeSelector);
  if (active === undefined || active === roles.newReplicaSet || status.promoteFull) return spec.replicas;
  if (hashOf(roles.newReplicaSet) !== status.currentPodHash) return previewReplicaCount;
  const isPaused = spec.paused || status.pauseConditions.length > 0;
  return !isPaused && scaleUpPreviewCheckPoint ? spec.replicas : previewReplicaCount;
}
