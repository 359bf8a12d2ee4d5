import type { ClusterIndex } from '../cluster/cluster-index.js';
import { removableReplicas } from '../cluster/horizontal-autoscaler.js';
import type { Pod } from '../cluster/pod.js';
import { podKey } from '../cluster/pod-key.js';
import type { HorizontalPodAutoscaler } from '../cluster/policy.js';
import type { Snapshot } from '../cluster/snapshot.js';
import type { Placement } from '../placement/placement.js';
import { rolloutStateOf } from '../rollout/rollout-state.js';
import { revisionKey } from './neighbour-pod.js';
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
  const known = computed.get(snapshot);
  if (known !== undefined) return known;
  const { index, workload } = snapshot;
  // The first of several counts, as in `horizontalAutoscalerFor`.
  const autoscalers = new Map(
    [...index.objects.HorizontalPodAutoscaler].reverse().map((each) => {
      const { metadata, spec } = each;
      return [ownerKey({ ...spec.scaleTargetRef, namespace: metadata.namespace }), each] as const;
    }),
  );
  autoscalers.delete(ownerKey({ kind: workload.kind, ...workload.metadata }));
  const others = autoscalers.size === 0 ? [] : placedPodsOfOthers(index, rolloutStateOf(snapshot).pods);
  const found = others.flatMap((group) => {
    const autoscaler = autoscalers.get(ownerKey(group.owner));
    const removable = autoscaler === undefined ? 0 : removableOf(index, group, autoscaler);
    return removable === 0 ? [] : [{ ...group, removable }];
  });
  computed.set(snapshot, found);
  return found;
}

/** Several rules ask the same of one snapshot. */
const computed = new WeakMap<Snapshot, readonly ShrinkingNeighbour[]>();

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

/** Workloads that are tried alone, and nodes on which each is tried. The proof itself looks at all of them. */
const maxTriedAlone = 50;

interface Seen {
  readonly snapshot: Snapshot;
  readonly placement: Placement;
}

/**
 * Those whose autoscalers may free what the pod waits for, as `namespace/name`: each that is enough alone, else those that
 * are enough together.
 */
export function shrinkingNeighboursOf({ snapshot, placement }: Seen, pod: Pod): readonly string[] {
  const shrinking = shrinkingNeighbours(snapshot);
  const all = new Set(shrinking.flatMap(({ pods }) => pods.map(podKey)));
  if (all.size === 0) return [];
  const evaluation = placement.evaluate(pod, { without: all });
  if (evaluation.outcome !== 'fits') return [];
  const open = new Set(evaluation.nodes.flatMap(({ node, outcome }) => (outcome === 'fits' ? node : [])));
  const alone = shrinking
    .filter(({ pods }) => pods.some(({ spec }) => open.has(spec.nodeName ?? '')))
    .slice(0, maxTriedAlone)
    .filter((each) => isEnough({ snapshot, placement }, pod, each, open));
  if (alone.length > 0) return ownerNames(alone);
  const together = shrinking.flatMap(mostOnEachNode);
  const without = new Set(together.map(podKey));
  if (placement.evaluate(pod, { without }).outcome !== 'fits') return [];
  const needed = placement.wouldFitIf(pod, together).nodes.find(({ remove }) => remove.length > 0)?.remove;
  const keys = needed && new Set(needed.map(podKey));
  return ownerNames(shrinking.filter(({ pods }) => pods.some((each) => keys?.has(podKey(each)) ?? true)));
}

/** Whether the pod fits on one of its nodes without as many of its pods as the autoscaler may remove. */
function isEnough(
  { snapshot, placement }: Seen,
  pod: Pod,
  { pods, removable }: ShrinkingNeighbour,
  open: ReadonlySet<string>,
): boolean {
  const names = [...new Set(pods.map(({ spec }) => spec.nodeName ?? ''))].filter((name) => open.has(name));
  return names.slice(0, maxTriedAlone).some((name) => {
    const node = snapshot.index.nodes.get(name);
    const remove = node && placement.wouldFitIf(pod, pods, node).best?.remove.length;
    return remove !== undefined && remove > 0 && remove <= removable;
  });
}

/**
 * On each node as many of each revision as may be removed: the pod needs places on one node only, and pods of another
 * revision may use something else.
 */
export function mostOnEachNode({ pods, removable }: ShrinkingNeighbour): readonly Pod[] {
  const counts = new Map<string, number>();
  return pods.filter((pod) => {
    const alike = `${pod.spec.nodeName ?? ''}/${revisionKey(pod)}`;
    const count = (counts.get(alike) ?? 0) + 1;
    counts.set(alike, count);
    return count <= removable;
  });
}
