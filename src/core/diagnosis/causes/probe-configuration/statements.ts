import { type NoValues, statementsOf } from '../../../language/statement.js';

/** What the rule states; told by `text.ts`. Lengths are seconds. */
export type ProbeConfigurationShapes = {
  readonly summary: { readonly workload: string; readonly count: number };
  readonly standing: NoValues;
  readonly 'readiness-slower': {
    readonly container: string;
    readonly livenessSeconds: number;
    readonly readinessSeconds: number;
  };
  readonly 'liveness-strict': { readonly container: string; readonly seconds: number };
  readonly 'named-port-missing': {
    readonly container: string;
    readonly probe: string;
    readonly port: string;
  };
  readonly 'timeout-over-period': {
    readonly container: string;
    readonly probe: string;
    readonly timeoutSeconds: number;
    readonly periodSeconds: number;
  };
  readonly 'ev-probe': { readonly probe: string };
  readonly 'advice-title': NoValues;
  readonly advice: NoValues;
};

export const state = statementsOf<ProbeConfigurationShapes>('probe-configuration');
