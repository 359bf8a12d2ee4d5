import { compareText } from '../collections/collections.js';
import type { Node } from '../objects/node.js';
import { podKey } from '../objects/pod.js';
import { dynamicResources } from './filters/dynamic-resources.js';
import {
  exceedsNode,
  nodeAffinity,
  nodeName,
  nodePorts,
  nodeResourcesFit,
  nodeUnschedulable,
  taintToleration,
} from './filters/node-filters.js';
import { interPodAffinity, topologySpread } from './filters/pod-filters.js';
import { csiLimits, volumeBinding, volumeRestrictions, volumeZone } from './filters/volume-filters.js';
import { priorityOf } from './pod-defaults.js';
import { parseQuantity } from './quantity.js';
import { isReason, type NotSimulated, type Objection, type Reason } from './reason.js';
import { type Filter, type Situation, situationOf } from './situation.js';
import { withPods } from './world.js';

/**
 * The scheduler's order, in which the first plugin to refuse is the one its message names
 * (`default_plugins.go`).
 */
const filtersInOrder: readonly Filter[] = [
  nodeUnschedulable,
  nodeName,
  taintToleration,
  nodeAffinity,
  nodePorts,
  nodeResourcesFit,
  volumeRestrictions,
  csiLimits,
  volumeBinding,
  volumeZone,
  topologySpread,
  interPodAffinity,
  dynamicResources,
];

/** What the scheduler would say of one pod and one node. */
export interface NodeVerdict {
  readonly node: string;
  /** `not-simulated`: nothing that could be checked refuses, but not everything could be. */
  readonly outcome: 'fits' | 'refused' | 'not-simulated';
  /**
   * The pod asks for more than the node could ever give. Known without a read of the node's pods, and enough
   * for most questions: then `reasons` and `notSimulated` are worked out only when somebody reads them.
   */
  readonly tooSmall: boolean;
  /** All reasons of all plugins, in the scheduler's order; it would stop at the first plugin. */
  readonly reasons: readonly Reason[];
  readonly notSimulated: readonly NotSimulated[];
}

/** Units of work that a verdict on one node costs. */
const verdictWork = 8;

export function verdictOn(situation: Situation, node: Node): NodeVerdict {
  const { work } = situation.world;
  work?.spend(verdictWork);
  if (work?.isSpent()) return unanswered(node);
  return exceedsNode(situation, node) ? new TooSmall(situation, node) : weighed(situation, node);
}

/**
 * One reason is certain, so that the outcome is too. A class, because there is one for nearly each of
 * thousands of nodes: its getters are functions that all of them share.
 */
class TooSmall implements NodeVerdict {
  readonly node: string;
  readonly outcome = 'refused';
  readonly tooSmall = true;
  readonly #situation: Situation;
  readonly #asked: Node;
  #weighed: NodeVerdict | undefined;

  constructor(situation: Situation, node: Node) {
    this.node = node.metadata.name;
    this.#situation = situation;
    this.#asked = node;
  }

  get reasons() {
    return this.#whole().reasons;
  }

  get notSimulated() {
    return this.#whole().notSimulated;
  }

  #whole(): NodeVerdict {
    this.#weighed ??= weighed(this.#situation, this.#asked);
    return this.#weighed;
  }
}

function weighed(situation: Situation, node: Node): NodeVerdict {
  const known = objectionsOn(situation, node);
  const unread = known.length === 0 && situation.world.facts.isUnread(node.metadata.name);
  const objections = unread ? [unreadPods(node)] : known;
  if (objections.length === 0)
    return { node: node.metadata.name, outcome: 'fits', tooSmall: false, reasons: [], notSimulated: [] };
  const reasons = objections.filter(isReason);
  return {
    node: node.metadata.name,
    outcome: reasons.length > 0 ? 'refused' : 'not-simulated',
    tooSmall: false,
    reasons,
    notSimulated: objections.filter((objection) => !isReason(objection)),
  };
}

function unanswered({ metadata }: Node): NodeVerdict {
  const { name } = metadata;
  const notSimulated: NotSimulated = {
    id: 'not-simulated',
    plugin: 'NodeResourcesFit',
    why: 'work-spent',
    subject: name,
  };
  return { node: name, outcome: 'not-simulated', tooSmall: false, reasons: [], notSimulated: [notSimulated] };
}

/** Nothing known refuses, but what runs there is not known. */
function unreadPods({ metadata }: Node): NotSimulated {
  return { id: 'not-simulated', plugin: 'NodeResourcesFit', why: 'pods-unread', subject: metadata.name };
}

/** True when no reason speaks against the node; stops at the first one. */
export function fitsOn(situation: Situation, node: Node): boolean {
  situation.world.work?.spend(verdictWork);
  const passes = (each: Situation): boolean =>
    filtersInOrder.every((filter) => !filter(each, node).some(isReason));
  return besidesNominated(situation, node).every(passes);
}

/** True when nothing speaks against the node and nothing is left open; stops at the first objection. */
export function fitsForSure(situation: Situation, node: Node): boolean {
  situation.world.work?.spend(verdictWork);
  const passes = (each: Situation): boolean =>
    filtersInOrder.every((filter) => filter(each, node).length === 0);
  return (
    !exceedsNode(situation, node) &&
    !situation.world.facts.isUnread(node.metadata.name) &&
    besidesNominated(situation, node).every(passes)
  );
}

function objectionsOn(situation: Situation, node: Node): readonly Objection[] {
  for (const each of besidesNominated(situation, node)) {
    const objections = filtersInOrder.flatMap((filter) => filter(each, node));
    if (objections.length > 0) return objections;
  }
  return [];
}

/**
 * Pods of equal or higher priority that were nominated for the node count as if they ran there; what fits
 * beside them must fit without them too (`runtime/framework.go: RunFilterPluginsWithNominatedPods`).
 */
function besidesNominated(situation: Situation, node: Node): readonly Situation[] {
  const { world, pod } = situation;
  const name = node.metadata.name;
  const nominated = world.facts
    .nominatedOn(name)
    .filter(
      (other) =>
        podKey(other) !== podKey(pod) &&
        priorityOf(other) >= priorityOf(pod) &&
        !world.removed.has(podKey(other)) &&
        !world.addedKeys.has(podKey(other)),
    );
  if (nominated.length === 0) return [situation];
  const assigned = nominated.map((other) => ({ ...other, spec: { ...other.spec, nodeName: name } }));
  const beside = situationOf(withPods(world, assigned), pod);
  // A plugin that had nothing to check before they came is skipped, and never hears of them.
  const affinity = situation.affinity().idle ? situation.affinity : beside.affinity;
  return [{ ...beside, affinity }, situation];
}

/** A node that refuses the pod, by how little is missing. */
export interface NearNode {
  readonly node: string;
  /** All of what is missing. */
  readonly lacks: readonly Reason[];
  /** 0 for a node that fits; about 1 for each thing that must change. Only its order means something. */
  readonly distance: number;
  readonly verdict: NodeVerdict;
}

/** The nodes nearest to taking the pod: fewest things missing, then the smallest shortfall, then by name. */
export function nearest(verdicts: readonly NodeVerdict[], count: number): readonly NearNode[] {
  return verdicts
    .map((verdict) => ({
      node: verdict.node,
      lacks: verdict.reasons,
      distance: verdict.reasons.reduce((sum, reason) => sum + distanceOf(reason), 0),
      verdict,
    }))
    .sort((a, b) => a.distance - b.distance || compareText(a.node, b.node))
    .slice(0, count);
}

/** What only a person can change weighs a whole step; what other pods hold weighs by the shortfall. */
function distanceOf(reason: Reason): number {
  const step = reason.resolvable ? 0 : 1;
  switch (reason.id) {
    case 'node-affinity':
      return Math.max(1, reason.unmet.length);
    case 'cpu':
    case 'memory':
    case 'ephemeral-storage':
    case 'pods':
    case 'extended-resource':
      return step + ratio(reason.short, reason.requested);
    case 'topology-spread':
      return step + (reason.domain === undefined ? 1 : 0.5);
    default:
      return reason.resolvable ? 0.5 : 1;
  }
}

/** Share of the request that is missing, at most 1. */
function ratio(short: string, requested: string): number {
  const missing = Number(parseQuantity(short)?.nano ?? 0n);
  const wanted = Number(parseQuantity(requested)?.nano ?? 1n);
  return Math.min(1, missing / wanted);
}
