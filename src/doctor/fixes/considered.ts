import type { Statement } from '../../engine/language/statement.js';
import type { Forecast } from '../../engine/workloads/forecast.js';
import { impactOf, predictionOf } from './impact-of.js';
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
  }: {
    readonly title: Statement;
    readonly effects: readonly Statement[];
    readonly drift?: Impact['drift'];
  },
): Possible<OfferedRemediation & { readonly kind: Kind }> {
  const price = impactOf(forecast, drift);
  const prediction = predictionOf(forecast);
  return { type: 'considered', forecast, remediation: { kind, id: kind, title, effects, price, prediction } };
}

export function impossible(because: Statement): {
  readonly type: 'impossible';
  readonly because: Statement;
} {
  return { type: 'impossible', because };
}
