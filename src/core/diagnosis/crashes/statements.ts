import { statementsOf } from '../../language/statement.js';

/** What all causes of crashes say alike; told by `text.ts`. Lengths are seconds, times RFC3339. */
export type CrashShapes = {
  /** Which pods, of how many of that revision that have a node. */
  readonly pods: {
    readonly container: string;
    readonly failing: readonly string[];
    readonly of: number;
    readonly nodes: readonly string[];
  };
  /** How often it restarted and how long its runs take; absent where no run has ended. */
  readonly runs: {
    readonly container: string;
    readonly restarts: number;
    readonly shortest: number | undefined;
    readonly longest: number | undefined;
  };
  readonly exit: { readonly container: string; readonly exitCode: number; readonly reason: string };
  /** One node fails, and pods of the same revision are ready on others. */
  readonly 'only-there': { readonly node: string; readonly pods: number; readonly nodes: readonly string[] };
  /** Other pods of the container that end in another way. */
  readonly 'ends-otherwise': {
    readonly container: string;
    readonly pods: readonly string[];
    readonly nodes: readonly string[];
    readonly exitCode: number;
    readonly reason: string;
  };
  /** Other pods that fail as a whole for another reason. */
  readonly 'fails-otherwise': {
    readonly pods: readonly string[];
    readonly nodes: readonly string[];
    readonly reason: string;
  };
  readonly 'last-lines': {
    readonly pod: string;
    readonly container: string;
    readonly lines: readonly string[];
  };
  readonly 'no-log': { readonly pod: string; readonly container: string };
  readonly 'next-restart': {
    readonly container: string;
    readonly backOffSeconds: number;
    readonly at: string | undefined;
  };
  readonly 'restarts-at-once': { readonly container: string };
  readonly 'previous-well': { readonly revision: string; readonly pods: number };
  readonly 'first-rollout': Readonly<Record<never, never>>;
  readonly unread: { readonly kinds: readonly string[] };
  readonly served: { readonly ready: number; readonly wanted: number };
  readonly 'ev-ended': {
    readonly container: string;
    readonly exitCode: number;
    readonly reason: string;
    readonly seconds: number | undefined;
  };
  readonly 'ev-waiting': { readonly container: string; readonly reason: string };
  readonly 'ev-running': { readonly container: string };
  readonly 'ev-pod': { readonly pod: string; readonly reason: string };
  readonly 'ev-event': { readonly reason: string; readonly count: number };
  readonly 'because-exit': { readonly exitCode: number; readonly reason: string };
  readonly 'because-not-oom': { readonly container: string; readonly reason: string };
  readonly 'because-no-probe-kill': { readonly container: string };
  readonly 'because-several-nodes': { readonly nodes: readonly string[] };
  readonly 'because-never-ran': { readonly container: string };
  readonly 'because-it-ran': { readonly container: string; readonly seconds: number | undefined };
  readonly 'because-no-predecessor': Readonly<Record<never, never>>;
  readonly 'because-predecessor-too': { readonly revision: string };
};

export const crashesCatalogueId = 'crashes';
export const crash = statementsOf<CrashShapes>(crashesCatalogueId);
