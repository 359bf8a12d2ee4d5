import { type NoValues, statementsOf } from '../../../language/statement.js';

export type ScaleDownOldShapes = {
  readonly title: NoValues;
  readonly stops: {
    readonly replicaSet: string;
    readonly from: number;
    readonly to: number;
    readonly pods: readonly string[];
    readonly graceSeconds: number;
  };
  /** No rule of the ReplicaSet controller tells these apart from the one named. */
  readonly 'or-else': { readonly pods: readonly string[] };
  readonly 'stays-down': { readonly replicaSet: string; readonly to: number };
  readonly 'then-placed': { readonly pod: string; readonly node: string };
  readonly 'ready-last-time': { readonly seconds: number };
  readonly 'no-drift': { readonly workload: string };
  readonly competitors: { readonly pods: readonly string[] };
  readonly 'no-competitors': NoValues;
  readonly 'no-undo': NoValues;
  readonly 'withheld-paused': { readonly replicaSet: string };
  readonly 'withheld-no-old': NoValues;
  readonly 'withheld-scaled-back': { readonly replicaSet: string; readonly to: number };
  readonly 'withheld-wrong-pod': { readonly pods: readonly string[] };
  readonly 'withheld-waits-again': { readonly replicas: number };
  readonly 'withheld-unknown': NoValues;
};

export const state = statementsOf<ScaleDownOldShapes>('scale-down-old');
