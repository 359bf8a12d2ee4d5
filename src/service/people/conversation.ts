import type { NamedWorkload } from '../../doctor/commands/command.js';
import type { RequestedChange } from '../../doctor/fixes/requested-change.js';
import type { Approval, ConfirmedLogin, DryRun } from '../../doctor/incidents/approval.js';
import type { MessageRef } from '../../doctor/incidents/delivery.js';
import type { Incident, Origin } from '../../doctor/incidents/incident.js';
import type { Demands } from '../../doctor/policy/policy.js';
import type { Language } from '../../engine/language/language.js';
import type { Statement } from '../../engine/language/statement.js';
import type { WorkloadRef } from '../../engine/objects/workload.js';
import type { NotFound, Unreadable } from '../diagnose/cluster-reader.js';

/** Somebody asks about a workload. */
export interface DiagnosisRequest {
  readonly query: NamedWorkload;
  readonly origin: Origin;
  readonly channel: string;
  readonly threadTs?: string;
  /** The channel's language. */
  readonly language: Language;
  /** The user group whose view an assistant has that asks for no person. */
  readonly group?: string;
  /** A change that the person asks for; its forecast comes with the diagnosis. */
  readonly change?: RequestedChange;
}

export type DiagnosisRequested =
  /**
   * `joined`: an open incident of this workload in this channel goes on; it looks again. `card`: where that
   * is shown.
   */
  | {
      readonly type: 'queued';
      readonly incident: Incident;
      readonly joined: boolean;
      readonly card?: MessageRef | undefined;
    }
  | { readonly type: 'choices'; readonly workloads: readonly WorkloadRef[] }
  /** `limitedHere`: the channel shows some namespaces only, whatever was asked for. */
  | (NotFound & { readonly limitedHere?: boolean })
  | Unreadable
  | Refused;

export type RequestDiagnosis = (request: DiagnosisRequest) => Promise<DiagnosisRequested>;

/** Look again at the workload of an incident; `refused` tells why not, to the one who asked. */
export type DiagnoseAgain = (request: {
  readonly incidentId: string;
  readonly by: string;
}) => Promise<{ readonly type: 'queued'; readonly incident: Incident } | Refused>;

/** An incident as one person may see it. */
export type ReadIncident = (request: {
  readonly incidentId: string;
  readonly by: string;
}) => Promise<{ readonly type: 'incident'; readonly incident: Incident } | Refused>;

/** Something is not done; only the person who asked is told. */
export type Refused = { readonly type: 'refused'; readonly because: Statement };

/** What is known of the API server's answer while people read the plan. */
export type ReviewedDryRun =
  | DryRun
  /** The remediation worker was asked for a dry run and has not answered. */
  | { readonly type: 'asked'; readonly ask: number }
  /** It did not answer in time. */
  | { readonly type: 'unanswered'; readonly seconds: number };

/** A plan laid open for decision: what the modal shows. Only an accepted dry run lets people approve. */
export interface Review {
  readonly type: 'review';
  readonly incident: Incident;
  readonly approval: Approval;
  readonly dryRun: ReviewedDryRun;
  /** What this cluster and namespace ask of an approval, so that the modal can ask for it. */
  readonly demands: Demands;
  /** What speaks against a change that a person asked for, the gravest first. */
  readonly warnings?: readonly Statement[];
  /** False where the policy wants another person than those who asked, triggered or opened the review. */
  readonly mayDecide: boolean;
}

/**
 * A review that is refused to somebody who may view the workload and not approve its changes: they may read
 * the plan.
 */
export interface ReviewRefused extends Refused {
  /** What a person can place in the manifest, where no pull request can be made. */
  readonly byHand?: string;
  readonly readable?: ReadablePlan;
}

/** Nothing of it is stored, and no dry run is made. */
export interface ReadablePlan {
  readonly incident: Incident;
  readonly remediationId: string;
  /** Whom the policy lets approve it. */
  readonly approvers: { readonly users: readonly string[]; readonly groups: readonly string[] };
  readonly proposal: Proposal;
  readonly warnings: readonly Statement[];
}

/** The parts of an approval that describe its change. */
export type Proposal = Pick<
  Approval,
  'remediation' | 'plan' | 'undoes' | 'cause' | 'requested' | 'gitTarget'
>;

/**
 * Re-reads the workload, re-runs the rule, plans the remediation, opens the approval, and queues the dry run.
 * Authorises first. `remediationId` is `undo` for putting back the last change.
 */
export type ReviewRemediation = (request: {
  /** With `undo`: the approval whose change is meant; refused when it is not the last one any more. */
  readonly change?: string;
  readonly incidentId: string;
  readonly remediationId: string;
  /** The fix is proposed in Git in place of being applied. */
  readonly inGit?: boolean;
  readonly by: string;
}) => Promise<Review | ReviewRefused>;

/** Mentions those who may approve, and whom it returns, in the incident's thread, once for each fix. */
export type AskForApproval = (request: {
  readonly incidentId: string;
  readonly remediationId: string;
  readonly by: string;
}) => Promise<
  { readonly type: 'asked'; readonly users: readonly string[]; readonly groups: readonly string[] } | Refused
>;

/**
 * Waits until the remediation worker has answered for a review that `by` has open; `unanswered` after a
 * bound.
 */
export type AwaitDryRun = (review: Review, by: string) => Promise<Review | Refused>;

export type Decided =
  | { readonly type: 'approved'; readonly incident: Incident; readonly approval: Approval }
  /** Counted; more people are needed. */
  | { readonly type: 'awaiting'; readonly approval: Approval; readonly missing: number }
  | { readonly type: 'rejected'; readonly approval: Approval }
  /**
   * Nothing is counted: the policy wants the approval confirmed with the company's login, at `url` of the
   * app.
   */
  | { readonly type: 'login'; readonly approval: Approval; readonly url?: string }
  | Refused;

/** Authorises again, re-checks freshness, and moves the approval by compare-and-set. */
export type DecideApproval = (request: {
  readonly approvalId: string;
  readonly by: string;
  readonly decision: 'approve' | 'reject';
  readonly reason: string;
  /** `namespace/name` as the approver typed it, where the policy wants it typed. */
  readonly typedName?: string;
  /** How the person confirmed it, where the policy asks for the login. */
  readonly login?: ConfirmedLogin;
}) => Promise<Decided>;
