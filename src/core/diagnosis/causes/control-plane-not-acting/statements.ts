import { type NoValues, statementsOf } from '../../../language/statement.js';

/** What the rule states; told by `text.ts`. Times are RFC3339, lengths are seconds. */
export type ControlPlaneNotActingShapes = {
  readonly 'summary-controller': { readonly workload: string; readonly controller: string };
  readonly 'summary-scheduler': {
    readonly workload: string;
    readonly pods: number;
    readonly scheduler: string;
  };
  readonly standing: {
    readonly forSeconds: number | undefined;
    readonly ready: number;
    readonly wanted: number;
  };
  readonly 'not-observed': {
    readonly kind: string;
    readonly name: string;
    readonly generation: number;
    readonly observed: number;
  };
  readonly 'changed-at': { readonly at: string };
  readonly 'changed-unknown': { readonly newest: string | undefined };
  readonly 'not-counted-pods': Counted;
  readonly 'not-counted-ready': Counted;
  readonly 'not-scheduled': { readonly pods: readonly string[]; readonly since: string };
  readonly 'asks-for': { readonly scheduler: string };
  readonly 'placed-none': { readonly scheduler: string };
  readonly 'placed-some': { readonly scheduler: string };
  readonly 'runs-in-manager': NoValues;
  readonly 'ev-generation': { readonly generation: number };
  readonly 'ev-changed': NoValues;
  readonly 'ev-counted': { readonly actual: number };
  readonly 'ev-untried': NoValues;
  readonly 'other-explanations': { readonly who: string };
  readonly 'time-unknown': NoValues;
  readonly 'because-not-observed': NoValues;
  readonly 'because-not-tried': NoValues;
  readonly 'because-no-gates': NoValues;
  readonly 'restart-withheld': { readonly who: string };
  readonly 'next-attempt': { readonly who: string };
  readonly 'advice-component-title': { readonly component: string };
  readonly 'advice-component': { readonly component: string };
  readonly 'advice-name-title': { readonly scheduler: string };
  readonly 'advice-name': { readonly scheduler: string };
};

type Counted = {
  readonly kind: string;
  readonly name: string;
  readonly counted: number;
  readonly actual: number;
  readonly since: string;
};

export const state = statementsOf<ControlPlaneNotActingShapes>('control-plane-not-acting');
