import type { Demands } from '../../core/authorization/authorize.js';
import type { Action } from '../../core/authorization/policy.js';
import type { AuthenticApproval } from '../../core/incident/approval.js';
import { mustConfirmByName } from '../../core/incident/must-confirm.js';
import { nameOf } from '../diagnose/diagnose-again.js';
import type { MayApprove } from './may-approve.js';

/** What the policy says now of those who approved. */
export interface StandingApprovers {
  /** People whose approval still counts, each once. */
  readonly standing: readonly string[];
  /** People who approved and may not any more. */
  readonly lost: readonly string[];
  /** How many people must approve: the stricter of the approval's own number and the policy's. */
  readonly needs: number;
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
 * Asks the policy again for everyone who approved: right, membership, groups, and what the policy demands today.
 *
 * @throws DoctorError when Slack cannot be asked
 */
export async function findStandingApprovers(
  mayApprove: MayApprove,
  approval: AuthenticApproval,
): Promise<StandingApprovers> {
  const approving = approval.decisions.filter(({ decision }) => decision === 'approve');
  const standing = new Set<string>();
  const lost = new Set<string>();
  let { needs } = approval;
  for (const { by, typedName } of approving) {
    const answer = await mayApprove(approval, by, actionOf(approval));
    if (answer.type === 'allowed') needs = Math.max(needs, answer.demands.approvers);
    const counts = answer.type === 'allowed' && meetsDemands(answer.demands, approval, by, typedName);
    (counts ? standing : lost).add(by);
  }
  return { standing: [...standing], lost: [...lost], needs };
}

function meetsDemands(
  { notRequester, typeName }: Demands,
  approval: AuthenticApproval,
  by: string,
  typedName: string | undefined,
): boolean {
  if (notRequester && approval.initiators.includes(by)) return false;
  return (!typeName && !mustConfirmByName(approval)) || typedName === nameOf(approval);
}
