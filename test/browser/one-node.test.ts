import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { alertmanagerBody } from '#support/alert-payloads.js';
import { failingNode, loadFurtherWorkloads } from '#support/crashing-on-one-node.js';
import { scenarios } from '#support/faults-rig.js';
import { demoAlerts } from '../../demo/alerts/alert-buttons.js';
import { type Stack, startStack } from '../../demo/stack.js';
import { hasBrowser, type OpenPage } from './open-page.js';
import { withStage } from './with-stage.js';

/** The channel after a node affected three workloads. */
describe.runIf(hasBrowser)('the cards of three workloads affected by the same node, in the browser,', () => {
  let stack: Stack;
  let browser: OpenPage;
  let page: Page;

  withStage(
    {
      channel: 'incidents',
      async start() {
        const started = await startStack({ alerts: demoAlerts });
        await started.cluster.loadRecording(join(scenarios, failingNode.scenario));
        await loadFurtherWorkloads(started.cluster);
        return started;
      },
    },
    (stage) => {
      ({ stack, browser, page } = stage);
    },
  );

  const cards = (within: 'main' | 'thread') =>
    (within === 'main' ? page.getByRole('main') : page.getByTestId('thread'))
      .getByTestId('message')
      .filter({ has: page.getByRole('button', { name: /Show the reasoning/ }) });

  it('are in the thread of one card, which links to the other cards', async () => {
    const labels = { alertname: 'KubeNodeNotReady', node: failingNode.node };
    expect((await stack.alert('alertmanager', alertmanagerBody({ labels }))).status).toBe(200);
    const lead = cards('main');
    await lead.getByText('also affects 2 other workloads').waitFor();
    await lead.getByTestId('open-thread').click();
    await expect.poll(() => cards('thread').count()).toBe(3);
    await browser.picture('one-node');

    expect(await lead.count()).toBe(1);
    await expect.poll(() => lead.getByRole('link', { name: /^shop\// }).count()).toBe(2);
    for (const name of ['api', ...failingNode.further]) {
      expect(
        await cards('thread')
          .filter({ hasText: `shop/${name}` })
          .count(),
      ).toBeGreaterThan(0);
    }
  });
});
