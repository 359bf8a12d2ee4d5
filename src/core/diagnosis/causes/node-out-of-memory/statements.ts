import { type NoValues, statementsOf } from '../../../language/statement.js';

/** What the rule states; told by `text.ts`. Amounts are quantities. */
export type NodeOutOfMemoryShapes = {
  readonly summary: {
    readonly workload: string;
    readonly container: string;
    readonly nodes: readonly string[];
  };
  readonly standing: { readonly failing: number; readonly of: number };
  readonly 'no-limit': {
    readonly container: string;
    readonly request: string | undefined;
    readonly qos: string | undefined;
  };
  readonly 'wide-limit': { readonly limit: string; readonly node: string; readonly allocatable: string };
  readonly pressure: { readonly node: string };
  readonly 'no-pressure-now': NoValues;
  readonly neighbours: { readonly pods: readonly string[] };
  readonly 'because-no-limit': { readonly container: string };
  readonly 'restart-withheld': NoValues;
  readonly 'advice-title': NoValues;
  readonly advice: NoValues;
};

export const state = statementsOf<NodeOutOfMemoryShapes>('node-out-of-memory');
