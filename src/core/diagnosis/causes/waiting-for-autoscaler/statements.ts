import { type NoValues, statementsOf } from '../../../language/statement.js';
import type { WaitingShapes } from '../../waiting/statements.js';

/** What the rule states beyond what all causes about waiting pods do. */
type OwnShapes = {
  readonly summary: { readonly workload: string; readonly by: string };
  readonly ordered: { readonly by: string; readonly at: string; readonly secondsAgo: number };
  readonly 'ordered-for-nobody': { readonly claim: string; readonly at: string };
  readonly said: { readonly by: string; readonly message: string };
  readonly claim: {
    readonly name: string;
    readonly done: readonly string[];
    readonly missing: readonly string[];
  };
  readonly expires: { readonly until: string };
  readonly 'then-deadlock': { readonly pods: readonly string[] };
  readonly 'ev-claim': { readonly claim: string };
  readonly 'because-ordered': { readonly by: string };
  readonly 'next-attempt': NoValues;
  readonly 'wait-withheld': { readonly by: string };
  readonly 'advice-watch-title': NoValues;
  readonly 'advice-watch-cluster-autoscaler': NoValues;
  readonly 'advice-watch-karpenter': NoValues;
};

export type WaitingForAutoscalerShapes = WaitingShapes & OwnShapes;

export const state = statementsOf<OwnShapes>('waiting-for-autoscaler');
/** The statements that all causes about waiting pods make, in this one's name. */
export const shared = statementsOf<WaitingShapes>('waiting-for-autoscaler');
