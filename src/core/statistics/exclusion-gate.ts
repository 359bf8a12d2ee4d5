import { compare, type Incarnation } from './incarnation.js';
import { atMost } from './multiplicity.js';
import type { Concentration } from './node-concentration.js';

/** What is still missing before excluding the nodes may be offered as one click. */
export type MissingEvidence =
  | 'not-concentrated'
  | 'p-too-large'
  | 'too-few-crashed'
  | 'no-healthy-elsewhere'
  | 'healthy-elsewhere-not-long-enough';

export type ExclusionGate =
  | { readonly open: true }
  | { readonly open: false; readonly missing: readonly MissingEvidence[] };

/**
 * Excluding nodes may be offered when the crashes concentrate there with an adjusted probability of at most 0.05, at
 * least three incarnations or incarnations of two workloads crashed there, and of a revision that crashed there some
 * incarnation has been healthy elsewhere for at least as long as the crashes took. Otherwise the experiment is offered.
 */
export function exclusionGate(
  concentration: Concentration,
  incarnations: readonly Incarnation[],
): ExclusionGate {
  if (concentration.verdict !== 'concentrated') return { open: false, missing: ['not-concentrated'] };
  const bad = new Set(concentration.nodes);
  const crashed = incarnations.filter((one) => one.crashed && bad.has(one.node));
  const missing: MissingEvidence[] = [];
  if (!atMost(concentration.pAdjusted, 0.05)) missing.push('p-too-large');
  const uids = new Set(crashed.map((one) => one.uid));
  const workloads = new Set(crashed.map((one) => one.workload));
  if (uids.size < 3 && workloads.size < 2) missing.push('too-few-crashed');
  missing.push(
    ...missingElsewhere(
      incarnations.filter((one) => !one.crashed && !bad.has(one.node)),
      crashed,
    ),
  );
  return missing.length === 0 ? { open: true } : { open: false, missing: missing.sort(compare) };
}

function missingElsewhere(
  healthy: readonly Incarnation[],
  crashed: readonly Incarnation[],
): readonly MissingEvidence[] {
  const slowest = new Map<string, number>();
  for (const one of crashed) {
    const known = slowest.get(stratumOf(one)) ?? 0;
    slowest.set(stratumOf(one), Math.max(known, one.secondsToCrash ?? Number.POSITIVE_INFINITY));
  }
  const alike = healthy.filter((one) => slowest.has(stratumOf(one)));
  if (alike.length === 0) return ['no-healthy-elsewhere'];
  const longEnough = alike.some((one) => (one.observedSeconds ?? 0) >= (slowest.get(stratumOf(one)) ?? 0));
  return longEnough ? [] : ['healthy-elsewhere-not-long-enough'];
}

function stratumOf({ workload, revision }: Incarnation): string {
  return JSON.stringify([workload, revision]);
}
