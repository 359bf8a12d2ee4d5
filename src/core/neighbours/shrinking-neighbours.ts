import { horizontalAutoscalerFor, removableReplicas } from '../cluster/horizontal-autoscaler.js';
import type { Pod } from '../cluster/pod.js';
import { hasNode, isActive } from '../cluster/pod.js';
import { nowOf, type Snapshot } from '../cluster/snapshot.js';
import { chargedFor, type QuotaBlock } from '../creation/quota-block.js';
import type { Placement } from '../placement/placement.js';
import { wouldBeAdmittedIf } from '../rollout/quota-admission.js';
import { byOwner, type OwnedPods, ownerKey } from './pod-owner.js';
import { workloadOf } from './rest-of-workload.js';

interface ShrinkingNeighbour extends OwnedPods {
  /** Replicas that its autoscaler may remove at any time. */
  readonly removable: number;
}

/**
 * Workloads of others whose HorizontalPodAutoscaler may reduce the replicas at any time. Which pods their controllers
 * stop then is not asked: it may be any of them.
 */
function shrinkingNeighbours({ index, workload }: Snapshot): readonly ShrinkingNeighbour[] {
  const autoscalers = index.objects.HorizontalPodAutoscaler;
  if (autoscalers.length === 0) return [];
  const targets = new Set(
    autoscalers.map(({ metadata, spec: { scaleTargetRef } }) =>
      ownerKey({ ...scaleTargetRef, namespace: metadata.namespace }),
    ),
  );
  targets.delete(ownerKey({ kind: workload.kind, ...workload.metadata }));
  return byOwner(
    index,
    index.objects.Pod.filter((pod) => isActive(pod) && hasNode(pod)),
  ).flatMap((group) => {
    const target = targets.has(ownerKey(group.owner)) ? workloadOf(index, group.owner) : undefined;
    const autoscaler = target && horizontalAutoscalerFor(index, target);
    const removable = autoscaler && removableReplicas(autoscaler, target);
    return removable === undefined || removable === 0 ? [] : [{ ...group, removable }];
  });
}

/** Those whose autoscaler may free what the pod waits for, as `namespace/name`. */
export function shrinkingNeighboursOf(
  { snapshot, placement }: { readonly snapshot: Snapshot; readonly placement: Placement },
  pod: Pod,
): readonly string[] {
  return shrinkingNeighbours(snapshot)
    .filter(({ pods, removable }) => {
      const remove = placement.wouldFitIf(pod, pods).best?.remove.length ?? 0;
      return remove > 0 && remove <= removable;
    })
    .map(nameOf);
}

/** Those whose autoscaler may free the quota that refuses the pod. */
export function shrinkingNeighboursThatFreeQuota(snapshot: Snapshot, block: QuotaBlock): readonly string[] {
  const now = nowOf(snapshot);
  return shrinkingNeighbours(snapshot)
    .filter(({ pods, removable }) => {
      const leaving = chargedFor(block, pods, now).slice(0, removable);
      return leaving.length > 0 && wouldBeAdmittedIf(block.pod, block.quotas, leaving, now);
    })
    .map(nameOf);
}

function nameOf({ owner }: OwnedPods): string {
  return `${owner.namespace}/${owner.name}`;
}
