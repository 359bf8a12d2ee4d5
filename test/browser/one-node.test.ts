import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { demoAlerts } from '../../demo/alerts/alert-buttons.js';
import { type Stack, startStack } from '../../demo/stack.js';
import { alertmanagerBody } from '../support/alert-payloads.js';
import { failingNode, loadFurtherWorkloads } from '../support/crashing-on-one-node.js';
import { scenarios } from '../support/faults-rig.js';
import { hasBrowser, type OpenPage } from '../support/open-page.js';
import { withStage } from './with-stage.js';

/** The channel after a node affected three workloads. */
describe.runIf(hasBrowser)('three workloads affected by the same node, in the browser,', () => {
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

  it('are one card, which opens the list of all', async () => {
    const labels = { alertname: 'KubeNodeNotReady', node: failingNode.node };
    expect((await stack.alert('alertmanager', alertmanagerBody({ labels }))).status).toBe(200);
    const card = page.getByRole('main').getByTestId('message').filter({ hasText: '3 workloads affected by' });
    await card.getByRole('button', { name: /Show all/ }).click();
    const list = page.getByTestId('modal').last();
    await list.getByText('shop/api').first().waitFor();
    await browser.picture('one-node');

    expect(await card.count()).toBe(1);
    for (const name of ['api', ...failingNode.further])
      expect(await list.getByText(`shop/${name}`).count()).toBeGreaterThan(0);
  });
});
