import type { ObjectRef } from '../cluster/metadata.js';
import { type NoValues, statementsOf } from '../language/statement.js';
import type { Downtime } from '../rollout/downtime.js';
import type { LimitValues } from '../rollout/limit-words.js';

/** The catalogue that tells these statements. */
export const checkCatalogueId = 'check';

type Workload = { readonly workload: string };
export type PriceValues = {
  readonly kind: Downtime['kind'];
  readonly seconds: number | undefined;
  readonly ready: number;
  readonly of: number;
};

/** What a check states; told by `text.ts`. */
export type CheckShapes = {
  readonly deadlock: Workload & { readonly resource: string };
  readonly 'quota-deadlock': Workload & { readonly quota: string };
  readonly stuck: Workload;
  readonly 'stuck-by-quota': Workload & { readonly quota: string };
  readonly refused: Workload & { readonly field: string };
  readonly completes: Workload;
  readonly starts: Workload;
  readonly unchanged: Workload;
  readonly 'cannot-tell': Workload;

  readonly needs: { readonly resource: string; readonly pods: number };
  readonly 'would-say': { readonly message: string };
  readonly 'held-by': { readonly pods: readonly string[]; readonly nodes: readonly string[] };
  readonly 'rule-forbids': {
    readonly maxSurge: string;
    readonly maxUnavailable: string;
    readonly replicas: number;
    readonly surge: number;
    readonly unavailable: number;
  };
  readonly 'would-have-to-move': { readonly pods: readonly string[]; readonly node: string };
  readonly lacks: { readonly node: string; readonly texts: readonly string[] };
  readonly 'quota-short': {
    readonly quota: string;
    readonly resource: string;
    readonly requested: string;
    readonly used: string;
    readonly limited: string;
  };
  readonly 'quota-held-by': { readonly pods: readonly string[]; readonly quota: string };
  readonly 'way-out-in-place': PriceValues;
  readonly 'way-out-recreate': PriceValues;
  readonly 'way-out-too-large': NoValues;
  readonly 'way-out-contested': {
    readonly strategy: 'RollingUpdate' | 'Recreate';
    readonly workloads: readonly string[];
  };
  readonly 'price-in-full': PriceValues & { readonly stops: number };
  readonly 'assumes-ready': NoValues;
  readonly 'stuck-already': NoValues;
  readonly 'next-update-deadlocks': { readonly resource: string };
  readonly 'on-delete': NoValues;
  readonly paused: NoValues;
  readonly 'no-pods': NoValues;
  readonly 'choice-does-not-matter': NoValues;

  readonly 'because-not-simulated': { readonly parts: readonly string[] };
  readonly 'because-unread': { readonly what: string; readonly because: string };
  readonly 'because-preemption': { readonly victims: readonly string[] };
  readonly 'because-autoscaler': { readonly by: string };
  readonly 'because-node-choice': NoValues;
  readonly 'because-contested': { readonly workloads: readonly string[] };
  readonly 'because-unfinished': NoValues;
  readonly 'because-too-large': Partial<LimitValues>;
  readonly 'because-counted': { readonly stops: string };
  readonly 'because-pods-unseen': NoValues;
  readonly 'because-not-ready': { readonly pods: readonly string[] };
  readonly 'because-no-nodes': NoValues;
};

export const state = statementsOf<CheckShapes>(checkCatalogueId);

/** A downtime as the values that sentences need. */
export function priceValues({ kind, seconds, readyMin, ofReplicas }: Downtime): PriceValues {
  return { kind, seconds, ready: readyMin, of: ofReplicas };
}

/** `namespace/name` of each. */
export function qualified(
  pods: readonly { readonly metadata: Omit<ObjectRef, 'kind'> }[],
): readonly string[] {
  return pods.map(({ metadata }) => nameOf(metadata));
}

/** `namespace/name`. */
export function nameOf({ namespace, name }: Omit<ObjectRef, 'kind'>): string {
  return `${namespace}/${name}`;
}
