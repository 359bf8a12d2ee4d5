import { type NoValues, statementsOf } from '../../../language/statement.js';
import type { HolderValue, WaitingShapes } from '../../waiting/statements.js';

/** What the rule states beyond what all causes about waiting pods do. */
type OwnShapes = {
  readonly summary: { readonly workload: string; readonly waiting: number };
  readonly 'summary-possible': { readonly workload: string; readonly waiting: number };
  readonly 'no-node': { readonly pod: string };
  readonly 'own-revision': { readonly pod: string };
  readonly 'used-by': { readonly node: string; readonly holders: readonly HolderValue[] };
  readonly unconfirmed: { readonly said: string };
  readonly 'because-nobody': NoValues;
  readonly 'because-not-scaled': NoValues;
};

export type InsufficientCapacityShapes = WaitingShapes & OwnShapes;

export const state = statementsOf<OwnShapes>('insufficient-capacity');
/** The statements that all causes about waiting pods make, in this one's name. */
export const shared = statementsOf<WaitingShapes>('insufficient-capacity');
