import type { ClusterIndex } from './cluster-index.js';
import type { HorizontalPodAutoscaler } from './policy.js';
import type { Workload } from './workload.js';

/** The HorizontalPodAutoscaler that sets the workload's replicas. */
export function horizontalAutoscalerFor(
  { objects }: Pick<ClusterIndex, 'objects'>,
  { kind, metadata }: Workload,
): HorizontalPodAutoscaler | undefined {
  return objects.HorizontalPodAutoscaler.find(
    (each) =>
      each.metadata.namespace === metadata.namespace &&
      each.spec.scaleTargetRef.kind === kind &&
      each.spec.scaleTargetRef.name === metadata.name,
  );
}

/** How many replicas it may remove at any time. `minReplicas` is 1 by default. */
export function removableReplicas({ spec }: HorizontalPodAutoscaler, workload: Workload): number {
  return workload.kind === 'DaemonSet' ? 0 : Math.max(0, workload.spec.replicas - (spec.minReplicas ?? 1));
}
