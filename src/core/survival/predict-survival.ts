import type { Application, HelmRelease, Kustomization } from '../cluster/gitops.js';
import type { Workload } from '../cluster/workload.js';
import type { FieldSurvival } from './field-survival.js';

/** What the reader found of the object that a tool's marks on the workload name. */
export type OwnerRead<Kind> =
  | { readonly type: 'found'; readonly object: Kind }
  | { readonly type: 'missing' }
  /** `because` as in `Unseen`. */
  | { readonly type: 'unread'; readonly because: string };

/** The objects behind the marks; a kind is left out where nobody asked for it. */
export interface OwnerObjects {
  readonly application?: OwnerRead<Application>;
  readonly kustomization?: OwnerRead<Kustomization>;
  readonly helmRelease?: OwnerRead<HelmRelease>;
}

/** The parts of a `Plan` that decide; a plan is one. */
export interface PlannedChange {
  readonly target: { readonly kind: string; readonly namespace: string; readonly name: string };
  readonly changes: readonly { readonly path: string; readonly before?: unknown; readonly after?: unknown }[];
}

export interface SurvivalCase {
  /** The live object before the change: the change itself moves the ownership of its fields. */
  readonly workload: Workload;
  readonly plan: PlannedChange;
  readonly owners: OwnerObjects;
}

/** What becomes of each field that the plan changes, in the order of the plan. */
export function predictSurvival({ plan }: SurvivalCase): readonly FieldSurvival[] {
  return plan.changes.map(({ path }) => ({
    path,
    verdict: { type: 'unknown', because: 'no-evidence' },
    restsOn: [],
  }));
}
