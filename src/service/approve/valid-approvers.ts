import type { AuthenticApproval, Decision } from '../../doctor/incidents/approval.js';
import { mustConfirmByName } from '../../doctor/incidents/approval-authority.js';
import type { Action, Demands } from '../../doctor/policy/policy.js';
import { nameOf } from '../diagnose/diagnose-again.js';
import type { ApprovalAuthority } from './approval-authority.js';
import type { MayApprove } from './may-approve.js';

/** What the policy says now of those who approved. */
export interface ValidApprovers {
  /** People whose approval still counts, each once, also where somebody approved under two ids. */
  readonly valid: readonly string[];
  /** People who approved and may not any more. */
  readonly lost: readonly string[];
  /** How many people must approve: the stricter of the approval's own number and the policy's. */
  readonly needs: number;
}

export interface ValidApproversDeps {
  readonly authority: Pick<ApprovalAuthority, 'isConfirmed'>;
  readonly mayApprove: MayApprove;
}

/** The action that the policy must allow for this approval. */
export function actionOf({
  undoes,
  remediation,
  gitTarget,
}: Pick<AuthenticApproval, 'undoes' | 'remediation' | 'gitTarget'>): Action {
  if (gitTarget !== undefined) return 'open-pull-request';
  return undoes ? 'undo' : remediation.kind;
}

/**
 * Asks the policy again for everyone who approved: right, membership, groups, and what the policy demands
 * today, the login included.
 *
 * @throws DoctorError when Slack cannot be asked
 */
export async function findValidApprovers(
  { authority, mayApprove }: ValidApproversDeps,
  approval: AuthenticApproval,
): Promise<ValidApprovers> {
  const approving = approval.decisions.filter(({ decision }) => decision === 'approve');
  const valid = new Set<string>();
  const lost = new Set<string>();
  let { needs } = approval;
  for (const decision of approving) {
    const { by } = decision;
    const answer = await mayApprove(approval, by, actionOf(approval));
    if (answer.type === 'refused') {
      lost.add(by);
      continue;
    }
    needs = Math.max(needs, answer.demands.approvers);
    const own = await answer.idsAmong([...valid, ...approval.initiators]);
    if (!meetsDemands(answer.demands, approval, decision, own, authority)) lost.add(by);
    else if (![...valid].some((id) => own.has(id))) valid.add(by);
  }
  return { valid: [...valid], lost: [...lost], needs };
}

function meetsDemands(
  { notRequester, typeName, login }: Demands,
  approval: AuthenticApproval,
  decision: Decision,
  own: ReadonlySet<string>,
  authority: ValidApproversDeps['authority'],
): boolean {
  const { typedName } = decision;
  if (notRequester && approval.initiators.some((id) => own.has(id))) return false;
  if (login && !authority.isConfirmed(approval, decision)) return false;
  return (!typeName && !mustConfirmByName(approval)) || typedName === nameOf(approval);
}
