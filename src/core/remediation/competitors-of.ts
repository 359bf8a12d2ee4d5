import { compareText } from '../cluster/cluster-objects.js';
import { controllerOf } from '../cluster/metadata.js';
import type { Pod } from '../cluster/pod.js';
import { podKey } from '../cluster/pod-key.js';
import type { Snapshot } from '../cluster/snapshot.js';
import type { Placement } from '../placement/placement.js';
import { leastOf } from '../statistics/extremes.js';

/**
 * Waiting pods of others that could take the place the victims free, those the scheduler tries first foremost:
 * higher priority, then older. At equal priority the order is not certain, since every failed attempt refreshes it
 * (kubernetes `scheduling_queue.go: AddUnschedulableIfNotPresent`).
 *
 * @param waiting the pods the place is meant for
 */
export function competitorsOf(
  { index }: Snapshot,
  placement: Placement,
  waiting: readonly Pod[],
  victims: readonly Pod[],
): readonly Pod[] {
  const own = new Set(waiting.map((pod) => controllerOf(pod)?.uid));
  const least = leastOf(waiting.map((pod) => pod.spec.priority ?? 0));
  const freed = placement.with({ remove: new Set(victims.map(podKey)) });
  return index.unassignedPods
    .filter(
      (pod) =>
        pod.spec.schedulingGates.length === 0 &&
        !own.has(controllerOf(pod)?.uid) &&
        (pod.spec.priority ?? 0) >= least &&
        victims.some(({ spec }) => {
          const node = index.nodes.get(spec.nodeName ?? '');
          return node !== undefined && freed.check(pod, node).outcome === 'fits';
        }),
    )
    .sort(
      (a, b) =>
        (b.spec.priority ?? 0) - (a.spec.priority ?? 0) ||
        compareText(a.metadata.creationTimestamp ?? '', b.metadata.creationTimestamp ?? '') ||
        compareText(a.metadata.name, b.metadata.name),
    );
}
