import type { Statement } from '../../engine/language/statement.js';
import type { ObjectRef } from '../../engine/objects/metadata.js';
import { isActive } from '../../engine/objects/pod.js';
import type { RevisionedService, Workload, WorkloadRef } from '../../engine/objects/workload.js';
import {
  hasDeploymentStrategy,
  hasPodPerNode,
  isPaused,
  isRevisioned,
} from '../../engine/objects/workload.js';
import type { Downtime } from '../../engine/workloads/contested-forecast.js';
import { rollingBounds } from '../../engine/workloads/fenceposts.js';
import type { Forecast } from '../../engine/workloads/forecast.js';
import { replacesOnlyDeleted } from '../fixes/forecast-change.js';
import type { StuckReason } from './stuck-reason.js';
import { impactValues, state } from './text.js';

/**
 * What would become of an update.
 *
 * - `deadlock`: it comes to rest half-way, and the workload's own old pods hold what the new ones need.
 * - `stuck`: it comes to rest half-way, and nobody's own pods are the reason: there is no room, no node, no
 *   quota.
 * - `refused`: the API server would not take the manifest.
 * - `completes`: every wanted pod of the new revision comes up, if the new pods become ready.
 * - `unchanged`: no pod is replaced.
 * - `cannot-tell`: the engines do not know enough; `reasoning` says what is missing.
 */
export type CheckOutcome = 'deadlock' | 'stuck' | 'refused' | 'completes' | 'unchanged' | 'cannot-tell';

/** A strategy under which the same update would complete. */
export interface WayOut {
  readonly strategy:
    | { readonly type: 'RollingUpdate'; readonly maxSurge: number; readonly maxUnavailable: number }
    | { readonly type: 'Recreate' };
  readonly downtime: Downtime | undefined;
  readonly summary: Statement;
}

/** The answer for one manifest. Plain data, without sentences. */
export interface RolloutCheck {
  readonly workload: WorkloadRef;
  readonly outcome: CheckOutcome;
  /**
   * `undefined` for `cannot-tell`. `likely`: it holds for every choice of nodes that was tried, but the
   * scheduler had a choice.
   */
  readonly confidence: 'proven' | 'likely' | undefined;
  readonly summary: Statement;
  readonly reasoning: readonly Statement[];
  /**
   * What is short, in the words of findings: an extended resource's name, `cpu`, `hostPort`,
   * `podAntiAffinity`, …
   */
  readonly resource: string | undefined;
  /** Nodes on which own old pods are in the way. */
  readonly nodes: readonly string[];
  /** Pods that would have to go. */
  readonly holders: readonly ObjectRef[];
  /** What the scheduler or the API server would say of the new pod. */
  readonly message: string | undefined;
  /** While the update runs, as far as it gets. */
  readonly downtime: Downtime | undefined;
  readonly wayOut: WayOut | undefined;
}

/** Strategies under which an update replaces nothing by itself. */
export function standsStill(planned: Workload): Statement | undefined {
  if (!hasPodPerNode(planned) && planned.spec.replicas === 0) return state('no-pods');
  if (isPaused(planned)) return state('paused');
  return replacesOnlyDeleted(planned) ? state('on-delete') : undefined;
}

export function summaryOf(
  why: Exclude<StuckReason, { kind: 'unclear' }>,
  named: { readonly workload: string },
): Statement {
  const deadlock = why.holders.length > 0;
  if (why.kind === 'quota') {
    return state(deadlock ? 'quota-deadlock' : 'stuck-by-quota', { ...named, quota: why.quota });
  }
  return deadlock ? state('deadlock', { ...named, resource: why.resource ?? '' }) : state('stuck', named);
}

/** How a service switches to a new revision. */
const ruleOfService = {
  KnativeService: 'rule-knative',
  RayService: 'rule-ray',
  DynamoGraphDeployment: 'rule-dynamo',
} as const satisfies Record<RevisionedService['kind'], string>;

export function boundsOf(planned: Workload): readonly Statement[] {
  if (isRevisioned(planned)) return [state(ruleOfService[planned.kind])];
  if (!hasDeploymentStrategy(planned) || planned.spec.strategy.type !== 'RollingUpdate') return [];
  const { maxSurge, maxUnavailable } = rollingBounds(planned);
  const { replicas, strategy } = planned.spec;
  return [
    state('rule-forbids', {
      maxSurge: String(strategy.rollingUpdate?.maxSurge ?? ''),
      maxUnavailable: String(strategy.rollingUpdate?.maxUnavailable ?? ''),
      replicas,
      surge: maxSurge,
      unavailable: maxUnavailable,
    }),
  ];
}

export function completion(
  downtime: Forecast['downtime'],
  victims: Forecast['victims'],
  confidence: 'proven' | 'likely',
): readonly Statement[] {
  return [
    ...(downtime === undefined
      ? []
      : [state('price-in-full', { ...impactValues(downtime), stops: victims.filter(isActive).length })]),
    ...(confidence === 'likely' ? [state('choice-does-not-matter')] : []),
    state('assumes-ready'),
  ];
}

/** Why the end of a forecast is not known. */
export function whyUnknown({ dependsOnRule }: Pick<Forecast, 'dependsOnRule'>): Statement {
  return state(dependsOnRule === true ? 'because-rule' : 'because-pods-unseen');
}
