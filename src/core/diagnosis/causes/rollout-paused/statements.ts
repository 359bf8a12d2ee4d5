import { type NoValues, statementsOf } from '../../../language/statement.js';

/** What the rule states; told by `text.ts`. Times are RFC3339, lengths are seconds. */
export type RolloutPausedShapes = {
  readonly summary: { readonly workload: string };
  readonly standing: {
    readonly revision: string;
    readonly forSeconds: number | undefined;
    readonly ready: number;
    readonly wanted: number;
  };
  readonly paused: { readonly by: string | undefined; readonly at: string | undefined };
  /** The template changed and no ReplicaSet has it yet. */
  readonly 'not-begun': { readonly revision: string };
  /** No ReplicaSet exists at all. */
  readonly 'never-begun': NoValues;
  readonly 'half-way': {
    readonly revision: string;
    readonly updated: number;
    readonly old: number;
    readonly wanted: number;
  };
  readonly differs: { readonly changes: readonly { readonly path: string; readonly after: string }[] };
  readonly 'scaling-works': NoValues;
  readonly 'ev-paused': NoValues;
  readonly 'ev-progress': { readonly reason: string };
  readonly 'ev-old': { readonly replicas: number };
  readonly 'ev-new': { readonly replicas: number };
  readonly 'pods-unread': { readonly because: string };
  readonly 'because-no-attempt': NoValues;
  readonly 'restart-withheld': NoValues;
  readonly 'patch-withheld': NoValues;
  readonly 'undo-withheld': NoValues;
  readonly 'next-attempt': NoValues;
  readonly 'advice-resume-title': NoValues;
  readonly 'advice-resume': NoValues;
  readonly 'advice-declared-title': NoValues;
  readonly 'advice-declared': { readonly workload: string };
};

export const state = statementsOf<RolloutPausedShapes>('rollout-paused');
