import { type NoValues, statementsOf } from '../../../language/statement.js';

export type RestartRolloutShapes = {
  readonly title: NoValues;
  readonly 'new-revision': { readonly workload: string };
  readonly replaces: { readonly pods: number };
  readonly 'same-otherwise': NoValues;
  readonly 'no-undo': NoValues;
  readonly 'withheld-paused': { readonly workload: string };
  readonly 'withheld-on-delete': { readonly workload: string };
  readonly 'withheld-deadlock': { readonly pods: readonly string[] };
  readonly 'withheld-unknown': NoValues;
};

export const state = statementsOf<RestartRolloutShapes>('restart-rollout');
