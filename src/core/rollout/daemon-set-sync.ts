import { isReady, type Pod } from '../cluster/pod.js';
import type { DaemonSet } from '../cluster/workload.js';
import { daemonSetHash, isUpdatedDaemonPod } from './controller-revisions.js';
import type { DaemonSetAction } from './daemon-set-action.js';
import { daemonSetBounds } from './daemon-set-bounds.js';
import { manageNode, podsWithoutNode } from './daemon-set-manage.js';
import { replaceInPlace, surge } from './daemon-set-update.js';
import { isAvailableHere, type NodeView, nodeViews, scheduledThenOldest } from './daemon-set-views.js';
import type { DaemonSetState } from './rollout-state.js';

export interface DaemonSetSync {
  /**
   * `manage`: what belongs on each node. `update`: the rolling update, which the controller begins only in a
   * later sync, after all of the former is done.
   */
  readonly phase: 'manage' | 'update';
  readonly actions: readonly DaemonSetAction[];
  /**
   * Old pods the controller may delete in place of one it deletes for the update: it lists nodes in no order.
   */
  readonly orElse: readonly Pod[];
  readonly status: DaemonSet['status'];
}

/**
 * One sync of the DaemonSet controller (kubernetes `daemon_controller.go: manage`,
 * `update.go: rollingUpdate`). Nodes are taken by name, where the controller takes them in no order. Not
 * simulated: the back-off before a failed pod is deleted again, the burst limit, adoption.
 */
export function syncDaemonSet(state: DaemonSetState): DaemonSetSync {
  if (state.daemonSet.metadata.deletionTimestamp !== undefined) {
    return { phase: 'manage', actions: [], orElse: [], status: state.daemonSet.status };
  }
  const nodes = nodeViews(state);
  const status = statusOf(state, nodes);
  const managed = [...nodes.flatMap((node) => manageNode(state, node)), ...podsWithoutNode(nodes)];
  if (managed.length > 0 || state.daemonSet.spec.updateStrategy.type !== 'RollingUpdate') {
    return { phase: 'manage', actions: managed, orElse: [], status };
  }
  const { maxSurge, maxUnavailable } = daemonSetBounds(state);
  const updated =
    maxSurge === 0
      ? replaceInPlace(state, nodes, maxUnavailable)
      : { actions: surge(state, nodes, maxSurge), orElse: [] };
  return { phase: 'update', ...updated, status };
}

/** Counts the oldest pod of each node (`updateDaemonSetStatus`). */
function statusOf(state: DaemonSetState, nodes: readonly NodeView[]): DaemonSet['status'] {
  const { daemonSet } = state;
  const hash = daemonSetHash(state);
  const views = nodes.filter(({ exists }) => exists);
  const wanted = views.filter(({ shouldRun }) => shouldRun);
  const oldest = wanted
    .map(({ pods }) => [...pods].sort(scheduledThenOldest)[0])
    .filter((pod) => pod !== undefined);
  const available = oldest.filter((pod) => isAvailableHere(state, pod)).length;
  return {
    ...daemonSet.status,
    observedGeneration: daemonSet.metadata.generation ?? 0,
    desiredNumberScheduled: wanted.length,
    currentNumberScheduled: oldest.length,
    numberMisscheduled: views.filter(({ shouldRun, pods }) => !shouldRun && pods.length > 0).length,
    numberReady: oldest.filter(isReady).length,
    updatedNumberScheduled: oldest.filter((pod) => isUpdatedDaemonPod(pod, daemonSet, hash)).length,
    numberAvailable: available,
    numberUnavailable: wanted.length - available,
  };
}
