import { type NoValues, statementsOf } from '../../../language/statement.js';

/** What the rule states; told by `text.ts`. */
export type BadCommandShapes = {
  readonly summary: { readonly workload: string; readonly container: string };
  readonly standing: { readonly failing: number; readonly of: number };
  readonly says: { readonly message: string };
  readonly 'not-found': { readonly exitCode: number; readonly command: string | undefined };
  readonly 'not-executable': { readonly exitCode: number; readonly command: string | undefined };
  readonly 'start-error': { readonly exitCode: number; readonly command: string | undefined };
  readonly architecture: { readonly nodes: readonly string[]; readonly architectures: readonly string[] };
  readonly 'ev-command': NoValues;
  readonly 'because-nothing-ran': { readonly container: string };
  readonly 'restart-withheld': NoValues;
  readonly 'advice-title': NoValues;
  readonly advice: { readonly image: string };
};

export const state = statementsOf<BadCommandShapes>('bad-command');
