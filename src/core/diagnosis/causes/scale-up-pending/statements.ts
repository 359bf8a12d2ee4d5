import { type NoValues, statementsOf } from '../../../language/statement.js';
import type { WaitingShapes } from '../../waiting/statements.js';

/** What the rule states beyond what all causes about waiting pods do. */
type OwnShapes = {
  readonly summary: {
    readonly workload: string;
    readonly from: number | undefined;
    readonly to: number;
    readonly waiting: number;
  };
  readonly grown: {
    readonly from: number | undefined;
    readonly to: number;
    readonly at: string;
    readonly revision: string;
  };
  readonly 'same-revision': { readonly pods: readonly string[]; readonly resource: string };
  readonly 'no-circle': NoValues;
  readonly 'autoscaled-by': { readonly name: string; readonly maximum: number };
  readonly 'maybe-replacement': NoValues;
  readonly 'ev-scaled': NoValues;
  readonly 'ev-replicas': { readonly to: number };
  readonly 'because-one-revision': NoValues;
  readonly 'because-own-pods': { readonly resource: string };
  readonly 'because-complete': NoValues;
  readonly 'strategy-withheld': NoValues;
  readonly 'undo-withheld': NoValues;
  readonly 'advice-replicas-title': NoValues;
  readonly 'advice-replicas': { readonly replicas: number };
  readonly 'advice-maximum-title': NoValues;
  readonly 'advice-maximum': { readonly name: string; readonly replicas: number };
};

export type ScaleUpPendingShapes = WaitingShapes & OwnShapes;

export const state = statementsOf<OwnShapes>('scale-up-pending');
/** The statements that all causes about waiting pods make, in this one's name. */
export const shared = statementsOf<WaitingShapes>('scale-up-pending');
