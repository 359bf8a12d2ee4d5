import { type NoValues, statementsOf } from '../../../language/statement.js';

/** What the rule states; told by `text.ts`. Lengths are seconds. */
export type SchedulingGatedShapes = {
  readonly summary: { readonly workload: string; readonly pods: number; readonly gates: readonly string[] };
  readonly standing: {
    readonly waiting: number;
    readonly forSeconds: number | undefined;
    readonly ready: number;
    readonly wanted: number;
  };
  readonly gated: { readonly pods: readonly string[]; readonly gates: readonly string[] };
  readonly 'from-template': { readonly gates: readonly string[] };
  readonly 'from-webhook': { readonly gates: readonly string[] };
  readonly kueue: { readonly queue: string | undefined };
  readonly 'lifted-by': { readonly gate: string; readonly domain: string };
  readonly 'own-gate': { readonly gate: string };
  readonly 'ev-gates': NoValues;
  readonly 'ev-condition': NoValues;
  readonly 'because-not-tried': { readonly pod: string };
  readonly 'because-not-room': NoValues;
  readonly 'because-never-started': NoValues;
  readonly 'restart-withheld': NoValues;
  readonly 'patch-withheld': NoValues;
  readonly 'next-attempt': NoValues;
  readonly 'advice-kueue-title': NoValues;
  readonly 'advice-kueue': NoValues;
  readonly 'advice-template-title': NoValues;
  readonly 'advice-template': NoValues;
  readonly 'advice-owner-title': NoValues;
  readonly 'advice-owner': { readonly gates: readonly string[] };
};

export const state = statementsOf<SchedulingGatedShapes>('scheduling-gated');
