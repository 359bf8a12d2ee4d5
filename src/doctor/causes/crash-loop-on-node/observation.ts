import { greatestOf, groupBy } from '../../../engine/collections/collections.js';
import { nowOf, type Snapshot } from '../../../engine/objects/snapshot.js';
import {
  atMost,
  choose,
  convolve,
  type Distribution,
  hypergeometric,
  upperTails,
} from '../../../engine/statistics/distribution.js';
import type { Incarnation, Life } from '../../../engine/statistics/incarnation.js';
import { setCensoredApart, stratumOf } from '../../../engine/statistics/incarnation.js';
import {
  type AttributesByNode,
  type Concentration,
  type ConcentrationOptions,
  experimentFor,
  nodeConcentration,
  nodeGroups,
} from '../../../engine/statistics/node-concentration.js';
import { podsOf } from '../../findings/crashes/failure-group.js';
import { incarnationsOf, windowSeconds } from '../../findings/crashes/incarnations-of.js';
import { attributesOf } from '../../findings/crashes/node-leads.js';
import { type Remembered, remember } from '../../findings/crashes/remembered-pods.js';

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
    alone.verdict === 'cannot-tell' &&
    together.verdict === 'concentrated' &&
    isWellElsewhere(together.nodes, living);
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

/**
 * What crashed on these nodes runs elsewhere in the same revision. A neighbour that crashes on a node where
 * this workload does not has an incident of its own. Of a workload whose pods are nowhere else, the crashes
 * of neighbours tell nothing.
 */
function isWellElsewhere(nodes: readonly string[], own: readonly Incarnation[]): boolean {
  const crashed = new Set(own.filter((one) => one.crashed && nodes.includes(one.node)).map(stratumOf));
  return own.some((one) => !one.crashed && !nodes.includes(one.node) && crashed.has(stratumOf(one)));
}

/** Other workloads that crash on these nodes only, as `namespace/name`. */
export function othersOn({ all, workload }: Observation, nodes: readonly string[]): readonly string[] {
  const bad = new Set(nodes);
  const crashed = all.filter((one) => one.crashed && one.workload !== workload);
  const names = new Set(crashed.map((one) => one.workload));
  for (const { workload: name, node } of crashed) if (!bad.has(node)) names.delete(name);
  return [...names].map((key) => key.split('/').slice(1).join('/')).sort();
}

/** What is still missing before excluding the nodes may be offered as one click. */
type MissingEvidence =
  | 'not-concentrated'
  | 'p-too-large'
  | 'too-few-crashed'
  | 'no-healthy-elsewhere'
  | 'healthy-elsewhere-not-long-enough';

/**
 * Excluding nodes may be offered when nothing is missing: the crashes concentrate there with an adjusted
 * probability of at most 0.05, at least three incarnations or incarnations of two workloads crashed there,
 * and of a revision that crashed there some incarnation has been healthy elsewhere for at least as long as
 * the crashes took. Otherwise the experiment is offered. What matters most to readers comes first.
 */
export function missingForExclusion(
  concentration: Concentration,
  incarnations: readonly Incarnation[],
): readonly MissingEvidence[] {
  if (concentration.verdict !== 'concentrated') return ['not-concentrated'];
  const { nodes, pAdjusted } = concentration;
  const crashed = incarnations.filter((one) => one.crashed && nodes.includes(one.node));
  const healthy = incarnations.filter((one) => !one.crashed && !nodes.includes(one.node));
  const count = (of: (one: Incarnation) => string): number => new Set(crashed.map(of)).size;
  const isFew = count(({ uid }) => uid) < 3 && count(({ workload }) => workload) < 2;
  return [
    ...missingElsewhere(healthy, crashed),
    ...(atMost(pAdjusted, 0.05) ? [] : (['p-too-large'] as const)),
    ...(isFew ? (['too-few-crashed'] as const) : []),
  ];
}

function missingElsewhere(
  healthy: readonly Incarnation[],
  crashed: readonly Incarnation[],
): readonly MissingEvidence[] {
  const crashes = groupBy(crashed, stratumOf);
  const alike = groupBy(
    healthy.filter((one) => crashes.has(stratumOf(one))),
    stratumOf,
  );
  if (alike.size === 0) return ['no-healthy-elsewhere'];
  const isLongEnough = [...alike].some(([stratum, ones]) => {
    const slowest = greatestOf(
      (crashes.get(stratum) ?? []).map((one) => one.secondsToCrash ?? Number.POSITIVE_INFINITY),
    );
    return ones.some(({ observedSeconds = 0 }) => observedSeconds >= slowest);
  });
  return isLongEnough ? [] : ['healthy-elsewhere-not-long-enough'];
}

interface Exposure {
  /**
   * The probability of so many crashes there, had every pod that was at risk at the same moment been alike.
   */
  readonly p: number;
  /** Corrected for the choice of the nodes among all of their number. */
  readonly pAdjusted: number;
  /** Hours that pods ran there, and on all nodes. */
  readonly hoursThere: number;
  readonly hours: number;
}

/** A concentration, and where it was tried against the time that pods ran, what came of it. */
type ConcentrationOverTime = { readonly concentration: Concentration; readonly exposure?: Exposure };

/**
 * `nodeConcentration` of incarnations that a history remembers, which lived at different times and for
 * different lengths: concentrated is only what is beyond chance by the count of pods and by their time at
 * risk as well. Both tests keep to `alpha`, so that the two together do.
 */
export function concentrationOverTime(
  incarnations: readonly Incarnation[],
  options: ConcentrationOptions = {},
): ConcentrationOverTime {
  const { alpha = 0.05, attributes } = options;
  const found = nodeConcentration(incarnations, options);
  if (found.verdict !== 'concentrated') return { concentration: found };
  const exposure = exposureOf(incarnations, found.nodes, attributes);
  const { p, pAdjusted } = exposure;
  if (atMost(pAdjusted, alpha)) {
    return { concentration: { ...found, pAdjusted: Math.max(found.pAdjusted, pAdjusted) }, exposure };
  }
  const suspect = found.nodes[0] ?? '';
  return {
    concentration: {
      verdict: 'cannot-tell',
      because: 'unequal-exposure',
      suspect,
      revision: undefined,
      p,
      pAdjusted,
      experiment: experimentFor(setCensoredApart(incarnations).counted, suspect),
      table: found.table,
    },
    exposure,
  };
}

type Lived = Incarnation & { readonly life: Life };
type Scale = (at: number, bornAt: number) => number;

/**
 * Whether the crashes on chosen nodes are still beyond chance when it counts how long, and when, the pods
 * were there: each first crash is compared with the pods of its workload and revision that were at risk at
 * that moment (the log-rank test of Mantel and Haenszel, its tail exact given the risk sets). Twice: at risk
 * at the same age, so that pods which live longer, or crash at their start, blame no node; and at risk at the
 * same time, so that an outage of something else blames no node that had more pods just then. The greater
 * probability counts.
 *
 * @param incarnations those without a `life` are left out
 * @param nodes chosen since they look bad
 */
export function exposureOf(
  incarnations: readonly Incarnation[],
  nodes: readonly string[],
  attributes: AttributesByNode = new Map(),
): Exposure {
  const lived = incarnations.filter((one): one is Lived => one.life !== undefined);
  const scales: readonly Scale[] = [(at, bornAt) => at - bornAt, (at) => at];
  const chosen = new Set(nodes);
  const p = greatestOf(scales.map((scale) => chance(lived, chosen, scale)));
  const all = [...new Set(lived.map(({ node }) => node))].sort();
  const groups = nodeGroups(all, attributes);
  const isGroup = groups.some((group) => group.nodes.join() === [...nodes].sort().join());
  const sets = choose(all.length, Math.min(nodes.length, all.length));
  const choices = isGroup ? Math.min(sets, all.length + groups.length) : sets;
  return {
    p,
    pAdjusted: Math.min(1, p * choices),
    hoursThere: hoursOf(lived.filter(({ node }) => chosen.has(node))),
    hours: hoursOf(lived),
  };
}

/** The tail of the number of crashes on the nodes, over all strata and moments. */
function chance(lived: readonly Lived[], nodes: ReadonlySet<string>, scale: Scale): number {
  let distribution: Distribution = { low: 0, mass: [1] };
  let observed = 0;
  for (const stratum of groupBy(lived, stratumOf).values()) {
    const spans = stratum.map(({ node, life: { bornAt, from, until, crashedAt } }) => ({
      there: nodes.has(node),
      enters: scale(from, bornAt),
      leaves: scale(crashedAt ?? until, bornAt),
      crashes: crashedAt !== undefined,
    }));
    const moments = new Set(spans.filter(({ crashes }) => crashes).map(({ leaves }) => leaves));
    for (const moment of moments) {
      const atRisk = spans.filter(({ enters, leaves }) => enters <= moment && leaves >= moment);
      const crashing = atRisk.filter(({ crashes, leaves }) => crashes && leaves === moment);
      const drawn = atRisk.filter(({ there }) => there).length;
      const draw = { population: atRisk.length, marked: crashing.length, drawn };
      distribution = convolve(distribution, hypergeometric(draw));
      observed += crashing.filter(({ there }) => there).length;
    }
  }
  return upperTails(distribution)[observed - distribution.low] ?? 1;
}

function hoursOf(lived: readonly Lived[]): number {
  return lived.reduce((sum, { life: { from, until } }) => sum + Math.max(0, until - from), 0) / 3600;
}
