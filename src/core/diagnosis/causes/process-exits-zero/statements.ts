import { type NoValues, statementsOf } from '../../../language/statement.js';

/** What the rule states; told by `text.ts`. */
export type ProcessExitsZeroShapes = {
  readonly summary: { readonly workload: string; readonly container: string };
  readonly standing: { readonly failing: number; readonly of: number };
  readonly 'backs-off-too': NoValues;
  readonly command: { readonly command: string };
  readonly 'no-command': { readonly image: string };
  readonly 'because-no-error': NoValues;
  readonly 'restart-withheld': NoValues;
  readonly 'advice-stay-title': NoValues;
  readonly 'advice-stay': NoValues;
  readonly 'advice-job-title': NoValues;
  readonly 'advice-job': { readonly kind: string };
};

export const state = statementsOf<ProcessExitsZeroShapes>('process-exits-zero');
