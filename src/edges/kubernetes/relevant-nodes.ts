import { indexObjects } from '../../engine/objects/cluster-index.js';
import type { ClusterObjects } from '../../engine/objects/cluster-objects.js';
import { conditionOf } from '../../engine/objects/metadata.js';
import type { Node } from '../../engine/objects/node.js';
import { isActive, isReady, type Pod } from '../../engine/objects/pod.js';
import { plainAmount } from '../../engine/scheduler/amounts.js';
import { inService } from '../../engine/scheduler/nodes-out-of-service.js';
import { createPlacement } from '../../engine/scheduler/placement.js';
import { podRequests } from '../../engine/scheduler/pod-requests.js';

/** Waiting pods whose candidates are worked out; siblings of one revision have the same. */
const maxWaiting = 20;

/**
 * Nodes that a failing pod's replacement could use: enough to find room, few enough to read at every
 * diagnosis.
 */
const maxElsewhere = 20;

/**
 * Names of the nodes whose pods bear on the diagnosis: where own pods are, and those that could ever take a
 * waiting one, and some that could take a failing one's replacement. Cordoned nodes and those in trouble are
 * among them, since the question is whether they would take it otherwise. The own pods' nodes come first,
 * since the proof needs them most; the others follow in the order of `byPromise`.
 */
export function relevantNodes(
  objects: ClusterObjects,
  own: readonly Pod[],
  nodes: readonly Node[],
): readonly string[] {
  const names = new Set(own.flatMap(({ spec }) => (spec.nodeName === undefined ? [] : [spec.nodeName])));
  const waiting = own.filter(({ spec }) => (spec.nodeName ?? '') === '').slice(0, maxWaiting);
  const failing = own.filter(isFailing).slice(0, 1);
  if (waiting.length > 0 || failing.length > 0) {
    const placement = createPlacement(indexObjects({ ...objects, Node: nodes.map(inService) }));
    for (const pod of waiting) {
      for (const node of byPromise(placement.candidateNodes(pod), pod)) names.add(node.metadata.name);
    }
    for (const pod of failing) {
      const elsewhere = byPromise(placement.candidateNodes(withoutNode(pod)), pod);
      for (const { metadata } of elsewhere.slice(0, maxElsewhere)) names.add(metadata.name);
    }
  }
  return [...names].filter((name) => name !== '');
}

/** As its replacement would be: free to go anywhere. */
export function withoutNode(pod: Pod): Pod {
  return { ...pod, spec: { ...pod.spec, nodeName: undefined } };
}

/** It has a node and is not well there. */
export function isFailing(pod: Pod): boolean {
  if ((pod.spec.nodeName ?? '') === '' || !isActive(pod)) return false;
  return !isReady(pod) || pod.status.containerStatuses.some(({ restartCount }) => restartCount > 0);
}

/**
 * The nodes in the order in which they are worth reading: first those that most probably can run the pod,
 * since one of them decides the answer. Nodes in service come first, then those that offer the most of what
 * the pod needs most of, then the newest, which had the least time to fill.
 */
function byPromise(nodes: readonly Node[], pod: Pod): readonly Node[] {
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
