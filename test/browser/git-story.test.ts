import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { startDemo } from '../../demo/live/start-demo.js';
import type { Stack } from '../../demo/stack.js';
import { hasBrowser, type OpenPage } from '../support/open-page.js';
import { isDeadlocked } from '../support/shown-words.js';
import { withStage } from './with-stage.js';

const words = {
  en: {
    deadlocked: isDeadlocked,
    open: /^Open a pull request/,
    now: /Apply now/,
    prOpen: 'Pull request open',
    direct: 'If the cluster is changed directly',
    merge: 'Merge pull request',
    merged: 'Merged',
    recovered: 'the cluster applied',
  },
  ko: {
    deadlocked: '교착',
    open: /풀 리퀘스트/,
    now: /지금 적용/,
    prOpen: '풀 리퀘스트 열림',
    direct: '클러스터만 직접 변경할 경우',
    merge: '풀 리퀘스트 병합',
    merged: '병합됨',
    recovered: '복구됨',
  },
};
const desktop = { width: 1280, height: 900 };
const phone = { width: 390, height: 844 };

describe.runIf(hasBrowser).each(['en', 'ko'] as const)('an incident owned by Git, in %s', (language) => {
  const text = words[language];
  let stack: Stack;
  let page: Page;
  let browser: OpenPage;

  withStage({ start: () => startDemo({ language }) }, (stage) => {
    ({ stack, browser, page } = stage);
  });

  const card = () =>
    page
      .getByRole('main')
      .getByTestId('message')
      .filter({ hasText: 'media/transcoder' })
      .filter({ has: page.getByRole('button', { name: /[Pp]roof|[Rr]easoning|근거/ }) });
  const overhang = (shown: Page) =>
    shown.evaluate('document.documentElement.scrollWidth - window.innerWidth');
  /** Takes a picture at both widths, where nothing may be wider than the window. */
  const pictures = async (name: string, shown: Page = page): Promise<void> => {
    for (const viewport of [phone, desktop]) {
      await shown.setViewportSize(viewport);
      await expect.poll(() => overhang(shown)).toBeLessThanOrEqual(0);
      await browser.picture(`git-${language}-${name}-${viewport.width}`, shown);
    }
  };
  const maxSurge = () =>
    JSON.stringify(stack.cluster.find('apps/v1', 'Deployment', 'media', 'transcoder')?.spec);

  it('goes from the card to a merged pull request, and the card states the recovery', async () => {
    await browser.ask(
      '/rollout-doctor deploy/transcoder -n media',
      card().getByText(text.deadlocked).first(),
    );
    const first = card().getByRole('button').first();
    expect(await first.textContent()).toMatch(text.open);
    expect(await card().getByRole('button', { name: text.now }).or(card().getByText(text.now)).count()).toBe(
      1,
    );
    await first.scrollIntoViewIfNeeded();
    await pictures('card');

    await first.click();
    const modal = page.getByTestId('modal').last();
    await modal.getByText('clusters/demo/transcoder.yaml').first().waitFor();
    await page.getByTestId('submit').last().waitFor();
    await pictures('review');
    expect(await modal.textContent()).toMatch(/-\s+maxSurge: 1 .*\+\s+maxSurge: 0 /s);
    await modal.getByRole('textbox').first().fill('GPU');
    await page.getByTestId('submit').last().click();

    await card().getByText(text.prOpen).first().waitFor();
    await browser.closeModals();
    await pictures('open');
    expect(maxSurge()).toContain('"maxSurge":1');
    const opened = page.context().waitForEvent('page');
    await card()
      .getByRole('button', { name: /acme\/deploy#1/ })
      .click();
    const host = await opened;
    const difference = host.getByTestId('difference');
    expect(await difference.locator('.added').allTextContents()).toContain(
      '+      maxSurge: 0        # no capacity is lost during an update',
    );
    await host.getByRole('heading', { name: text.direct }).waitFor();
    await pictures('host', host);

    await host.getByRole('button', { name: text.merge }).click();
    await host.getByText(text.merged, { exact: true }).waitFor();
    await pictures('host-merged', host);
    await host.close();
    await card().getByText(text.recovered).first().waitFor();
    await pictures('recovered');
    expect(maxSurge()).toContain('"maxSurge":0');
    expect(
      stack.cluster.requests.some(({ verb, query }) => verb === 'patch' && !query.includes('dryRun')),
    ).toBe(false);
  });
});
