import type { ClusterIndex } from '../cluster/cluster-index.js';
import { horizontalAutoscalerFor, removableReplicas } from '../cluster/horizontal-autoscaler.js';
import type { Pod } from '../cluster/pod.js';
import { podKey } from '../cluster/pod-key.js';
import type { HorizontalPodAutoscaler } from '../cluster/policy.js';
import type { Snapshot } from '../cluster/snapshot.js';
import type { Placement } from '../placement/placement.js';
import { rolloutStateOf } from '../rollout/rollout-state.js';
import { type OwnedPods, ownerKey, ownerNames } from './pod-owner.js';
import { placedPodsOfOthers } from './pods-of-others.js';
import { hasUnreadNodes, workloadOf } from './rest-of-workload.js';

export interface ShrinkingNeighbour extends OwnedPods {
  /** Replicas that its autoscaler may remove at any time. */
  readonly removable: number;
}

/**
 * Workloads of others whose HorizontalPodAutoscaler may reduce the replicas at any time. Which pods their controllers
 * stop then is not asked: it may be any of them.
 */
export function shrinkingNeighbours(snapshot: Snapshot): readonly ShrinkingNeighbour[] {
  const { index, workload } = snapshot;
  const autoscalers = index.objects.HorizontalPodAutoscaler;
  if (autoscalers.length === 0) return [];
  const targets = new Set(
    autoscalers.map(({ metadata, spec: { scaleTargetRef } }) =>
      ownerKey({ ...scaleTargetRef, namespace: metadata.namespace }),
    ),
  );
  targets.delete(ownerKey({ kind: workload.kind, ...workload.metadata }));
  return placedPodsOfOthers(index, rolloutStateOf(snapshot).pods).flatMap((group) => {
    if (!targets.has(ownerKey(group.owner))) return [];
    const autoscaler = horizontalAutoscalerFor(index, group.owner);
    const removable = autoscaler === undefined ? 0 : removableOf(index, group, autoscaler);
    return removable === 0 ? [] : [{ ...group, removable }];
  });
}

/** Of a workload that was not read, further pods may run on nodes whose pods were not read, so each seen one may go. */
function removableOf(
  index: ClusterIndex,
  { owner, pods }: OwnedPods,
  autoscaler: HorizontalPodAutoscaler,
): number {
  const workload = workloadOf(index, owner);
  if (workload?.kind === 'DaemonSet') return 0;
  if (workload !== undefined) return removableReplicas(autoscaler, workload.spec.replicas);
  return hasUnreadNodes(index) ? pods.length : removableReplicas(autoscaler, pods.length);
}

/** Those whose autoscalers may free what the pod waits for, as `namespace/name`: each that is enough alone, else all. */
export function shrinkingNeighboursOf(
  { snapshot, placement }: { readonly snapshot: Snapshot; readonly placement: Placement },
  pod: Pod,
): readonly string[] {
  const shrinking = shrinkingNeighbours(snapshot);
  const alone = shrinking.filter(({ pods, removable }) => {
    const remove = placement.wouldFitIf(pod, pods).best?.remove.length ?? 0;
    return remove > 0 && remove <= removable;
  });
  if (alone.length > 0) return ownerNames(alone);
  const without = new Set(shrinking.flatMap(mostOnEachNode).map(podKey));
  return without.size > 0 && placement.evaluate(pod, { without }).outcome === 'fits'
    ? ownerNames(shrinking)
    : [];
}

/** On each node as many as may be removed: the pod needs places on one node only. */
export function mostOnEachNode({ pods, removable }: ShrinkingNeighbour): readonly Pod[] {
  const counts = new Map<string, number>();
  return pods.filter(({ spec }) => {
    const node = spec.nodeName ?? '';
    const count = (counts.get(node) ?? 0) + 1;
    counts.set(node, count);
    return count <= removable;
  });
}
