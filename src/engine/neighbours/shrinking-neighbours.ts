import type { ClusterIndex } from '../objects/cluster-index.js';
import { autoscalersOfOtherKinds, removableReplicas } from '../objects/horizontal-autoscaler.js';
import { groupLabels } from '../objects/leader-worker-set.js';
import { controllerOf } from '../objects/metadata.js';
import type { Pod } from '../objects/pod.js';
import { podKey } from '../objects/pod.js';
import type { HorizontalPodAutoscaler } from '../objects/policy.js';
import type { Snapshot } from '../objects/snapshot.js';
import { hasGroups, hasPodPerNode } from '../objects/workload.js';
import type { Placement } from '../scheduler/placement.js';
import { rolloutStateOf } from '../workloads/rollout-state.js';
import { knativeMark, markedPods } from './evicted-pods.js';
import {
  hasUnreadNodes,
  type OwnedPods,
  ownerKey,
  ownerNames,
  placedPodsOfOthers,
  revisionKey,
  workloadOf,
} from './owned-pods.js';

export interface ShrinkingNeighbour extends OwnedPods {
  /** Replicas that its autoscaler may remove at any time. */
  readonly removable: number;
}

/**
 * Workloads of others whose autoscaler may reduce the replicas at any time: a HorizontalPodAutoscaler of the
 * workload, of its LeaderWorkerSet, or of an object above it, and the autoscaler of Knative. Which pods their
 * controllers stop then is not asked: it may be any of them.
 */
export function shrinkingNeighbours(snapshot: Snapshot): readonly ShrinkingNeighbour[] {
  const known = computed.get(snapshot);
  if (known !== undefined) return known;
  const { index, workload } = snapshot;
  const others = placedPodsOfOthers(index, rolloutStateOf(snapshot).pods);
  const found = shrinkingAmong(index, others, ownerKey({ kind: workload.kind, ...workload.metadata }));
  computed.set(snapshot, found);
  return found;
}

/** Several rules ask the same of one snapshot. */
const computed = new WeakMap<Snapshot, readonly ShrinkingNeighbour[]>();

/**
 * Those among these groups of pods.
 *
 * @param ownKey of the workload that is diagnosed, as `ownerKey` writes it
 */
export function shrinkingAmong(
  index: ClusterIndex,
  others: readonly OwnedPods[],
  ownKey: string,
): readonly ShrinkingNeighbour[] {
  // The first of several counts, as in `horizontalAutoscalerFor`.
  const autoscalers = new Map(
    [...index.objects.HorizontalPodAutoscaler].reverse().map((each) => {
      const { metadata, spec } = each;
      return [ownerKey({ ...spec.scaleTargetRef, namespace: metadata.namespace }), each] as const;
    }),
  );
  autoscalers.delete(ownKey);
  const owners = new Set(others.map(({ owner }) => ownerKey(owner)));
  const above = lazyByNamespace((namespace) =>
    autoscalersOfOtherKinds(index, namespace).filter(
      ({ spec }) => !owners.has(ownerKey({ ...spec.scaleTargetRef, namespace })),
    ),
  );
  const knativePods = markedPods(index).ofKnative.length;
  const removableIn = (group: OwnedPods): number => {
    const autoscaler = autoscalers.get(ownerKey(group.owner));
    if (autoscaler !== undefined) return removableOf(index, group, autoscaler);
    const isReduced =
      (autoscalers.size > 0 && (losesGroups(index, group, autoscalers) || isBelow(index, group, above))) ||
      (knativePods > 0 && isOfKnative(group));
    return isReduced ? group.pods.length : 0;
  };
  return others.flatMap((group) => {
    const removable = removableIn(group);
    return removable === 0 ? [] : [{ ...group, removable }];
  });
}

/**
 * Of a workload that was not read, further pods may run on nodes whose pods were not read, so each seen one
 * may go.
 */
function removableOf(
  index: ClusterIndex,
  { owner, pods }: OwnedPods,
  autoscaler: HorizontalPodAutoscaler,
): number {
  const workload = workloadOf(index, owner);
  if (hasPodPerNode(workload)) return 0;
  if (workload !== undefined) return removableReplicas(autoscaler, workload.spec.replicas);
  return hasUnreadNodes(index) ? pods.length : removableReplicas(autoscaler, pods.length);
}

/** A LeaderWorkerSet is scaled by groups, whose pods belong to StatefulSets. */
function losesGroups(
  index: ClusterIndex,
  { owner: { namespace }, pods }: OwnedPods,
  autoscalers: ReadonlyMap<string, HorizontalPodAutoscaler>,
): boolean {
  const name = pods[0]?.metadata.labels[groupLabels.name];
  if (name === undefined) return false;
  const owner = { kind: 'LeaderWorkerSet', namespace, name };
  const autoscaler = autoscalers.get(ownerKey(owner));
  if (autoscaler === undefined) return false;
  const set = workloadOf(index, owner);
  return !hasGroups(set) || removableReplicas(autoscaler, set.spec.replicas) > 0;
}

/** Owners of pods that nothing scales. */
const unscaled: ReadonlySet<string> = new Set(['DaemonSet', 'Job', 'Node', 'Pod']);

/** An operator may set the replicas of a workload that it owns, or of one that was not read. */
function isBelow(
  index: ClusterIndex,
  { owner, pods }: OwnedPods,
  above: (namespace: string) => readonly HorizontalPodAutoscaler[],
): boolean {
  if (unscaled.has(owner.kind)) return false;
  const workload = workloadOf(index, owner);
  if (workload !== undefined && controllerOf(workload) === undefined) return false;
  const areAllRead = !hasUnreadNodes(index);
  return above(owner.namespace).some((each) => !areAllRead || removableReplicas(each, pods.length) > 0);
}

function lazyByNamespace<One>(of: (namespace: string) => One): (namespace: string) => One {
  const known = new Map<string, One>();
  return (namespace) => {
    const found = known.get(namespace) ?? of(namespace);
    known.set(namespace, found);
    return found;
  };
}

/**
 * Knative scales a revision by its requests, down to 0 unless it has a minimum (knative
 * `pkg/apis/autoscaling/register.go`).
 */
function isOfKnative({ pods }: OwnedPods): boolean {
  const { labels = {}, annotations = {} } = pods[0]?.metadata ?? {};
  if (!(knativeMark in labels)) return false;
  const least =
    annotations['autoscaling.knative.dev/min-scale'] ?? annotations['autoscaling.knative.dev/minScale'];
  return !(Number(least) >= pods.length);
}

/**
 * Workloads that are tried alone, and nodes on which each is tried. The proof itself looks at all of them.
 */
const maxTriedAlone = 50;

type Seen = { readonly snapshot: Snapshot; readonly placement: Placement };

/**
 * Those whose autoscalers may free what the pod waits for, as `namespace/name`: each that is enough alone,
 * else those that are enough together.
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
 * On each node as many of each revision as may be removed: the pod needs places on one node only, and pods of
 * another revision may use something else.
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
