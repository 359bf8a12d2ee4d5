import { type NoValues, statementsOf } from '../../../language/statement.js';

export type PatchStrategyShapes = {
  readonly 'title-in-place': NoValues;
  readonly 'title-recreate': NoValues;
  readonly 'stops-first': { readonly pods: readonly string[]; readonly graceSeconds: number };
  /** No rule of the ReplicaSet controller tells these apart from those named. */
  readonly 'or-else': { readonly pods: readonly string[] };
  readonly 'stops-all': { readonly pods: number; readonly graceSeconds: number };
  readonly 'then-placed': { readonly pod: string; readonly node: string };
  readonly 'then-one-by-one': { readonly replicas: number };
  readonly 'then-node-by-node': { readonly nodes: number };
  readonly 'ready-last-time': { readonly seconds: number };
  readonly stays: { readonly maxSurge: string; readonly maxUnavailable: string };
  readonly competitors: { readonly pods: readonly string[] };
  readonly 'no-competitors': NoValues;
};

export const state = statementsOf<PatchStrategyShapes>('patch-strategy');
