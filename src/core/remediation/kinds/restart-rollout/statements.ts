import { type NoValues, statementsOf } from '../../../language/statement.js';

export type RestartRolloutShapes = {
  readonly title: NoValues;
  readonly 'new-revision': { readonly workload: string };
  readonly replaces: { readonly pods: number };
  readonly 'same-otherwise': NoValues;
  readonly 'no-undo': NoValues;
  /** Why a restart helps here: these pods worked in their present run. `readySeconds` is the shortest time they did. */
  readonly 'lost-readiness': {
    readonly pods: readonly string[];
    readonly container: string;
    readonly readySeconds: number;
    readonly lostSeconds: number;
  };
  readonly 'nothing-restarts': { readonly container: string };
  readonly 'not-proven': NoValues;
  readonly 'ev-lost-readiness': { readonly readySeconds: number };
  /** All pods stopped being ready within so many seconds. */
  readonly 'withheld-together': { readonly pods: number; readonly withinSeconds: number };
  readonly 'withheld-paused': { readonly workload: string };
  readonly 'withheld-on-delete': { readonly workload: string };
  readonly 'withheld-deadlock': { readonly pods: readonly string[] };
  readonly 'withheld-unknown': NoValues;
};

export const state = statementsOf<RestartRolloutShapes>('restart-rollout');
