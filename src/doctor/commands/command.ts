import type { KserveKind } from '../../engine/objects/inference-service.js';
import type { WorkloadKind } from '../../engine/objects/workload.js';
import type { BelowParts } from '../../engine/parents/workloads-below.js';
import type { RequestedChange } from '../fixes/requested-change.js';
import type { UsageShapes } from './usage-text.js';
import type { MemberKind } from './workload-kind.js';

/** A workload as people name it; what is missing is looked for. */
export interface NamedWorkload {
  readonly cluster?: string;
  readonly kind?: WorkloadKind;
  readonly namespace?: string;
  /** The name is that of such an object: the workload that owns it is meant. */
  readonly member?: MemberKind;
  /** The name is that of such an object: a workload that its controller makes is meant. */
  readonly owner?: KserveKind;
  /** Which of several such workloads; absent: those that are not complete. See `workloadsBelow`. */
  readonly parts?: BelowParts;
  readonly name: string;
}

/** Why a text is no request: a key of the usage catalogue and its values. */
export type UsageProblem = {
  readonly [Key in keyof UsageShapes]: { readonly key: Key; readonly values: UsageShapes[Key] };
}[keyof UsageShapes];

export interface Usage {
  readonly type: 'usage';
  readonly problem: UsageProblem;
}

/** What was asked for. */
export type Command =
  /** `meant`: another request that the text resembles, for a workload that is not found. */
  | { readonly type: 'diagnose'; readonly query: NamedWorkload; readonly meant?: string }
  /** Nothing was said: help, or in an incident's thread another diagnosis. */
  | { readonly type: 'bare' }
  | { readonly type: 'help' }
  | { readonly type: 'explain'; readonly sentence: string }
  /** Without a namespace: all of them. */
  | { readonly type: 'scan'; readonly namespace?: string; readonly cluster?: string }
  | { readonly type: 'incidents' }
  | { readonly type: 'history'; readonly query: NamedWorkload }
  /** Without a workload: of all of them. */
  | { readonly type: 'audit'; readonly query?: NamedWorkload }
  | {
      readonly type: 'silence';
      readonly query: NamedWorkload;
      readonly seconds: number;
      readonly reason: string;
    }
  | { readonly type: 'unsilence'; readonly query: NamedWorkload }
  /** A change of the workload, for a review. */
  | { readonly type: 'change'; readonly query: NamedWorkload; readonly change: RequestedChange }
  /** Which workloads are silenced. */
  | { readonly type: 'silences' }
  /** Whether changes are stopped. */
  | { readonly type: 'changes' }
  | { readonly type: 'stop-changes'; readonly reason: string }
  | { readonly type: 'allow-changes' }
  | Usage;
