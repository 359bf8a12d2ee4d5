import { type NoValues, statementsOf } from '../../../language/statement.js';

type OnPod = { readonly pod: string };
type OnNode = { readonly pod: string; readonly node: string };

/** What the rule states; told by `text.ts`. Times are RFC3339, lengths are seconds. */
export type StuckTerminatingShapes = {
  readonly summary: { readonly workload: string; readonly pods: readonly string[] };
  readonly standing: {
    readonly overdueSeconds: number;
    readonly ready: number;
    readonly wanted: number;
  };
  readonly deleted: OnPod & { readonly deadline: string; readonly graceSeconds: number };
  readonly finalizers: OnPod & { readonly finalizers: readonly string[] };
  readonly 'lifted-by': { readonly finalizer: string; readonly domain: string };
  readonly 'has-stopped': OnPod;
  readonly 'node-gone': OnNode;
  readonly 'node-not-ready': OnNode & { readonly reason: string; readonly since: string | undefined };
  readonly 'node-unknown': OnNode;
  readonly 'blocks-recreate': OnPod;
  readonly 'blocks-set': OnPod;
  readonly 'blocks-waiting': { readonly pods: readonly string[]; readonly waiting: string };
  readonly 'still-counts': NoValues;
  readonly 'ev-deleted': NoValues;
  readonly 'ev-finalizers': NoValues;
  readonly 'ev-node': NoValues;
  readonly 'ev-node-gone': NoValues;
  readonly 'node-unread': NoValues;
  readonly 'because-overdue': { readonly overdueSeconds: number };
  readonly 'because-fits-without': { readonly waiting: string };
  readonly 'delete-withheld': NoValues;
  readonly 'restart-withheld': NoValues;
  readonly 'next-finalizers': NoValues;
  readonly 'next-node': NoValues;
  readonly 'advice-finalizers-title': NoValues;
  readonly 'advice-finalizers': NoValues;
  readonly 'advice-force-title': NoValues;
  readonly 'advice-force': NoValues;
  readonly 'advice-node-title': { readonly node: string };
  readonly 'advice-node': NoValues;
};

export const state = statementsOf<StuckTerminatingShapes>('stuck-terminating');
