import { compareText } from '../collections/collections.js';
import { isAvailable, isTerminal, isTerminating, type Pod } from '../objects/pod.js';
import { daemonSetHash, isUpdatedDaemonPod } from './controller-revisions.js';
import { byCreation } from './creation-order.js';
import { type DaemonOnNode, daemonOnNode, targetNode } from './daemon-set-nodes.js';
import type { DaemonSetState } from './rollout-state.js';

/** A node and the DaemonSet's pods on it, or meant for it. */
export interface NodeView extends DaemonOnNode {
  readonly name: string;
  readonly exists: boolean;
  readonly pods: readonly Pod[];
}

/**
 * Terminal pods that are already being deleted are none of the controller's any more
 * (`getNodesToDaemonPods`).
 */
export function nodeViews({ daemonSet, nodes, pods }: DaemonSetState): readonly NodeView[] {
  const byNode = podsByTarget(pods.filter((one) => !(isTerminal(one) && isTerminating(one))));
  const known = nodes.map((node) => ({
    name: node.metadata.name,
    exists: true,
    ...daemonOnNode(daemonSet, node),
    pods: byNode.get(node.metadata.name) ?? [],
  }));
  const names = new Set(known.map(({ name }) => name));
  const gone = [...byNode]
    .filter(([name]) => !names.has(name))
    .map(([name, onNode]) => ({
      name,
      exists: false,
      shouldRun: false,
      shouldContinue: false,
      pods: onNode,
    }));
  return [...known, ...gone].sort((a, b) => compareText(a.name, b.name));
}

/** Pods by the node that they run on or are meant for. */
export function podsByTarget(pods: readonly Pod[]): ReadonlyMap<string, readonly Pod[]> {
  const byNode = new Map<string, Pod[]>();
  for (const pod of pods) {
    const name = targetNode(pod);
    if (name === undefined) continue;
    const there = byNode.get(name);
    if (there === undefined) byNode.set(name, [pod]);
    else there.push(pod);
  }
  return byNode;
}

export interface Pair {
  readonly newPod: Pod | undefined;
  readonly oldPod: Pod | undefined;
}

/** At most one staying pod of each kind; `undefined` when there are more (`findUpdatedPodsOnNode`). */
export function pairOn(state: DaemonSetState, pods: readonly Pod[]): Pair | undefined {
  const hash = daemonSetHash(state);
  const staying = pods.filter((pod) => !isTerminating(pod));
  const isUpdated = (pod: Pod): boolean => isUpdatedDaemonPod(pod, state.daemonSet, hash);
  const updated = staying.filter(isUpdated);
  const old = staying.filter((pod) => !isUpdated(pod));
  return updated.length > 1 || old.length > 1 ? undefined : { newPod: updated[0], oldPod: old[0] };
}

export function isAvailableHere({ daemonSet, now }: DaemonSetState, pod: Pod): boolean {
  return isAvailable(pod, daemonSet.spec.minReadySeconds, now);
}

/** Scheduled pods first, then the oldest (`podByCreationTimestampAndPhase`). */
export function scheduledThenOldest(a: Pod, b: Pod): number {
  const unscheduled = (pod: Pod) => Number(pod.spec.nodeName === undefined || pod.spec.nodeName === '');
  return unscheduled(a) - unscheduled(b) || byCreation(a, b);
}
