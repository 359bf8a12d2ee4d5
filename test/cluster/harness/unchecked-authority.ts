import type { AuthenticApproval, VerifiedApproval } from '#src/doctor/incidents/approval.js';
import type { ApprovalAuthority } from '#src/service/approve/approval-authority.js';

const seal = { format: 1, key: 'unchecked', mac: '' };

/** Takes every approval, for tests of accounts and controllers, whose changes no kind of fix makes. */
export const uncheckedAuthority: ApprovalAuthority = {
  seal: (approval) => ({ ...approval, seal }),
  sealTemplate: () => seal,
  isSealedTemplate: () => true,
  sealLogin: (_, __, login) => ({ ...login, seal }),
  isConfirmed: () => true,
  authenticate: (_, approval) => approval as AuthenticApproval,
};

/** The clock of this machine. */
export const machineClock = { now: async () => new Date() };

/** An approval that counts for an hour. */
export function uncheckedApproval(fields: object): VerifiedApproval {
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  return { expiresAt, ...fields } as VerifiedApproval;
}
