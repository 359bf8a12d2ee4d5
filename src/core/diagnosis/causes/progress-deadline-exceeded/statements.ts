import { type NoValues, statementsOf } from '../../../language/statement.js';

/** What the rule states; told by `text.ts`. Times are RFC3339, lengths are seconds. */
export type ProgressDeadlineExceededShapes = {
  readonly summary: { readonly workload: string };
  readonly standing: {
    readonly revision: string;
    readonly forSeconds: number | undefined;
    readonly ready: number;
    readonly wanted: number;
  };
  readonly 'no-progress': { readonly deadlineSeconds: number; readonly since: string | undefined };
  readonly counts: {
    readonly updated: number;
    readonly available: number;
    readonly old: number;
    readonly wanted: number;
  };
  readonly 'not-ready': {
    readonly pods: readonly {
      readonly pod: string;
      readonly reason: string;
      readonly container: string | undefined;
    }[];
  };
  readonly unexplained: NoValues;
  readonly 'goes-on': NoValues;
  readonly 'ev-progress': NoValues;
  readonly 'ev-pod': NoValues;
  readonly unread: { readonly kinds: readonly string[] };
  readonly 'because-not-paused': NoValues;
  readonly 'restart-withheld': NoValues;
  readonly 'next-attempt': NoValues;
  readonly 'advice-look-title': NoValues;
  readonly 'advice-look': NoValues;
  readonly 'advice-deadline-title': NoValues;
  readonly 'advice-deadline': { readonly deadlineSeconds: number };
};

export const state = statementsOf<ProgressDeadlineExceededShapes>('progress-deadline-exceeded');
