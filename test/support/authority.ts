import { createHash } from 'node:crypto';
import type { Plan } from '#src/doctor/fixes/plan.js';
import type { Approval, AuthenticApproval, VerifiedApproval } from '#src/doctor/incidents/approval.js';
import { createHmacSigner } from '#src/edges/signing/cluster-keys.js';
import { createApprovalAuthority } from '#src/service/approve/approval-authority.js';
import type { Digest } from '#src/service/records/process-ports.js';

export const digest: Digest = (text) => createHash('sha256').update(text).digest('hex');

/** A key of its own for each byte. */
export function buildKey(id: string, byte = 7) {
  return { id, secret: Buffer.from(Array.from({ length: 32 }, (_, index) => (index * byte) % 256)) };
}

export const testKey = buildKey('test');

/** What app and remediation worker of a test sign and verify with. */
export const testAuthority = createApprovalAuthority({ signer: createHmacSigner([testKey]), digest });

/** As `APPROVAL_KEYS` states it. */
export const testKeyText = `${testKey.id}:${testKey.secret.toString('base64')}`;

/** For tests about requests and responses; other tests cover permissions. */
export const trusting = {
  sharedClock: { now: async () => new Date() },
  authority: {
    ...testAuthority,
    authenticate: (_id: string, approval: Approval) => approval as AuthenticApproval,
    isSealedTemplate: () => true,
  },
};

/** A sample plan for tests about requests and responses; only a trusting authority accepts it. */
export function buildTrial(cluster: string, plan: Plan): AuthenticApproval {
  return {
    id: 'trial',
    workload: { cluster },
    plan,
    decisions: [],
    expiresAt: '2100-01-01T00:00:00Z',
  } as unknown as AuthenticApproval;
}

/** An approval with the seal of the test's key, as the verification would pass it on. */
export function buildVerified(approval: Approval): VerifiedApproval {
  return testAuthority.seal(approval) as VerifiedApproval;
}
