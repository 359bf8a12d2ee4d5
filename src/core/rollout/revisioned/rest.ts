import { isActive } from '../../cluster/pod.js';
import { hasObservedSpec } from '../../cluster/workload.js';
import type { RevisionedState } from '../rollout-state.js';
import { newRevisionPods } from './revision-pods.js';

/** Whether a controller would act on the objects as they are: make the pods of a new revision, or switch to it. */
export function revisionedServiceActs(state: RevisionedState): boolean {
  const { service } = state;
  const { next, isSwitching } = service.revisions;
  if (!hasObservedSpec(service)) return true;
  if (next === undefined) return false;
  return isSwitching || (service.spec.replicas > 0 && !newRevisionPods(state).some(isActive));
}
