import { afterEach, describe, expect, it } from 'vitest';
import { freePort } from '../../../demo/free-ports.js';
import { openBrowser } from '../../support/company-login.js';
import { startLoginStage, urlOf } from '../../support/login-stage.js';
import { withRedis } from '../../support/open-redis.js';

let stage: Awaited<ReturnType<typeof startLoginStage>>;

const db = withRedis();
afterEach(() => stage.stop());

/** A person has pressed Apply. */
async function pressed(options: Parameters<typeof startLoginStage>[1] = {}) {
  stage = await startLoginStage(db.redis, options);
  const { approval } = await stage.reviewed();
  const decided = await stage.pressed(approval.id);
  return { approvalId: approval.id, decided, url: urlOf(decided) };
}

describe('an approval that the policy wants confirmed with the login', () => {
  it('counts after the login and one press of the button, and the change is made', async () => {
    const { approvalId, url } = await pressed();
    await stage.expectUndecided(approvalId);
    const browser = openBrowser();

    const page = await browser.open(url);

    expect(page.status).toBe(200);
    for (const shown of ['shop/api', stage.rig.local.name, 'maxSurge', 'maxUnavailable', 'Impact', 'dana']) {
      expect(page.text).toContain(shown);
    }
    expect(page.text, 'text of people is escaped').toContain('it is &lt;b&gt;stuck&lt;/b&gt;');
    await stage.expectUndecided(approvalId);

    const answer = await browser.press(page);

    expect(answer.text).toContain('Approved');
    const { decisions, state } = await stage.stored(approvalId);
    expect(state).toBe('approved');
    expect(decisions).toMatchObject([
      { by: 'U0DANA', login: { issuer: stage.company.issuer, subject: 'dana' } },
    ]);
    await stage.rig.work();
    expect(stage.changes()).toEqual(['patch deployments']);
    expect((await stage.rig.current(stage.incidentId)).change).toMatchObject({ verdict: 'recovered' });
    const { entries } = await stage.rig.audit.decisions(20);
    expect(entries.find(({ action }) => action === 'approved')?.details).toMatchObject({
      login: { issuer: stage.company.issuer, subject: 'dana' },
    });
    expect(stage.outcomes).toEqual(['confirmed']);
  });

  it('is not decided by programs that open the link, and the link works afterwards', async () => {
    const { approvalId, url } = await pressed();

    for (const method of ['HEAD', 'GET', 'GET']) {
      const answer = await fetch(url, {
        method,
        redirect: 'manual',
        headers: { 'user-agent': 'Slackbot-LinkExpanding 1.0' },
      });
      expect(answer.status).toBe(303);
    }
    // A preview that follows redirects reaches the login page and no further.
    await fetch(url, { headers: { 'user-agent': 'Slack-ImgProxy' } });
    await stage.expectUndecided(approvalId);

    const browser = openBrowser();
    const answer = await browser.press(await browser.open(url));
    expect(answer.text).toContain('Approved');
  });

  it('counts once however often the button is pressed', async () => {
    const { approvalId, url } = await pressed();
    const browser = openBrowser();
    const page = await browser.open(url);

    const answers = await Promise.all([browser.press(page), browser.press(page), browser.press(page)]);

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect((await stage.stored(approvalId)).decisions).toHaveLength(1);
    expect((await browser.open(url)).status).toBe(410);
    await stage.rig.work();
    expect(stage.changes()).toEqual(['patch deployments']);
  });

  it('goes on in another process of the app at each step', async () => {
    const { approvalId, url } = await pressed();
    const browser = openBrowser();
    await stage.restart();
    const page = await browser.open(url);
    await stage.restart();

    expect((await browser.press(page)).text).toContain('Approved');
    expect((await stage.stored(approvalId)).state).toBe('approved');
  });

  it('is confirmed by each of two approvers', async () => {
    const { approvalId, url } = await pressed({ demands: { approvers: 2 } });
    const browser = openBrowser();
    expect((await browser.press(await browser.open(url))).text).toContain('still missing: 1');
    await expectOpenWith(approvalId, ['U0DANA']);

    const again = await stage.pressed(approvalId);
    expect(again).toMatchObject({ type: 'refused', because: { key: 'same-person' } });
    const second = urlOf(await stage.pressed(approvalId, 'U0BOB'));
    const other = await browser.open(second);
    expect(other.text, "the first person's browser").toContain('Confirm this change');

    stage.company.world.account = { sub: 'bob', email: 'bob@example.com' };
    stage.world.email = 'bob@example.com';
    const bob = openBrowser();
    expect((await bob.press(await bob.open(second))).text).toContain('Approved');
    await stage.rig.work();
    expect((await stage.stored(approvalId)).state).toBe('done');
  });
});

async function expectOpenWith(approvalId: string, people: readonly string[]): Promise<void> {
  const { state, decisions } = await stage.stored(approvalId);
  expect([state, decisions.map(({ by }) => by)]).toEqual(['open', people]);
}

describe('a login that does not confirm', () => {
  it.each([
    [
      'another person',
      () => ({ sub: 'eve', email: 'eve@example.com' }),
      'other-person',
      'a different person',
    ],
    [
      'an address that the issuer did not verify',
      () => ({ sub: 'dana', email: 'dana@example.com', isVerified: false }),
      'no-person',
      'does not state who you are',
    ],
  ])('is that of %s', async (_, account, outcome, says) => {
    const { approvalId, url } = await pressed();
    stage.company.world.account = account();

    const page = await openBrowser().open(url);

    expect(page.status).toBe(403);
    expect(page.text).toContain(says);
    expect(page.text).not.toContain('maxSurge');
    expect(stage.outcomes).toEqual([outcome]);
    await stage.expectUndecided(approvalId);
  });

  it('is that of an address that only looks the same: a Kelvin sign is no k', async () => {
    const { approvalId, url } = await pressed();
    stage.world.email = 'kim@example.com';
    stage.company.world.account = { sub: 'other', email: '\u212Aim@example.com' };

    expect((await openBrowser().open(url)).text).toContain('a different person');
    expect(stage.outcomes).toEqual(['other-person']);
    await stage.expectUndecided(approvalId);
  });

  it('is that of a person whose Slack profile has no address, which is no other person', async () => {
    const { approvalId, url } = await pressed();
    stage.world.email = undefined;

    expect((await openBrowser().open(url)).text).toContain('does not state who you are');
    expect(stage.outcomes).toEqual(['no-person']);
    const { entries } = await stage.rig.audit.requests(5);
    expect(entries.map(({ action }) => action)).not.toContain('approval-refused');
    await stage.expectUndecided(approvalId);
  });

  it('is recorded in the audit where another person logged in', async () => {
    const { url } = await pressed();
    stage.company.world.account = { sub: 'eve', email: 'eve@example.com' };
    await openBrowser().open(url);

    const { entries } = await stage.rig.audit.requests(5);
    expect(entries[0]).toMatchObject({
      action: 'approval-refused',
      by: 'U0DANA',
      details: { because: 'login-other-person', subject: 'eve' },
    });
  });

  it('was cancelled; the link works again', async () => {
    const { approvalId, url } = await pressed();
    stage.company.world.cancels = true;
    const browser = openBrowser();
    expect((await browser.open(url)).text).toContain('The login was cancelled');
    expect(stage.outcomes).toEqual(['declined']);
    await stage.expectUndecided(approvalId);

    stage.company.world.cancels = false;
    expect((await browser.press(await browser.open(url))).text).toContain('Approved');
  });

  it('is that of an issuer that does not answer', async () => {
    const { approvalId, url } = await pressed({ issuer: `http://127.0.0.1:${await freePort()}` });

    const page = await openBrowser().open(url);

    expect(page.status).toBe(503);
    expect(page.text).toContain('does not answer');
    expect(stage.outcomes).toEqual(['unavailable']);
    await stage.expectUndecided(approvalId);
  });

  it('lacks the demanded strength', async () => {
    const { approvalId, url } = await pressed({ acr: ['urn:second-factor'] });
    expect((await openBrowser().open(url)).text).toContain('not strong enough');
    expect(stage.outcomes).toEqual(['too-weak']);
    await stage.expectUndecided(approvalId);
  });

  it('came by a claim with the Slack user id of another person', async () => {
    const { approvalId, url } = await pressed({ personClaim: 'slack_id' });
    const other = urlOf(await stage.pressed(approvalId, 'U0EVE'));
    expect((await openBrowser().open(other)).text).toContain('a different person');

    const browser = openBrowser();
    expect((await browser.press(await browser.open(url))).text).toContain('Approved');
  });
});
