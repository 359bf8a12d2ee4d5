import type { ClusterIndex } from './cluster-index.js';
import { controllerOf } from './metadata.js';
import type { HorizontalPodAutoscaler } from './policy.js';
import { hasPodPerNode, type Workload } from './workload.js';

/** The HorizontalPodAutoscaler that sets the replicas of a workload. */
export function horizontalAutoscalerFor(
  { objects }: Pick<ClusterIndex, 'objects'>,
  { kind, namespace, name }: { kind: string; namespace: string; name: string },
): HorizontalPodAutoscaler | undefined {
  return objects.HorizontalPodAutoscaler.find(
    (each) =>
      each.metadata.namespace === namespace &&
      each.spec.scaleTargetRef.kind === kind &&
      each.spec.scaleTargetRef.name === name,
  );
}

/** Kinds whose controller owns the pods itself, or whose pods are found by their names and labels. */
const kindsOfPods: ReadonlySet<string> = new Set([
  'Deployment',
  'ReplicaSet',
  'ReplicationController',
  'StatefulSet',
  'Rollout',
  'LeaderWorkerSet',
]);

/**
 * HorizontalPodAutoscalers of a namespace that scale an object of another kind, such as a custom resource
 * whose operator sets the replicas of a Deployment. Which pods are behind it is known only where it owns them
 * itself.
 */
export function autoscalersOfOtherKinds(
  { objects }: Pick<ClusterIndex, 'objects'>,
  namespace: string,
): readonly HorizontalPodAutoscaler[] {
  return objects.HorizontalPodAutoscaler.filter(
    ({ metadata, spec }) => metadata.namespace === namespace && !kindsOfPods.has(spec.scaleTargetRef.kind),
  );
}

/**
 * The HorizontalPodAutoscaler of a workload that may reduce its replicas, or one that scales an object above
 * it, whose operator then sets the replicas of the workload.
 */
export function scalerThatMayShrink(
  index: Pick<ClusterIndex, 'objects'>,
  workload: Workload,
): HorizontalPodAutoscaler | undefined {
  return scalerThat(index, workload, (each, replicas) => removableReplicas(each, replicas) > 0);
}

/** The same of one that may add replicas, which its `maxReplicas` bounds. */
export function scalerThatMayGrow(
  index: Pick<ClusterIndex, 'objects'>,
  workload: Workload,
): HorizontalPodAutoscaler | undefined {
  return scalerThat(
    index,
    workload,
    ({ spec: { maxReplicas, behavior } }, replicas) =>
      maxReplicas > replicas && behavior?.scaleUp?.selectPolicy !== 'Disabled',
  );
}

function scalerThat(
  index: Pick<ClusterIndex, 'objects'>,
  workload: Workload,
  may: (autoscaler: HorizontalPodAutoscaler, replicas: number) => boolean,
): HorizontalPodAutoscaler | undefined {
  if (hasPodPerNode(workload)) return undefined;
  const { kind, metadata, spec } = workload;
  const own = horizontalAutoscalerFor(index, { kind, ...metadata });
  if (own !== undefined) return may(own, spec.replicas) ? own : undefined;
  if (controllerOf(workload) === undefined) return undefined;
  return autoscalersOfOtherKinds(index, metadata.namespace).find(
    (each) => may(each, spec.replicas) && !ownsPodsItself(index, each.spec.scaleTargetRef),
  );
}

function ownsPodsItself(
  { objects }: Pick<ClusterIndex, 'objects'>,
  { kind, name }: HorizontalPodAutoscaler['spec']['scaleTargetRef'],
): boolean {
  return objects.Pod.some((pod) => {
    const owner = controllerOf(pod);
    return owner?.kind === kind && owner.name === name;
  });
}

/** How many of the replicas it may remove at any time. */
export function removableReplicas(autoscaler: HorizontalPodAutoscaler, replicas: number): number {
  return Math.max(0, replicas - leastReplicas(autoscaler));
}

/**
 * `minReplicas` is 1 by default. KEDA writes at least 1 into its HorizontalPodAutoscalers and stops the last
 * pods itself, unless the ScaledObject has a minimum, which is not read (keda `scale_scaledobjects.go`).
 */
export function leastReplicas(autoscaler: HorizontalPodAutoscaler): number {
  const { minReplicas: least = 1, maxReplicas, behavior } = autoscaler.spec;
  if (least <= 1 && scaledObjectOf(autoscaler) !== undefined) return 0;
  // Beyond its maximum it reduces the replicas all the same (kubernetes podautoscaler/horizontal.go:
  // reconcileAutoscaler).
  return behavior?.scaleDown?.selectPolicy === 'Disabled' ? Math.max(least, maxReplicas) : least;
}

/**
 * Whether one of the triggers of its ScaledObject is a schedule. KEDA numbers the metrics and begins each
 * name with the kind of the trigger (keda `cron_scaler.go: GetMetricSpecForScaling`).
 */
export function isScheduled({ spec: { metrics } }: HorizontalPodAutoscaler): boolean {
  return metrics.some(({ external }) => /^s\d{1,3}-cron-/.test(external?.metric.name ?? ''));
}

/** The name of the ScaledObject of KEDA that it belongs to. */
export function scaledObjectOf(autoscaler: HorizontalPodAutoscaler): string | undefined {
  const owner = controllerOf(autoscaler);
  return owner?.kind === 'ScaledObject' ? owner.name : undefined;
}
