import { isActive } from '../../cluster/pod.js';
import { hasObservedSpec } from '../../cluster/workload.js';
import type { RevisionedState } from '../rollout-state.js';
import { dynamoActs } from './dynamo-targets.js';
import { newRevisionPods } from './revision-pods.js';

/**
 * Whether a controller would act on the objects as they are: make the pods of a new revision, stop those of a
 * former one, or switch. Creating a pod that the API server keeps refusing does not count.
 */
export function revisionedServiceActs(state: RevisionedState): boolean {
  const { service, refused = [] } = state;
  const { next, isSwitching } = service.revisions;
  if (!hasObservedSpec(service)) return true;
  if (next === undefined) return false;
  if (service.kind === 'DynamoGraphDeployment') return dynamoActs(service, state);
  const isBegun = refused.length > 0 || newRevisionPods(state).some(isActive);
  return isSwitching || (service.spec.replicas > 0 && !isBegun);
}
