import type { Statement } from '../../engine/language/statement.js';
import type { MovingNeighbour } from '../../engine/neighbours/moving-neighbours.js';
import type { Gang } from '../../engine/neighbours/pod-gang.js';
import { otherUsersOf } from '../../engine/neighbours/pod-gang.js';
import type { ClusterIndex } from '../../engine/objects/cluster-index.js';
import {
  leastReplicas,
  scalerThatMayGrow,
  scalerThatMayShrink,
} from '../../engine/objects/horizontal-autoscaler.js';
import { hasKarpenter } from '../../engine/objects/node-autoscalers.js';
import type { Pod } from '../../engine/objects/pod.js';
import { nowOf, type Snapshot } from '../../engine/objects/snapshot.js';
import { hasPodPerNode } from '../../engine/objects/workload.js';
import type { Evaluation } from '../../engine/scheduler/evaluation.js';
import { loweredPodsThatFree } from '../../engine/scheduler/lowered-pods.js';
import { nodesThatJoin, nodesThatMayReturn } from '../../engine/scheduler/nodes-out-of-service.js';
import type { Placement } from '../../engine/scheduler/placement.js';
import { claimUses } from '../../engine/scheduler/volume-state.js';
import { nameOf, qualified, state } from './text.js';

/**
 * Pods of others that may free what is missing.
 *
 * @param unfinished workloads whose rollout is stuck or replaces pods in place
 * @param leaving pods that may leave for any reason; asked only where the workloads give no doubt
 */
export function doubtsOf(
  unread: readonly string[],
  unfinished: readonly string[],
  leaving: () => readonly Pod[],
): readonly Statement[] {
  if (unread.length + unfinished.length > 0) {
    return [
      ...(unread.length === 0 ? [] : [state('neighbours-unread', { workloads: unread })]),
      ...(unfinished.length === 0 ? [] : [state('neighbours-may-free', { workloads: unfinished })]),
    ];
  }
  const pods = qualified(leaving());
  return pods.length === 0 ? [] : [state('pods-may-leave', { pods })];
}

/** Pods of others beyond this number are all named, since each is tried. */
const maxTriedWithout = 100;

/**
 * Those of the pods that are needed for what all of them free together; the first ones where several do as
 * well.
 */
export function neededOf(pods: readonly Pod[], free: (some: readonly Pod[]) => boolean): readonly Pod[] {
  if (pods.length === 0 || !free(pods)) return [];
  if (pods.length > maxTriedWithout) return pods;
  return pods.reduceRight((kept, pod) => {
    const others = kept.filter((each) => each !== pod);
    return others.length > 0 && free(others) ? others : kept;
  }, pods);
}

/**
 * The workload's own autoscaler stops old pods where it reduces the replicas, and so may one that could not
 * be read.
 */
export function scalingDoubts(
  { index, unseen, workload }: Snapshot,
  holders: readonly Pod[],
): readonly Statement[] {
  const { metadata } = workload;
  const mayShrink = holders.length > 0 && !hasPodPerNode(workload);
  const autoscaler = scalerThatMayShrink(index, workload);
  if (mayShrink && autoscaler !== undefined) {
    const minimum = leastReplicas(autoscaler);
    return [state('autoscaler-may-shrink', { autoscaler: autoscaler.metadata.name, minimum })];
  }
  const unread = unseen.find(
    ({ what, namespace, because }) =>
      what === 'HorizontalPodAutoscaler' &&
      because !== 'not-served' &&
      (mayShrink || namespace !== metadata.namespace),
  );
  return unread === undefined ? [] : [state('autoscalers-unread', { because: unread.because })];
}

/** Who may add pods to the group that the new pod starts with, or lower its minimum. */
export function groupDoubts(snapshot: Snapshot, gang: Gang | undefined): readonly Statement[] {
  if (gang === undefined) return [];
  const autoscaler = scalerThatMayGrow(snapshot.index, snapshot.workload);
  const names = [
    ...(autoscaler === undefined ? [] : [nameOf(autoscaler.metadata)]),
    ...otherUsersOf(snapshot, gang),
  ];
  return names.length === 0 ? [] : [state('group-may-complete', { group: gang.name, names })];
}

/** Nodes that may run the pod soon, without a change by people. */
export function nodeDoubts(snapshot: Snapshot, { nodes }: Evaluation): readonly Statement[] {
  const { index } = snapshot;
  const now = nowOf(snapshot);
  const late = [...new Set([...nodesThatJoin(index, nodes, now), ...nodesThatMayReturn(index, nodes, now)])];
  return late.length === 0 ? [] : [state('nodes-may-return', { nodes: late })];
}

/** Pods that request less once a resize is made. */
export function resizeDoubts(placement: Placement, pod: Pod): readonly Statement[] {
  const pods = qualified(loweredPodsThatFree(placement, pod));
  return pods.length === 0 ? [] : [state('resizes-may-free', { pods })];
}

/**
 * Their controllers stop these pods by themselves, so the state in which nothing moves is not the last one.
 */
export function waitsFor(moving: readonly MovingNeighbour[]): Statement {
  return state('because-neighbours-move', { workloads: moving.map(({ owner }) => nameOf(owner)) });
}

/** What the scheduler may decide by and this model does not simulate. */
export function simulationDoubts({
  outcome,
  notSimulated,
  nodes,
  refusals,
}: Evaluation): readonly Statement[] {
  if (refusals.some(({ id }) => id === 'no-node')) return [state('because-no-nodes')];
  if (outcome !== 'not-simulated') return [];
  const parts = new Set([
    ...notSimulated.map(({ plugin }) => plugin),
    ...nodes.flatMap((node) => node.notSimulated.map(({ plugin }) => plugin)),
  ]);
  return [state('because-not-simulated', { parts: [...parts] })];
}

/** The claim of a generic ephemeral volume is made once its pod exists. */
export function claimDoubt({ refusals, nodes }: Evaluation, pod: Pod): readonly Statement[] {
  const toBeMade = new Set(claimUses(pod).flatMap(({ name, ephemeral }) => (ephemeral ? name : [])));
  const awaited = [...refusals, ...nodes.flatMap(({ reasons }) => reasons)].some(
    (reason) => reason.id === 'pvc-missing' && toBeMade.has(reason.claim),
  );
  return awaited ? [state('because-not-simulated', { parts: ['VolumeBinding'] })] : [];
}

/** The scheduler may make room by itself. */
export function preemptionDoubt(placement: Placement, pod: Pod): readonly Statement[] {
  const preemption = placement.preemption(pod);
  switch (preemption.outcome) {
    case 'possible':
      return [state('because-preemption', { victims: qualified(preemption.candidates[0]?.victims ?? []) })];
    case 'not-simulated':
      return [state('because-not-simulated', { parts: ['DefaultPreemption'] })];
    default:
      return [];
  }
}

/** Traces that an autoscaler leaves: its objects, its events, its status. */
export function autoscalerDoubt({ objects }: ClusterIndex): readonly Statement[] {
  if (hasKarpenter(objects)) return [state('because-autoscaler', { by: 'Karpenter' })];
  const scaler =
    objects.Event.some(({ reason }) => reason === 'TriggeredScaleUp' || reason === 'NotTriggerScaleUp') ||
    objects.ConfigMap.some(({ metadata }) => metadata.name === 'cluster-autoscaler-status');
  return scaler ? [state('because-autoscaler', { by: 'cluster-autoscaler' })] : [];
}
