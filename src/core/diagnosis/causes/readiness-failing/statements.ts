import { type NoValues, statementsOf } from '../../../language/statement.js';

/** What the rule states; told by `text.ts`. Lengths are seconds. */
export type ReadinessFailingShapes = {
  readonly summary: { readonly workload: string; readonly container: string };
  readonly standing: { readonly failing: number; readonly of: number };
  readonly asks: {
    readonly by: string;
    readonly what: string;
    readonly periodSeconds: number;
    readonly timeoutSeconds: number;
  };
  readonly answer: { readonly message: string; readonly times: number };
  readonly 'no-answer': NoValues;
  readonly 'not-restarted': NoValues;
  readonly 'port-not-declared': { readonly port: string; readonly declared: readonly string[] };
  readonly 'some-pass': { readonly pods: readonly string[] };
  readonly 'ev-probe': { readonly what: string };
  readonly 'because-runs': { readonly container: string };
  readonly 'because-readiness': NoValues;
  readonly 'restart-withheld': NoValues;
  readonly 'advice-title': NoValues;
  readonly 'summary-gate': { readonly workload: string; readonly gates: readonly string[] };
  readonly 'containers-ready': { readonly pods: readonly string[] };
  readonly 'gate-missing': { readonly gate: string };
  readonly 'gate-status': { readonly gate: string; readonly status: string };
  readonly 'gate-owner': NoValues;
  readonly 'ev-gate': NoValues;
  readonly 'ev-not-ready': NoValues;
  readonly 'because-containers-ready': NoValues;
  readonly 'restart-withheld-gate': NoValues;
  readonly 'advice-gate-title': { readonly gate: string };
  readonly 'advice-gate': { readonly gate: string };
  readonly advice: { readonly what: string };
};

export const state = statementsOf<ReadinessFailingShapes>('readiness-failing');
