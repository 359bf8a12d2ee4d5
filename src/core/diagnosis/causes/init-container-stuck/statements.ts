import { type NoValues, statementsOf } from '../../../language/statement.js';

/** What the rule states; told by `text.ts`. Lengths are seconds. */
export type InitContainerStuckShapes = {
  readonly summary: { readonly workload: string; readonly container: string };
  readonly standing: { readonly failing: number; readonly of: number; readonly longest: number };
  readonly running: { readonly container: string; readonly pods: readonly string[] };
  readonly position: { readonly number: number; readonly of: number; readonly waiting: readonly string[] };
  readonly command: { readonly command: string };
  readonly 'waits-for-service': { readonly service: string; readonly ready: number; readonly wanted: number };
  readonly 'because-no-crash': { readonly container: string };
  readonly 'restart-withheld': NoValues;
  readonly 'advice-title': NoValues;
  readonly advice: { readonly container: string };
};

export const state = statementsOf<InitContainerStuckShapes>('init-container-stuck');
