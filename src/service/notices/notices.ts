import { withoutStatedSecrets } from '../../doctor/findings/without-secrets.js';
import { type DeclaredState, declaredStatementsOf, type Statement } from '../../engine/language/statement.js';

/**
 * What a person is told when something is not done, and what an incident says when a diagnosis or a change
 * fails.
 */
export type NoticeShapes = {
  readonly 'not-authorised': {
    readonly workload: string;
    readonly cluster: string;
    readonly users: readonly string[];
    readonly groups: readonly string[];
  };
  readonly 'may-not-silence': {
    readonly workload: string;
    readonly cluster: string;
    readonly users: readonly string[];
    readonly groups: readonly string[];
  };
  readonly 'may-not-stop-changes': { readonly users: readonly string[]; readonly groups: readonly string[] };
  /** `by` and `at` are absent where the policy stops all changes. */
  readonly 'changes-stopped': {
    readonly reason: string;
    readonly by: string | undefined;
    readonly at: string | undefined;
  };
  readonly 'changes-frozen': { readonly workload: string; readonly reason: string; readonly until: string };
  readonly 'too-many-changes': {
    readonly workload: string;
    readonly changesPerHour: number;
    readonly freeAt: string;
  };
  readonly 'change-cancelled': { readonly by: string };
  /** The second step of a change whose first one is made. */
  readonly 'second-step-cancelled': { readonly by: string; readonly pods: readonly string[] };
  /**
   * It was not carried out for these pods; `because` is a code, `message` what the API server answered, or a
   * name.
   */
  readonly 'second-step-left': {
    readonly pods: readonly string[];
    readonly because: string;
    readonly message: string;
  };
  readonly 'too-late-to-cancel': { readonly workload: string };
  readonly 'not-a-member': { readonly workload: string };
  /** The policy names nothing that this person may see. */
  readonly 'nothing-visible': Record<string, never>;
  /** An assistant without a person asks for a change by its name. */
  readonly 'proposal-needs-person': Record<string, never>;
  /** An assistant proposes a change where the diagnosis recommends none. */
  readonly 'nothing-to-propose': Record<string, never>;
  readonly 'channel-shared': Record<string, never>;
  readonly 'channel-unknown': Record<string, never>;
  /** The app may not ask Slack who reads the channel. */
  readonly 'channel-unknown-scope': Record<string, never>;
  readonly 'channel-not-listed': Record<string, never>;
  /** The card of an incident may not be shown in its channel. */
  readonly 'not-shown-here': Record<string, never>;
  readonly 'own-request': { readonly workload: string };
  /** The policy wants the company's login, and this app has no settings for it. */
  readonly 'login-not-set-up': { readonly workload: string };
  /** What says that the person logged in was not signed for this approval. */
  readonly 'login-distrusted': { readonly workload: string };
  /** Nothing waits under the id of this link any more. */
  readonly 'login-link-used': Record<string, never>;
  /** To somebody who asks others to approve what they may approve themselves. */
  readonly 'may-approve': { readonly workload: string };
  /** The approvers of this fix were asked before. */
  readonly 'approval-requested': { readonly by: string };
  readonly 'approval-requests-full': { readonly workload: string; readonly max: number };
  /** Nobody can be on an incident that is over. */
  readonly 'incident-over': { readonly workload: string };
  readonly 'assignee-cannot-view': { readonly workload: string; readonly user: string };
  /** To somebody whom another person puts on an incident, or takes it from. */
  readonly 'handed-to-you': { readonly workload: string; readonly by: string };
  readonly 'taken-from-you': { readonly workload: string; readonly by: string };
  readonly 'same-person': { readonly missing: number };
  readonly 'name-not-typed': { readonly workload: string };
  readonly 'already-decided': {
    readonly by: string | undefined;
    readonly secondsAgo: number | undefined;
    readonly state: string;
  };
  /** Slack keeps its user groups from the app; `error` is its code. */
  readonly 'groups-unknown': {
    readonly workload: string;
    readonly cluster: string;
    readonly users: readonly string[];
    readonly error: string;
  };
  readonly 'approvers-unknown': { readonly workload: string };
  readonly 'approvers-missing': {
    readonly workload: string;
    /** People who approved and may not approve any more. */
    readonly lost: readonly string[];
    readonly missing: number;
  };
  /** A stored record claims to be an approval and is none; `because` is a `Distrust`. */
  readonly 'approval-distrusted': { readonly id: string; readonly because: string };
  readonly 'approval-expired': { readonly minutes: number };
  /** The record of the approval of a pull request is gone. */
  readonly 'pull-request-lost': { readonly workload: string };
  readonly 'approval-unknown': { readonly id: string };
  readonly 'incident-unknown': { readonly id: string };
  readonly 'remediation-unknown': { readonly id: string };
  readonly 'still-looking': { readonly workload: string };
  readonly 'change-under-way': { readonly workload: string; readonly by: readonly string[] };
  readonly 'workload-changed': {
    readonly workload: string;
    readonly known: number;
    readonly now: number;
  };
  readonly 'workload-replaced': { readonly workload: string };
  readonly 'workload-gone': { readonly workload: string; readonly cluster: string };
  /** What was read for the card could not be read when the plan was made again. */
  readonly 'read-in-part': {
    readonly workload: string;
    readonly cluster: string;
    readonly kinds: readonly string[];
  };
  readonly 'finding-gone': { readonly workload: string };
  readonly 'plan-changed': { readonly workload: string };
  readonly 'nothing-to-undo': { readonly workload: string };
  readonly 'change-overtaken': { readonly workload: string };
  readonly 'dry-run-refused': {
    readonly workload: string;
    readonly because: string;
    readonly message: string;
  };
  /** The served version of a custom resource lacks these fields, separated by commas. */
  readonly 'dry-run-dropped': { readonly object: string; readonly fields: string };
  /** The API server gave no usable answer to a dry run; `because` is an `UnseenReason`. */
  readonly 'dry-run-unknown': {
    readonly workload: string;
    readonly cluster: string;
    readonly because: string;
    readonly message: string;
  };
  /** No signed record says that the API server accepted the plan. */
  readonly 'dry-run-missing': { readonly workload: string };
  /** Slack could not say whether the people who reviewed a plan may do so. */
  readonly 'reviewers-unknown': { readonly workload: string };
  readonly 'apply-refused': { readonly workload: string; readonly because: string; readonly message: string };
  readonly unreadable: {
    readonly workload: string;
    readonly cluster: string;
    readonly because: string;
    readonly message: string;
  };
  /** It cannot be told whether the API server made the change. */
  readonly 'change-unknown': {
    readonly workload: string;
    readonly cluster: string;
    readonly because: string;
    readonly message: string;
  };
  /** Slack does not take the card in the channel; `error` is its code. */
  readonly 'card-refused': { readonly workload: string; readonly error: string };
  /** `code` is that of Redis, such as `OOM`. */
  readonly 'redis-refuses-writes': { readonly code: string };
  /** The user of the connection may not run the command, which may read or write. */
  readonly 'redis-denies-command': Record<never, never>;
  readonly 'cannot-queue': { readonly workload: string };
  readonly 'failed-inside': { readonly reference: string };
  /** The cluster has no running worker that may change it. */
  readonly 'cluster-name-shared': { readonly workload: string; readonly cluster: string };
  readonly 'no-remediation-worker': { readonly workload: string; readonly cluster: string };
  /** Whether a worker of the cluster carried out a review or a decision is unknown. */
  readonly 'worker-did-not-answer': {
    readonly workload: string;
    readonly cluster: string;
    readonly seconds: number;
  };
  /** The answer is not signed with a key of this process. */
  readonly 'worker-answer-distrusted': { readonly workload: string; readonly cluster: string };
  /** The computation was ended: `deadline` or `memory`. */
  readonly 'diagnosis-ended': {
    readonly workload: string;
    readonly because: string;
    readonly seconds: number;
  };
  /**
   * The same computation was ended a short while ago, and nothing that it depends on has changed in the
   * workload.
   */
  readonly 'diagnosis-ended-before': { readonly workload: string; readonly minutes: number };
  readonly 'diagnosis-busy': { readonly workload: string };
  /** The process that worked on it ended without warning, several times. */
  readonly 'diagnosis-stalled': { readonly workload: string; readonly reference: string };
};

export const noticesCatalogue = 'notices';
const plainNotice = declaredStatementsOf<NoticeShapes>(noticesCatalogue);

/** States it for a record: what an API server or a webhook said in it is kept without its secrets. */
export const notice: DeclaredState<NoticeShapes> = (key, values) =>
  withoutStatedSecrets(plainNotice(key, values));

/** A refusal with its reason. */
export function refuse(...[key, values]: Parameters<typeof notice>): {
  readonly type: 'refused';
  readonly because: Statement;
} {
  return { type: 'refused', because: notice(key, values) };
}
