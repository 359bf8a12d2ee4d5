import { canonicalJson } from '../fixes/plan.js';
import { needsConfirmation } from '../fixes/remediation.js';
import { Approval, type LoginFacts } from './approval.js';

/** Layout of `authorityText`. A change of the layout takes the next number; older seals are then refused. */
export const sealFormat = 1;

/** What is sealed, so that the code of one purpose is none for another. */
export type SealPurpose =
  | 'approval'
  | 'template'
  | 'review-request'
  | 'review-answer'
  | 'name-question'
  | 'name-answer'
  | 'login'
  | 'login-request'
  | 'login-session'
  | 'login-derived';

/** The text that a seal covers. */
export function sealedText(purpose: SealPurpose, text: string): string {
  return `rollout-doctor ${purpose} ${sealFormat}\n${text}`;
}

/**
 * Every field of an approval that carries authority, as one canonical text. Left out are only the seal itself
 * and what an old record could restore anyway: `version`, and `state`, which says how far a change came and
 * grants nothing.
 *
 * @param approval as the store gives it, or `asStored`
 */
export function authorityText(approval: Approval): string {
  const { version: _version, state: _state, seal: _seal, ...covered } = approval;
  return canonicalJson(covered);
}

/** What a confirmation with the login covers: this approval of this plan by this person, until it expires. */
export function loginText(
  { id, digest, expiresAt }: Pick<Approval, 'id' | 'digest' | 'expiresAt'>,
  by: string,
  login: LoginFacts,
): string {
  return canonicalJson({ id, digest, expiresAt, by, decision: 'approve', ...loginFacts(login) });
}

/** The login without its seal. */
export function loginFacts({ issuer, subject, at }: LoginFacts): LoginFacts {
  return { issuer, subject, at };
}

/** The approval as the store will give it back: without what JSON or the schema does not keep. */
export function asStored(approval: Approval): Approval {
  return Approval.parse(JSON.parse(JSON.stringify(approval)));
}

/**
 * Whether an approval counts only with the workload's name typed, whatever the policy demands: a person asked
 * for the change, and its forecast does not complete or interrupts the service.
 */
export function mustConfirmByName({
  requested,
  undoes,
  remediation,
}: Pick<Approval, 'requested' | 'undoes' | 'remediation'>): boolean {
  return requested !== undefined && !undoes && needsConfirmation(remediation);
}
