import { type NoValues, statementsOf } from '../../../language/statement.js';
import type { WaitingShapes } from '../../waiting/statements.js';

/** What the rule states beyond what all causes about waiting pods do. */
type OwnShapes = {
  readonly summary: { readonly workload: string; readonly pods: number; readonly by: readonly string[] };
  readonly evicted: {
    readonly pod: string;
    readonly node: string | undefined;
    readonly at: string;
  };
  readonly preemptor: {
    readonly pod: string;
    readonly workload: string;
    readonly kind: string;
    readonly priority: number;
    readonly own: number;
  };
  readonly 'preemptor-gone': { readonly uid: string | undefined };
  readonly replacement: { readonly pods: readonly string[] };
  readonly counterfactual: {
    readonly pod: string;
    readonly without: readonly string[];
    readonly node: string;
  };
  readonly 'budget-no-help': NoValues;
  readonly 'ev-event': { readonly pod: string };
  readonly 'ev-condition': { readonly pod: string };
  readonly 'ev-preemptor': { readonly pod: string };
  readonly 'because-was-running': { readonly pods: number };
  readonly 'because-taken': NoValues;
  readonly 'not-resolved': NoValues;
  readonly 'no-counterfactual': NoValues;
  readonly 'advice-priority-title': NoValues;
  readonly 'advice-priority': { readonly priority: number };
  readonly 'advice-polite-title': NoValues;
  readonly 'advice-polite': { readonly preemptors: readonly string[] };
};

export type PreemptedShapes = WaitingShapes & OwnShapes;

export const state = statementsOf<OwnShapes>('preempted');
/** The statements that all causes about waiting pods make, in this one's name. */
export const shared = statementsOf<WaitingShapes>('preempted');
