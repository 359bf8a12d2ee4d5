import { type NoValues, statementsOf } from '../../../language/statement.js';

export type DeletePodShapes = {
  readonly 'title-unstick': { readonly pod: string };
  readonly 'title-experiment': { readonly pod: string };
  readonly deletes: { readonly pod: string; readonly node: string; readonly graceSeconds: number };
  readonly replaced: { readonly kind: string; readonly name: string };
  /** A StatefulSet makes the pod anew once the former one is gone. */
  readonly 'replaced-same-name': { readonly kind: string; readonly name: string; readonly pod: string };
  readonly 'placed-on': { readonly nodes: readonly string[] };
  readonly 'may-return': { readonly nodes: readonly string[] };
  readonly 'not-ready-anyway': NoValues;
  readonly 'one-less': { readonly ready: number; readonly wanted: number };
  readonly 'budget-allows': { readonly budgets: readonly string[] };
  readonly 'budget-unread': NoValues;
  readonly tells: { readonly seconds: number };
  readonly 'no-undo': NoValues;
  readonly 'withheld-bare': { readonly pod: string };
  readonly 'withheld-foreign': { readonly pod: string };
  readonly 'withheld-leaving': { readonly pod: string };
  readonly 'withheld-budget': { readonly pod: string; readonly budget: string };
  readonly 'withheld-budget-unread': { readonly pod: string };
  readonly 'withheld-not-replaced': { readonly pod: string };
  readonly 'withheld-nowhere': { readonly pod: string };
  readonly 'withheld-same-node': { readonly nodes: readonly string[] };
  readonly 'withheld-stuck': { readonly pods: readonly string[] };
  readonly 'withheld-unknown': NoValues;
};

export const state = statementsOf<DeletePodShapes>('delete-pod');
