import { type NoValues, statementsOf } from '../../../language/statement.js';

/** What the rule states; told by `text.ts`. Lengths are seconds. */
export type TerminationGraceExceededShapes = {
  readonly summary: { readonly workload: string; readonly graceSeconds: number };
  readonly standing: { readonly pods: readonly string[] };
  readonly overdue: { readonly pod: string; readonly node: string; readonly overdueSeconds: number };
  readonly 'grace-event': { readonly message: string };
  readonly 'pre-stop': { readonly container: string; readonly what: string };
  readonly 'no-pre-stop': NoValues;
  readonly 'holds-up': NoValues;
  readonly 'ev-deleted': { readonly graceSeconds: number };
  readonly 'because-no-finalizer': NoValues;
  readonly 'because-node-ready': { readonly node: string };
  readonly 'advice-title': NoValues;
  readonly advice: NoValues;
};

export const state = statementsOf<TerminationGraceExceededShapes>('termination-grace-exceeded');
