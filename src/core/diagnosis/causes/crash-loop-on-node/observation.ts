import type { Snapshot } from '../../../cluster/snapshot.js';
import { type ExclusionGate, exclusionGate } from '../../../statistics/exclusion-gate.js';
import type { Incarnation } from '../../../statistics/incarnation.js';
import { type Concentration, nodeConcentration } from '../../../statistics/node-concentration.js';
import { podsOf } from '../../crashes/ailments-of.js';
import { incarnationsOf } from '../../crashes/incarnations-of.js';
import { attributesOf } from '../../crashes/node-attributes.js';

/** What the crashes of one workload say about nodes, alone and together with its neighbours. */
export interface Observation {
  readonly concentration: Concentration;
  readonly gate: ExclusionGate;
  /** Of this workload only. */
  readonly own: readonly Incarnation[];
  /** Of this workload and of those that share its nodes and crash too. */
  readonly all: readonly Incarnation[];
  /** `kind/namespace/name` of the workload. */
  readonly workload: string;
}

/** Any fixed number will do: the same snapshot must give the same answer. */
const seed = 20_250_101;

/**
 * The workload's own pods decide where they can. Neighbours are asked too when they cannot, or to say who else suffers:
 * each workload and revision is a stratum of its own, so that a neighbour that crashes everywhere shifts nothing.
 */
export function observe(snapshot: Snapshot): Observation | undefined {
  const pods = new Set(podsOf(snapshot).map(({ metadata }) => metadata.uid));
  const own = incarnationsOf(
    snapshot,
    snapshot.index.objects.Pod.filter(({ metadata }) => pods.has(metadata.uid)),
  );
  const [first] = own;
  if (first === undefined || !own.some(({ crashed }) => crashed)) return undefined;
  const everyone = incarnationsOf(snapshot);
  const attributes = new Map(
    snapshot.index.objects.Node.map((node) => [node.metadata.name, attributesOf(node)] as const),
  );
  const workload = first.workload;
  const alone = nodeConcentration(own, { seed, attributes });
  const crashing = new Set(everyone.filter(({ crashed }) => crashed).map((one) => one.workload));
  const all = everyone.filter((one) => crashing.has(one.workload));
  const together = alone.verdict === 'cannot-tell' ? nodeConcentration(all, { seed, attributes }) : alone;
  const helped = together.verdict === 'concentrated' && touches(together.nodes, own);
  const concentration = helped ? together : alone;
  return { concentration, gate: exclusionGate(concentration, helped ? all : own), own, all, workload };
}

/** Neighbours may crash on a node where this workload does not: that is their incident. */
function touches(nodes: readonly string[], own: readonly Incarnation[]): boolean {
  return own.some(({ node, crashed }) => crashed && nodes.includes(node));
}

/** Who else crashes on these nodes and nowhere else, as `namespace/name`. */
export function othersOn({ all, workload }: Observation, nodes: readonly string[]): readonly string[] {
  const bad = new Set(nodes);
  const crashed = all.filter((one) => one.crashed && one.workload !== workload);
  const names = new Set(crashed.map((one) => one.workload));
  for (const { workload: name, node } of crashed) if (!bad.has(node)) names.delete(name);
  return [...names].map((key) => key.split('/').slice(1).join('/')).sort();
}
