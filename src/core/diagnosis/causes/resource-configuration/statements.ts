import { type NoValues, statementsOf } from '../../../language/statement.js';

/** What the rule states; told by `text.ts`. Amounts are quantities as the API spells them. */
export type ResourceConfigurationShapes = {
  readonly summary: { readonly workload: string; readonly count: number };
  readonly standing: NoValues;
  readonly 'no-memory-request': { readonly container: string };
  readonly 'memory-overcommitted': {
    readonly container: string;
    readonly request: string;
    readonly limit: string;
  };
  readonly 'cpu-throttled': { readonly container: string; readonly limit: string };
  readonly 'jvm-fills': {
    readonly container: string;
    readonly flag: string;
    readonly heap: string;
    readonly limit: string;
  };
  readonly 'ev-resources': NoValues;
  readonly 'advice-title': NoValues;
  readonly advice: NoValues;
};

export const state = statementsOf<ResourceConfigurationShapes>('resource-configuration');
