import { statementsOf } from '../../language/statement.js';

/** A workload with what its pods on one node use; amounts are quantities as text. */
export type UseValue = { readonly workload: string; readonly pods: number; readonly amount: string };

/** What is requested of a node, used there and by whom, and left; told by `text.ts`. */
export type ArithmeticShapes = {
  readonly 'ev-node': {
    readonly requested: string;
    /** What the RuntimeClass of the pod adds; it is part of `requested`. */
    readonly overhead: string | undefined;
    readonly used: string;
    readonly free: string;
    /** The largest first. */
    readonly users: readonly UseValue[];
    /** Workloads that are not among `users`. */
    readonly more: number;
  };
};

export const arithmeticCatalogueId = 'arithmetic';
export const state = statementsOf<ArithmeticShapes>(arithmeticCatalogueId);
