import { statementsOf } from '../language/statement.js';
import type { RequestedChange } from '../remediation/requested-change.js';

type Kind = { readonly change: RequestedChange['kind'] };

export type RequestedShapes = {
  /** Old pods keep what the new ones wait for. */
  readonly 'would-deadlock': Kind;
  readonly 'would-stop': Kind;
  readonly 'end-unknown': Kind;
  /** Waiting pods of other workloads could take what the change frees, as `namespace/name`. */
  readonly 'place-contested': Kind & { readonly pods: readonly string[] };
  /** With one choice of nodes it completes, with another it does not. */
  readonly 'depends-on-node': Kind;
  /** No pod would be ready for a time; `seconds` is absent where no length was observed. */
  readonly outage: Kind & { readonly seconds: number | undefined };
  readonly 'resume-needs-deployment': { readonly workload: string };
  readonly 'resume-not-paused': { readonly workload: string };
};

export const requestedCatalogueId = 'requested';
export const state = statementsOf<RequestedShapes>(requestedCatalogueId);
