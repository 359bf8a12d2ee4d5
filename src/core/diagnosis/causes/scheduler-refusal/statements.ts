import { type NoValues, statementsOf } from '../../../language/statement.js';

/** What the rule states; told by `text.ts`. Lengths are seconds. */
export type SchedulerRefusalShapes = {
  readonly summary: { readonly workload: string; readonly pods: number; readonly scheduler: string };
  readonly standing: {
    readonly forSeconds: number | undefined;
    readonly ready: number;
    readonly wanted: number;
  };
  readonly said: { readonly scheduler: string; readonly words: string };
  readonly fits: { readonly pod: string; readonly nodes: readonly string[] };
  readonly unchecked: { readonly pod: string };
  readonly 'ev-refused': { readonly scheduler: string };
  readonly 'not-simulated': NoValues;
  readonly 'because-fits': { readonly nodes: readonly string[] };
  readonly 'because-no-gates': NoValues;
  readonly 'restart-withheld': NoValues;
  readonly 'next-attempt': { readonly scheduler: string };
  readonly 'advice-title': { readonly scheduler: string };
  readonly advice: { readonly scheduler: string };
};

export const state = statementsOf<SchedulerRefusalShapes>('scheduler-refusal');
