import {
  autoscalersOfOtherKinds,
  horizontalAutoscalerFor,
  removableReplicas,
} from '../cluster/horizontal-autoscaler.js';
import { controllerOf } from '../cluster/metadata.js';
import type { HorizontalPodAutoscaler } from '../cluster/policy.js';
import type { Snapshot } from '../cluster/snapshot.js';

/** The HorizontalPodAutoscaler that sets the workload's replicas. */
export function horizontalAutoscalerOf({ workload, index }: Snapshot): HorizontalPodAutoscaler | undefined {
  return horizontalAutoscalerFor(index, { kind: workload.kind, ...workload.metadata });
}

/**
 * The autoscaler, where it may reduce the replicas at any time: during a rollout, the controller then stops old pods
 * (kubernetes `deployment/sync.go: scale`).
 */
export function autoscalerThatMayShrink(snapshot: Snapshot): HorizontalPodAutoscaler | undefined {
  const { workload } = snapshot;
  if (workload.kind === 'DaemonSet') return undefined;
  const autoscaler = horizontalAutoscalerOf(snapshot);
  const { replicas } = workload.spec;
  if (autoscaler !== undefined) return removableReplicas(autoscaler, replicas) > 0 ? autoscaler : undefined;
  return autoscalerAbove(snapshot, replicas);
}

/** One that scales an object above the workload, whose operator then sets the replicas of the workload. */
function autoscalerAbove(
  { workload, index }: Snapshot,
  replicas: number,
): HorizontalPodAutoscaler | undefined {
  if (controllerOf(workload) === undefined) return undefined;
  return autoscalersOfOtherKinds(index, workload.metadata.namespace).find(
    (each) => removableReplicas(each, replicas) > 0 && !ownsPodsItself(index, each.spec.scaleTargetRef),
  );
}

function ownsPodsItself(
  { objects }: Snapshot['index'],
  { kind, name }: HorizontalPodAutoscaler['spec']['scaleTargetRef'],
): boolean {
  return objects.Pod.some((pod) => {
    const owner = controllerOf(pod);
    return owner?.kind === kind && owner.name === name;
  });
}
