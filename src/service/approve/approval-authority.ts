import { canonicalPlan } from '../../doctor/fixes/plan.js';
import { isPlanOfKind } from '../../doctor/fixes/remediation.js';
import { isRequestedId } from '../../doctor/fixes/requested-change.js';
import type {
  Approval,
  AuthenticApproval,
  ConfirmedLogin,
  Decision,
  LoginFacts,
  Seal,
} from '../../doctor/incidents/approval.js';
import {
  asStored,
  authorityText,
  loginFacts,
  loginText,
  sealedText,
} from '../../doctor/incidents/approval-authority.js';
import { hasOneOrigin } from '../../doctor/incidents/change-origin.js';
import type { Digest } from '../records/process-ports.js';
import type { ApprovalSigner, Distrust } from './approval-ports.js';

/** A stored approval that is not taken for what it says. */
export type Distrusted = { readonly type: 'distrusted'; readonly because: Distrust };

/** Signs approvals, and tells those that this installation signed from all others. */
export interface ApprovalAuthority {
  /** The approval with a seal over all that grants authority. Only for what this process checked itself. */
  seal(approval: Approval): Approval;
  sealTemplate(template: string): Seal;
  isSealedTemplate(template: string, seal: Seal | undefined): boolean;
  /** Only for a person whose login this process checked itself. */
  sealLogin(approval: Approval, by: string, login: LoginFacts): ConfirmedLogin;
  /** Whether this person confirmed this very approval with the login. */
  isConfirmed(approval: Approval, decision: Pick<Decision, 'by' | 'decision' | 'login'>): boolean;
  /**
   * Checks seal, digest and plan of a stored approval.
   *
   * @param id under which it was stored
   */
  authenticate(id: string, approval: Approval): AuthenticApproval | Distrusted;
}

/** @param signerOf of a cluster with workers of its own, whose approvals have keys of their own */
export function createApprovalAuthority({
  signer,
  signerOf = () => signer,
  digest,
}: {
  signer: ApprovalSigner;
  signerOf?: (cluster: string) => ApprovalSigner;
  digest: Digest;
}): ApprovalAuthority {
  const textOf = (approval: Approval) => sealedText('approval', authorityText(approval));
  return {
    seal(approval) {
      const stored = asStored(approval);
      return { ...stored, seal: signerOf(stored.workload.cluster).sign(textOf(stored)) };
    },
    sealTemplate: (template) => signer.sign(sealedText('template', template)),
    isSealedTemplate: (template, seal) => signer.check(sealedText('template', template), seal) === 'valid',
    sealLogin(approval, by, login) {
      const text = sealedText('login', loginText(approval, by, login));
      return { ...loginFacts(login), seal: signerOf(approval.workload.cluster).sign(text) };
    },
    isConfirmed(approval, { by, decision, login }) {
      if (login === undefined || decision !== 'approve') return false;
      const text = sealedText('login', loginText(approval, by, login));
      return signerOf(approval.workload.cluster).check(text, login.seal) === 'valid';
    },
    authenticate(id, approval) {
      const signature = signerOf(approval.workload.cluster).check(textOf(approval), approval.seal);
      if (signature !== 'valid') return distrusted(signature);
      if (approval.id !== id) return distrusted('id');
      const { plan } = approval;
      if (digest(canonicalPlan(plan)) !== approval.digest) return distrusted('digest');
      if (!isPlanOfKind(approval) || !hasOwnOrigin(approval)) return distrusted('shape');
      if (plan.request.verb === 'restore-template' && approval.template === undefined) {
        return distrusted('template');
      }
      return approval as AuthenticApproval;
    },
  };
}

/**
 * Exactly one origin, and the id of its kind: what a finding offered was not asked for, and the other way
 * round.
 */
function hasOwnOrigin(approval: Approval): boolean {
  const { requested, remediation } = approval;
  return hasOneOrigin(approval) && isRequestedId(remediation.id) === (requested !== undefined);
}

function distrusted(because: Distrust): Distrusted {
  return { type: 'distrusted', because };
}

/** Whether `authenticate` refused. */
export function isDistrusted(result: AuthenticApproval | Distrusted): result is Distrusted {
  return 'type' in result;
}
