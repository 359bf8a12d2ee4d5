import { type NoValues, statementsOf } from '../../../language/statement.js';

/** What the rule states; told by `text.ts`. Values of fields are redacted. */
export type CrashLoopAfterRolloutShapes = {
  readonly summary: { readonly workload: string; readonly revision: string };
  readonly standing: { readonly failing: number; readonly of: number; readonly well: number };
  readonly everywhere: { readonly failing: number; readonly of: number; readonly nodes: readonly string[] };
  readonly 'former-well': { readonly pods: readonly string[]; readonly forSeconds: number | undefined };
  readonly changed: {
    readonly path: string;
    readonly before: string | undefined;
    readonly after: string | undefined;
  };
  readonly 'changed-more': { readonly count: number };
  readonly 'nothing-changed': NoValues;
  readonly 'init-blocks': { readonly container: string };
  readonly 'ev-ready': { readonly pod: string };
  readonly 'because-never-served': { readonly pods: number };
  readonly 'restart-withheld': NoValues;
  readonly 'patch-withheld': NoValues;
  readonly 'exclude-withheld': { readonly nodes: readonly string[] };
  readonly 'advice-log-title': NoValues;
  readonly 'advice-log': { readonly container: string };
};

export const state = statementsOf<CrashLoopAfterRolloutShapes>('crash-loop-after-rollout');
