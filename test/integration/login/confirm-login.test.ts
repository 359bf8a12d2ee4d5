import type { Redis } from 'ioredis';
import { afterEach, describe, expect, it } from 'vitest';
import type { Decided } from '#src/usecases/people/conversation.js';
import { openBrowser } from '#support/company-login.js';
import { withRedis } from '#support/open-redis.js';
import { startLoginStage } from './login-stage.js';

let redis: Redis;
let stage: Awaited<ReturnType<typeof startLoginStage>>;

withRedis((open) => {
  ({ redis } = open);
});
afterEach(() => stage.stop());

/** A person has pressed Apply. */
async function pressed(options: Parameters<typeof startLoginStage>[1] = {}) {
  stage = await startLoginStage(redis, options);
  const { approval } = await stage.reviewed();
  const decided = await stage.pressed(approval.id);
  return { approvalId: approval.id, decided, url: urlOf(decided) };
}

function urlOf(decided: Decided): string {
  if (decided.type !== 'login' || decided.url === undefined) throw new Error(JSON.stringify(decided));
  return decided.url;
}

const stored = async (approvalId: string) => {
  const found = await stage.rig.approvals.get(approvalId);
  if (found === undefined) throw new Error('must be there');
  return found;
};

async function expectUndecided(approvalId: string): Promise<void> {
  expect(await stored(approvalId)).toMatchObject({ state: 'open', decisions: [] });
  await stage.rig.work();
  expect(stage.changes()).toEqual([]);
}

const waitingKey = async (): Promise<string> => {
  const [key] = await redis.keys(`${stage.rig.prefix}:waiting-decision:*`);
  if (key === undefined) throw new Error('nothing waits');
  return key;
};

describe('an approval that the policy wants confirmed behind the login', () => {
  it('counts after the login and one press of the button, and the change is made', async () => {
    const { approvalId, url } = await pressed();
    await expectUndecided(approvalId);
    const browser = openBrowser();

    const page = await browser.open(url);

    expect(page.status).toBe(200);
    for (const shown of ['shop/api', stage.rig.local.name, 'maxSurge', 'maxUnavailable', 'Impact', 'dana']) {
      expect(page.text).toContain(shown);
    }
    expect(page.text, 'text of people is escaped').toContain('it is &lt;b&gt;stuck&lt;/b&gt;');
    await expectUndecided(approvalId);

    const answer = await browser.press(page);

    expect(answer.text).toContain('Approved');
    const { decisions, state } = await stored(approvalId);
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
    await expectUndecided(approvalId);

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
    expect((await stored(approvalId)).decisions).toHaveLength(1);
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
    expect((await stored(approvalId)).state).toBe('approved');
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
    expect((await stored(approvalId)).state).toBe('done');
  });
});

async function expectOpenWith(approvalId: string, people: readonly string[]): Promise<void> {
  const { state, decisions } = await stored(approvalId);
  expect([state, decisions.map(({ by }) => by)]).toEqual(['open', people]);
}

describe('a login that does not confirm', () => {
  it.each([
    ['another person', () => ({ sub: 'eve', email: 'eve@example.com' }), 'other-person', 'another person'],
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
    await expectUndecided(approvalId);
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
    await expectUndecided(approvalId);

    stage.company.world.cancels = false;
    expect((await browser.press(await browser.open(url))).text).toContain('Approved');
  });

  it('is that of an issuer that does not answer; the link works when it answers again', async () => {
    const { approvalId, url } = await pressed({ issuer: 'http://127.0.0.1:9' });

    const page = await openBrowser().open(url);

    expect(page.status).toBe(503);
    expect(page.text).toContain('does not answer');
    expect(stage.outcomes).toEqual(['unavailable']);
    await expectUndecided(approvalId);
  });

  it('lacks the demanded strength', async () => {
    const { approvalId, url } = await pressed({ acr: ['urn:second-factor'] });
    expect((await openBrowser().open(url)).text).toContain('not strong enough');
    expect(stage.outcomes).toEqual(['too-weak']);
    await expectUndecided(approvalId);
  });

  it('came by a claim with the Slack user id of another person', async () => {
    const { approvalId, url } = await pressed({ personClaim: 'slack_id' });
    const other = urlOf(await stage.pressed(approvalId, 'U0EVE'));
    expect((await openBrowser().open(other)).text).toContain('another person');

    const browser = openBrowser();
    expect((await browser.press(await browser.open(url))).text).toContain('Approved');
  });
});

describe('a link or a form', () => {
  it('is refused after the approval has expired, before and after the login', async () => {
    const { approvalId, url } = await pressed();
    const browser = openBrowser();
    const page = await browser.open(url);
    stage.rig.pass(901);

    expect((await openBrowser().open(url)).status).toBe(410);
    const answer = await browser.press(page);
    expect(answer.status).toBe(409);
    expect(answer.text).toContain('expired');
    expect((await stored(approvalId)).decisions).toEqual([]);
  });

  it.each<[string, (page: { readonly text: string }) => RequestInit]>([
    [
      'another origin',
      () => ({ headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' } }),
    ],
    ['no token', () => ({ body: new URLSearchParams({}) })],
    ['a token of its own', () => ({ body: new URLSearchParams({ token: 'A'.repeat(43) }) })],
    ['a huge body', () => ({ body: 'token='.padEnd(100_000, 'A') })],
  ])('is refused with %s', async (_, change) => {
    const { approvalId, url } = await pressed();
    const browser = openBrowser();
    const page = await browser.open(url);

    expect((await browser.press(page, change(page))).status).toBe(403);
    await expectUndecided(approvalId);
  });

  it('is worth nothing in another browser', async () => {
    const { approvalId, url } = await pressed();
    const page = await openBrowser().open(url);

    expect((await openBrowser().press(page)).status).toBe(410);
    await expectUndecided(approvalId);
  });

  it('is worth nothing with a cookie of another link, or an altered one', async () => {
    const { approvalId, url } = await pressed();
    const browser = openBrowser();
    const page = await browser.open(url);
    const [name = '', value = ''] =
      [...browser.cookies].find(([each]) => each.includes('rollout-doctor-')) ?? [];
    const second = urlOf(await stage.pressed(approvalId));
    const other = name.replace(/[0-9a-f]{20}$/u, second.slice(-20));
    browser.cookies.set(other, value);

    const form = await openBrowserWith(browser.cookies).press({
      ...page,
      text: page.text.replace(/[0-9a-f]{20}/u, second.slice(-20)),
    });
    expect(form.status).toBe(410);
    browser.cookies.set(name, `${value.slice(0, 40)}A${value.slice(41)}`);
    expect((await browser.press(page)).status).toBe(410);
    await expectUndecided(approvalId);
  });

  it('is worth nothing with an altered record in Redis', async () => {
    const { approvalId, url } = await pressed();
    const key = await waitingKey();
    const record = (await redis.get(key)) ?? '';
    for (const [field, value] of [
      ['by', 'U0EVE'],
      ['reason', 'another'],
      ['approvalId', 'another'],
      ['id', 'another'],
    ] as const) {
      await redis.set(key, JSON.stringify({ ...JSON.parse(record), [field]: value }));
      expect((await openBrowser().open(url)).status, field).toBe(410);
    }
    for (const text of ['', '{', '[]', 'x'.repeat(20_000)]) {
      await redis.set(key, text);
      expect((await openBrowser().open(url)).status).toBe(410);
    }
    await expectUndecided(approvalId);
  });

  it.each([
    '/',
    '/confirm',
    '/confirm/..%2f',
    '/confirm/0123456789abcdef0123',
    '/login/callback',
    '/login/callback?state=x&code=y',
    '/login/callback?state=0123456789abcdef0123.x&code=y',
  ])('of nobody is answered without a change: %s', async (path) => {
    const { approvalId } = await pressed();
    expect([404, 410]).toContain((await openBrowser().open(`${stage.baseUrl}${path}`)).status);
    await expectUndecided(approvalId);
  });
});

function openBrowserWith(cookies: ReadonlyMap<string, string>) {
  const browser = openBrowser();
  for (const [name, value] of cookies) browser.cookies.set(name, value);
  return browser;
}
