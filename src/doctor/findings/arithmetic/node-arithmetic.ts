import { byOwner } from '../../../engine/neighbours/pod-owner.js';
import type { ClusterIndex } from '../../../engine/objects/cluster-index.js';
import type { Pod } from '../../../engine/objects/pod.js';
import { amountText } from '../../../engine/scheduler/amounts.js';
import { podRequests } from '../../../engine/scheduler/pod-requests.js';
import type { Reason, ResourceReason } from '../../../engine/scheduler/reason.js';
import type { Evidence } from '../finding.js';
import { state, type UseValue } from './text.js';

/** Workloads that are named; the others are counted. */
export const maxUsers = 5;

/**
 * The scheduler's sum for each resource that the node is short of: requested with the overhead of the
 * RuntimeClass, in use by whom, and free. Only resources that other pods use; a node that is too small has
 * `status.allocatable` alone.
 */
export function nodeArithmetic(
  index: ClusterIndex,
  pod: Pod,
  node: { readonly name: string; readonly reasons: readonly Reason[] },
): readonly Evidence[] {
  return node.reasons.filter(isShortage).map((reason): Evidence => {
    const { resource, requested, free, allocatable, holders } = reason;
    const uses = usesOf(index, holders, resource);
    const used = uses.reduce((sum, { amount }) => sum + amount, 0n);
    const shown = uses.slice(0, maxUsers);
    return {
      object: { kind: 'Node', namespace: '', name: node.name },
      field: `status.allocatable[${resource}]`,
      value: allocatable,
      says: state('ev-node', {
        requested,
        overhead: pod.spec.overhead[resource],
        used: amountText(resource, used),
        free,
        users: shown.map(
          ({ workload, pods, amount }): UseValue => ({
            workload,
            pods,
            amount: amountText(resource, amount),
          }),
        ),
        more: uses.length - shown.length,
      }),
    };
  });
}

function isShortage(reason: Reason): reason is ResourceReason {
  return 'short' in reason;
}

function usesOf(index: ClusterIndex, pods: readonly Pod[], resource: string) {
  const amountOf = (pod: Pod): bigint =>
    resource === 'pods' ? 1n : (podRequests(pod, true).get(resource) ?? 0n);
  return byOwner(index, pods)
    .map(({ owner, pods: own }) => ({
      workload: `${owner.namespace}/${owner.name}`,
      pods: own.length,
      amount: own.reduce((sum, pod) => sum + amountOf(pod), 0n),
    }))
    .sort((a, b) => (a.amount === b.amount ? 0 : a.amount > b.amount ? -1 : 1));
}
