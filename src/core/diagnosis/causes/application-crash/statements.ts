import { type NoValues, statementsOf } from '../../../language/statement.js';

/** What the rule states; told by `text.ts`. */
export type ApplicationCrashShapes = {
  readonly summary: { readonly workload: string; readonly container: string };
  readonly 'standing-crashing': { readonly failing: number; readonly of: number };
  readonly 'standing-recovered': { readonly failing: number };
  readonly 'hook-failed': { readonly container: string; readonly message: string };
  readonly 'restart-withheld': NoValues;
  readonly 'exclude-withheld': { readonly nodes: readonly string[] };
  readonly 'advice-log-title': NoValues;
  readonly 'advice-log': { readonly container: string };
};

export const state = statementsOf<ApplicationCrashShapes>('application-crash');
