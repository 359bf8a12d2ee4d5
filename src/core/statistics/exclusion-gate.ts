import { greatestOf, groupBy } from '../collections/collections.js';
import { atMost } from './distribution.js';
import { type Incarnation, stratumOf } from './incarnation.js';
import type { Concentration } from './node-concentration.js';

/** What is still missing before excluding the nodes may be offered as one click. */
export type MissingEvidence =
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
