import { withoutStatedSecrets } from '../core/diagnosis/without-secrets.js';
import { type State, statementsOf } from '../core/language/statement.js';

/** What a person is told when something is not done, and what an incident says when a look or a change fails. */
export type NoticeShapes = {
  readonly 'not-authorised': {
    readonly workload: string;
    readonly cluster: string;
    readonly users: readonly string[];
    readonly groups: readonly string[];
  };
  readonly 'not-a-member': { readonly workload: string };
  readonly 'members-only': Record<string, never>;
  readonly 'own-request': { readonly workload: string };
  readonly 'same-person': { readonly missing: number };
  readonly 'name-not-typed': { readonly workload: string };
  readonly 'already-decided': {
    readonly by: string | undefined;
    readonly secondsAgo: number | undefined;
    readonly state: string;
  };
  readonly 'approval-expired': { readonly minutes: number };
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
  readonly 'finding-gone': { readonly workload: string };
  readonly 'plan-changed': { readonly workload: string };
  readonly 'nothing-to-undo': { readonly workload: string };
  readonly 'change-overtaken': { readonly workload: string };
  readonly 'dry-run-refused': {
    readonly workload: string;
    readonly because: string;
    readonly message: string;
  };
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
  readonly 'cannot-queue': { readonly workload: string };
  readonly 'failed-inside': { readonly reference: string };
};

export const noticesCatalogue = 'notices';
const plainNotice = statementsOf<NoticeShapes>(noticesCatalogue);

/** States it for a record: what an API server or a webhook said in it is kept without its secrets. */
export const notice: State<NoticeShapes> = (key, values) => withoutStatedSecrets(plainNotice(key, values));
