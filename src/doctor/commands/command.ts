import type { KserveKind } from '../../engine/objects/inference-service.js';
import type { WorkloadKind } from '../../engine/objects/workload.js';
import type { BelowParts } from '../../engine/parents/parent-resource.js';
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

export type Usage = { readonly type: 'usage'; readonly problem: UsageProblem };

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

/**
 * A request about one workload as somebody would type it, for buttons: `parseCommand` reads it back as the
 * same request. Pressing such a button can do no more than typing can.
 */
export function commandText(verb: string, query: NamedWorkload, rest = ''): string {
  const kind = query.kind ?? query.member ?? query.owner;
  const words = [
    verb,
    kind === undefined ? query.name : `${kind.toLowerCase()}/${query.name}`,
    ...(query.namespace === undefined ? [] : ['-n', query.namespace]),
    ...(query.cluster === undefined ? [] : ['--cluster', query.cluster]),
    ...(rest === '' ? [] : [rest]),
  ];
  return words.join(' ');
}

const verbs = {
  'restart-rollout': 'restart',
  'undo-rollout': 'rollback',
  'resume-rollout': 'resume',
  'exclude-nodes': 'exclude',
  'abort-rollout': 'abort',
  'promote-rollout': 'promote',
  'retry-rollout': 'retry',
} as const satisfies Record<RequestedChange['kind'], string>;
export type ChangeVerb = (typeof verbs)[RequestedChange['kind']];

/** The words of a command that asks for this change: those before and after the workload. */
export function changeWords(change: RequestedChange): { readonly verb: ChangeVerb; readonly rest: string } {
  return { verb: verbs[change.kind], rest: change.kind === 'exclude-nodes' ? change.nodes.join(' ') : '' };
}

/** RFC 1123 label: names of namespaces. */
export function isNamespaceName(name: string): boolean {
  return name.length <= 63 && /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/u.test(name);
}

/** RFC 1123 subdomain: names of workloads. */
export function isWorkloadName(name: string): boolean {
  return name.length <= 253 && name.split('.').every((label) => isLabelOfAnyLength(label));
}

/** A cluster is named by its kubeconfig context, which may be almost anything. */
export function isClusterName(name: string): boolean {
  return name.length > 0 && name.length <= 253 && !/[\s<>"'`]/u.test(name);
}

function isLabelOfAnyLength(label: string): boolean {
  return /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/u.test(label);
}
