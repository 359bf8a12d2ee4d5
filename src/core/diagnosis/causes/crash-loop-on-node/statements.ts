import { type NoValues, statementsOf } from '../../../language/statement.js';

/** What the rule states; told by `text.ts`. Probabilities are texts, so that they read the same everywhere. */
export type CrashLoopOnNodeShapes = {
  readonly summary: { readonly workload: string; readonly nodes: readonly string[] };
  readonly 'summary-unsure': { readonly workload: string; readonly node: string };
  readonly standing: { readonly nodes: readonly string[]; readonly ongoing: boolean };
  readonly 'standing-unsure': { readonly node: string };
  readonly there: { readonly nodes: readonly string[]; readonly crashed: number; readonly total: number };
  readonly elsewhere: { readonly crashed: number; readonly total: number; readonly nodes: number };
  readonly chance: { readonly p: string; readonly oneIn: number };
  readonly 'others-too': { readonly workloads: readonly string[] };
  readonly lead: { readonly name: string; readonly value: string; readonly elsewhere: string | undefined };
  readonly 'no-lead': NoValues;
  readonly 'leads-are-leads': NoValues;
  /** Deleted pods that are counted, there and elsewhere; `since` RFC3339. */
  readonly remembered: { readonly deleted: number; readonly elsewhere: number; readonly since: string };
  readonly recalled: { readonly pods: number };
  readonly 'not-watched': { readonly gaps: number; readonly seconds: number };
  readonly dropped: { readonly pods: number };
  readonly exposure: { readonly crashed: number; readonly of: number; readonly percent: number };
  readonly 'ev-deleted': {
    readonly container: string;
    readonly node: string;
    readonly exitCode: number;
    readonly reason: string;
  };
  readonly 'ev-ends': {
    readonly node: string;
    readonly runs: number;
    readonly more: number;
    readonly exits: readonly string[];
  };
  readonly 'unsure-exposure': { readonly p: string };
  readonly 'unsure-few': { readonly p: string };
  readonly 'unsure-one-pod-each': NoValues;
  readonly 'unsure-revision': { readonly revision: string; readonly node: string };
  readonly 'too-young': { readonly pods: number };
  readonly 'ev-crashed': { readonly node: string; readonly crashed: number; readonly total: number };
  readonly 'because-not-everywhere': { readonly pods: number; readonly nodes: number };
  readonly 'because-same-revision': { readonly pods: number };
  readonly 'exclude-withheld': { readonly because: string };
  readonly 'undo-withheld': NoValues;
  readonly 'restart-withheld': NoValues;
  readonly 'advice-node-title': { readonly node: string };
  readonly 'advice-node': { readonly node: string };
  readonly 'advice-experiment-title': NoValues;
  readonly 'advice-experiment': { readonly node: string; readonly onto: readonly string[] };
};

export const state = statementsOf<CrashLoopOnNodeShapes>('crash-loop-on-node');
