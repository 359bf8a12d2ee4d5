import type { NoValues } from '../../language/statement.js';

/** What rules about rollouts that wait for themselves say alike; told by `text.ts`. Lengths are seconds. */
export type DeadlockShapes = {
  readonly standing: {
    readonly revision: string;
    readonly stillForSeconds: number | undefined;
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
  readonly served: { readonly ready: number; readonly wanted: number };
  readonly 'ev-strategy': { readonly surge: number; readonly unavailable: number };
  readonly 'ev-progress': { readonly reason: string };
  readonly unread: { readonly what: string; readonly because: string };
  readonly 'because-old-revision': { readonly pods: number };
  readonly 'because-has-node': { readonly pod: string; readonly node: string };
  readonly 'because-not-paused': NoValues;
  readonly 'because-not-leaving': { readonly pods: readonly string[] };
  readonly 'because-fixed-point': NoValues;
  readonly 'restart-withheld': NoValues;
};

/** Those about the strategy: why the controller takes no old pod. */
export type StrategyShapes = Pick<
  DeadlockShapes,
  'strategy-forbids' | 'strategy-spent' | 'served' | 'ev-strategy' | 'ev-progress'
>;
