import type { ClusterObjects } from './cluster-objects.js';
import { clusterAutoscalerAnnotations, type Node } from './node.js';

/** cluster-autoscaler `utils/taints`: of nodes that it may remove. */
export const clusterAutoscalerTaints = {
  candidate: 'DeletionCandidateOfClusterAutoscaler',
  removal: 'ToBeDeletedByClusterAutoscaler',
} as const;
const taintKeys: ReadonlySet<string> = new Set(Object.values(clusterAutoscalerTaints));

/** True where events, nodes or its status show that cluster-autoscaler runs in the cluster, or ran there. */
export function hasClusterAutoscaler({
  Event,
  Node,
  ConfigMap,
}: Pick<ClusterObjects, 'Event' | 'Node' | 'ConfigMap'>): boolean {
  return (
    Event.some(({ component }) => component === 'cluster-autoscaler') ||
    Node.some(isOfClusterAutoscaler) ||
    ConfigMap.some((map) => 'autoscaler' in map)
  );
}

function isOfClusterAutoscaler({ metadata, spec }: Node): boolean {
  return (
    Object.keys(metadata.annotations).some((key) => key.startsWith(clusterAutoscalerAnnotations)) ||
    spec.taints.some(({ key }) => taintKeys.has(key))
  );
}

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
