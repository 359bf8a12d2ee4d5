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
