import { type Condition, conditionOf } from '../../../cluster/metadata.js';
import type { Node } from '../../../cluster/node.js';
import { isReady, isTerminal, isTerminating, type Pod } from '../../../cluster/pod.js';
import type { Snapshot } from '../../../cluster/snapshot.js';
import { tolerates } from '../../../placement/toleration.js';
import { epochOf } from '../../../rollout/creation-order.js';
import { rolloutStateOf } from '../../../rollout/rollout-state.js';
import { leastOf } from '../../../statistics/extremes.js';

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
  return snapshot.index.objects.Node.flatMap((node) => {
    const condition = conditionOf(node.status, 'Ready');
    if (condition === undefined || condition.status === 'True') return [];
    const pods = own.filter(({ spec }) => spec.nodeName === node.metadata.name);
    return pods.length === 0 ? [] : [{ node, condition, pods }];
  });
}

/** What becomes of a pod on a node that is not ready. */
export type Fate =
  /** Deleted already; nobody there confirms that it has stopped. */
  | { readonly kind: 'stuck' }
  /** RFC3339: when the taint manager deletes it. */
  | { readonly kind: 'evicted'; readonly at: string }
  /** It tolerates the taint for ever, as pods of DaemonSets do. */
  | { readonly kind: 'stays' }
  | { readonly kind: 'unknown' };

/**
 * By the node's NoExecute taints and the shortest toleration of each
 * (`pkg/controller/tainteviction: getMinTolerationTime`; 300 s by default).
 */
export function fateOf(pod: Pod, { spec }: Node): Fate {
  if (isTerminating(pod)) return { kind: 'stuck' };
  const taints = spec.taints.filter(({ effect }) => effect === 'NoExecute');
  if (taints.length === 0) return { kind: 'unknown' };
  const times = taints.flatMap((taint): readonly number[] => {
    const matching = pod.spec.tolerations.filter((toleration) => tolerates(toleration, taint));
    const added = epochOf(taint.timeAdded);
    if (added === undefined) return [];
    if (matching.length === 0) return [added];
    const limited = matching.flatMap(({ tolerationSeconds }) => tolerationSeconds ?? []);
    return limited.length === 0 ? [] : [added + Math.max(0, leastOf(limited)) * 1000];
  });
  if (times.length > 0) return { kind: 'evicted', at: new Date(leastOf(times)).toISOString() };
  return taints.some(({ timeAdded }) => timeAdded === undefined) ? { kind: 'unknown' } : { kind: 'stays' };
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
