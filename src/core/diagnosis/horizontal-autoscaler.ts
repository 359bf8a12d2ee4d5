import type { HorizontalPodAutoscaler } from '../cluster/policy.js';
import type { Snapshot } from '../cluster/snapshot.js';

/** The HorizontalPodAutoscaler that sets the workload's replicas. */
export function horizontalAutoscalerOf({ workload, index }: Snapshot): HorizontalPodAutoscaler | undefined {
  return index.objects.HorizontalPodAutoscaler.find(
    ({ metadata, spec }) =>
      metadata.namespace === workload.metadata.namespace &&
      spec.scaleTargetRef.kind === workload.kind &&
      spec.scaleTargetRef.name === workload.metadata.name,
  );
}

/**
 * The autoscaler, where it may reduce the replicas at any time: during a rollout, the controller then stops old pods
 * (kubernetes `deployment/sync.go: scale`). `minReplicas` is 1 by default.
 */
export function autoscalerThatMayShrink(snapshot: Snapshot): HorizontalPodAutoscaler | undefined {
  const { workload } = snapshot;
  const autoscaler = horizontalAutoscalerOf(snapshot);
  if (autoscaler === undefined || workload.kind === 'DaemonSet') return undefined;
  return (autoscaler.spec.minReplicas ?? 1) < workload.spec.replicas ? autoscaler : undefined;
}
