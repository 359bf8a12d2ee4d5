import { statementsOf } from '../../language/statement.js';

/** A workload with what its pods use on one node or of one quota; amounts are quantities as text. */
export type UseValue = { readonly workload: string; readonly pods: number; readonly amount: string };

/** What is requested of a node or a quota, used and by whom, and left or missing; told by `text.ts`. */
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
  readonly 'ev-quota': {
    readonly requested: string;
    readonly used: string;
    readonly hard: string;
    /** By how much `used` and `requested` exceed `hard`; `undefined` where that is not known, or they do not. */
    readonly missing: string | undefined;
    /** The largest first. */
    readonly users: readonly UseValue[];
    /** Workloads that are not among `users`. */
    readonly more: number;
  };
};

export const arithmeticCatalogueId = 'arithmetic';
export const state = statementsOf<ArithmeticShapes>(arithmeticCatalogueId);
