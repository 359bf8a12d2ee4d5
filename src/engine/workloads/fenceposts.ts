import type { IntOrString } from '../objects/wire.js';
import type { Deployment } from '../objects/workload.js';

type Rounding = 'up' | 'down';

/** A count, or the text that is neither an integer nor a percentage. */
type ScaledValue =
  | { readonly kind: 'value'; readonly value: number }
  | { readonly kind: 'invalid'; readonly text: string };

type Fenceposts =
  | { readonly kind: 'resolved'; readonly maxSurge: number; readonly maxUnavailable: number }
  | { readonly kind: 'invalid'; readonly field: 'maxSurge' | 'maxUnavailable'; readonly text: string };

/** What a rolling update may do to a Deployment, in pods. */
interface RollingBounds {
  readonly maxSurge: number;
  readonly maxUnavailable: number;
  /** `spec.replicas - maxUnavailable`; 0 for strategies other than RollingUpdate. */
  readonly minAvailable: number;
}

const percentage = /^[+-]?\d+%$/;

/**
 * An integer as it is, a percentage of `total` rounded as asked. Text must be a percentage: `"1"` is invalid
 * (apimachinery `intstr.go: GetScaledValueFromIntOrPercent`).
 */
export function scaledValue(value: IntOrString, total: number, rounding: Rounding): ScaledValue {
  if (typeof value === 'number') {
    return Number.isInteger(value) ? { kind: 'value', value } : { kind: 'invalid', text: String(value) };
  }
  if (!percentage.test(value)) return { kind: 'invalid', text: value };
  const exact = (Number.parseInt(value, 10) * total) / 100;
  return { kind: 'value', value: rounding === 'up' ? Math.ceil(exact) : Math.floor(exact) };
}

/**
 * maxSurge rounded up and maxUnavailable rounded down, in pods; an absent one is 0, and when both come out as
 * 0, maxUnavailable is 1, since the rollout could never move (kubernetes
 * `deployment_util.go: ResolveFenceposts`).
 */
export function resolveFenceposts(
  maxSurge: IntOrString | undefined,
  maxUnavailable: IntOrString | undefined,
  desired: number,
): Fenceposts {
  const surge = scaledValue(maxSurge ?? 0, desired, 'up');
  if (surge.kind === 'invalid') return { kind: 'invalid', field: 'maxSurge', text: surge.text };
  const unavailable = scaledValue(maxUnavailable ?? 0, desired, 'down');
  if (unavailable.kind === 'invalid') {
    return { kind: 'invalid', field: 'maxUnavailable', text: unavailable.text };
  }
  const neitherMoves = surge.value === 0 && unavailable.value === 0;
  return { kind: 'resolved', maxSurge: surge.value, maxUnavailable: neitherMoves ? 1 : unavailable.value };
}

/** The Deployment's own fenceposts; no bounds under Recreate are resolved as 0 and 0. */
export function fencepostsOf(deployment: Deployment): Fenceposts {
  const { strategy, replicas } = deployment.spec;
  if (strategy.type !== 'RollingUpdate') return { kind: 'resolved', maxSurge: 0, maxUnavailable: 0 };
  return resolveFenceposts(
    strategy.rollingUpdate?.maxSurge,
    strategy.rollingUpdate?.maxUnavailable,
    replicas,
  );
}

/**
 * The bounds the controller works with: maxUnavailable capped at `spec.replicas` and 0 for 0 replicas; values
 * it cannot read count as 0 (`deployment_util.go: MaxSurge, MaxUnavailable, MinAvailable`).
 */
export function rollingBounds(deployment: Deployment): RollingBounds {
  const { replicas, strategy } = deployment.spec;
  if (strategy.type !== 'RollingUpdate') return { maxSurge: 0, maxUnavailable: 0, minAvailable: 0 };
  const fenceposts = fencepostsOf(deployment);
  if (fenceposts.kind === 'invalid') return { maxSurge: 0, maxUnavailable: 0, minAvailable: replicas };
  const maxUnavailable = replicas === 0 ? 0 : Math.min(fenceposts.maxUnavailable, replicas);
  return { maxSurge: fenceposts.maxSurge, maxUnavailable, minAvailable: replicas - maxUnavailable };
}
