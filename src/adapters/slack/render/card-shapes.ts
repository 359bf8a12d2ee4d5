import type { UnseenReason } from '../../../core/cluster/snapshot.js';
import type { Confidence } from '../../../core/diagnosis/cause-id.js';
import type { ApprovalState } from '../../../core/incident/approval.js';
import type { Origin } from '../../../core/incident/incident.js';
import type { Prose } from '../../../core/language/prose.js';

type None = Record<string, never>;

/** A person, an assistant, or an assistant for a person. */
export type Requester = { readonly by?: string | undefined; readonly assistant?: string | undefined };

export type CardShapes = {
  readonly diagnosing: { readonly workload: string; readonly cluster: string };
  readonly 'diagnosing-again': { readonly workload: string };
  readonly 'last-known': { readonly at: string };
  readonly requested: Requester & { readonly via: Origin['via']; readonly at: string };
  /** On a card that states the time of its diagnosis. */
  readonly assignee: { readonly by: string };
  readonly 'requested-by': Requester;
  readonly 'by-alert': None;
  readonly unasked: None;
  readonly 'unasked-since': { readonly reason: string; readonly at: string };
  readonly occurrences: { readonly times: number };
  readonly confidence: { readonly confidence: Confidence };
  readonly served: { readonly pods: number; readonly wanted: number };
  /** How many pods are ready, in the fewest words. */
  readonly ready: { readonly pods: number; readonly wanted: number; readonly old?: number | undefined };
  /** Where no fix of ours applies: what people can do. */
  /** `cause`: given where the card has a fix for another cause. */
  readonly 'no-fix': { readonly step: Prose; readonly cause: string | undefined };
  readonly 'fix-of-other': { readonly cause: string; readonly fix: Prose };
  readonly 'recommended-fix': { readonly fix: Prose };
  /** In place of `recommended-fix` before an experiment that decides between two causes. */
  readonly 'recommended-step': { readonly fix: Prose };
  /** In place of them where an owner reverts the best fix before it can help. */
  readonly 'not-recommended': { readonly fix: Prose };
  /** Where its pull request is better than a change of the cluster. */
  readonly 'recommended-in-git': { readonly fix: Prose };
  /** Beside that: what a change of the cluster would be. */
  readonly 'in-cluster': { readonly fix: Prose };
  /** After the impact of a change that has no undo. */
  readonly 'no-undo': None;
  readonly 'also-found': { readonly causes: readonly string[] };
  /** Beside a healthy workload: a note for the future. */
  readonly note: { readonly summary: Prose; readonly more: number };
  readonly 'nothing-found': { readonly workload: string };
  readonly 'not-all-checked': { readonly workload: string };
  /** Everything was read, and the workload is incomplete without a known cause. */
  readonly unexplained: { readonly workload: string; readonly pods: number; readonly wanted: number };
  readonly 'unexplained-next': None;
  readonly 'checked-in-part': None;
  readonly checked: { readonly kind: string; readonly revision: string };
  readonly 'under-way': { readonly updated: number; readonly wanted: number };
  readonly 'logs-hidden': Record<string, never>;
  readonly 'names-hidden': Record<string, never>;
  /** In place of a card whose readers may not see its workload any more. */
  readonly 'not-shown': Record<string, never>;
  /** Kinds of objects of which some could not be read. */
  readonly 'not-read': { readonly kinds: readonly string[] };
  /** What leaves the question open, the causes that need it, and the command that adds it. */
  readonly missing: {
    readonly kinds: readonly string[];
    readonly causes: number;
    readonly command: string | undefined;
  };
  readonly unseen: {
    readonly what: string;
    readonly namespace: string;
    readonly because: UnseenReason;
    /** Which object, where that is known and may be read; else ''. */
    readonly object: string;
    readonly weakens: number;
  };
  readonly 'work-spent': Readonly<Record<never, never>>;
  readonly defects: { readonly causes: readonly string[] };
  readonly weakened: { readonly by: Prose };
  readonly 'next-attempt': { readonly what: Prose; readonly at: string | undefined };
  readonly 'diagnosed-at': { readonly at: string };
  readonly more: { readonly count: number };
  readonly awaiting: {
    readonly title: Prose;
    readonly by: readonly string[];
    readonly missing: number;
    readonly until: string;
  };
  readonly 'awaiting-closed': { readonly title: Prose; readonly state: ApprovalState };
  readonly 'not-made': { readonly title: Prose; readonly because: Prose };
  readonly 'last-change': { readonly title: Prose; readonly by: readonly string[] };
  readonly 'undo-of': { readonly title: Prose };
  readonly applying: { readonly title: Prose; readonly workload: string };
  readonly 'approved-by': { readonly by: readonly string[]; readonly at: string };
  readonly sending: None;
  /** The first of two steps is made. */
  readonly 'second-step-next': None;
  readonly verifying: None;
  readonly 'verdict-by': { readonly until: string };
  readonly recovered: { readonly workload: string };
  readonly progressing: { readonly workload: string };
  readonly 'step-left': { readonly workload: string };
  readonly unchanged: { readonly workload: string };
  readonly worse: { readonly workload: string };
  readonly unknown: { readonly workload: string };
  readonly 'not-seen-since': { readonly at: string };
  readonly took: { readonly seconds: number };
  readonly 'cause-gone': { readonly cause: string };
  readonly 'cause-stays': { readonly cause: string };
  readonly 'cause-unchecked': { readonly cause: string };
  readonly failed: { readonly workload: string };
  readonly 'nothing-changed': None;
};
