import { type NoValues, statementsOf } from '../../../language/statement.js';

/** What the rule states; told by `text.ts`. Times are RFC3339, lengths are seconds. */
export type SurgeDeadlockShapes = {
  readonly summary: { readonly workload: string; readonly resource: string };
  readonly standing: {
    readonly workload: string;
    readonly revision: string;
    readonly stillForSeconds: number | undefined;
  };
  /** The new pod and what it waits for. `nodes` are those that could ever carry it. */
  readonly needs: {
    readonly pod: string;
    readonly waiting: number;
    readonly resource: string;
    readonly amount: string;
    readonly nodes: readonly string[];
    readonly nodesInAll: number;
  };
  readonly held: {
    readonly pods: readonly string[];
    readonly nodes: readonly string[];
    readonly resource: string;
    readonly amount: string;
  };
  readonly 'strategy-forbids': {
    readonly maxSurge: string;
    readonly maxUnavailable: string;
    readonly replicas: number;
    readonly surge: number;
    readonly unavailable: number;
  };
  /** The budget allows it, yet the controller has no step left. */
  readonly 'strategy-spent': {
    readonly maxSurge: string;
    readonly maxUnavailable: string;
    readonly unavailable: number;
    readonly missing: number;
  };
  readonly counterfactual: {
    readonly pod: string;
    readonly without: readonly string[];
    readonly node: string;
  };
  readonly 'no-rescue': { readonly resource: string };
  readonly served: { readonly ready: number; readonly wanted: number };
  readonly 'also-holding': {
    readonly pods: readonly string[];
    readonly resource: string;
  };
  readonly 'refused-elsewhere': { readonly node: string; readonly reasons: readonly string[] };
  readonly 'ev-unschedulable': { readonly pod: string };
  readonly 'ev-holder': { readonly pod: string; readonly resource: string };
  readonly 'ev-strategy': { readonly surge: number; readonly unavailable: number };
  readonly 'ev-progress': { readonly reason: string };
  readonly 'not-simulated': { readonly parts: readonly string[] };
  readonly 'pods-unread': { readonly because: string };
  readonly 'because-fits-without': { readonly pods: readonly string[] };
  readonly 'because-own-pods': { readonly pods: readonly string[]; readonly resource: string };
  readonly 'because-old-revision': { readonly pods: number };
  readonly 'because-no-scale-up': NoValues;
  readonly 'because-node-open': { readonly node: string };
  readonly 'because-not-paused': NoValues;
  readonly 'because-no-gates': NoValues;
  readonly 'because-never-started': { readonly pod: string };
  readonly 'because-fixed-point': NoValues;
  readonly 'restart-withheld': NoValues;
  readonly 'exclude-withheld': { readonly node: string };
  readonly 'patch-withheld': { readonly resource: string };
  readonly 'next-attempt': NoValues;
  readonly 'advice-lasting-title': NoValues;
  readonly 'advice-lasting': { readonly workload: string };
  readonly 'advice-capacity-title': { readonly resource: string };
  readonly 'advice-capacity': { readonly resource: string; readonly amount: string };
  readonly 'advice-sharing-title': NoValues;
  readonly 'advice-sharing': { readonly resource: string };
  readonly 'advice-match-label-keys-title': NoValues;
  readonly 'advice-match-label-keys': { readonly field: string };
};

export const state = statementsOf<SurgeDeadlockShapes>('surge-deadlock');
