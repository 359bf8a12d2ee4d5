import { type NoValues, statementsOf } from '../../../language/statement.js';
import type { HolderValue, WaitingShapes } from '../../waiting/statements.js';

/** What the rule states beyond what all causes about waiting pods do. */
type OwnShapes = {
  readonly summary: {
    readonly workload: string;
    readonly resource: string;
    readonly holders: readonly string[];
  };
  readonly 'summary-neighbour': {
    readonly workload: string;
    readonly resource: string;
    readonly neighbours: readonly string[];
  };
  readonly 'neighbour-moves': {
    readonly neighbour: string;
    readonly starting: readonly string[];
    readonly leaving: readonly string[];
    readonly pod: string;
  };
  /** Its controller has acted a moment ago or has not seen its update yet; no new pod is starting. */
  readonly 'neighbour-acts': {
    readonly neighbour: string;
    readonly leaving: readonly string[];
    readonly pod: string;
  };
  readonly 'neighbour-may-fail': { readonly neighbours: readonly string[] };
  readonly 'ev-starting': { readonly pod: string };
  readonly 'because-neighbour-moves': { readonly neighbours: readonly string[] };
  readonly 'patch-needless': { readonly neighbours: readonly string[] };
  readonly 'held-by': { readonly resource: string; readonly holder: HolderValue };
  readonly counterfactual: {
    readonly pod: string;
    readonly without: readonly string[];
    readonly node: string;
  };
  /** Others' pods alone do not open the node; own ones are in the set. */
  readonly 'own-too': { readonly pods: readonly string[] };
  readonly 'preempts-lower-only': { readonly priority: number; readonly lowest: number };
  readonly 'preempts-never': { readonly priority: number };
  readonly 'equal-priority': { readonly priority: number };
  readonly 'leaves-by-itself': { readonly workload: string; readonly kind: string };
  readonly overdue: { readonly pod: string };
  readonly cycle: {
    readonly other: string;
    readonly otherWaiting: string;
    readonly otherHolds: readonly string[];
    readonly weHold: readonly string[];
    readonly node: string;
  };
  readonly 'cycle-unproven': { readonly other: string };
  readonly 'ev-holder': { readonly pod: string; readonly priority: number };
  readonly 'ev-cycle': { readonly pod: string };
  readonly 'because-others': { readonly holders: readonly string[] };
  readonly 'advice-move-title': { readonly workload: string };
  readonly 'advice-move': { readonly workload: string; readonly node: string };
  readonly 'advice-port-title': NoValues;
  readonly 'advice-port': { readonly port: string; readonly holders: readonly string[] };
  readonly 'advice-priority-title': NoValues;
  readonly 'advice-priority': { readonly holder: string; readonly priority: number };
  readonly 'advice-cycle-title': NoValues;
  readonly 'advice-cycle': { readonly other: string };
};

export type CapacityContentionShapes = WaitingShapes & OwnShapes;

export const state = statementsOf<OwnShapes>('capacity-contention');
/** The statements that all causes about waiting pods make, in this one's name. */
export const shared = statementsOf<WaitingShapes>('capacity-contention');
