import { isReady, isTerminal, isTerminating, type Pod } from '../cluster/pod.js';
import { controllerRevisionHashLabel, daemonSetHash } from './controller-revisions.js';
import { type DaemonSetAction, deletions } from './daemon-set-action.js';
import { allowsSurge } from './daemon-set-bounds.js';
import { isAvailableHere, type NodeView, scheduledThenOldest } from './daemon-set-views.js';
import type { DaemonSetState } from './rollout-state.js';

/** `podsShouldBeOnNode`. */
export function manageNode(state: DaemonSetState, node: NodeView): readonly DaemonSetAction[] {
  if (!node.exists) return [];
  if (node.shouldRun && node.pods.length === 0) {
    return [{ kind: 'create', node: node.name, because: 'missing' }];
  }
  const staying = node.pods.filter((pod) => !isTerminating(pod));
  if (!node.shouldContinue) return deletions(staying, 'should-not-run');
  const ended = staying.filter(isTerminal);
  const running = staying.filter((pod) => !isTerminal(pod)).sort(scheduledThenOldest);
  const excess = allowsSurge(state.daemonSet)
    ? surgeExcess(state, node, running)
    : deletions(running.slice(1), 'excess');
  return [...deletions(ended, 'terminal'), ...excess];
}

/**
 * With surge, one pod of each kind may stay: the old one while it is ready and the new one is not available.
 */
function surgeExcess(
  state: DaemonSetState,
  node: NodeView,
  running: readonly Pod[],
): readonly DaemonSetAction[] {
  if (running.length === 0) {
    return node.shouldRun ? [{ kind: 'create', node: node.name, because: 'missing' }] : [];
  }
  if (running.length === 1) return [];
  const hash = daemonSetHash(state);
  const isNew = (pod: Pod) => hash !== undefined && pod.metadata.labels[controllerRevisionHashLabel] === hash;
  const newPod = running.find(isNew);
  const oldPod = running.find((pod) => !isNew(pod));
  const excess = deletions(
    running.filter((pod) => pod !== newPod && pod !== oldPod),
    'excess',
  );
  if (newPod === undefined || oldPod === undefined) return excess;
  if (!isReady(oldPod)) return [...excess, { kind: 'delete', pod: oldPod, because: 'old-not-ready' }];
  if (isAvailableHere(state, newPod)) {
    return [...excess, { kind: 'delete', pod: oldPod, because: 'new-available' }];
  }
  return excess;
}

/** Pods that wait for a node that no longer exists (`getUnscheduledPodsWithoutNode`). */
export function podsWithoutNode(nodes: readonly NodeView[]): readonly DaemonSetAction[] {
  return nodes
    .filter(({ exists }) => !exists)
    .flatMap(({ pods }) => pods.filter((pod) => pod.spec.nodeName === undefined || pod.spec.nodeName === ''))
    .filter((pod) => !isTerminating(pod))
    .map((pod) => ({ kind: 'delete', pod, because: 'no-such-node' }));
}
