import type { ClusterIndex } from './cluster-index.js';
import type { HorizontalPodAutoscaler } from './policy.js';

/** The HorizontalPodAutoscaler that sets the replicas of a workload. */
export function horizontalAutoscalerFor(
  { objects }: Pick<ClusterIndex, 'objects'>,
  { kind, namespace, name }: { readonly kind: string; readonly namespace: string; readonly name: string },
): HorizontalPodAutoscaler | undefined {
  return objects.HorizontalPodAutoscaler.find(
    (each) =>
      each.metadata.namespace === namespace &&
      each.spec.scaleTargetRef.kind === kind &&
      each.spec.scaleTargetRef.name === name,
  );
}

/** How many of the replicas it may remove at any time. `minReplicas` is 1 by default. */
export function removableReplicas({ spec }: HorizontalPodAutoscaler, replicas: number): number {
  return Math.max(0, replicas - (spec.minReplicas ?? 1));
}
