import { type NoValues, statementsOf } from '../../../language/statement.js';
import type { WaitingShapes } from '../../waiting/statements.js';

/** What the rule states beyond what all causes about waiting pods do. */
type OwnShapes = {
  readonly summary: {
    readonly workload: string;
    readonly nodes: readonly string[];
    /** Pods of the workload that are on them. */
    readonly lost: number;
  };
  readonly 'standing-lost': { readonly ready: number; readonly wanted: number };
  /** `status` and `reason` of the node's condition Ready; `message` in the kubelet's or the controller's words. */
  readonly 'not-ready': {
    readonly node: string;
    readonly status: string;
    readonly reason: string;
    readonly message: string;
    readonly since: string | undefined;
  };
  /** Ready, but it says itself that it takes no pods. */
  readonly trouble: { readonly node: string; readonly taints: readonly string[] };
  readonly lost: { readonly pods: readonly string[]; readonly node: string };
  readonly 'leave-at': { readonly pods: readonly string[]; readonly at: string };
  readonly 'stays-for-ever': { readonly pods: readonly string[] };
  readonly 'stuck-there': { readonly pods: readonly string[] };
  readonly 'no-replacement-yet': NoValues;
  readonly 'would-take': { readonly pod: string; readonly nodes: readonly string[] };
  readonly 'short-as-well': { readonly nodes: readonly string[] };
  readonly 'others-wait': { readonly pods: readonly string[] };
  readonly 'unready-before': { readonly pods: readonly string[] };
  readonly 'ev-condition': { readonly node: string };
  readonly 'ev-pod-there': { readonly pod: string };
  readonly 'because-node-went-first': { readonly node: string };
  readonly 'because-not-cordoned': NoValues;
  readonly 'next-eviction': NoValues;
  readonly 'next-node': NoValues;
  readonly 'delete-withheld': NoValues;
  readonly 'exclude-withheld': NoValues;
  readonly 'restart-withheld-here': NoValues;
  readonly 'advice-look-title': NoValues;
  readonly 'advice-look': { readonly nodes: readonly string[] };
  readonly 'advice-off-title': NoValues;
  readonly 'advice-off': { readonly node: string };
};

export type NodeNotReadyShapes = WaitingShapes & OwnShapes;

export const state = statementsOf<OwnShapes>('node-not-ready');
/** The statements that all causes about waiting pods make, in this one's name. */
export const shared = statementsOf<WaitingShapes>('node-not-ready');
