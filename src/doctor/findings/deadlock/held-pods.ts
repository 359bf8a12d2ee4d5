import { inRole, type Statement } from '../../../engine/language/statement.js';
import { evictingPrograms, podsEvictedBy } from '../../../engine/neighbours/evicted-by-programs.js';
import { evictedPods } from '../../../engine/neighbours/eviction.js';
import type { Pod } from '../../../engine/objects/pod.js';
import { podKey, qualifiedPodNames } from '../../../engine/objects/pod-key.js';
import type { Snapshot } from '../../../engine/objects/snapshot.js';
import { autoscalerThatMayShrink } from '../horizontal-autoscaler.js';
import { ownShrinkStatements, unreadEvictors } from './shrink-statements.js';
import { deadlock } from './text.js';

/**
 * What may stop the old pods that hold a lock or a volume, which no other workload can free: the workload's
 * autoscaler, or a taint or a program that evicts pods, after which the new pod may be first.
 */
export function heldPodDoubts(snapshot: Snapshot, holders: readonly Pod[]): readonly Statement[] {
  const evicted = evictedOf(snapshot, holders);
  return [
    ...ownShrinkStatements(snapshot),
    ...unreadEvictors(snapshot),
    ...evictingPrograms.flatMap((program) => {
      const keys = new Set(podsEvictedBy(program, snapshot.index).map(podKey));
      const pods = holders.filter((pod) => keys.has(podKey(pod)));
      return pods.length === 0
        ? []
        : [inRole('escape', deadlock('programs-may-evict', { program, pods: qualifiedPodNames(pods) }))];
    }),
    ...(evicted.length === 0
      ? []
      : [inRole('escape', deadlock('pods-may-leave', { pods: qualifiedPodNames(evicted) }))]),
  ];
}

/** The sentence that states for how long the rollout has been stuck. */
export function heldPodStatusLine(
  snapshot: Snapshot,
  holders: readonly Pod[],
  values: { readonly revision: string; readonly stillForSeconds: number | undefined },
): Statement {
  if (evictedOf(snapshot, holders).length > 0) return deadlock('standing-but-for-evictions', values);
  return deadlock(
    autoscalerThatMayShrink(snapshot) === undefined ? 'standing' : 'standing-but-for-autoscaler',
    values,
  );
}

function evictedOf({ index }: Snapshot, holders: readonly Pod[]): readonly Pod[] {
  const evicted = new Set(evictedPods(index).map(podKey));
  return holders.filter((pod) => evicted.has(podKey(pod)));
}
