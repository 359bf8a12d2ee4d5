import { controllerOf } from '../../cluster/metadata.js';
import { isActive, type Pod } from '../../cluster/pod.js';
import { podKey } from '../../cluster/pod-key.js';
import type { Snapshot } from '../../cluster/snapshot.js';
import type { Examination } from '../rule.js';
import { isUnschedulable, stuckRolloutOf } from '../stuck-rollout.js';
import type { Block } from './block.js';
import type { Holding } from './holding.js';
import { type OwnedPods, ownerOf, type PodOwner } from './pod-owner.js';

/** Two rollouts that hold what the other one waits for: each controller waits for the other's. */
export interface Circle {
  readonly other: PodOwner;
  /** The other workload's new pod, which waits for ours to go. */
  readonly otherWaiting: Pod;
  /** Its old pods, which hold what ours waits for. */
  readonly otherHolds: readonly Pod[];
  /** Our old pods, without which the other's new pod fits on `node`. */
  readonly weHold: readonly Pod[];
  readonly node: string;
  /** False when the other workload could not be read, so that it is not known whether its controller is at rest. */
  readonly proven: boolean;
}

/** The circle through one other Deployment, if this workload's own rollout rests in one. */
export function circleOf(
  { snapshot, placement }: Examination,
  { why }: Block,
  { culprits }: Holding,
): Circle | undefined {
  if (why.kind !== 'held') return undefined;
  const rollout = stuckRolloutOf(snapshot);
  if (rollout === undefined) return undefined;
  for (const culprit of culprits) {
    if (culprit.owner.kind !== 'Deployment') continue;
    const waiting = waitingOf(snapshot, culprit);
    if (waiting === undefined) continue;
    const opened = placement.wouldFitIf(waiting, rollout.holding).best;
    if (opened === undefined || opened.remove.length === 0) continue;
    const rests = restsWith(snapshot, culprit);
    if (rests === false) continue;
    return {
      other: culprit.owner,
      otherWaiting: waiting,
      otherHolds: culprit.pods,
      weHold: opened.remove,
      node: opened.node,
      proven: rests === true,
    };
  }
  return undefined;
}

/** A refused pod of the same workload and of another revision than those that hold. */
function waitingOf({ index }: Snapshot, { owner, pods }: OwnedPods): Pod | undefined {
  const revisions = new Set(pods.map((pod) => controllerOf(pod)?.uid));
  return index.objects.Pod.find((pod) => {
    if (pod.metadata.namespace !== owner.namespace || !isActive(pod) || !isUnschedulable(pod)) return false;
    if (revisions.has(controllerOf(pod)?.uid)) return false;
    const its = ownerOf(index, pod);
    return its.kind === owner.kind && its.name === owner.name;
  });
}

/** Whether the other rollout rests with these old pods in place; `undefined` when it was not read. */
function restsWith(snapshot: Snapshot, { owner, pods }: OwnedPods): boolean | undefined {
  const deployment = snapshot.index.objects.Deployment.find(
    ({ metadata }) => metadata.namespace === owner.namespace && metadata.name === owner.name,
  );
  if (deployment === undefined) return undefined;
  if (!snapshot.index.replicaSetsByOwner.has(deployment.metadata.uid)) return undefined;
  const other = stuckRolloutOf({ ...snapshot, workload: deployment });
  if (other === undefined) return false;
  const holding = new Set(other.holding.map(podKey));
  return pods.every((pod) => holding.has(podKey(pod)));
}
