import type { Node } from '../objects/node.js';
import type { Pod } from '../objects/pod.js';
import { podKey } from '../objects/pod.js';
import type { ClusterFacts } from './cluster-facts.js';
import { podObjections } from './evaluation.js';
import { antiAffinityTerms } from './pod-terms.js';
import { isReason } from './reason.js';
import { type Situation, situationOf } from './situation.js';
import { fitsForSure } from './verdict.js';
import { claimUses } from './volume-state.js';
import { type World, without, withPods } from './world.js';

/** The nodes that would take pods like one pod, kept up to date while pods come to nodes and leave them. */
export interface FeasibleNodes {
  /**
   * The pods that came to the node and that left it since the cluster was read, both in full. Gives pods
   * examined.
   */
  readonly update: (node: string, came: readonly Pod[], left: readonly Pod[]) => number;
  readonly first: () => string | undefined;
  readonly last: () => string | undefined;
  readonly count: () => number;
}

/**
 * `undefined` where the answer for a node also depends on what runs on other nodes, or is nominated for them:
 * then every node must be asked again after each change.
 */
export function trackFeasibleNodes(situation: Situation): FeasibleNodes | undefined {
  const { world, pod } = situation;
  const nodes = world.facts.nodes();
  if (!dependsOnNodeAlone(situation)) return undefined;
  const isRefused = podObjections(situation, nodes).some(isReason);
  const fits = nodes.map((node) => !isRefused && fitsForSure(situation, node));
  const positions = new Map(nodes.map(({ metadata }, position) => [metadata.name, position]));
  let count = fits.filter(Boolean).length;
  /** No node below `low` or above `high` fits. */
  let low = 0;
  let high = nodes.length - 1;
  return {
    update(name, came, left) {
      const position = positions.get(name);
      const node = position === undefined ? undefined : nodes[position];
      if (position === undefined || node === undefined || isRefused) return 1;
      const examined = 1 + world.facts.podsOn(name).length + 2 * (came.length + left.length);
      const now = fitsForSure(situationOf(changedWorld(world, came, left), pod), node);
      if (now === fits[position]) return examined;
      fits[position] = now;
      count += now ? 1 : -1;
      if (now) {
        low = Math.min(low, position);
        high = Math.max(high, position);
      }
      return examined;
    },
    first() {
      while (low < nodes.length && !fits[low]) low += 1;
      return nameAt(nodes, low);
    },
    last() {
      while (high >= 0 && !fits[high]) high -= 1;
      return nameAt(nodes, high);
    },
    count: () => count,
  };
}

function nameAt(nodes: readonly Node[], position: number): string | undefined {
  return nodes[position]?.metadata.name;
}

function changedWorld(world: World, came: readonly Pod[], left: readonly Pod[]): World {
  return withPods(without(world, new Set(left.map(podKey))), came);
}

/** True where the answer for a node follows from that node and the pod alone. */
export function dependsOnNodeAlone(situation: Situation): boolean {
  const { pod, world } = situation;
  return (
    isLikePodsOfItsTemplate(pod) &&
    claimUses(pod).length === 0 &&
    situation.devices().extended.size === 0 &&
    situation.spread().length === 0 &&
    situation.affinity().idle &&
    !hasNominations(world.facts)
  );
}

/** Nothing about the pod is its own: no claim by its name, no node nominated for it. */
export function isLikePodsOfItsTemplate({ spec, status }: Pod): boolean {
  return (
    (status.nominatedNodeName ?? '') === '' &&
    spec.resourceClaims.length === 0 &&
    spec.volumes.every(({ ephemeral }) => ephemeral === undefined)
  );
}

/** True for a pod that keeps others away from nodes other than its own. */
export function avoidsOthers(pod: Pod): boolean {
  return antiAffinityTerms(pod).length > 0;
}

function hasNominations(facts: ClusterFacts): boolean {
  return facts.nodes().some(({ metadata }) => facts.nominatedOn(metadata.name).length > 0);
}
