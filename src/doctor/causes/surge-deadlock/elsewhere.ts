import {
  type EvictingProgram,
  evictingPrograms,
  podsEvictedBy,
} from '../../../engine/neighbours/evicted-by-programs.js';
import { evictedPods } from '../../../engine/neighbours/eviction.js';
import type { Node } from '../../../engine/objects/node.js';
import type { Pod } from '../../../engine/objects/pod.js';
import { hasNode } from '../../../engine/objects/pod.js';
import { podKey } from '../../../engine/objects/pod-key.js';
import { nowOf } from '../../../engine/objects/snapshot.js';
import { loweredPodsThatFree } from '../../../engine/scheduler/lowered-pods.js';
import { nodesThatAreReplaced } from '../../../engine/scheduler/nodes-that-are-replaced.js';
import { nodesThatJoin } from '../../../engine/scheduler/nodes-that-join.js';
import { nodesThatMayReturn } from '../../../engine/scheduler/nodes-that-may-return.js';
import { outOfService, reportsTrouble } from '../../../engine/scheduler/out-of-service.js';
import type { Reason } from '../../../engine/scheduler/reason.js';
import type { NodeVerdict } from '../../../engine/scheduler/verdict.js';
import type { Examination } from '../../findings/rule.js';

/** What else could give the new pod a place one day; none of it is known to come. */
export interface Elsewhere {
  /** Nodes with room that somebody cordoned. */
  readonly cordoned: readonly string[];
  /** Nodes with room that are in trouble. */
  readonly notReady: readonly string[];
  /** DeviceTaintRules that alone keep its claims off devices of a node. */
  readonly taintRules: readonly string[];
  /** Nodes that only lack the CSI driver of its volume. */
  readonly driverless: readonly string[];
  /** Nodes that joined minutes ago and are not ready, or have not told their devices yet. */
  readonly joining: readonly string[];
  /** Nodes on which it would fit once volumes that no pod there uses are detached. */
  readonly detaching: readonly string[];
  /** Nodes with room that are in trouble only since minutes, or report none of their devices at present. */
  readonly returning: readonly string[];
  /** Pods that are being resized to less; once they are, it would fit. */
  readonly resizing: readonly Pod[];
  /** Nodes that Karpenter is about to replace, and that could run it alone. */
  readonly replaced: readonly string[];
  /** By program, the pods that it may evict; without them it would fit. */
  readonly evictable: readonly { readonly program: EvictingProgram; readonly pods: readonly Pod[] }[];
  /** Pods that run to completion; without them it would fit. */
  readonly finishing: readonly Pod[];
  /** Pods that a NoExecute taint evicts once their tolerationSeconds are over; without them it would fit. */
  readonly evicted: readonly Pod[];
}

export function elsewhereOf({ snapshot, placement }: Examination, waiting: Pod): Elsewhere {
  const { index } = snapshot;
  const evaluation = placement.evaluate(waiting);
  const cordoned: string[] = [];
  const notReady: string[] = [];
  const driverless: string[] = [];
  const taintRules = new Set<string>();
  // The reasons of thousands of nodes are worked out only where an attached volume can be one.
  const detaching =
    index.objects.VolumeAttachment.length === 0
      ? []
      : evaluation.nodes.filter(isOnlyShortOfAttachments).map(({ node }) => node);
  const now = nowOf(snapshot);
  const joining = new Set(nodesThatJoin(index, evaluation.nodes, now));
  for (const verdict of evaluation.nodes) {
    const node = index.nodes.get(verdict.node);
    if (node === undefined) continue;
    if (!joining.has(verdict.node) && isOnlyOutOfService(verdict))
      (isCordoned(node, verdict) ? cordoned : notReady).push(verdict.node);
    if (verdict.tooSmall) continue;
    const { reasons } = verdict;
    if (reasons.length > 0 && reasons.every(({ id }) => id === 'csi-driver-missing'))
      driverless.push(verdict.node);
    for (const rule of reasons.every(({ id }) => id === 'dra') ? reasons.flatMap(rulesIn) : [])
      taintRules.add(rule);
  }
  const helping = (pods: readonly Pod[]): readonly Pod[] => {
    const without = new Set(pods.map(podKey));
    const helps = without.size > 0 && placement.evaluate(waiting, { without }).outcome === 'fits';
    return helps ? pods.filter(inTheWay(evaluation.nodes)) : [];
  };
  return {
    cordoned,
    notReady,
    driverless,
    taintRules: [...taintRules].sort(),
    joining: [...joining],
    detaching,
    returning: nodesThatMayReturn(index, evaluation.nodes, now).filter((node) => !joining.has(node)),
    resizing: loweredPodsThatFree(placement, waiting),
    replaced: nodesThatAreReplaced(placement, waiting, now),
    evictable: evictingPrograms
      .map((program) => ({ program, pods: helping(podsEvictedBy(program, index)) }))
      .filter(({ pods }) => pods.length > 0),
    finishing: helping(index.finitePods.filter(hasNode)),
    evicted: helping(evictedPods(index)),
  };
}

/** The rules behind the taints that keep a claim off devices. */
function rulesIn(reason: Reason): readonly string[] {
  return reason.id === 'dra' ? reason.tainted.flatMap(({ rule }) => rule ?? []) : [];
}

/** Something of it, which has no fact of its own, may give the new pod a place without a change by people. */
export function mayFree({ returning, resizing, replaced, evictable }: Elsewhere): boolean {
  return [returning, resizing, replaced, evictable].some(({ length }) => length > 0);
}

/**
 * The attach/detach controller detaches a volume once no pod on the node uses it, and the limit counts it
 * until then.
 */
function isOnlyShortOfAttachments({ tooSmall, reasons, notSimulated }: NodeVerdict): boolean {
  return (
    !tooSmall &&
    reasons.length > 0 &&
    notSimulated.length === 0 &&
    reasons.every(
      (reason) =>
        reason.id === 'max-volumes' && reason.attached - reason.unused + reason.requested <= reason.limit,
    )
  );
}

function isOnlyOutOfService(verdict: NodeVerdict): boolean {
  return (
    !verdict.tooSmall &&
    verdict.reasons.length > 0 &&
    verdict.notSimulated.length === 0 &&
    verdict.reasons.every((reason) => outOfService(reason) !== undefined)
  );
}

/** Out of service for nothing but a cordon. */
function isCordoned(node: Node, { reasons }: NodeVerdict): boolean {
  const states = reasons.map(outOfService);
  const isCordon = node.spec.unschedulable || states.includes('cordoned');
  return isCordon && !states.includes('not-ready') && !reportsTrouble(node);
}

function inTheWay(verdicts: readonly NodeVerdict[]): (pod: Pod) => boolean {
  const holding = new Set(
    verdicts.flatMap(({ reasons }) =>
      reasons.flatMap((reason) => ('holders' in reason ? reason.holders.map(podKey) : [])),
    ),
  );
  return (pod) => holding.has(podKey(pod));
}
