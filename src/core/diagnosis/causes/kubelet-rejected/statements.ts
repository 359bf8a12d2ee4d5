import { type NoValues, statementsOf } from '../../../language/statement.js';

/** What the rule states; told by `text.ts`. */
export type KubeletRejectedShapes = {
  readonly summary: { readonly workload: string; readonly nodes: readonly string[]; readonly reason: string };
  readonly standing: { readonly pods: number };
  readonly says: { readonly node: string; readonly message: string };
  readonly 'fixed-node': { readonly node: string };
  readonly 'scheduler-disagrees': NoValues;
  readonly engine: { readonly node: string; readonly reasons: readonly string[] };
  readonly holders: { readonly pods: readonly string[] };
  readonly 'device-fault': NoValues;
  readonly 'keeps-creating': { readonly kind: string; readonly pods: number };
  readonly 'ev-node-name': NoValues;
  readonly 'because-has-node': NoValues;
  readonly 'because-never-started': NoValues;
  readonly 'restart-withheld': NoValues;
  readonly 'advice-node-name-title': NoValues;
  readonly 'advice-node-name': { readonly node: string };
  readonly 'advice-holder-title': NoValues;
  readonly 'advice-holder': { readonly pods: readonly string[] };
  readonly 'advice-node-title': NoValues;
  readonly 'advice-node': { readonly node: string };
};

export const state = statementsOf<KubeletRejectedShapes>('kubelet-rejected');
