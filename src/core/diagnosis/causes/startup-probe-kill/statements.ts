import { type NoValues, statementsOf } from '../../../language/statement.js';

/** What the rule states; told by `text.ts`. Lengths are seconds. */
export type StartupProbeKillShapes = {
  readonly summary: { readonly workload: string; readonly container: string };
  readonly standing: { readonly failing: number; readonly of: number };
  readonly 'standing-recovered': { readonly failing: number };
  readonly asks: {
    readonly by: string;
    readonly what: string;
    readonly periodSeconds: number;
    readonly timeoutSeconds: number;
    readonly failureThreshold: number;
    readonly initialDelaySeconds: number;
  };
  readonly answer: { readonly message: string; readonly times: number };
  readonly arithmetic: { readonly seconds: number; readonly earliest: number };
  readonly 'port-not-declared': { readonly port: string; readonly declared: readonly string[] };
  readonly 'by-signal': { readonly exitCode: number; readonly graceSeconds: number };
  readonly 'ev-probe': { readonly what: string };
  readonly 'because-killed': { readonly container: string };
  readonly 'restart-withheld': NoValues;
  readonly 'advice-probe-title': NoValues;
  readonly 'advice-probe': { readonly what: string };
  readonly 'advice-startup-title': NoValues;
  readonly 'advice-startup': NoValues;
};

export const state = statementsOf<StartupProbeKillShapes>('startup-probe-kill');
