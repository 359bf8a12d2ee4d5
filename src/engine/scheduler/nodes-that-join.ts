import type { ClusterIndex } from '../objects/cluster-index.js';
import type { Node } from '../objects/node.js';
import { lazy } from './cluster-facts.js';
import { outOfService } from './out-of-service.js';
import type { NodeVerdict } from './verdict.js';

/** A node that starts is ready, with its devices, in less. */
const joiningMs = 5 * 60_000;

/**
 * Nodes that joined minutes ago and refuse the pod only because they are not ready, or have not reported
 * their devices.
 *
 * @param now epoch milliseconds
 */
export function nodesThatJoin(
  { nodes, objects }: Pick<ClusterIndex, 'nodes' | 'objects'>,
  verdicts: readonly NodeVerdict[],
  now: number,
): readonly string[] {
  const offers = lazy(() => offersByType(objects.Node));
  return verdicts.flatMap((verdict) => {
    const node = nodes.get(verdict.node);
    const isNew = now - Date.parse(node?.metadata.creationTimestamp ?? '') < joiningMs;
    return node !== undefined && isNew && isStillJoining(offers, node, verdict) ? [verdict.node] : [];
  });
}

/**
 * Nothing speaks against it but its state, a taint that agents take off once they run, or a device that nodes
 * of its instance type offer and that its device plugin has not told yet.
 */
function isStillJoining(offers: () => Offers, { metadata }: Node, { reasons }: NodeVerdict): boolean {
  return (
    reasons.length > 0 &&
    reasons.every((reason) => {
      if (reason.id === 'taint') return outOfService(reason) !== undefined || startUp.test(reason.taint.key);
      if (reason.id !== 'extended-resource' || reason.allocatable !== '0') return false;
      const type = metadata.labels[instanceType];
      return type !== undefined && offers().get(type)?.has(reason.resource) === true;
    })
  );
}

/** Resources of which some node of an instance type offers more than 0. */
type Offers = ReadonlyMap<string, ReadonlySet<string>>;

/** In one walk: after a scale-up hundreds of nodes are new at the same time. */
function offersByType(nodes: readonly Node[]): Offers {
  const offers = new Map<string, Set<string>>();
  for (const { metadata, status } of nodes) {
    const type = metadata.labels[instanceType];
    if (type === undefined) continue;
    const resources = offers.get(type) ?? new Set();
    offers.set(type, resources);
    for (const resource in status.allocatable) {
      if (status.allocatable[resource] !== '0') resources.add(resource);
    }
  }
  return offers;
}

const instanceType = 'node.kubernetes.io/instance-type';
/**
 * Cilium's `node.cilium.io/agent-not-ready`, Istio's `cni.istio.io/not-ready`, cloud controllers'
 * `uninitialized`.
 */
const startUp = /not-ready|uninitialized|startup/;
