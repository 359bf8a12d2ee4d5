import { type NoValues, statementsOf } from '../../../language/statement.js';

type Summary = { readonly workload: string; readonly pods: number; readonly node: string };

/** What the rule states; told by `text.ts`. Amounts are quantities as text. */
export type ResizePendingShapes = {
  readonly 'summary-never': Summary;
  readonly 'summary-refused': Summary;
  readonly 'summary-fails': Summary;
  readonly 'summary-waits': Summary;
  readonly standing: { readonly ready: number; readonly wanted: number };
  readonly asks: {
    readonly pod: string;
    readonly resource: string;
    readonly from: string;
    readonly to: string;
  };
  /** `message` is empty where the kubelet gave none. */
  readonly says: {
    readonly pod: string;
    readonly node: string;
    readonly verdict: 'deferred' | 'infeasible' | 'failed';
    readonly message: string;
  };
  readonly 'exceeds-node': {
    readonly node: string;
    readonly resource: string;
    readonly requested: string;
    readonly allocatable: string;
  };
  readonly 'held-by': { readonly node: string; readonly holders: readonly string[] };
  readonly 'room-now': { readonly node: string };
  readonly 'keeps-running': { readonly pod: string };
  readonly 'ev-refused': { readonly node: string };
  readonly 'because-runs': NoValues;
  readonly 'because-has-node': NoValues;
  readonly 'next-deferred': NoValues;
  readonly 'next-infeasible': NoValues;
  readonly 'next-failed': NoValues;
  readonly 'restart-withheld': NoValues;
  readonly 'advice-template-title': NoValues;
  readonly 'advice-template': { readonly nodes: readonly string[] };
  readonly 'advice-less-title': NoValues;
  readonly 'advice-less': { readonly node: string; readonly free: readonly string[] };
  readonly 'advice-node-title': NoValues;
  readonly 'advice-node': { readonly node: string };
  readonly 'node-unread': { readonly node: string };
};

export const state = statementsOf<ResizePendingShapes>('resize-pending');
