import { binomialTail } from './binomial.js';
import { compare } from './incarnation.js';
import { holm } from './multiplicity.js';

/** What a node carried over the time that history covers. */
export interface NodeExposure {
  readonly node: string;
  readonly crashedIncarnations: number;
  /** Hours that pods of the workload spent there, all added. */
  readonly podHours: number;
}

export interface ExposureFinding {
  readonly node: string;
  /** The node's share of all pod-hours, 0 to 1. */
  readonly share: number;
  /** The probability of so many of the crashed incarnations on that share of the hours. */
  readonly p: number;
  /** Corrected for all nodes (Holm). */
  readonly pAdjusted: number;
}

/**
 * With history: whether a node has more of the crashed incarnations than of the pod-hours. Given their number, each falls
 * on a node with the node's share of the hours, were all nodes alike. One workload and revision a call. Worst first.
 */
export function exposureFindings(nodes: readonly NodeExposure[]): readonly ExposureFinding[] {
  const hours = nodes.reduce((sum, { podHours }) => sum + podHours, 0);
  const crashes = nodes.reduce((sum, { crashedIncarnations }) => sum + crashedIncarnations, 0);
  if (!(hours > 0) || nodes.some(({ podHours }) => podHours < 0)) return [];
  const raw = nodes.map(({ node, crashedIncarnations, podHours }) => {
    const share = Math.min(1, podHours / hours);
    /** Crashes in no time at all are a gap in the history, not evidence. */
    return { node, share, p: share === 0 ? 1 : binomialTail(crashes, share, crashedIncarnations) };
  });
  const adjusted = holm(raw.map(({ p }) => p));
  return raw
    .map((finding, i) => ({ ...finding, pAdjusted: adjusted[i] ?? 1 }))
    .sort((a, b) => a.p - b.p || compare(a.node, b.node));
}
