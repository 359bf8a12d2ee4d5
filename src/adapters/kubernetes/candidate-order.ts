import { conditionOf } from '../../core/cluster/metadata.js';
import type { Node } from '../../core/cluster/node.js';
import type { Pod } from '../../core/cluster/pod.js';
import { plainAmount } from '../../core/placement/amounts.js';
import { podRequests } from '../../core/placement/pod-requests.js';

/**
 * The nodes in the order in which they are worth reading: first those that most probably can run the pod,
 * since one of them decides the answer. Nodes in service come first, then those that offer the most of what
 * the pod needs most of, then the newest, which had the least time to fill.
 */
export function byPromise(nodes: readonly Node[], pod: Pod): readonly Node[] {
  const requests = [...podRequests(pod, false)].filter(([, amount]) => amount > 0n);
  const ranked = nodes.map((node) => ({
    node,
    isInService: !node.spec.unschedulable && conditionOf(node.status, 'Ready')?.status === 'True',
    room: Math.min(
      ...requests.map(
        ([resource, amount]) =>
          plainAmount(resource, node.status.allocatable[resource] ?? '0') / Number(amount),
      ),
    ),
    created: node.metadata.creationTimestamp ?? '',
  }));
  ranked.sort(
    (one, other) =>
      Number(other.isInService) - Number(one.isInService) ||
      compare(other.room, one.room) ||
      compare(other.created, one.created),
  );
  return ranked.map(({ node }) => node);
}

function compare<Value extends string | number>(one: Value, other: Value): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
