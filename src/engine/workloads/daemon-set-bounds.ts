import type { DaemonSet } from '../objects/workload.js';
import { daemonOnNode } from './daemon-set-nodes.js';
import { scaledValue } from './fenceposts.js';
import type { DaemonSetState } from './rollout-state.js';

export interface DaemonSetBounds {
  readonly maxSurge: number;
  readonly maxUnavailable: number;
  /** Nodes that should run a pod. */
  readonly desired: number;
}

/**
 * Both bounds rounded up over the nodes that should run a pod; when both come out as 0, maxUnavailable is 1
 * (`update.go: updatedDesiredNodeCounts`, `daemonset_util.go: SurgeCount, UnavailableCount`).
 */
export function daemonSetBounds({ daemonSet, nodes }: DaemonSetState): DaemonSetBounds {
  const desired = nodes.filter((node) => daemonOnNode(daemonSet, node).shouldRun).length;
  const { type, rollingUpdate } = daemonSet.spec.updateStrategy;
  if (type !== 'RollingUpdate') return { maxSurge: 0, maxUnavailable: 0, desired };
  const surgeCount = scaledValue(rollingUpdate?.maxSurge ?? 0, desired, 'up');
  const unavailable = scaledValue(rollingUpdate?.maxUnavailable ?? 1, desired, 'up');
  const maxSurge = surgeCount.kind === 'value' ? surgeCount.value : 0;
  const maxUnavailable = unavailable.kind === 'value' ? unavailable.value : 1;
  return {
    maxSurge,
    maxUnavailable: desired > 0 && maxSurge === 0 && maxUnavailable === 0 ? 1 : maxUnavailable,
    desired,
  };
}

/** True when some node may run an old and a new pod at once (`daemonset_util.go: AllowsSurge`). */
export function allowsSurge({ spec }: DaemonSet): boolean {
  const { type, rollingUpdate } = spec.updateStrategy;
  const onOneNode = scaledValue(rollingUpdate?.maxSurge ?? 0, 1, 'up');
  return type === 'RollingUpdate' && onOneNode.kind === 'value' && onOneNode.value > 0;
}
