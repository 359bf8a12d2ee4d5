import { type NoValues, statementsOf } from '../../../language/statement.js';
import type { WaitingShapes } from '../../waiting/statements.js';

type Volume = { readonly volume: string; readonly claim: string };

/** What the rule states beyond what all causes about waiting pods do. */
type OwnShapes = {
  readonly summary: { readonly workload: string; readonly nodesInAll: number };
  readonly 'summary-pinned': { readonly workload: string; readonly nodes: readonly string[] };
  readonly 'summary-missing': { readonly workload: string; readonly nodes: readonly string[] };
  readonly 'node-missing': { readonly nodes: readonly string[]; readonly field: string };
  readonly 'volume-node-missing': Volume & { readonly nodes: readonly string[] };
  readonly collected: NoValues;
  readonly 'ev-node-missing': NoValues;
  readonly 'because-no-scheduler': NoValues;
  readonly 'advice-pin-title': NoValues;
  readonly 'advice-pin': { readonly nodes: readonly string[]; readonly field: string };
  readonly 'advice-volume-node-title': NoValues;
  readonly 'advice-volume-node': Volume & { readonly nodes: readonly string[] };
  readonly nearest: { readonly nodes: number };
  readonly 'no-change-helps': NoValues;
  readonly 'terms-conflict': NoValues;
  readonly unconfirmed: { readonly said: string };
  readonly 'ev-label': { readonly node: string; readonly requirement: string };
  readonly 'ev-taint': { readonly node: string };
  readonly 'ev-allocatable': { readonly node: string; readonly resource: string };
  readonly 'because-emptied': { readonly nodes: number };
  readonly 'advice-selector-title': NoValues;
  readonly 'advice-selector': { readonly node: string; readonly labels: readonly string[] };
  readonly 'advice-label-title': NoValues;
  readonly 'advice-label': { readonly node: string };
  readonly 'advice-toleration-title': NoValues;
  readonly 'advice-toleration': { readonly node: string; readonly taint: string };
  readonly 'advice-size-title': { readonly resource: string };
  readonly 'advice-size': {
    readonly resource: string;
    readonly node: string;
    readonly allocatable: string;
    readonly requested: string;
  };
  readonly 'advice-device-title': { readonly resource: string };
  readonly 'advice-device': { readonly resource: string };
  readonly 'advice-volume-title': NoValues;
  readonly 'advice-volume': { readonly volume: string; readonly claim: string };
};

export type UnsatisfiablePlacementShapes = WaitingShapes & OwnShapes;

export const state = statementsOf<OwnShapes>('unsatisfiable-placement');
/** The statements that all causes about waiting pods make, in this one's name. */
export const shared = statementsOf<WaitingShapes>('unsatisfiable-placement');
