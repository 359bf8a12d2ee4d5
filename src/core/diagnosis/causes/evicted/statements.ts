import { type NoValues, statementsOf } from '../../../language/statement.js';

/** What the rule states; told by `text.ts`. */
export type EvictedShapes = {
  readonly summary: {
    readonly workload: string;
    readonly nodes: readonly string[];
    readonly resource: string | undefined;
  };
  readonly 'summary-own-limit': { readonly workload: string; readonly nodes: readonly string[] };
  readonly 'own-limit': NoValues;
  readonly standing: { readonly pods: number };
  readonly says: { readonly node: string; readonly message: string };
  readonly why: { readonly request: string | undefined; readonly resource: string };
  readonly qos: { readonly qos: string };
  readonly pressure: { readonly node: string; readonly condition: string };
  readonly 'no-pressure-now': NoValues;
  readonly 'made-anew': NoValues;
  readonly 'because-not-killed': NoValues;
  readonly 'restart-withheld': NoValues;
  readonly 'advice-request-title': { readonly resource: string };
  readonly 'advice-request': NoValues;
  readonly 'advice-clean-title': NoValues;
  readonly 'advice-clean': NoValues;
};

export const state = statementsOf<EvictedShapes>('evicted');
