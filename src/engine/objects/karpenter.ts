import type { ClusterObjects } from './cluster-objects.js';

/** `karpenter.sh/provisioner-name` until Karpenter 0.32. */
const nodeLabels = ['karpenter.sh/nodepool', 'karpenter.sh/provisioner-name'] as const;

/** Of nodes that it removes; the second one until 0.37. */
export const karpenterTaints: ReadonlySet<string> = new Set([
  'karpenter.sh/disrupted',
  'karpenter.sh/disruption',
]);

/** Reporter of Karpenter's events: `karpenter`, with a suffix in some versions. */
export function isKarpenter(component: string): boolean {
  return component.startsWith('karpenter');
}

/** True where the objects show that Karpenter runs in the cluster, or ran there. */
export function hasKarpenter({
  NodeClaim,
  NodePool,
  Node,
  Event,
}: Pick<ClusterObjects, 'NodeClaim' | 'NodePool' | 'Node' | 'Event'>): boolean {
  return (
    NodeClaim.length > 0 ||
    NodePool.length > 0 ||
    Node.some(({ metadata }) => nodeLabels.some((label) => label in metadata.labels)) ||
    Event.some(({ component }) => isKarpenter(component))
  );
}
