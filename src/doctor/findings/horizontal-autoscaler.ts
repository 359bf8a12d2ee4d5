import { horizontalAutoscalerFor, scalerThatMayShrink } from '../../engine/objects/horizontal-autoscaler.js';
import type { HorizontalPodAutoscaler } from '../../engine/objects/policy.js';
import type { Snapshot } from '../../engine/objects/snapshot.js';

/** The HorizontalPodAutoscaler that sets the workload's replicas. */
export function horizontalAutoscalerOf({ workload, index }: Snapshot): HorizontalPodAutoscaler | undefined {
  return horizontalAutoscalerFor(index, { kind: workload.kind, ...workload.metadata });
}

/**
 * The autoscaler, where it may reduce the replicas at any time: during a rollout, the controller then stops
 * old pods (kubernetes `deployment/sync.go: scale`).
 */
export function autoscalerThatMayShrink({
  workload,
  index,
}: Pick<Snapshot, 'workload' | 'index'>): HorizontalPodAutoscaler | undefined {
  return scalerThatMayShrink(index, workload);
}
