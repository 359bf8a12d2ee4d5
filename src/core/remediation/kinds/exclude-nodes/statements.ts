import { type NoValues, statementsOf } from '../../../language/statement.js';

export type ExcludeNodesShapes = {
  readonly title: { readonly nodes: readonly string[] };
  readonly excludes: { readonly workload: string; readonly nodes: readonly string[] };
  /** The terms of the required node affinity that get the requirement. */
  readonly 'in-every-term': { readonly terms: number };
  readonly 'also-excludes': { readonly nodes: readonly string[] };
  readonly replaces: { readonly pods: number };
  readonly 'leaves-node': { readonly pods: readonly string[] };
  readonly 'placed-on': { readonly nodes: readonly string[] };
  readonly 'node-stays': { readonly nodes: readonly string[] };
  readonly reminds: { readonly hours: number };
  readonly lift: NoValues;
  readonly 'withheld-paused': { readonly workload: string };
  readonly 'withheld-on-delete': { readonly workload: string };
  readonly 'withheld-no-node': { readonly node: string };
  readonly 'withheld-no-label': { readonly node: string };
  readonly 'withheld-already': { readonly nodes: readonly string[] };
  /** Of the wanted `pods`, `room` find a place without the nodes. */
  readonly 'withheld-no-room': {
    readonly nodes: readonly string[];
    readonly room: number;
    readonly pods: number;
  };
  readonly 'withheld-deadlock': { readonly pods: number };
  readonly 'withheld-unready': { readonly pods: number };
  readonly 'withheld-unknown': NoValues;
};

export const state = statementsOf<ExcludeNodesShapes>('exclude-nodes');
