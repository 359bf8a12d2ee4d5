import { leastOf } from '../collections/collections.js';
import type { ClusterIndex } from '../objects/cluster-index.js';
import type { Node } from '../objects/node.js';
import { isTerminating, type Pod } from '../objects/pod.js';
import { tolerates } from '../scheduler/node-selector.js';
import { epochOf } from '../workloads/creation-order.js';

/** What becomes of a pod on a node with NoExecute taints. */
export type Fate =
  /** Deleted already; nobody there confirms that it has stopped. */
  | { readonly kind: 'stuck' }
  /** RFC3339: when the taint manager deletes it. */
  | { readonly kind: 'evicted'; readonly at: string }
  /** It tolerates the taint for ever, as pods of DaemonSets do. */
  | { readonly kind: 'stays' }
  | { readonly kind: 'unknown' };

/**
 * By the node's NoExecute taints and the shortest toleration of each
 * (`pkg/controller/tainteviction: getMinTolerationTime`; 300 s by default).
 */
export function fateOf(pod: Pod, { spec }: Node): Fate {
  if (isTerminating(pod)) return { kind: 'stuck' };
  const taints = spec.taints.filter(({ effect }) => effect === 'NoExecute');
  if (taints.length === 0) return { kind: 'unknown' };
  const times = taints.flatMap((taint): readonly number[] => {
    const matching = pod.spec.tolerations.filter((toleration) => tolerates(toleration, taint));
    const added = epochOf(taint.timeAdded);
    if (added === undefined) return [];
    if (matching.length === 0) return [added];
    const limited = matching.flatMap(({ tolerationSeconds }) => tolerationSeconds ?? []);
    return limited.length === 0 ? [] : [added + Math.max(0, leastOf(limited)) * 1000];
  });
  if (times.length > 0) return { kind: 'evicted', at: new Date(leastOf(times)).toISOString() };
  return taints.some(({ timeAdded }) => timeAdded === undefined) ? { kind: 'unknown' } : { kind: 'stays' };
}

/** Pods that taints of their nodes evict, now or once their tolerationSeconds are over. */
export function evictedPods({ objects, podsByNode }: ClusterIndex): readonly Pod[] {
  return objects.Node.filter(({ spec }) => spec.taints.some(({ effect }) => effect === 'NoExecute')).flatMap(
    (node) =>
      (podsByNode.get(node.metadata.name) ?? []).filter((pod) => fateOf(pod, node).kind === 'evicted'),
  );
}
