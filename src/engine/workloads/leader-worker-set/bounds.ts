import type { LeaderWorkerSet } from '../../objects/leader-worker-set.js';
import { scaledValue } from '../fenceposts.js';

/** What a rolling update may do, in groups. */
export interface GroupBounds {
  readonly surge: number;
  readonly unavailable: number;
}

/**
 * maxSurge is rounded up and at most the number of groups, maxUnavailable is rounded down (lws
 * `leaderworkerset_controller.go: rollingUpdateParameters`). `undefined` where one of them is no number and
 * no percentage: then the controller stops with an error.
 */
export function groupBounds({ spec }: LeaderWorkerSet): GroupBounds | undefined {
  const { maxSurge, maxUnavailable } = spec.rolloutStrategy.rollingUpdateConfiguration;
  const surge = scaledValue(maxSurge, spec.replicas, 'up');
  const unavailable = scaledValue(maxUnavailable, spec.replicas, 'down');
  if (surge.kind === 'invalid' || unavailable.kind === 'invalid') return undefined;
  return { surge: Math.min(surge.value, spec.replicas), unavailable: unavailable.value };
}
