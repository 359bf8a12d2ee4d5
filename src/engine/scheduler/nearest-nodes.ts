import { compareText } from '../collections/collections.js';
import { parseQuantity } from './quantity.js';
import type { Reason } from './reason.js';
import type { NodeVerdict } from './verdict.js';

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
