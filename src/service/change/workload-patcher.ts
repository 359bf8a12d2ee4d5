import type { FieldChange } from '../../doctor/fixes/plan.js';
import type { AuthenticApproval, SkippedPod, VerifiedApproval } from '../../doctor/incidents/approval.js';
import type { Distrust } from '../approve/approval-ports.js';
import type { Unreadable } from '../diagnose/cluster-reader.js';

/** What the API server said to a change. */
export type ChangeOutcome =
  | {
      readonly type: 'accepted';
      readonly generation: number | undefined;
      /** Fields whose value in the answer is not what was sent: a webhook changed them. */
      readonly mutated: readonly FieldChange[];
    }
  | {
      readonly type: 'refused';
      /**
       * `stale`: the object was changed or replaced since the plan. `dropped`: the served version lacks a
       * field of the change.
       */
      readonly because: 'forbidden' | 'stale' | 'gone' | 'invalid' | 'admission' | 'unsupported' | 'dropped';
      readonly message: string;
    }
  | Unreadable;

/** Whether the controller works by the first step of a plan. */
export type FirstStepRead =
  | { readonly type: 'observed' | 'waiting' }
  | Exclude<ChangeOutcome, { readonly type: 'accepted' }>;

/** What became of the pods of a second step. */
export interface SecondStepOutcome {
  readonly deleted: readonly string[];
  readonly skipped: readonly SkippedPod[];
  /** Why the remaining pods were not deleted; absent where the step is done. */
  readonly failed?: Exclude<ChangeOutcome, { readonly type: 'accepted' }> | Lapsed;
}

/** The only writer to clusters. */
export interface WorkloadPatcher {
  /**
   * Server-side dry run of all steps of a plan that was reviewed: validation and admission, nothing stored.
   */
  dryRun(approval: AuthenticApproval): Promise<ChangeOutcome | Lapsed>;
  /**
   * Sends the approved plan as a dry run, then its first step for good if the API server accepted all, marks
   * the object with the approval, and writes a Kubernetes Event. Right before each request it checks the seal
   * and the expiry again. Sending it twice changes the object once, whatever the stored records say: the mark
   * on the object or a precondition refuses the second request.
   */
  apply(approval: VerifiedApproval): Promise<ChangeOutcome | Lapsed>;
  /**
   * Reads whether the change was made already; sends none. `undefined`: it was not. Refused: the object does
   * not show it.
   */
  findMade(approval: AuthenticApproval): Promise<ChangeOutcome | undefined>;
  /**
   * Reads whether the object is as this approval's first step left it and its controller has observed that.
   */
  readFirstStep(approval: AuthenticApproval): Promise<FirstStepRead>;
  /**
   * Sends the second step of the plan: only where the object bears the mark of the first one, and only for
   * pods that the object controls, by uid, that are not ready and not of the restored revision. Each deletion
   * is tried as a dry run first. Sending it twice deletes each pod once: its uid and resourceVersion are
   * preconditions.
   */
  applySecondStep(approval: VerifiedApproval): Promise<SecondStepOutcome>;
}

/** The approval did not hold any more at the moment of the request; nothing was sent. */
export type Lapsed = { readonly type: 'lapsed'; readonly because: 'expired' | Distrust };
