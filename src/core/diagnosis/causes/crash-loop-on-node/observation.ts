import { nowOf, type Snapshot } from '../../../cluster/snapshot.js';
import { concentrationOverTime, type Exposure } from '../../../statistics/concentration-over-time.js';
import { type MissingEvidence, missingForExclusion } from '../../../statistics/exclusion-gate.js';
import type { Incarnation } from '../../../statistics/incarnation.js';
import { type Concentration, nodeConcentration } from '../../../statistics/node-concentration.js';
import { incarnationsOf, windowSeconds } from '../../crashes/incarnations-of.js';
import { attributesOf } from '../../crashes/node-attributes.js';
import { podsOf } from '../../crashes/pod-failures-of.js';
import { type Remembered, remember } from '../../crashes/remembered-pods.js';

/** The crashes of one workload by node, alone and together with its neighbours. */
export interface Observation {
  readonly concentration: Concentration;
  /** Before excluding the nodes may be offered as one click. */
  readonly missing: readonly MissingEvidence[];
  /** Of this workload only. */
  readonly own: readonly Incarnation[];
  /** Of this workload and of those that share its nodes and crash too. */
  readonly all: readonly Incarnation[];
  /** `kind/namespace/name` of the workload. */
  readonly workload: string;
  /** Present when the history was used. */
  readonly remembered: Remembered | undefined;
  readonly exposure: Exposure | undefined;
}

/**
 * The workload's own pods decide when they can. Otherwise, and to find other affected workloads, neighbours
 * count too: each workload and revision is its own stratum, so a neighbour that crashes everywhere shifts
 * nothing. The history covers only the workload itself; neighbours are compared by their current state.
 */
export function observe(snapshot: Snapshot): Observation | undefined {
  const pods = podsOf(snapshot);
  const living = incarnationsOf(snapshot, pods);
  const { history } = snapshot;
  const known = history === undefined ? undefined : remember(snapshot, history, living, pods);
  // An empty history changes nothing, because the API alone does not show when a living pod first crashed.
  const remembered =
    known !== undefined && known.deleted.length + known.recalled.size > 0 ? known : undefined;
  const own = remembered?.incarnations ?? living;
  const [first] = living;
  if (first === undefined || !own.some(({ crashed }) => crashed)) return undefined;
  const everyone = incarnationsOf(snapshot);
  const attributes = new Map(
    snapshot.index.objects.Node.map((node) => [node.metadata.name, attributesOf(node)] as const),
  );
  const workload = first.workload;
  const options = { attributes };
  const { concentration: alone, exposure } =
    remembered === undefined
      ? { concentration: nodeConcentration(own, options), exposure: undefined }
      : concentrationOverTime(own, options);
  const crashing = new Set(everyone.filter(({ crashed }) => crashed).map((one) => one.workload));
  const all = everyone.filter((one) => crashing.has(one.workload));
  const together = alone.verdict === 'cannot-tell' ? nodeConcentration(all, options) : alone;
  const helped =
    alone.verdict === 'cannot-tell' && together.verdict === 'concentrated' && touches(together.nodes, living);
  if (helped) {
    return {
      concentration: together,
      missing: missingForExclusion(together, all),
      own: living,
      all,
      workload,
      remembered: undefined,
      exposure: undefined,
    };
  }
  const missing = missingForExclusion(alone, own);
  return { concentration: alone, missing, own, all, workload, remembered, exposure };
}

/**
 * Whether any crash on these nodes is of the last day: older ones say little about the current state of the
 * node.
 */
export function isRecent(
  snapshot: Snapshot,
  { own, remembered }: Observation,
  nodes: readonly string[],
): boolean {
  if (remembered === undefined) return true;
  const oldest = nowOf(snapshot) / 1000 - windowSeconds;
  return own.some(
    ({ uid, node, crashed }) =>
      crashed && nodes.includes(node) && (remembered.lastCrash.get(uid) ?? 0) >= oldest,
  );
}

/** A neighbour that crashes on a node where this workload does not has an incident of its own. */
function touches(nodes: readonly string[], own: readonly Incarnation[]): boolean {
  return own.some(({ node, crashed }) => crashed && nodes.includes(node));
}

/** Other workloads that crash on these nodes only, as `namespace/name`. */
export function othersOn({ all, workload }: Observation, nodes: readonly string[]): readonly string[] {
  const bad = new Set(nodes);
  const crashed = all.filter((one) => one.crashed && one.workload !== workload);
  const names = new Set(crashed.map((one) => one.workload));
  for (const { workload: name, node } of crashed) if (!bad.has(node)) names.delete(name);
  return [...names].map((key) => key.split('/').slice(1).join('/')).sort();
}
