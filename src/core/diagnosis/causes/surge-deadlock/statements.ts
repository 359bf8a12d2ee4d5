import { type NoValues, statementsOf } from '../../../language/statement.js';
import type { StrategyShapes } from '../../deadlock/statements.js';

/** What the rule states beyond the strategy. Times are RFC3339, lengths are seconds. */
type OwnShapes = {
  readonly summary: { readonly workload: string; readonly resource: string };
  readonly standing: {
    readonly workload: string;
    readonly revision: string;
    readonly stillForSeconds: number | undefined;
  };
  readonly 'standing-but-for-jobs': {
    readonly workload: string;
    readonly revision: string;
    readonly stillForSeconds: number | undefined;
  };
  readonly 'standing-but-for-evictions': {
    readonly workload: string;
    readonly revision: string;
    readonly stillForSeconds: number | undefined;
  };
  readonly 'standing-but-for-neighbours': {
    readonly workload: string;
    readonly revision: string;
    readonly stillForSeconds: number | undefined;
  };
  /** The new pod and what it waits for. `nodes` are those that could ever carry it. */
  readonly needs: {
    readonly pod: string;
    readonly waiting: number;
    readonly resource: string;
    readonly amount: string;
    readonly nodes: readonly string[];
    readonly nodesInAll: number;
  };
  readonly held: {
    readonly pods: readonly string[];
    readonly nodes: readonly string[];
    readonly resource: string;
    readonly amount: string;
  };
  /** Of a DaemonSet. */
  readonly 'strategy-surges': {
    readonly maxSurge: string;
    readonly maxUnavailable: string;
    readonly waiting: number;
    readonly surge: number;
    readonly nodes: number;
  };
  /** Of a StatefulSet. */
  readonly 'strategy-ordinals': { readonly pod: string };
  readonly counterfactual: {
    readonly pod: string;
    readonly without: readonly string[];
    readonly node: string;
  };
  readonly 'no-rescue': { readonly resource: string };
  readonly 'also-holding': {
    readonly pods: readonly string[];
    readonly resource: string;
  };
  /** Nodes that would take the new pod but for the state they are in. */
  readonly 'room-cordoned': { readonly nodes: readonly string[] };
  readonly 'room-not-ready': { readonly nodes: readonly string[] };
  readonly 'nodes-joining': { readonly nodes: readonly string[] };
  readonly 'jobs-may-finish': { readonly pods: readonly string[] };
  readonly 'evictions-may-free': { readonly pods: readonly string[] };
  readonly 'neighbours-unread': { readonly neighbours: readonly string[] };
  readonly 'other-scheduler': { readonly scheduler: string };
  readonly 'refused-elsewhere': { readonly node: string; readonly reasons: readonly string[] };
  readonly 'ev-unschedulable': { readonly pod: string };
  readonly 'ev-holder': { readonly pod: string; readonly resource: string };
  readonly 'ev-surges': { readonly surge: number; readonly nodes: number };
  readonly 'ev-ordinals': { readonly pod: string };
  readonly 'not-simulated': { readonly parts: readonly string[] };
  readonly 'pods-unread': { readonly because: string };
  readonly 'events-unread': { readonly because: string };
  readonly 'autoscaler-pending': NoValues;
  readonly 'because-fits-without': { readonly pods: readonly string[] };
  readonly 'because-own-pods': { readonly pods: readonly string[]; readonly resource: string };
  readonly 'because-old-revision': { readonly pods: number };
  readonly 'because-no-scale-up': NoValues;
  readonly 'because-node-open': { readonly node: string };
  readonly 'because-not-paused': NoValues;
  readonly 'because-no-gates': NoValues;
  readonly 'because-never-started': { readonly pod: string };
  readonly 'because-fixed-point': NoValues;
  readonly 'restart-withheld': NoValues;
  readonly 'restart-withheld-ordinals': { readonly pod: string };
  readonly 'exclude-withheld': { readonly node: string };
  readonly 'patch-withheld': { readonly resource: string };
  readonly 'next-attempt': NoValues;
  readonly 'advice-lasting-title': NoValues;
  readonly 'advice-lasting': { readonly workload: string };
  readonly 'advice-uncordon-title': NoValues;
  readonly 'advice-uncordon': { readonly nodes: readonly string[] };
  readonly 'advice-wait-title': NoValues;
  readonly 'advice-wait': { readonly nodes: readonly string[] };
  readonly 'advice-capacity-node': {
    readonly nodes: readonly string[];
    readonly resource: string;
    readonly amount: string;
  };
  readonly 'advice-capacity-title': { readonly resource: string };
  readonly 'advice-capacity': { readonly resource: string; readonly amount: string };
  readonly 'advice-sharing-title': NoValues;
  readonly 'advice-sharing': { readonly resource: string };
  readonly 'advice-match-label-keys-title': NoValues;
  readonly 'advice-match-label-keys': { readonly field: string };
};

export type SurgeDeadlockShapes = StrategyShapes & OwnShapes;

export const state = statementsOf<OwnShapes>('surge-deadlock');
/** The statements about the strategy that all deadlocks make, in this one's name. */
export const sharedStrategy = statementsOf<StrategyShapes>('surge-deadlock');
