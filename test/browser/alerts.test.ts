import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { alertButtons, demoAlerts } from '../../demo/alerts/alert-buttons.js';
import { apiOnABadNode } from '../../demo/cluster/seed/api-on-a-bad-node.js';
import { seedIncidents } from '../../demo/cluster/seed/incident-seed.js';
import { type Stack, startStack } from '../../demo/stack.js';
import { stormButton } from '../../demo/storm/storm-button.js';
import { hasBrowser, type OpenPage } from '../support/open-page.js';
import { withStage } from './with-stage.js';

let browser: OpenPage;
let page: Page;

const press = (name: string) => page.getByTestId('demo-panel').getByRole('button', { name }).click();
const inChannel = () => page.getByRole('main').getByRole('log').getByTestId('message');

/** The channel `incidents` in the language, with buttons for alerts and for a storm. */
function withAlerts(language: 'en' | 'ko'): void {
  withStage(
    {
      channel: 'incidents',
      async start() {
        const storm = stormButton(() => started, { workloads: 6, each: 5 });
        const started: Stack = await startStack({
          slack: { extraButtons: [...alertButtons(() => started), storm] },
          alerts: demoAlerts,
          env: { CHANNEL_LANGUAGE: language },
        });
        await seedIncidents(started.cluster, [apiOnABadNode]);
        return started;
      },
    },
    (stage) => {
      ({ browser, page } = stage);
    },
  );
}

/** An alert that nobody asked about, as people see it who only look at the channel. */
describe.runIf(hasBrowser)('an alert in the channel, in the browser', () => {
  withAlerts('en');

  const thread = () => page.getByTestId('thread');
  /** The card, which stands in the thread of the first alert and nowhere else. */
  const card = () =>
    thread()
      .getByTestId('message')
      .filter({ hasText: 'ml/api' })
      .filter({ has: page.getByRole('button', { name: /Show proof/ }) });

  it('is answered in its own thread, with cause and button', async () => {
    await press('Fire KubePodCrashLooping');
    await inChannel().getByTestId('open-thread').first().click();
    await card().getByText('3 of 3 crashing').first().waitFor();
    await inChannel().first().getByTitle('red_circle').waitFor();
    await browser.picture('alert');

    expect(await card().count()).toBe(1);
    expect(
      await card()
        .getByRole('button', { name: /Review/ })
        .count(),
    ).toBeGreaterThan(0);
    // The alert, and one line with the verdict.
    await expect.poll(() => inChannel().count()).toBe(2);
  });

  it('that resolves while the cause stays is called so', async () => {
    await press('Resolve it');
    await card().getByText('resolved, but the cause is still present').first().waitFor();
    await browser.picture('alert-still-there');
  });

  it('is answered under the message that says so, with the way to the card', async () => {
    await inChannel().filter({ hasText: 'RESOLVED' }).getByTestId('open-thread').click();
    await thread().getByText('The alert is resolved, but the cause is still present.').first().waitFor();
    await browser.picture('alert-resolved-answer');
    await thread()
      .getByRole('button', { name: /View incident: ml\/api/ })
      .waitFor();
    await inChannel().getByTestId('open-thread').first().click();
    await card().first().waitFor();
  });

  it('is closed once the change has helped and the alert resolves', async () => {
    await card()
      .getByRole('button', { name: /Review/ })
      .first()
      .click();
    await browser.modal.getByText('NotIn').first().waitFor();
    await browser.submit('api-c has another kernel');
    await card().getByText('recovered').first().waitFor();
    await browser.closeModals();
    await press('Resolve it');
    await card().getByText('no longer finds a problem. Closed.').first().waitFor();
    await browser.picture('alert-closed');
  });

  it('goes on in the same thread, on the same card, when it fires again', async () => {
    await press('Fire KubePodCrashLooping');
    await card()
      .getByText(/fired [2-9] times/)
      .first()
      .waitFor();
    await browser.picture('alert-again');

    expect(await card().count()).toBe(1);
  });

  it('that comes with many others of one kind leaves one card, which lists them on demand', async () => {
    const before = await inChannel().count();
    await press('Storm: 30 alerts');
    const cards = inChannel().filter({ hasText: /storm-\w+\/svc-0\d/ });
    await cards
      .filter({ hasText: '6 workloads cannot pull images' })
      .filter({ hasText: '30 alerts' })
      .waitFor();
    await browser.picture('storm');
    await cards.getByRole('button', { name: 'Show all 6 workloads' }).click();
    const list = page.getByTestId('modal').last();
    await list.getByText('1–6 of 6').waitFor();
    await browser.picture('storm-list');
    await list
      .getByRole('button', { name: /Diagnose: storm-east/ })
      .first()
      .click();
    await list.getByText('is being diagnosed').waitFor();
    await browser.closeModals();

    expect(await cards.count()).toBe(1);
    expect(await inChannel().count()).toBe(before + 1);
    await page.getByRole('button', { name: 'Close thread' }).click();
    await page.setViewportSize({ width: 390, height: 844 });
    await cards.getByRole('button', { name: 'Show all 6 workloads' }).scrollIntoViewIfNeeded();
    await browser.picture('storm-phone');
  });
});

/** On a desktop and on a phone. */
describe.runIf(hasBrowser)('alerts in a Korean channel, in the browser', () => {
  withAlerts('ko');

  it('an alert is answered in Korean, with a reaction on its message', async () => {
    await press('Fire KubePodCrashLooping');
    await inChannel().first().getByTestId('open-thread').click();
    await page
      .getByTestId('thread')
      .getByRole('button', { name: /근거 보기/ })
      .waitFor();
    await inChannel().first().getByTitle('red_circle').waitFor();
    await browser.picture('alert-korean');
  });

  it('a storm is one card in Korean, whose list opens in the language of the reader', async () => {
    await press('Storm: 30 alerts');
    const card = inChannel().filter({ hasText: '워크로드 6개가' }).filter({ hasText: '알림 30건' });
    await card.waitFor();
    await browser.picture('storm-korean');
    await page.getByRole('button', { name: 'Close thread' }).click();
    await page.setViewportSize({ width: 390, height: 844 });
    const all = card.getByRole('button', { name: '워크로드 6개 모두 보기' });
    await all.scrollIntoViewIfNeeded();
    await browser.picture('storm-korean-phone');
    await all.click();
    await page.getByTestId('modal').getByText('1–6 of 6').waitFor();
    await browser.picture('storm-korean-list-phone');
  });
});
