import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loginText } from '#src/edges/login/login-text.js';
import { type Language, languages } from '#src/engine/language/language.js';
import { plain } from '#src/engine/language/prose.js';
import { type Forged, startForgedIssuer } from '../support/forged-issuer.js';
import { startLoginStage, urlOf } from '../support/login-stage.js';
import { hasBrowser, type OpenPage, openPage } from '../support/open-page.js';
import { withRedis } from '../support/open-redis.js';

const sizes = [
  { width: 390, height: 844 },
  { width: 1280, height: 900 },
] as const;

type Stage = Awaited<ReturnType<typeof startLoginStage>>;
type Text = keyof (typeof loginText)['en'];

const db = withRedis();
const now = () => Math.floor(Date.now() / 1_000);
const acr = 'urn:second-factor';
/** As long as issuers make them, without a place to break a line at. */
const subject = `auth0|${'0123456789abcdef'.repeat(6)}`;
const strong = (claims: Forged['claims'] = {}): Forged => ({ claims: { acr, sub: subject, ...claims } });

/** Runs in the page: in CSS pixels, how far it is wider than its window, and its smallest letters. */
const measures = `({
  lang: document.documentElement.lang,
  title: document.title,
  overflow: document.documentElement.scrollWidth - window.innerWidth,
  smallest: Math.min(...[...document.querySelectorAll('p, li, button, code, pre')]
    .map((each) => Number.parseFloat(getComputedStyle(each).fontSize))),
})`;

describe.runIf(hasBrowser).each(languages)(
  'the pages of the login for a person whose language is %s',
  (language) => {
    let stage: Stage;
    let browser: OpenPage;
    let page: Page;
    let issuer: Awaited<ReturnType<typeof startForgedIssuer>>;
    const text = loginText[language];
    /** Of the channel: not the language of the person, whose browser names its own. */
    const channelLanguage: Language = language === 'en' ? 'ko' : 'en';

    beforeAll(async () => {
      issuer = await startForgedIssuer();
      stage = await startLoginStage(db.redis, {
        issuer: issuer.issuer,
        acr: [acr],
        language,
        channelLanguage,
      });
      browser = await openPage();
      ({ page } = browser);
      await page.setExtraHTTPHeaders({
        'accept-language': language === 'ko' ? 'ko-KR,ko;q=0.9' : 'en-US,en;q=0.9',
      });
    });
    afterAll(async () => {
      await browser?.close();
      await stage?.stop();
      await issuer?.close();
    });

    /** A link of a person who has just pressed Apply; the browser knows nobody yet. */
    async function link(
      forged: Forged = strong(),
    ): Promise<{ readonly url: string; readonly approvalId: string }> {
      issuer.world.forged = forged;
      Object.assign(stage.world, { aheadMs: 0, isSlackAway: false, isBroken: false });
      await page.context().clearCookies();
      const { approval } = await stage.reviewed();
      return { url: urlOf(await stage.pressed(approval.id)), approvalId: approval.id };
    }
    const button = () => page.getByRole('button');

    /** The page fits at each size, and has the language and words that it should. */
    async function expectPage(name: string, words: string): Promise<void> {
      for (const size of sizes) {
        await page.setViewportSize(size);
        const { lang, overflow, smallest, title } = await page.evaluate<{
          readonly lang: string;
          readonly title: string;
          readonly overflow: number;
          readonly smallest: number;
        }>(measures);
        expect(lang).toBe(language);
        expect(title).not.toBe('');
        expect(overflow, `${name} at ${size.width} px`).toBeLessThanOrEqual(0);
        expect(smallest).toBeGreaterThanOrEqual(13);
        expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
        expect((await page.locator('body').innerText()).replace(/\s+/gu, ' ')).toContain(words);
        await browser.picture(`login-${language}-${size.width}-${name}`);
      }
    }
    const wordsOf = (key: Text): string =>
      plain((text[key] as (facts: object) => never)({})).replace(/\s+/gu, ' ');

    it.each<[Text, () => Forged]>([
      ['declined', () => ({ error: 'access_denied' })],
      ['other-person', () => strong({ email: 'eve@example.com' })],
      ['too-old', () => strong({ auth_time: now() - 360 })],
      ['too-weak', () => strong({ acr: 'urn:password' })],
      ['no-person', () => strong({ email_verified: false })],
      ['failed', () => strong({ aud: 'other' })],
      ['unavailable', () => ({ answer: (response) => response.writeHead(503).end() })],
    ])('state how a login ended: %s', async (outcome, forged) => {
      const { url, approvalId } = await link(forged());
      await page.goto(url);

      await expectPage(outcome, wordsOf(outcome));
      expect(await button().count()).toBe(0);
      await stage.expectUndecided(approvalId);
    });

    it.each<[Text, (stage: Stage, page: Page) => Promise<unknown>]>([
      ['page-too-old', async ({ world }) => Object.assign(world, { aheadMs: 301_000 })],
      ['not-sent-here', (_, open) => open.evaluate("document.querySelector('input').value = 'x'.repeat(43)")],
      ['try-again', async ({ world }) => Object.assign(world, { isSlackAway: true })],
      ['failed-inside', async ({ world }) => Object.assign(world, { isBroken: true })],
      ['gone', (_, open) => open.context().clearCookies()],
    ])('state why a button did not approve: %s', async (key, happens) => {
      const { url, approvalId } = await link();
      await page.goto(url);
      await happens(stage, page);
      await button().click();

      await page.waitForURL(`${url}/approve`);
      await expectPage(`button-${key}`, wordsOf(key));
      expect((await stage.stored(approvalId)).decisions).toEqual([]);
    });

    it('show the change with one button, which approves it', async () => {
      const { url, approvalId } = await link();
      await page.goto(url);
      await expectPage('confirmation', 'maxSurge');
      await expect.poll(() => button().count()).toBe(1);
      const box = await button().boundingBox();
      expect(box?.height).toBeGreaterThanOrEqual(40);

      await page.setViewportSize(sizes[0]);
      await button().press('Enter');

      await page.waitForURL(`${url}/approve`);
      await expectPage('approved', plain(text.approved({ workload: 'shop/api' })));
      expect((await stage.stored(approvalId)).state).toBe('approved');
      await page.goto(url);
      await expectPage('gone', wordsOf('gone'));
      await page.goto(`${url}/approve`);
      await expectPage('no-page', wordsOf('no-page'));
    });
  },
);
