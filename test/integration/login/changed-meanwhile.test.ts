import { afterEach, describe, expect, it } from 'vitest';
import { openBrowser } from '../../support/company-login.js';
import { startLoginStage, urlOf } from '../../support/login-stage.js';
import { withRedis } from '../../support/open-redis.js';

let stage: Awaited<ReturnType<typeof startLoginStage>>;

const db = withRedis();
afterEach(() => stage.stop());

/** The page with the button is open in the person's browser. */
async function opened() {
  stage = await startLoginStage(db.redis);
  const { approval } = await stage.reviewed();
  const url = urlOf(await stage.pressed(approval.id));
  const browser = openBrowser();
  const page = await browser.open(url);
  return { approvalId: approval.id, url, press: () => browser.press(page) };
}

describe('a button that is pressed after something has changed', () => {
  it('approves nothing once the policy has withdrawn the right', async () => {
    const { approvalId, press } = await opened();
    stage.world.isWithdrawn = true;

    expect((await press()).status).toBe(409);
    expect(stage.outcomes).toEqual(['refused']);
    await stage.expectUndecided(approvalId);
  });

  it('approves nothing once the policy demands a typed name', async () => {
    const { approvalId, press } = await opened();
    stage.world.demands = { ...stage.world.demands, typeName: true };

    expect((await press()).text).toContain('type the name');
    await stage.expectUndecided(approvalId);
  });

  it('is one of two approvals once the policy demands two', async () => {
    const { approvalId, press } = await opened();
    stage.world.demands = { ...stage.world.demands, approvers: 2 };

    expect((await press()).text).toContain('still missing: 1');
    await stage.rig.work();
    expect((await stage.stored(approvalId)).state).toBe('open');
    expect(stage.changes()).toEqual([]);
  });

  it('approves nothing once somebody has rejected the change in Slack', async () => {
    const { approvalId, url, press } = await opened();
    const rejected = await stage.confirmLogin.decideApproval({
      ...{ approvalId, by: 'U0BOB', decision: 'reject', reason: 'no' },
    });
    expect(rejected).toMatchObject({ type: 'rejected' });

    expect((await press()).status).toBe(409);
    expect((await openBrowser().open(url)).status).toBe(410);
    await stage.rig.work();
    expect((await stage.stored(approvalId)).state).toBe('rejected');
    expect(stage.changes()).toEqual([]);
  });

  it('approves nothing once the workload has changed', async () => {
    const { approvalId, press } = await opened();
    const answer = await fetch(`${stage.rig.local.url}/apis/apps/v1/namespaces/shop/deployments/api`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/strategic-merge-patch+json' },
      body: JSON.stringify({ spec: { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } } }),
    });
    expect(answer.ok).toBe(true);
    const before = stage.rig.writes();

    expect((await press()).status).toBe(409);
    await stage.rig.work();
    expect((await stage.stored(approvalId)).decisions).toEqual([]);
    expect(stage.rig.writes()).toEqual(before);
  });

  it('can be pressed again after Slack did not answer', async () => {
    const { approvalId, press } = await opened();
    stage.world.isSlackAway = true;
    const answer = await press();
    expect([answer.status, answer.text]).toEqual([503, expect.stringContaining('does not answer')]);
    stage.world.isSlackAway = false;
    await stage.expectUndecided(approvalId);

    expect((await press()).text).toContain('Approved');
    expect((await stage.stored(approvalId)).decisions).toHaveLength(1);
  });
});
