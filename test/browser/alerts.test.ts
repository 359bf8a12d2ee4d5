import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { alertButtons, demoAlerts } from '../../demo/alerts/alert-buttons.js';
import { apiOnABadNode } from '../../demo/cluster/seed/api-on-a-bad-node.js';
import { seedIncidents } from '../../demo/cluster/seed/incident-seed.js';
import { type Stack, startStack } from '../../demo/stack.js';
import { stormButton } from '../../demo/storm/storm-button.js';
import { hasBrowser, type OpenPage } from './open-page.js';
import { withStage } from './with-stage.js';

/** An alert as people see it in the channel. */
describe.runIf(hasBrowser)('an alert in the channel, in the browser,', () => {
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
  const thread = () => page.getByTestId('thread');
  /** The only card, in the thread of the first alert. */
  const card = () =>
    thread()
      .getByTestId('message')
      .filter({ hasText: 'ml/api' })
      .filter({ has: page.getByRole('button', { name: /Show the reasoning/ }) });
  const inChannel = () => page.getByRole('main').getByRole('log').getByTestId('message');

  it('is answered in its own thread, with cause and button', async () => {
    await press('Fire KubePodCrashLooping');
    await inChannel().getByTestId('open-thread').first().click();
    await card().getByText('3 of 3 crashing').first().waitFor();
    await browser.picture('alert');

    expect(await card().count()).toBe(1);
    expect(
      await card()
        .getByRole('button', { name: /Review/ })
        .count(),
    ).toBeGreaterThan(0);
    expect(await inChannel().count()).toBe(1);
  });

  it('that resolves is shown with the cause that is still present', async () => {
    await press('Resolve it');
    await card().getByText('resolved, but the cause is still present').first().waitFor();
    await browser.picture('alert-still-there');
  });

  it('is closed when it resolves after the fix', async () => {
    await card()
      .getByRole('button', { name: /Review/ })
      .first()
      .click();
    const modal = page.getByTestId('modal').last();
    await modal.getByText('NotIn').first().waitFor();
    await modal.getByRole('textbox').first().fill('api-c has another kernel');
    await page.getByTestId('submit').last().click();
    await card().getByText('recovered').first().waitFor();
    await browser.closeModals();
    await press('Resolve it');
    await card().getByText('no longer finds a problem. Closed.').first().waitFor();
    await browser.picture('alert-closed');
  });

  it('continues in the same thread and on the same card when it fires again', async () => {
    await press('Fire KubePodCrashLooping');
    await card()
      .getByText(/fired [2-9] times/)
      .first()
      .waitFor();
    await browser.picture('alert-again');

    expect(await card().count()).toBe(1);
  });

  it('in a storm about six workloads leads to one card for each workload', async () => {
    const before = await inChannel().count();
    await press('Storm: 30 alerts');
    const cards = inChannel().filter({ hasText: /storm-\w+\/svc-0\d/ });
    await expect.poll(() => cards.filter({ hasText: /fired 5 times/ }).count()).toBe(6);
    await browser.picture('storm');

    expect(await cards.count()).toBe(6);
    expect(await inChannel().count()).toBe(before + 6);
  });
});
