import { type NoValues, statementsOf } from '../../../language/statement.js';
import type { DeadlockShapes, StrategyShapes } from '../../deadlock/statements.js';

/** What the rule states beyond what all deadlocks do. */
type OwnShapes = {
  readonly summary: { readonly workload: string };
  readonly 'summary-possible': { readonly workload: string };
  readonly runs: { readonly pod: string; readonly container: string; readonly seconds: number | undefined };
  readonly probe: { readonly message: string };
  readonly holds: {
    readonly lease: string;
    readonly pods: readonly string[];
    readonly renewed: string | undefined;
  };
  readonly says: { readonly pod: string; readonly line: string };
  readonly 'answers-itself': { readonly line: string };
  readonly silent: { readonly pod: string };
  readonly counterfactual: { readonly pods: readonly string[]; readonly pod: string };
  readonly expiry: { readonly seconds: number };
  readonly 'lease-unseen': NoValues;
  readonly 'leases-unread': { readonly because: string };
  readonly 'words-alone': { readonly pods: readonly string[] };
  readonly 'lease-alone': { readonly lease: string };
  readonly 'not-named': { readonly lease: string };
  readonly 'ev-ready': { readonly pod: string };
  readonly 'ev-lease': { readonly pod: string };
  readonly 'ev-log': { readonly pod: string };
  readonly 'ev-probe': { readonly pod: string };
  readonly 'because-lock': NoValues;
  readonly 'because-runs': { readonly pod: string };
  readonly 'because-waited': { readonly pod: string };
  readonly 'patch-withheld': NoValues;
  readonly 'delete-withheld': NoValues;
  readonly 'next-attempt': { readonly pod: string };
  readonly 'advice-readiness-title': NoValues;
  readonly 'advice-readiness': { readonly container: string };
  readonly 'advice-lasting-title': NoValues;
  readonly 'advice-lasting': { readonly workload: string };
  readonly 'advice-tell-title': NoValues;
  readonly 'advice-tell': { readonly pod: string };
};

export type ReadinessDeadlockShapes = DeadlockShapes & OwnShapes;

export const state = statementsOf<OwnShapes>('readiness-deadlock');
/** The statements that all deadlocks make, in this one's name. */
export const shared = statementsOf<DeadlockShapes>('readiness-deadlock');
export const sharedStrategy = statementsOf<StrategyShapes>('readiness-deadlock');
