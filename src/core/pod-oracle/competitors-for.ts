import { controllerOf } from '../cluster/metadata.js';
import type { Node } from '../cluster/node.js';
import type { Pod } from '../cluster/pod.js';
import { podKey } from '../cluster/pod-key.js';
import { compareText, leastOf } from '../collections/collections.js';
import { isLikePodsOfItsTemplate } from '../placement/feasible-nodes.js';
import type { Placement } from '../placement/placement.js';
import { priorityOf } from '../placement/priority.js';

/** Waiting pods that one simulation lets compete; the scheduler tries these before any further ones. */
const maxCompetitors = 200;

/**
 * Waiting pods of other workloads that could use what the workload's pods hold, in the order of the
 * scheduling queue: the highest priority first, then the oldest. A gated pod does not compete (kubernetes
 * `scheduling_queue.go`: `runPreEnqueuePlugins`), nor does a pod that is being deleted
 * (`schedule_one.go: skipPodSchedule`), nor one that fits on a node already: the scheduler does not wait for
 * anything to place it.
 *
 * @param own the pods of the workload
 */
export function competitorsFor(placement: Placement, own: readonly Pod[]): readonly Pod[] {
  const { index } = placement;
  const ownKeys = new Set(own.map(podKey));
  const waiting = index.unassignedPods.filter(
    (pod) => pod.spec.schedulingGates.length === 0 && !ownKeys.has(podKey(pod)),
  );
  if (waiting.length === 0) return [];
  const names = new Set(own.flatMap(({ spec }) => spec.nodeName ?? []));
  const nodes = [...names].flatMap((name) => index.nodes.get(name) ?? []);
  const emptied = placement.with({ remove: ownKeys });
  const least = leastOf(own.map(priorityOf));
  const couldUse = (pod: Pod): boolean => {
    if (placement.evaluate(pod).outcome === 'fits') return false;
    const opens = (node: Node): boolean =>
      placement.check(pod, node).outcome === 'refused' &&
      (emptied.check(pod, node).outcome !== 'refused' ||
        (priorityOf(pod) > least && preempts(pod) && placement.couldEverFit(pod, node)));
    if (nodes.some(opens)) return true;
    // What other nodes run bears on such a pod, so another node may open for it.
    return !isLikePodsOfItsTemplate(pod) && emptied.evaluate(pod).outcome === 'fits';
  };
  const answers = new Map<string, boolean>();
  const known = (pod: Pod): boolean => {
    const owner = isLikePodsOfItsTemplate(pod) ? controllerOf(pod)?.uid : undefined;
    const key = owner ?? podKey(pod);
    const answer = answers.get(key) ?? couldUse(pod);
    answers.set(key, answer);
    return answer;
  };
  return waiting.toSorted(byQueueOrder).filter(known).slice(0, maxCompetitors);
}

/** True unless the pod only waits for what becomes free (`preemptionPolicy: Never`). */
export function preempts({ spec }: Pod): boolean {
  return spec.preemptionPolicy !== 'Never';
}

/**
 * The order in which the scheduler tries pods that are in its queue at once (kubernetes `priority_sort.go`).
 * The age stands in for the time of the last attempt, which no object shows.
 */
export function byQueueOrder(a: Pod, b: Pod): number {
  return (
    priorityOf(b) - priorityOf(a) ||
    compareText(a.metadata.creationTimestamp ?? '', b.metadata.creationTimestamp ?? '') ||
    compareText(a.metadata.name, b.metadata.name)
  );
}
