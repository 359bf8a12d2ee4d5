import { type Condition, conditionOf } from '../../../cluster/metadata.js';
import type { Node } from '../../../cluster/node.js';
import { isReady, isTerminal, type Pod } from '../../../cluster/pod.js';
import type { Snapshot } from '../../../cluster/snapshot.js';
import { epochOf } from '../../../rollout/creation-order.js';
import { rolloutStateOf } from '../../../rollout/rollout-state.js';

/** A node that is not ready, and the workload's pods that it took along. */
export interface LostNode {
  readonly node: Node;
  /** Its condition Ready, which is False or Unknown. */
  readonly condition: Condition;
  /** Not ready themselves, whether still wanted there or already deleted. */
  readonly pods: readonly Pod[];
}

/** The nodes that are not ready and hold pods of the workload that are not ready either. */
export function lostNodes(snapshot: Snapshot): readonly LostNode[] {
  const own = rolloutStateOf(snapshot).pods.filter((pod) => !isTerminal(pod) && !isReady(pod));
  const names = new Set(own.map(({ spec }) => spec.nodeName));
  return snapshot.index.objects.Node.flatMap((node) => {
    if (!names.has(node.metadata.name)) return [];
    const condition = conditionOf(node.status, 'Ready');
    if (condition === undefined || condition.status === 'True') return [];
    return [{ node, condition, pods: own.filter(({ spec }) => spec.nodeName === node.metadata.name) }];
  });
}

/** Pods that were not ready well before their node was: the node is not why. */
export function unreadyBefore({ condition, pods }: LostNode): readonly Pod[] {
  const since = epochOf(condition.lastTransitionTime);
  if (since === undefined) return [];
  return pods.filter((pod) => {
    const ready = epochOf(conditionOf(pod.status, 'Ready')?.lastTransitionTime);
    return ready !== undefined && since - ready > slackMs;
  });
}

/** The node controller marks pods within its monitoring period and a grace period of the kubelet. */
const slackMs = 120_000;
