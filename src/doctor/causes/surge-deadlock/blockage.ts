import { byPodName, hasNode, isActive, type Pod, podKey } from '../../../engine/objects/pod.js';
import type { Snapshot } from '../../../engine/objects/snapshot.js';
import { isUnrecorded } from '../../../engine/objects/unread.js';
import type { NodeCounterfactual } from '../../../engine/scheduler/counterfactual.js';
import type { Placement } from '../../../engine/scheduler/placement.js';
import type { Reason } from '../../../engine/scheduler/reason.js';
import { resourceOf } from '../../../engine/scheduler/resource-name.js';
import type { NodeVerdict } from '../../../engine/scheduler/verdict.js';
import { rolloutStateOf } from '../../../engine/workloads/rollout-state.js';
import { isUnschedulable } from '../../findings/stuck-rollout.js';
import { ownPods } from '../../findings/waiting/holding.js';
import { sentenceOf } from '../../findings/waiting/sentence.js';

/** What one waiting pod is blocked by, as far as the workload's own old pods are concerned. */
export interface Blockage {
  readonly waiting: Pod;
  /** The nodes that own old pods' leaving would open, those needing the fewest first. */
  readonly openable: readonly [NodeCounterfactual, ...NodeCounterfactual[]];
  /** The design's word for what is held there. */
  readonly resource: string;
  /** How much or which: `1`, `8080/TCP`, a topology key, a claim. */
  readonly amount: string;
  /** Own old pods that are in the way on any openable node, or that refuse it another one. */
  readonly holders: readonly Pod[];
  /** Pods of others that hold the same on the best node and whose leaving would do as well. */
  readonly others: readonly Pod[];
  /** Nodes where own old pods are the reason, the openable ones first. */
  readonly nodes: readonly string[];
  /** How many further nodes the waiting pod could use, if pods that are not own old ones were gone. */
  readonly nodesOfOthers: number;
  /** False when something could not be simulated on a node that counts. */
  readonly certain: boolean;
}

/**
 * Proves by counterfactual that own old pods block the waiting pod: with them it fits nowhere, without some
 * of them somewhere. `undefined` when it fits as things are (the status is stale) or own pods are not the
 * reason.
 */
export function blockageOf(placement: Placement, waiting: Pod, own: readonly Pod[]): Blockage | undefined {
  const evaluation = placement.evaluate(waiting);
  if (evaluation.outcome === 'fits' || evaluation.refusals.length > 0) return undefined;
  const { nodes: found } = placement.wouldFitIf(waiting, own);
  const [best, ...rest] = found.filter(({ remove }) => remove.length > 0);
  if (best === undefined) return undefined;

  const ownKeys = new Set(own.map(podKey));
  const verdict = evaluation.nodes.find(({ node }) => node === best.node);
  const reason = decisive(verdict?.reasons ?? [], new Set(best.remove.map(podKey)));
  if (reason === undefined) return undefined;
  const resource = resourceOf(reason) ?? reason.id;
  const openable = [best, ...rest] as const;
  const smallest = openable.filter(({ remove }) => remove.length === best.remove.length);
  const holders = new Map(smallest.flatMap(({ remove }) => remove).map((pod) => [podKey(pod), pod]));
  const ownNodes = new Set(own.map(({ spec }) => spec.nodeName));
  const opened = new Set(openable.map(({ node }) => node));
  const alsoBlocked = evaluation.nodes.filter(
    (each) =>
      !opened.has(each.node) &&
      // A node's resources are held by its own pods alone, which need no looking through where none is ours.
      (ownNodes.has(each.node) || !(each.tooSmall || each.reasons.some(isOfNode))) &&
      each.reasons.length > 0 &&
      each.reasons.every((reason) => heldBy(reason).some((pod) => ownKeys.has(podKey(pod)))),
  );
  const nodes = [...openable.map(({ node }) => node), ...alsoBlocked.map(({ node }) => node)];
  return {
    waiting,
    openable,
    resource,
    amount: amountOf(reason),
    holders: [...holders.values()].sort(byPodName),
    others: othersAlone(placement, waiting, best.node, heldBy(reason), ownKeys),
    nodes,
    nodesOfOthers: countFullOfOthers(evaluation.nodes, new Set(nodes)),
    certain:
      best.certain &&
      evaluation.nodes.every(({ outcome }) => outcome === 'refused') &&
      evaluation.notSimulated.length === 0,
  };
}

function countFullOfOthers(verdicts: readonly NodeVerdict[], own: ReadonlySet<string>): number {
  return verdicts.filter(
    (each) =>
      !own.has(each.node) &&
      // Of a node that is too small, reasons are worked out only when they are read.
      !each.tooSmall &&
      each.reasons.length > 0 &&
      each.reasons.every(({ resolvable }) => resolvable),
  ).length;
}

/** Several blockages by the same thing as one; those by something else are left out. */
export function mergedBlockage(first: Blockage, others: readonly Blockage[]): Blockage {
  const same = others.filter(({ resource }) => resource === first.resource);
  const holders = new Map([first, ...same].flatMap((each) => each.holders).map((pod) => [podKey(pod), pod]));
  return {
    ...first,
    holders: [...holders.values()].sort(byPodName),
    nodes: [...new Set([first, ...same].flatMap(({ nodes }) => nodes))],
    certain: [first, ...same].every(({ certain }) => certain),
  };
}

/** The first reason, in the scheduler's order, that the pods to be removed account for. */
function decisive(reasons: readonly Reason[], removed: ReadonlySet<string>): Reason | undefined {
  const resolvable = reasons.filter((reason) => resourceOf(reason) !== undefined);
  return resolvable.find((reason) => heldBy(reason).some((pod) => removed.has(podKey(pod)))) ?? resolvable[0];
}

/** Others that are tried one by one; a node has 110 pod slots by default. */
const maxTriedAlone = 120;

/**
 * Other tenants whose leaving would open the node without any own pod: each one that alone is enough,
 * otherwise the smallest set. They are named, though they will not go either.
 */
function othersAlone(
  placement: Placement,
  waiting: Pod,
  nodeName: string,
  holders: readonly Pod[],
  own: ReadonlySet<string>,
): readonly Pod[] {
  const others = holders.filter((pod) => !own.has(podKey(pod)));
  const node = placement.index.nodes.get(nodeName);
  if (others.length === 0 || node === undefined) return [];
  const least = placement.wouldFitIf(waiting, others, node).best?.remove ?? [];
  if (least.length !== 1) return least;
  return others
    .slice(0, maxTriedAlone)
    .filter((pod) => placement.check(waiting, node, new Set([podKey(pod)])).outcome === 'fits')
    .sort(byPodName);
}

function isOfNode(reason: Reason): boolean {
  return 'short' in reason;
}

function heldBy(reason: Reason): readonly Pod[] {
  return 'holders' in reason ? reason.holders : [];
}

function amountOf(reason: Reason): string {
  switch (reason.id) {
    case 'cpu':
    case 'memory':
    case 'ephemeral-storage':
    case 'pods':
    case 'extended-resource':
      return reason.requested;
    case 'host-port':
      return `${reason.port}/${reason.protocol}`;
    case 'pod-affinity':
    case 'topology-spread':
      return reason.topologyKey;
    case 'rwop':
    case 'dra':
      return reason.claim;
    case 'max-volumes':
      return reason.driver;
    default:
      return '';
  }
}

/**
 * What text leaves out and decides whether old pods keep the place of a new one. Without the scheduler's
 * words, the affinity of the pods may be why nodes with capacity refuse them. Without the update strategy of
 * a DaemonSet, its old pods may stay until somebody deletes them.
 */
export function undecidedSurge(snapshot: Snapshot): readonly string[] {
  const waiting = rolloutStateOf(snapshot).pods.filter((pod) => isActive(pod) && !hasNode(pod));
  if (waiting.length === 0) return [];
  const isWordless = waiting.some((pod) => isUnschedulable(pod) && sentenceOf(pod) === undefined);
  const isAffinityOpen =
    isWordless && ownPods(snapshot).predecessors.length > 0 && isUnrecorded(snapshot, 'Pod', 'spec.affinity');
  return [
    ...(isAffinityOpen ? ['Pod spec.affinity'] : []),
    ...(isStrategyOpen(snapshot) ? ['DaemonSet spec.updateStrategy'] : []),
  ];
}

/**
 * A DaemonSet has an update under way, and the text does not show how it replaces its pods. Its own strategy
 * is what its own findings rest on.
 */
function isStrategyOpen({ index, workload, ...snapshot }: Snapshot): boolean {
  return (
    isUnrecorded(snapshot, 'DaemonSet', 'spec.updateStrategy') &&
    index.objects.DaemonSet.some(
      ({ metadata, status: { updatedNumberScheduled, desiredNumberScheduled } }) =>
        updatedNumberScheduled < desiredNumberScheduled && metadata.uid !== workload.metadata.uid,
    )
  );
}
