import { hasGroups } from '../../objects/workload.js';
import type { ParentResourceKind, StrategyField } from '../parent-resource-kind.js';

/** On each LeaderWorkerSet that the controller makes (lws 0.9 and 0.10, `disaggregatedset_types.go`). */
const roleLabel = 'disaggregatedset.x-k8s.io/role';

/**
 * A DisaggregatedSet makes a LeaderWorkerSet for each role, slice and revision. A new template of any role
 * begins a revision, with further LeaderWorkerSets beside the old ones. The controller sets the replicas of
 * all and deletes old ones. It writes no strategy into one that exists, so a change made there stays, and the
 * next revision does not have it. New bounds begin no revision (lws 0.10 `lws_manager.go: Create, Scale`,
 * `utils.go: ComputeRevision`).
 */
export const disaggregatedSet: ParentResourceKind = {
  kind: 'DisaggregatedSet',
  group: 'disaggregatedset.x-k8s.io',
  strategyFieldOf(workload): StrategyField | undefined {
    const item = workload.metadata.labels[roleLabel];
    if (!hasGroups(workload) || item === undefined) return undefined;
    return {
      path: ['spec', 'roles', 'spec', 'rolloutStrategy', 'rollingUpdateConfiguration'],
      item,
      form: 'bounds',
      honours: 'rolling-update',
      applies: 'in-next-revision',
    };
  },
};
