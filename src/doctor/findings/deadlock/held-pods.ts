import { inRole, type Statement } from '../../../engine/language/statement.js';
import { evictingPrograms, podsEvictedBy } from '../../../engine/neighbours/evicted-by-programs.js';
import { evictedPods } from '../../../engine/neighbours/eviction.js';
import type { Pod } from '../../../engine/objects/pod.js';
import { podKey, podNames, qualifiedPodNames } from '../../../engine/objects/pod-key.js';
import type { Snapshot } from '../../../engine/objects/snapshot.js';
import { autoscalerThatMayShrink } from '../horizontal-autoscaler.js';
import { ownShrinkStatements, unreadEvictors } from './shrink-statements.js';
import { deadlock } from './text.js';

/** Those of the pods with a container that restarted, and so may restart again. */
export function restartedAmong(pods: readonly Pod[]): readonly string[] {
  return podNames(
    pods.filter(({ status }) => status.containerStatuses.some(({ restartCount }) => restartCount > 0)),
  );
}

/**
 * What may stop the old pods that hold a lock, a volume or the quota of a queue: the workload's autoscaler,
 * or a taint or a program that evicts pods, after which the new pod may be first.
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

/**
 * With maxSurge the controller stops an old pod of a node once it is not ready (kubernetes
 * `daemon_controller.go: podsShouldBeOnNode`), as a pod whose containers restart is for a moment.
 */
export function daemonPodDoubts(holders: readonly Pod[]): readonly Statement[] {
  const pods = restartedAmong(holders);
  return pods.length === 0 ? [] : [inRole('escape', deadlock('daemon-pods-restart', { pods }))];
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
