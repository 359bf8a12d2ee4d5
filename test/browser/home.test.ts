import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { seedIncidents } from '../../demo/cluster/seed/incident-seed.js';
import { inferenceGpu } from '../../demo/cluster/seed/inference-gpu.js';
import { type Stack, startStack } from '../../demo/stack.js';
import { hasBrowser, type OpenPage } from '../support/open-page.js';
import { isDeadlocked } from '../support/shown-words.js';
import { withStage } from './with-stage.js';

const phone = { width: 390, height: 844 };

/** Somebody comes on duty: what is open, who is on it, and what can be done about it. */
describe.runIf(hasBrowser)('the Home page in the browser', () => {
  let browser: OpenPage;
  let page: Page;
  let stack: Stack;

  withStage(
    {
      async start() {
        const links = [{ name: { en: 'Dashboard', ko: '대시보드' }, url: 'https://grafana.example/{name}' }];
        const started = await startStack({ env: { LINKS: JSON.stringify(links) } });
        await seedIncidents(started.cluster, [inferenceGpu]);
        return started;
      },
    },
    (stage) => {
      ({ stack, browser, page } = stage);
    },
  );

  const home = () => page.getByTestId('home');

  it("shows an open incident, whose reader says I'm on it", async () => {
    await browser.ask('/rollout-doctor ml/inference', page.getByText(isDeadlocked).first());
    await page.getByTestId('place-home').click();
    await home().getByText('1 open incident').waitFor();
    await browser.picture('home');
    await home().getByRole('button', { name: "I'm on it: ml/inference" }).click();
    await home().getByRole('button', { name: 'Hand back: ml/inference' }).waitFor();
    await browser.picture('home-on-it');

    await expect
      .poll(() => JSON.stringify(stack.slack.messages('ml-oncall').map(({ blocks }) => blocks)))
      .toContain('is on it');
  });

  it('finds a workload by its name', async () => {
    await home()
      .getByRole('button', { name: /Search$/u })
      .click();
    await browser.submit('inference');
    await browser.modal.getByRole('button', { name: 'Diagnose: ml/inference' }).waitFor();
    await browser.picture('home-search');
    await browser.closeModals();
  });

  it('is in Korean for those who read Korean, and fits a phone', async () => {
    await page.getByTestId('person').selectOption('U0MINJUN');
    await page.getByTestId('place-home').click();
    await home().getByText('열린 인시던트 1개').waitFor();
    await browser.picture('home-ko');
    await page.setViewportSize(phone);
    await browser.picture('home-ko-phone');
    expect(
      await home()
        .getByRole('button', { name: /이어받기/ })
        .count(),
    ).toBe(1);
    await browser.fits();
  });
});
