import { afterEach, describe, expect, it } from 'vitest';
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

type Browser = ReturnType<typeof openBrowser>;
type Page = Awaited<ReturnType<Browser['open']>>;

/** Where a page leads, which a tab does not follow yet. */
async function leadsTo(browser: Browser, url: string): Promise<string> {
  const page = await browser.request(url);
  if (!('location' in page)) throw new Error(`no redirect: ${page.text}`);
  return page.location;
}

const waitingKey = async (): Promise<string> => {
  const [key] = await db.redis.keys(`${stage.rig.prefix}:waiting-decision:*`);
  if (key === undefined) throw new Error('nothing waits');
  return key;
};

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
    expect((await stage.stored(approvalId)).decisions).toEqual([]);
  });

  it('is refused on a page that was open for too long, and the link works again', async () => {
    const { approvalId, url } = await pressed();
    const browser = openBrowser();
    const page = await browser.open(url);
    stage.world.aheadMs = 301_000;

    const answer = await browser.press(page);

    // Browsers do not follow the redirect of a form to the issuer: `form-action 'self'`.
    expect(answer.status).toBe(409);
    expect(answer.text).toContain('open for too long');
    await stage.expectUndecided(approvalId);
    expect((await browser.press(await browser.open(url))).text).toContain('Approved');
  });

  it('leaves no cookie behind once the decision is made', async () => {
    const { url } = await pressed();
    const browser = openBrowser();
    const ours = () => [...browser.cookies.keys()].filter((name) => name.includes('rollout-doctor-'));
    const page = await browser.open(url);
    expect(ours()).toHaveLength(1);

    await browser.press(page);

    expect(ours()).toEqual([]);
  });

  it('works under a path, and only there', async () => {
    const { approvalId, url } = await pressed({ path: '/doctor' });
    expect((await openBrowser().open(url.replace('/doctor/', '/doctors/'))).status).toBe(404);
    expect((await openBrowser().open(url.replace('/doctor/', '/'))).status).toBe(404);
    await stage.expectUndecided(approvalId);

    const browser = openBrowser();
    expect((await browser.press(await browser.open(url))).text).toContain('Approved');
  });

  it('does not bring tokens, codes or cookies into the log', async () => {
    const { url } = await pressed();
    stage.company.world.account = { sub: 'eve', email: 'eve@example.com' };
    const browser = openBrowser();
    await browser.open(url);
    await browser.open(`${stage.baseUrl}/login/callback?state=${url.slice(-20)}.x&code=a-secret-code`);

    const lines = stage.logged.join('');
    expect(lines).toContain('other-person');
    expect(lines).not.toMatch(/a-secret-code|eyJ|[?&](?:code|state)=/u);
    for (const value of browser.cookies.values()) expect(lines).not.toContain(value);
  });

  it.each<[string, (page: { readonly text: string }) => RequestInit]>([
    [
      'another origin',
      () => ({ headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' } }),
    ],
    ['an origin that the browser does not name', () => ({ headers: { origin: 'null' } })],
    ['another application of the site', () => ({ headers: { 'sec-fetch-site': 'same-site' } })],
    ['no token', () => ({ body: new URLSearchParams({}) })],
    ['a token of its own', () => ({ body: new URLSearchParams({ token: 'A'.repeat(43) }) })],
    ['a huge body', () => ({ body: 'token='.padEnd(100_000, 'A') })],
  ])('is refused with %s', async (_, change) => {
    const { approvalId, url } = await pressed();
    const browser = openBrowser();
    const page = await browser.open(url);

    expect((await browser.press(page, change(page))).status).toBe(403);
    await stage.expectUndecided(approvalId);
  });

  it('decides nothing by a GET, with cookie and token', async () => {
    const { approvalId, url } = await pressed();
    const browser = openBrowser();
    const page = await browser.open(url);
    const token = /name="token" value="([^"]+)"/u.exec(page.text)?.[1];

    expect((await browser.open(`${url}/approve?token=${token}`)).status).toBe(405);
    await stage.expectUndecided(approvalId);
  });

  it.each<[string, (browser: Browser, url: string) => Promise<Page>]>([
    [
      'in a second tab, after the login in the first one',
      async (browser, url) => {
        const second = await leadsTo(browser, url);
        await browser.open(url);
        return browser.open(second);
      },
    ],
    [
      'in a first tab, after the link was opened again',
      async (browser, url) => {
        const first = await leadsTo(browser, url);
        await leadsTo(browser, url);
        return browser.open(first);
      },
    ],
    [
      'by the address of a login that was used before',
      async (browser, url) => {
        let at = await leadsTo(browser, url);
        while (!at.includes('/login/callback?')) at = await leadsTo(browser, at);
        await browser.open(at);
        return browser.open(at);
      },
    ],
  ])('shows the page with the button %s', async (_, open) => {
    const { approvalId, url } = await pressed();
    const browser = openBrowser();
    const page = await open(browser, url);
    expect(stage.outcomes).toEqual([]);
    await stage.expectUndecided(approvalId);
    expect((await browser.press(page)).text).toContain('Approved');
  });

  it('is no login of the browser to which somebody sent the address of the issuer', async () => {
    const { approvalId, url } = await pressed();
    const sent = await fetch(url, { redirect: 'manual' });

    const page = await openBrowser().open(sent.headers.get('location') ?? '');

    expect(page.status).toBe(410);
    expect(stage.outcomes).toEqual([]);
    await stage.expectUndecided(approvalId);
  });

  it('has headers that keep other pages, caches and addresses out', async () => {
    const { url } = await pressed();
    const forwarded = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' };
    const { headers } = await fetch(url, { redirect: 'manual', headers: forwarded });
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('referrer-policy')).toBe('same-origin');
    const to = new URL(headers.get('location') ?? '');
    expect([to.origin, to.searchParams.get('redirect_uri')]).toEqual([
      stage.company.issuer,
      `${stage.baseUrl}/login/callback`,
    ]);
    expect(headers.get('set-cookie')).toMatch(/; Path=\/; Max-Age=7200; HttpOnly; SameSite=Lax$/u);
  });

  it('is worth nothing in another browser', async () => {
    const { approvalId, url } = await pressed();
    const page = await openBrowser().open(url);

    expect((await openBrowser().press(page)).status).toBe(410);
    await stage.expectUndecided(approvalId);
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
    await stage.expectUndecided(approvalId);
  });

  it('is worth nothing with an altered record in Redis', async () => {
    const { approvalId, url } = await pressed();
    const key = await waitingKey();
    const record = (await db.redis.get(key)) ?? '';
    for (const [field, value] of [
      ['by', 'U0EVE'],
      ['reason', 'another'],
      ['approvalId', 'another'],
      ['id', 'another'],
    ] as const) {
      await db.redis.set(key, JSON.stringify({ ...JSON.parse(record), [field]: value }));
      expect((await openBrowser().open(url)).status, field).toBe(410);
    }
    for (const text of ['', '{', '[]', 'x'.repeat(20_000)]) {
      await db.redis.set(key, text);
      expect((await openBrowser().open(url)).status).toBe(410);
    }
    await stage.expectUndecided(approvalId);
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
    await stage.expectUndecided(approvalId);
  });
});

function openBrowserWith(cookies: ReadonlyMap<string, string>) {
  const browser = openBrowser();
  for (const [name, value] of cookies) browser.cookies.set(name, value);
  return browser;
}
