import { type NoValues, statementsOf } from '../../../language/statement.js';

interface Short {
  readonly quota: string;
  readonly resource: string;
  readonly requested: string;
  readonly used: string;
  readonly limited: string;
  readonly [value: string]: string;
}

/** What the rule states; told by `text.ts`. Lengths are seconds, amounts quantity text. */
export type QuotaExceededShapes = {
  readonly summary: { readonly workload: string; readonly missing: number; readonly quota: string };
  readonly standing: {
    readonly forSeconds: number | undefined;
    readonly ready: number;
    readonly wanted: number;
  };
  readonly refused: Short & { readonly owner: string };
  readonly 'refused-too': Short;
  /** A claim or a ReplicaSet is refused, so that no pod can follow. */
  readonly 'refused-first': Short & { readonly owner: string; readonly what: string };
  readonly 'never-fits': { readonly requested: string; readonly limited: string; readonly resource: string };
  readonly 'room-now': { readonly quota: string };
  readonly 'used-by': {
    readonly resource: string;
    readonly users: readonly {
      readonly owner: string;
      readonly pods: number;
      readonly charged: string;
    }[];
  };
  readonly 'used-unseen': { readonly quota: string };
  readonly 'own-too-small': { readonly pods: readonly string[] };
  readonly 'ev-refused': { readonly owner: string };
  readonly 'pods-unread': { readonly because: string };
  readonly 'quota-unread': { readonly quota: string };
  readonly 'neighbour-may-free': { readonly neighbours: readonly string[] };
  readonly 'request-differs': { readonly resource: string };
  readonly 'because-no-predecessor': NoValues;
  readonly 'because-old-first': NoValues;
  readonly 'because-old-not-enough': { readonly pods: readonly string[] };
  readonly 'because-others-fail': { readonly pods: readonly string[] };
  readonly 'because-neighbour-frees': { readonly neighbours: readonly string[] };
  readonly 'because-not-rolling': NoValues;
  readonly 'because-quota-only': NoValues;
  readonly 'because-no-pod': { readonly owner: string };
  readonly 'restart-withheld': NoValues;
  readonly 'patch-withheld': NoValues;
  readonly 'next-attempt': { readonly owner: string; readonly withinSeconds: number };
  readonly 'advice-raise-title': { readonly quota: string };
  readonly 'advice-raise': { readonly missing: number };
  readonly 'advice-less-title': NoValues;
  readonly 'advice-less': { readonly resource: string };
};

export const state = statementsOf<QuotaExceededShapes>('quota-exceeded');
