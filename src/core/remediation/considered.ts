import type { Statement } from '../language/statement.js';
import type { Forecast } from '../rollout/forecast.js';
import type { OfferedRemediation } from './offered-fields.js';

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

export function impossible(because: Statement): {
  readonly type: 'impossible';
  readonly because: Statement;
} {
  return { type: 'impossible', because };
}
