import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createApprovalAuthority } from '#src/service/approve/approval-authority.js';
import { digest } from '../../support/authority.js';
import { openBrowser } from '../../support/company-login.js';
import { signerOf, startLoginStage, urlOf } from '../../support/login-stage.js';
import { withRedis } from '../../support/open-redis.js';
import { createAttacker } from '../../support/stuck-rollout.js';

let stage: Awaited<ReturnType<typeof startLoginStage>>;

/** The name of the local cluster. */
const own = 'local';
const facts = { issuer: 'https://login.example', subject: 'dana', at: '2026-11-20T09:30:00.000Z' };
const authorityOf = (cluster: string) => createApprovalAuthority({ signer: signerOf(cluster), digest });

const db = withRedis();
beforeEach(async () => {
  stage = await startLoginStage(db.redis, { workersOf: own });
});
afterEach(() => stage.stop());

describe('a login for a change in a cluster with workers of its own', () => {
  it('is signed with the key of that cluster, and its worker makes the change', async () => {
    expect(stage.rig.local.name).toBe(own);
    const { approval } = await stage.reviewed();
    const url = urlOf(await stage.pressed(approval.id));
    await stage.expectUndecided(approval.id);
    const browser = openBrowser();

    expect((await browser.press(await browser.open(url))).text).toContain('Approved');

    const decided = await stage.stored(approval.id);
    const [decision] = decided.decisions;
    if (decision === undefined) throw new Error('nobody decided');
    expect(authorityOf(own).isConfirmed(decided, decision)).toBe(true);
    expect(authorityOf('prod-us').isConfirmed(decided, decision)).toBe(false);
    await stage.rig.work();
    expect(stage.changes()).toEqual(['patch deployments']);
  });

  it('does not count in the worker when it was signed for another cluster', async () => {
    const { approval } = await stage.reviewed();
    const login = authorityOf('prod-us').sealLogin(approval, 'U0DANA', facts);

    const decided = await stage.rig.usecases.decide({
      ...{ approvalId: approval.id, by: 'U0DANA', decision: 'approve', reason: '', login },
    });

    expect(decided).toMatchObject({ type: 'refused', because: { key: 'login-distrusted' } });
    await stage.expectUndecided(approval.id);
  });

  it('makes no change in a record that the cluster signed when another cluster signed the login', async () => {
    const { approval } = await stage.reviewed();
    const stored = await stage.stored(approval.id);
    const login = authorityOf('prod-us').sealLogin(approval, 'U0DANA', facts);
    const decision = { by: 'U0DANA', at: stored.createdAt, decision: 'approve', reason: '', login } as const;
    await createAttacker(stage.rig).putApproval(
      authorityOf(own).seal({
        ...{ ...stored, version: stored.version + 1, state: 'approved', decisions: [decision] },
      }),
    );

    const job = { v: 1, incidentId: approval.incidentId, approvalId: approval.id } as const;
    await stage.rig.usecases.remediation(job, { lastAttempt: false });
    await stage.rig.work();

    expect(stage.changes()).toEqual([]);
    expect((await stage.rig.current(approval.incidentId)).change?.failure).toMatchObject({
      key: 'approvers-missing',
    });
  });
});
