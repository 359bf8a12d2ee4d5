import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Approval, ConfirmedLogin } from '#src/doctor/incidents/approval.js';
import { createHmacSigner } from '#src/edges/signing/cluster-keys.js';
import { createApprovalAuthority } from '#src/service/approve/approval-authority.js';
import type { MayApprove } from '#src/service/approve/may-approve.js';
import { allowed } from '../../support/allowed.js';
import { buildKey, digest, testAuthority } from '../../support/authority.js';
import { withRedis } from '../../support/open-redis.js';
import { idOf, type Rig, startRig } from '../../support/remediation-rig.js';
import { api, bringAboutDeadlock, createAttacker } from '../../support/stuck-rollout.js';

let rig: Rig;
let writes: number;
const world = { login: true };

const db = withRedis();
beforeEach(async () => {
  world.login = true;
  const mayApprove: MayApprove = async (_subject, by) =>
    allowed(by, { approvers: 1, notRequester: false, typeName: false, login: world.login });
  rig = await startRig({ redis: db.redis, mayApprove, cluster: { namespaces: ['shop'] } });
  await bringAboutDeadlock(rig);
  writes = rig.writes().length;
});
afterEach(() => rig.stop());

const facts = { issuer: 'https://login.example', subject: 'dana', at: '2026-11-20T09:30:00.000Z' };
const others = createApprovalAuthority({ signer: createHmacSigner([buildKey('test', 11)]), digest });

async function reviewed(): Promise<Approval> {
  const incident = await rig.diagnosed(api);
  return (await rig.reviewed(incident, idOf(incident, 'patch-strategy'))).approval;
}

const forgeries: readonly [string, (approval: Approval) => ConfirmedLogin][] = [
  ['by another key', (approval) => others.sealLogin(approval, 'U0DANA', facts)],
  ['without a signature', () => ({ ...facts, seal: { format: 1, key: 'test', mac: '' } })],
  ['by another person', (approval) => testAuthority.sealLogin(approval, 'U0EVE', facts)],
  [
    'for another approval',
    (approval) => testAuthority.sealLogin({ ...approval, id: 'other' }, 'U0DANA', facts),
  ],
  ['for another plan', (approval) => testAuthority.sealLogin({ ...approval, digest: 'ab' }, 'U0DANA', facts)],
  [
    'for an earlier review, which has expired',
    (approval) =>
      testAuthority.sealLogin({ ...approval, expiresAt: '2026-11-20T09:00:00.000Z' }, 'U0DANA', facts),
  ],
  [
    'with another account at the issuer',
    (approval) => ({ ...testAuthority.sealLogin(approval, 'U0DANA', facts), subject: 'root' }),
  ],
  [
    'at another time',
    (approval) => ({ ...testAuthority.sealLogin(approval, 'U0DANA', facts), at: '2026-11-20T10:00:00.000Z' }),
  ],
];

describe('a login that was not given for this approval', () => {
  it.each(forgeries)('does not let the app count a decision: %s', async (_, forge) => {
    const approval = await reviewed();

    const decided = await rig.usecases.decide({
      ...{ approvalId: approval.id, by: 'U0DANA', decision: 'approve', reason: '' },
      login: forge(approval),
    });

    expect(decided).toMatchObject({ type: 'refused', because: { key: 'login-distrusted' } });
    expect((await rig.approvals.get(approval.id))?.decisions).toEqual([]);
  });

  it.each(forgeries)('does not let the worker make the change: %s', async (_, forge) => {
    const approval = await reviewed();
    const stored = (await rig.approvals.get(approval.id)) ?? approval;
    const decision = { by: 'U0DANA', at: stored.createdAt, decision: 'approve', reason: '' } as const;
    const approved = testAuthority.seal({
      ...{ ...stored, version: stored.version + 1, state: 'approved' },
      decisions: [{ ...decision, login: forge(approval) }],
    });
    await createAttacker(rig).putApproval(approved);
    const job = { v: 1, incidentId: approval.incidentId, approvalId: approval.id } as const;

    await rig.usecases.remediation(job, { lastAttempt: false });
    await rig.work();

    expect(rig.writes().slice(writes)).toEqual([]);
  });
});

describe('an approval without a login', () => {
  it('makes no change where the policy demands the login since', async () => {
    world.login = false;
    const approval = await reviewed();
    const decided = await rig.usecases.decide({
      ...{ approvalId: approval.id, by: 'U0DANA', decision: 'approve', reason: '' },
    });
    expect(decided.type).toBe('approved');
    world.login = true;

    await rig.work();

    expect(rig.writes().slice(writes)).toEqual([]);
    expect((await rig.current(approval.incidentId)).change?.failure).toMatchObject({
      key: 'approvers-missing',
    });
  });

  it('is not counted, and waits for the login', async () => {
    const approval = await reviewed();
    const request = { approvalId: approval.id, by: 'U0DANA', decision: 'approve', reason: '' } as const;

    expect(await rig.usecases.decide(request)).toMatchObject({ type: 'login' });
    const login = testAuthority.sealLogin(approval, 'U0DANA', facts);
    expect(await rig.usecases.decide({ ...request, login })).toMatchObject({ type: 'approved' });
    await rig.work();

    expect(rig.writes().slice(writes)).toEqual(['patch deployments']);
  });

  it('is rejected without a login', async () => {
    const approval = await reviewed();
    const request = { approvalId: approval.id, by: 'U0DANA', decision: 'reject', reason: '' } as const;
    expect(await rig.usecases.decide(request)).toMatchObject({ type: 'rejected' });
  });
});
