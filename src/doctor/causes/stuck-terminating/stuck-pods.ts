import { conditionOf } from '../../../engine/objects/metadata.js';
import { hasNode, isActive, isTerminating, type Pod, podKey } from '../../../engine/objects/pod.js';
import { nowOf, type Snapshot } from '../../../engine/objects/snapshot.js';
import { isUnread } from '../../../engine/objects/unread.js';
import { hasDeploymentStrategy, hasOrdinals } from '../../../engine/objects/workload.js';
import type { Placement } from '../../../engine/scheduler/placement.js';
import { oldPods } from '../../../engine/workloads/revisions.js';
import { rolloutStateOf } from '../../../engine/workloads/rollout-state.js';
import { isOverdue } from '../../../engine/workloads/simulated-pods.js';
import { syncStatefulSet } from '../../../engine/workloads/stateful-set-model.js';
import { isUnschedulable } from '../../findings/stuck-rollout.js';

/** What keeps the object from going, besides finalizers. */
type NodeState =
  | { readonly kind: 'ready' | 'gone' | 'unknown' | 'none' }
  | { readonly kind: 'not-ready'; readonly reason: string; readonly since: string | undefined };

export interface StuckPod {
  readonly pod: Pod;
  readonly node: NodeState;
  /** Seconds past its own deadline. */
  readonly overdueSeconds: number;
}

/** Who waits for the stuck pods to go. */
type Blocks =
  | { readonly kind: 'recreate' | 'set'; readonly pod: Pod }
  /** A pod of the workload would have a node without `pods`. */
  | { readonly kind: 'waiting'; readonly waiting: Pod; readonly pods: readonly Pod[] }
  | undefined;

export type Stuck = { readonly pods: readonly [StuckPod, ...StuckPod[]]; readonly blocks: Blocks };

/**
 * Pods that are a minute and more past their own deadline and will not go by themselves, as far as finalizers
 * and nodes tell: the workload's, and those of others that stand in its waiting pods' way. A pod on a ready
 * node without finalizers is the kubelet's to end: `termination-grace-exceeded`.
 */
export function stuckOf(snapshot: Snapshot, placement: Placement): Stuck | undefined {
  const { pods: own } = rolloutStateOf(snapshot);
  const inTheWay = waitingFor(snapshot, placement, own);
  const foreign = inTheWay?.pods.filter((pod) => !own.includes(pod)) ?? [];
  const [first, ...more] = [...own, ...foreign].flatMap((pod) => stuckPod(snapshot, pod) ?? []);
  if (first === undefined) return undefined;
  const pods = [first, ...more] as const;
  return { pods, blocks: blocksOf(snapshot, pods) ?? inTheWay };
}

function stuckPod(snapshot: Snapshot, pod: Pod): StuckPod | undefined {
  const now = nowOf(snapshot);
  if (!isTerminating(pod) || !isOverdue(pod, now)) return undefined;
  const node = nodeStateOf(snapshot, pod);
  if (pod.metadata.finalizers.length === 0 && (node.kind === 'ready' || node.kind === 'none'))
    return undefined;
  return { pod, node, overdueSeconds: (now - Date.parse(pod.metadata.deletionTimestamp ?? '')) / 1000 };
}

function nodeStateOf(snapshot: Snapshot, pod: Pod): NodeState {
  const { index } = snapshot;
  if (!hasNode(pod)) return { kind: 'none' };
  const node = index.nodes.get(pod.spec.nodeName ?? '');
  if (node === undefined) {
    const unread = index.objects.Node.length === 0 || isUnread(snapshot, 'Node');
    return { kind: unread ? 'unknown' : 'gone' };
  }
  const ready = conditionOf(node.status, 'Ready');
  if (ready === undefined || ready.status === 'True') return { kind: 'ready' };
  return { kind: 'not-ready', reason: ready.reason || ready.status, since: ready.lastTransitionTime };
}

function blocksOf(snapshot: Snapshot, stuck: readonly StuckPod[]): Blocks {
  const state = rolloutStateOf(snapshot);
  const pods = stuck.map(({ pod }) => pod);
  if (hasDeploymentStrategy(state) && state.deployment.spec.strategy.type === 'Recreate') {
    const old = oldPods(state);
    const pod = pods.find((each) => old.includes(each));
    return pod && { kind: 'recreate', pod };
  }
  if (!hasOrdinals(state)) return undefined;
  const { waitsFor } = syncStatefulSet(state);
  const pod = pods.find((each) => each === waitsFor?.pod);
  return pod && { kind: 'set', pod };
}

/** The overdue pods, of anybody, without which the first waiting pod of the workload would fit. */
function waitingFor(
  { index, takenAt }: Snapshot,
  placement: Placement,
  own: readonly Pod[],
): Extract<Blocks, { kind: 'waiting' }> | undefined {
  const waiting = own.find((pod) => isActive(pod) && isUnschedulable(pod));
  const overdue = index.terminatingPods.filter((pod) => isOverdue(pod, Date.parse(takenAt)));
  if (waiting === undefined || overdue.length === 0) return undefined;
  if (placement.evaluate(waiting).outcome !== 'refused') return undefined;
  const fitsWithout = (pods: readonly Pod[]) =>
    placement.evaluate(waiting, { without: new Set(pods.map(podKey)) }).outcome === 'fits';
  const alone = overdue.filter((pod) => fitsWithout([pod]));
  if (alone.length > 0) return { kind: 'waiting', waiting, pods: alone };
  return fitsWithout(overdue) ? { kind: 'waiting', waiting, pods: overdue } : undefined;
}
