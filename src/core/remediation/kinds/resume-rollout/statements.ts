import { type NoValues, statementsOf } from '../../../language/statement.js';

export type ResumeRolloutShapes = {
  readonly title: NoValues;
  readonly continues: { readonly workload: string; readonly revision: string };
  readonly 'replaces-pods': {
    readonly pods: number;
    readonly surge: number;
    readonly unavailable: number;
    readonly graceSeconds: number;
  };
  readonly 'stops-all': { readonly pods: number; readonly graceSeconds: number };
  readonly 'then-placed': { readonly pod: string; readonly node: string };
  readonly 'ready-last-time': { readonly seconds: number };
  readonly 'no-old-pods': NoValues;
  readonly undo: NoValues;
  readonly 'withheld-broken': { readonly pods: readonly string[] };
  readonly 'withheld-stuck': { readonly pods: readonly string[] };
  readonly 'withheld-unknown': NoValues;
};

export const state = statementsOf<ResumeRolloutShapes>('resume-rollout');
