import { type NoValues, statementsOf } from '../../../language/statement.js';

/** What the rule states; told by `text.ts`. Amounts are quantities as the API spells them. */
export type OutOfMemoryShapes = {
  readonly summary: { readonly workload: string; readonly container: string; readonly limit: string };
  readonly standing: { readonly failing: number; readonly of: number };
  readonly 'standing-recovered': { readonly failing: number };
  readonly killed: {
    readonly container: string;
    readonly limit: string;
    readonly request: string | undefined;
    readonly qos: string | undefined;
    readonly ofPod: boolean;
  };
  /** The present revision lowered the limit; `before` is absent where there was none. */
  readonly 'limit-cut': {
    readonly container: string;
    readonly before: string | undefined;
    readonly limit: string;
    readonly revision: number;
  };
  readonly 'jvm-fills': {
    readonly flag: string;
    readonly from: string;
    readonly heap: string;
    readonly limit: string;
    readonly rest: string;
  };
  readonly 'jvm-exceeds': {
    readonly flag: string;
    readonly from: string;
    readonly heap: string;
    readonly limit: string;
  };
  readonly 'by-child': { readonly container: string; readonly exitCode: number };
  readonly 'ev-limit': { readonly limit: string };
  readonly 'because-own-limit': { readonly limit: string; readonly node: string };
  readonly 'restart-withheld': NoValues;
  readonly 'exclude-withheld': { readonly nodes: readonly string[] };
  readonly 'advice-limit-title': NoValues;
  readonly 'advice-limit': { readonly container: string; readonly limit: string };
  readonly 'advice-jvm-title': NoValues;
  readonly 'advice-jvm': { readonly flag: string };
};

export const state = statementsOf<OutOfMemoryShapes>('out-of-memory');
