import type { Rollout } from '../../objects/argo-rollout.js';
import type { IntOrString } from '../../objects/wire.js';

/** What an update may do to the pods of a Rollout, in pods. */
export interface RolloutBounds {
  readonly maxSurge: number;
  readonly maxUnavailable: number;
}

/** `utils/defaults/defaults.go: DefaultMaxSurge, DefaultMaxUnavailable`. */
export const defaultBound = '25%';

/**
 * A count as it is, a text as a percentage of `total`, with or without its sign (apimachinery
 * `intstr.go: GetValueFromIntOrPercent`). A text that is no number counts as 0, because the controller
 * ignores that error.
 */
function scaled(value: IntOrString, total: number, round: (value: number) => number): number {
  if (typeof value === 'number') return value;
  const percent = /^\d+%?$/.test(value) ? Number.parseInt(value, 10) : 0;
  return round((percent * total) / 100);
}

/**
 * The bounds of a canary without a traffic router: maxSurge rounded up, maxUnavailable rounded down and at
 * most `replicas`; where both are 0, maxUnavailable is 1 (`utils/replicaset/replicaset.go: resolveFenceposts,
 * MaxSurge, MaxUnavailable`).
 */
export function canaryBounds({ spec }: Rollout): RolloutBounds {
  const { replicas } = spec;
  const { canary } = spec.strategy;
  if (canary === undefined) return { maxSurge: 0, maxUnavailable: blueGreenUnavailable(spec) };
  const maxSurge = scaled(canary.maxSurge ?? defaultBound, replicas, Math.ceil);
  const floor = scaled(canary.maxUnavailable ?? defaultBound, replicas, Math.floor);
  const maxUnavailable = maxSurge === 0 && floor === 0 ? 1 : floor;
  return { maxSurge, maxUnavailable: replicas === 0 ? 0 : Math.min(maxUnavailable, replicas) };
}

function blueGreenUnavailable({ replicas, strategy }: Rollout['spec']): number {
  const bound = strategy.blueGreen?.maxUnavailable ?? defaultBound;
  return Math.min(scaled(bound, replicas, Math.floor), replicas);
}
