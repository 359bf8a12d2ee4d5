import { type NoValues, statementsOf } from '../../../language/statement.js';

/** What the rule states; told by `text.ts`. Lengths are seconds. */
export type FragileStrategyShapes = {
  readonly summary: { readonly workload: string; readonly resource: string };
  readonly 'summary-quota': { readonly workload: string };
  readonly 'summary-volume': { readonly workload: string; readonly volume: string };
  readonly standing: { readonly ready: number; readonly wanted: number };
  readonly strategy: {
    readonly maxSurge: string;
    readonly maxUnavailable: string;
    readonly replicas: number;
    readonly surge: number;
  };
  readonly 'strategy-surges': { readonly maxSurge: string };
  readonly 'no-place': { readonly resource: string };
  readonly 'no-quota': NoValues;
  readonly 'would-say': { readonly message: string };
  readonly held: {
    readonly pods: readonly string[];
    readonly nodes: readonly string[];
    readonly resource: string;
  };
  readonly moves: {
    readonly volume: string;
    readonly nodes: readonly string[];
    readonly pods: readonly string[];
  };
  readonly 'moves-always': { readonly nodes: readonly string[] };
  readonly 'moves-perhaps': { readonly nodes: readonly string[] };
  readonly 'in-place': { readonly seconds: number | undefined; readonly gap: boolean };
  readonly recreate: { readonly seconds: number | undefined };
  readonly 'ev-strategy': { readonly workload: string };
  readonly 'ev-holder': { readonly pod: string; readonly resource: string };
  readonly 'same-template': NoValues;
  readonly 'pods-unread': { readonly because: string };
  readonly 'because-complete': NoValues;
  readonly 'because-held': { readonly pods: readonly string[] };
  readonly 'advice-change-title': NoValues;
  readonly 'advice-change': { readonly workload: string };
  readonly 'advice-room-title': NoValues;
  readonly 'advice-room': { readonly resource: string };
};

export const state = statementsOf<FragileStrategyShapes>('fragile-strategy');
