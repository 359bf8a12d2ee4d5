import { type NoValues, statementsOf } from '../../../language/statement.js';

type Deleted = { readonly kind: string; readonly name: string };

/** What the rule states; told by `text.ts`. Times are RFC3339, lengths are seconds. */
export type WorkloadBeingDeletedShapes = {
  readonly summary: { readonly workload: string };
  readonly 'summary-namespace': { readonly workload: string; readonly namespace: string };
  readonly standing: { readonly forSeconds: number; readonly ready: number };
  readonly deleted: Deleted & { readonly at: string };
  readonly foreground: Deleted;
  readonly orphan: NoValues;
  readonly finalizer: { readonly finalizer: string; readonly domain: string | undefined };
  readonly 'pods-left': { readonly pods: readonly string[] };
  readonly 'namespace-condition': { readonly type: string; readonly message: string };
  readonly 'no-rollout': Deleted;
  readonly 'no-new-objects': { readonly namespace: string };
  readonly 'ev-deleted': NoValues;
  readonly 'ev-finalizers': NoValues;
  readonly 'ev-condition': NoValues;
  readonly 'because-deleted': Deleted;
  readonly 'no-fix': NoValues;
  readonly 'next-finalizers': NoValues;
  readonly 'next-pods': NoValues;
  readonly 'advice-finalizers-title': NoValues;
  readonly 'advice-finalizers': { readonly finalizers: readonly string[] };
  readonly 'advice-again-title': NoValues;
  readonly 'advice-again': NoValues;
};

export const state = statementsOf<WorkloadBeingDeletedShapes>('workload-being-deleted');
