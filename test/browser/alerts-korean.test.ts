import type { Page } from 'playwright-core';
import { describe, it } from 'vitest';
import { alertButtons, demoAlerts } from '../../demo/alerts/alert-buttons.js';
import { apiOnABadNode } from '../../demo/cluster/seed/api-on-a-bad-node.js';
import { seedIncidents } from '../../demo/cluster/seed/incident-seed.js';
import { type Stack, startStack } from '../../demo/stack.js';
import { stormButton } from '../../demo/storm/storm-button.js';
import { hasBrowser, type OpenPage } from './open-page.js';
import { withStage } from './with-stage.js';

/** An alert and a storm in a channel whose language is Korean, on a desktop and on a phone. */
describe.runIf(hasBrowser)('alerts in a Korean channel, in the browser', () => {
  let browser: OpenPage;
  let page: Page;

  withStage(
    {
      channel: 'incidents',
      async start() {
        const storm = stormButton(() => started, { workloads: 6, each: 5 });
        const started: Stack = await startStack({
          slack: { extraButtons: [...alertButtons(() => started), storm] },
          alerts: demoAlerts,
          env: { CHANNEL_LANGUAGE: 'ko' },
        });
        await seedIncidents(started.cluster, [apiOnABadNode]);
        return started;
      },
    },
    (stage) => {
      ({ browser, page } = stage);
    },
  );

  const press = (name: string) => page.getByTestId('demo-panel').getByRole('button', { name }).click();
  const inChannel = () => page.getByRole('main').getByRole('log').getByTestId('message');

  it('an alert is answered in Korean, with a reaction on its message', async () => {
    await press('Fire KubePodCrashLooping');
    await inChannel().first().getByTestId('open-thread').click();
    await page
      .getByTestId('thread')
      .getByRole('button', { name: /진단 근거 보기/ })
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
