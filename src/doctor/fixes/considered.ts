import type { Statement } from '../../engine/language/statement.js';
import { matchesSelector } from '../../engine/objects/label-selector.js';
import { isReady, isTerminal, isTerminating, type Pod } from '../../engine/objects/pod.js';
import type { PodDisruptionBudget } from '../../engine/objects/policy.js';
import type { Snapshot } from '../../engine/objects/snapshot.js';
import { isUnread } from '../../engine/objects/unread.js';
import type { Forecast } from '../../engine/workloads/forecast.js';
import { impactOf, predictionOf } from './forecast-change.js';
import type { Impact, OfferedRemediation } from './offered-fields.js';

/** What a kind answers for one workload, before anybody decides whether to offer it. */
export type Considered<Remediation extends OfferedRemediation> =
  /** It cannot be planned here, or it would change nothing. */
  { readonly type: 'impossible'; readonly because: Statement } | Possible<Remediation>;

export interface Possible<Remediation extends OfferedRemediation> {
  readonly type: 'considered';
  readonly remediation: Remediation;
  /** What would follow, however it ends. */
  readonly forecast: Forecast;
  /** Why it is not recommended although the rollout might complete. */
  readonly against?: Statement;
}

/** A change whose kind names it in full, with its forecast. */
export function considered<Kind extends string>(
  kind: Kind,
  forecast: Forecast,
  {
    title,
    effects,
    drift = 'none',
  }: { title: Statement; effects: readonly Statement[]; drift?: Impact['drift'] },
): Possible<OfferedRemediation & { readonly kind: Kind }> {
  const impact = impactOf(forecast, drift);
  const prediction = predictionOf(forecast);
  return {
    type: 'considered',
    forecast,
    remediation: { kind, id: kind, title, effects, price: impact, prediction },
  };
}

export function impossible(because: Statement): { readonly type: 'impossible'; readonly because: Statement } {
  return { type: 'impossible', because };
}

/** What the PodDisruptionBudgets say to the loss of one pod. */
export type BudgetAnswer =
  /** None selects the pod, or its loss costs them nothing. */
  | { readonly type: 'free' }
  | { readonly type: 'allowed'; readonly budgets: readonly string[] }
  | { readonly type: 'refused'; readonly budget: string }
  /** Budgets could not be read. */
  | { readonly type: 'unread' };

/**
 * As the eviction subresource would answer (kubernetes `registry/core/pod/storage/eviction.go`): pending,
 * ended and leaving pods are free; one that is not ready is free while enough others are healthy, or always
 * with `AlwaysAllow`; for the rest each budget must allow a disruption. A DELETE would not ask them.
 */
export function budgetsOn(snapshot: Snapshot, pod: Pod): BudgetAnswer {
  const { index } = snapshot;
  if (pod.status.phase === 'Pending' || isTerminal(pod) || isTerminating(pod)) return { type: 'free' };
  if (isUnread(snapshot, 'PodDisruptionBudget')) {
    return { type: 'unread' };
  }
  const { namespace, labels } = pod.metadata;
  const budgets = index.objects.PodDisruptionBudget.filter(
    (budget) =>
      budget.metadata.namespace === namespace &&
      budget.spec.selector !== undefined &&
      matchesSelector(budget.spec.selector, labels) &&
      !(!isReady(pod) && sparesUnready(budget)),
  );
  const refusing = budgets.find((budget) => budget.status.disruptionsAllowed <= 0);
  if (refusing !== undefined) return { type: 'refused', budget: refusing.metadata.name };
  return budgets.length === 0
    ? { type: 'free' }
    : { type: 'allowed', budgets: budgets.map(({ metadata }) => metadata.name) };
}

/** A pod that is not ready adds nothing to what the budget protects. */
function sparesUnready({ spec, status }: PodDisruptionBudget): boolean {
  if (spec.unhealthyPodEvictionPolicy === 'AlwaysAllow') return true;
  return status.desiredHealthy > 0 && status.currentHealthy >= status.desiredHealthy;
}
