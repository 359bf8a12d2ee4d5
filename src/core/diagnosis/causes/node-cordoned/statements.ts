import { type NoValues, statementsOf } from '../../../language/statement.js';
import type { WaitingShapes } from '../../waiting/statements.js';

/** What the rule states beyond what all causes about waiting pods do. */
type OwnShapes = {
  readonly summary: { readonly workload: string; readonly nodes: readonly string[] };
  readonly cordoned: {
    readonly node: string;
    readonly since: string | undefined;
    readonly by: string | undefined;
  };
  readonly counterfactual: { readonly pod: string; readonly nodes: readonly string[] };
  readonly 'short-as-well': { readonly nodes: readonly string[] };
  readonly 'others-refuse': { readonly nodes: number };
  readonly unconfirmed: { readonly said: string };
  readonly 'ev-cordoned': { readonly node: string };
  readonly 'because-fits-uncordoned': { readonly node: string };
  readonly 'next-attempt': NoValues;
  readonly 'advice-uncordon-title': NoValues;
  readonly 'advice-uncordon': { readonly nodes: readonly string[] };
  readonly 'advice-room-title': NoValues;
  readonly 'advice-room': NoValues;
};

export type NodeCordonedShapes = WaitingShapes & OwnShapes;

export const state = statementsOf<OwnShapes>('node-cordoned');
/** The statements that all causes about waiting pods make, in this one's name. */
export const shared = statementsOf<WaitingShapes>('node-cordoned');
