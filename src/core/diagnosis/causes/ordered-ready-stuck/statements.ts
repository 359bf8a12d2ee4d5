import { type NoValues, statementsOf } from '../../../language/statement.js';

/** What the rule states; told by `text.ts`. Lengths are seconds; revisions are names of ControllerRevisions. */
export type OrderedReadyStuckShapes = {
  readonly summary: { readonly workload: string; readonly pod: string };
  readonly standing: {
    readonly forSeconds: number | undefined;
    readonly ready: number;
    readonly wanted: number;
  };
  readonly broken: {
    readonly pod: string;
    readonly revision: string;
    readonly reason: string;
    readonly container: string | undefined;
  };
  readonly 'not-wanted': { readonly revision: string; readonly wanted: string };
  readonly 'waits-first': { readonly pod: string };
  readonly 'would-become': { readonly pod: string; readonly wanted: string };
  readonly 'runs-well': { readonly wanted: string; readonly pods: readonly string[] };
  readonly untested: { readonly wanted: string };
  readonly 'more-like-it': { readonly pods: readonly string[] };
  readonly 'ev-revision': { readonly wanted: string };
  readonly 'ev-not-ready': NoValues;
  readonly 'ev-policy': NoValues;
  readonly 'ev-wanted': NoValues;
  readonly 'not-to-the-end': NoValues;
  readonly 'pods-unread': { readonly because: string };
  readonly 'because-past': { readonly revision: string };
  readonly 'because-not-leaving': { readonly pod: string };
  readonly 'restart-withheld': NoValues;
  readonly 'undo-withheld': NoValues;
  readonly 'next-attempt': { readonly pod: string };
  readonly 'advice-delete-title': NoValues;
  readonly 'advice-delete': { readonly pod: string };
  readonly 'advice-parallel-title': NoValues;
  readonly 'advice-parallel': NoValues;
};

export const state = statementsOf<OrderedReadyStuckShapes>('ordered-ready-stuck');
