import { type NoValues, statementsOf } from '../../../language/statement.js';

/** What the rule states; told by `text.ts`. Times are RFC3339, lengths are seconds, amounts quantity text. */
export type QuotaDeadlockShapes = {
  readonly summary: { readonly workload: string; readonly quota: string };
  readonly standing: {
    readonly revision: string;
    readonly stillForSeconds: number | undefined;
  };
  readonly refused: {
    readonly kind: string;
    readonly creator: string;
    readonly missing: number;
    readonly quota: string;
    readonly resource: string;
    readonly requested: string;
    readonly used: string;
    readonly limited: string;
  };
  readonly 'refused-too': {
    readonly quota: string;
    readonly resource: string;
    readonly requested: string;
    readonly used: string;
    readonly limited: string;
  };
  readonly held: {
    readonly pods: readonly string[];
    readonly resource: string;
    readonly charged: string;
    readonly used: string;
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
  /** Of a DaemonSet. */
  readonly 'strategy-surges': { readonly maxSurge: string; readonly surge: number; readonly nodes: number };
  /** The pod would be created, and no node would take it. */
  readonly 'then-nowhere': NoValues;
  readonly counterfactual: { readonly without: readonly string[] };
  readonly 'no-rescue': { readonly quota: string };
  readonly served: { readonly ready: number; readonly wanted: number };
  readonly 'ev-refused': { readonly creator: string };
  readonly 'ev-holder': { readonly resource: string; readonly charged: string };
  readonly 'ev-strategy': { readonly surge: number; readonly unavailable: number };
  readonly 'ev-surges': { readonly surge: number; readonly nodes: number };
  readonly 'quota-unread': { readonly quota: string };
  readonly 'pods-unread': { readonly because: string };
  readonly 'request-differs': { readonly resource: string };
  readonly 'others-wait': { readonly pods: readonly string[] };
  readonly 'neighbours-unread': { readonly neighbours: readonly string[] };
  readonly 'jobs-may-finish': { readonly pods: readonly string[] };
  readonly 'because-no-pod': { readonly creator: string };
  readonly 'because-own-pods': { readonly pods: readonly string[] };
  readonly 'because-quota-only': NoValues;
  readonly 'because-not-paused': NoValues;
  readonly 'because-fixed-point': NoValues;
  readonly 'restart-withheld': NoValues;
  readonly 'patch-withheld': NoValues;
  readonly 'next-attempt': { readonly creator: string; readonly withinSeconds: number };
  readonly 'pause-first': { readonly creator: string; readonly withinSeconds: number };
  readonly 'advice-lasting-title': NoValues;
  readonly 'advice-lasting': { readonly workload: string };
  readonly 'advice-raise-title': { readonly quota: string };
  readonly 'advice-raise': { readonly surge: number };
  readonly 'advice-raise-and-room': { readonly surge: number };
  readonly 'advice-nudge-title': NoValues;
  readonly 'advice-nudge': {
    readonly kind: string;
    readonly creator: string;
    readonly withinSeconds: number;
  };
};

export const state = statementsOf<QuotaDeadlockShapes>('quota-deadlock');
