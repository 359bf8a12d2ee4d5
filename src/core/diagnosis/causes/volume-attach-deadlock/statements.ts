import { type NoValues, statementsOf } from '../../../language/statement.js';
import type { DeadlockShapes, StrategyShapes } from '../../deadlock/statements.js';

/** What the rule states beyond what all deadlocks do. */
type OwnShapes = {
  readonly summary: { readonly workload: string; readonly volume: string };
  readonly waits: {
    readonly pod: string;
    readonly node: string;
    readonly volume: string;
    readonly claim: string;
    readonly modes: readonly string[];
  };
  readonly held: { readonly volume: string; readonly node: string; readonly pods: readonly string[] };
  readonly 'one-node': NoValues;
  readonly counterfactual: {
    readonly pod: string;
    readonly node: string;
    readonly without: readonly string[];
  };
  readonly 'also-used': { readonly pods: readonly string[]; readonly node: string };
  readonly 'event-gone': NoValues;
  readonly 'ev-waiting': { readonly pod: string };
  readonly 'ev-attached': { readonly volume: string; readonly node: string };
  readonly 'ev-modes': { readonly claim: string };
  readonly 'ev-holder': { readonly pod: string; readonly volume: string };
  readonly 'ev-event': NoValues;
  readonly 'attachment-unseen': { readonly volume: string };
  readonly 'because-attach-first': { readonly volume: string };
  readonly 'because-bound': { readonly claim: string; readonly volume: string };
  readonly 'because-never-started': { readonly pod: string };
  readonly 'because-node-ready': { readonly node: string };
  readonly 'patch-withheld': { readonly node: string };
  readonly 'delete-withheld': NoValues;
  readonly 'next-attempt': { readonly volume: string };
  readonly 'advice-lasting-title': NoValues;
  readonly 'advice-lasting': { readonly workload: string };
  readonly 'advice-shared-title': NoValues;
  readonly 'advice-shared': NoValues;
  readonly 'advice-attachment-title': NoValues;
  readonly 'advice-attachment': { readonly node: string };
};

export type VolumeAttachDeadlockShapes = DeadlockShapes & OwnShapes;

export const state = statementsOf<OwnShapes>('volume-attach-deadlock');
/** The statements that all deadlocks make, in this one's name. */
export const shared = statementsOf<DeadlockShapes>('volume-attach-deadlock');
export const sharedStrategy = statementsOf<StrategyShapes>('volume-attach-deadlock');
