import type { NoValues } from '../../language/statement.js';
import type { Refusal, RefusalGroup } from './refusal.js';

/** A workload that holds what others wait for. */
export type HolderValue = {
  readonly kind: string;
  readonly workload: string;
  readonly priority: number;
  readonly pods: readonly string[];
  readonly nodes: readonly string[];
};

/**
 * Statements that every cause about waiting pods makes in its own name; told by `waiting/text.ts`, which each of their
 * texts contains. Times are RFC3339, lengths are seconds.
 */
export type WaitingShapes = {
  readonly standing: {
    readonly waiting: number;
    readonly forSeconds: number | undefined;
    readonly ready: number;
    readonly wanted: number;
  };
  /** Every node in exactly one group. */
  readonly tally: { readonly nodesInAll: number; readonly groups: readonly RefusalGroup[] };
  readonly 'node-lacks': { readonly node: string; readonly refusals: readonly Refusal[] };
  readonly 'autoscaler-declined': { readonly by: string; readonly said: string };
  readonly 'autoscaler-expired': { readonly by: string; readonly since: string };
  readonly 'ev-unschedulable': { readonly pod: string };
  readonly 'ev-declined': { readonly by: string };
  readonly 'ev-ordered': { readonly by: string };
  readonly 'plugin-words': { readonly said: string };
  readonly 'not-simulated': { readonly parts: readonly string[] };
  readonly unread: { readonly what: string; readonly because: string };
  readonly disagrees: { readonly said: string; readonly found: readonly RefusalGroup[] };
  readonly 'next-attempt': NoValues;
  readonly 'because-no-predecessor': NoValues;
  readonly 'because-predecessors-useless': { readonly pods: readonly string[] };
  readonly 'because-no-order': NoValues;
  readonly 'because-in-service': NoValues;
  readonly 'because-out-of-service': { readonly nodes: readonly string[] };
  readonly 'because-could-fit': { readonly node: string };
  readonly 'because-never': { readonly nodes: number };
  readonly 'because-no-gates': NoValues;
  readonly 'because-claims-bound': NoValues;
  readonly 'because-never-started': { readonly pod: string };
  readonly 'restart-withheld': NoValues;
  readonly 'patch-withheld': NoValues;
  readonly 'patch-unknown': NoValues;
  /** Domains that set the minimum, though no pod of the workload may ever go there. */
  readonly 'spread-counts': {
    readonly topologyKey: string;
    readonly domains: readonly string[];
    readonly minimum: number;
    readonly maxSkew: number;
  };
  readonly 'advice-spread-title': NoValues;
  readonly 'advice-spread': { readonly nodes: readonly string[] };
  readonly 'advice-requests-title': { readonly resource: string };
  readonly 'advice-requests': { readonly resource: string; readonly free: string; readonly node: string };
  readonly 'advice-node-title': NoValues;
  readonly 'advice-node': { readonly resource: string; readonly requested: string };
  readonly 'advice-preference-title': NoValues;
  readonly 'advice-preference': { readonly topologyKey: string };
  readonly 'advice-limits-title': NoValues;
  readonly 'advice-limits': { readonly by: string };
};
