import type { NoValues } from '../../language/statement.js';
import type { ReasonKey } from './known-reason.js';

/** What a count counts. */
export type Unit = 'node' | 'node-group' | 'node-pool';

/** One reason. `nodes` is the number of nodes in all, where the sentence says it. */
export type ReasonValues = {
  readonly count: number | undefined;
  readonly nodes: number | undefined;
  readonly unit: Unit;
  readonly detail: string | undefined;
  /** The NodePool it is about, where the sentence names one. */
  readonly pool: string | undefined;
  readonly text: string;
};

type PreemptionValues = { readonly count: number | undefined; readonly text: string };

/** What `explainSchedulerMessage` states; told by `text.ts`. */
export type SchedulerMessageShapes = { readonly [Key in `reason-${ReasonKey}`]: ReasonValues } & {
  readonly 'nodes-refused': { readonly nodes: number };
  /** No kube-scheduler writes this: it says how many nodes would do. */
  readonly 'nodes-feasible': { readonly nodes: number; readonly feasible: number };
  readonly refused: NoValues;
  readonly 'scale-up-declined': NoValues;
  readonly 'scale-up-triggered': { readonly groups: string };
  readonly 'karpenter-declined': NoValues;
  readonly 'karpenter-nominated': { readonly where: string };
  readonly gang: { readonly text: string };
  readonly queue: { readonly text: string };
  readonly 'not-a-sentence': { readonly text: string };
  readonly empty: NoValues;
  readonly 'cut-off': NoValues;
  /** The text stops within known words, and nothing marks it as cut off. */
  readonly 'cut-short': NoValues;
  /** The text holds several events; `position` counts from 1. */
  readonly 'further-sentence': { readonly position: number };
  readonly 'preemption-alone': NoValues;
  /** Nodes are counted under their first objection; several for one node come from one plugin. */
  readonly 'first-objection-only': NoValues;
  readonly 'several-for-one-node': { readonly sum: number; readonly nodes: number };
  readonly 'preemption-no-victims': PreemptionValues;
  readonly 'preemption-not-helpful': PreemptionValues;
  readonly 'preemption-policy-never': NoValues;
  readonly 'preemption-under-way': { readonly text: string };
  readonly 'preemption-not-eligible': { readonly text: string };
  readonly 'preemption-unknown': PreemptionValues;
  readonly 'pod-level': NoValues;
  readonly 'leaving-could-help': {
    readonly nodes: number;
    readonly could: number;
    readonly never: number;
    readonly exact: boolean;
  };
  readonly 'leaving-unclear': { readonly nodes: number; readonly unclear: number };
  readonly 'leaving-cannot-help': { readonly nodes: number };
  readonly shortage: {
    readonly resource: string;
    readonly count: number;
    readonly inUse: number;
    readonly tooSmall: number;
  };
};
