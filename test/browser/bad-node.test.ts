import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { listAt, textAt } from '../../demo/cluster/json.js';
import { conductObject } from '../../demo/cluster/loops/conduct.js';
import { commandFor, demoIncidents, seedDemo } from '../../demo/cluster/seed/demo-incidents.js';
import { letReminderCome } from '../support/crashes-stage.js';
import { type Rig, startRig } from '../support/faults-rig.js';
import { hasBrowser, type OpenPage } from '../support/open-page.js';
import { withStage } from './with-stage.js';

/** The second incident of the demo, click by click: card, review, recovery, reminder, removed exclusion. */
describe.runIf(hasBrowser)('the incident of ml/api on a bad node, in the browser,', () => {
  let rig: Rig;
  let page: Page;
  let browser: OpenPage;

  withStage(
    {
      height: 1000,
      async start() {
        const panel = demoIncidents.map((seed) => ({ title: seed.title, line: commandFor(seed) }));
        const started = await startRig({ scenario: 'none', slack: { page: true, panel } });
        await seedDemo(started.cluster);
        return started;
      },
    },
    (stage) => {
      ({ stack: rig, browser, page } = stage);
    },
  );

  const card = () =>
    page
      .getByTestId('message')
      .filter({ hasText: 'ml/api' })
      .filter({ has: page.getByRole('button', { name: /Show proof/ }) })
      .first();
  const nodes = () =>
    rig.cluster
      .list('v1', 'Pod', 'ml')
      .filter(({ metadata }) => metadata.labels?.app === 'api' && metadata.deletionTimestamp === undefined)
      .filter((pod) =>
        listAt(pod, 'status', 'conditions').some((each) => each.type === 'Ready' && each.status === 'True'),
      )
      .map((pod) => textAt(pod, 'spec', 'nodeName'));

  it('is listed beside the channel with the other incidents to try', async () => {
    const lines = page.getByTestId('demo-panel').locator('.run-line');

    expect(await lines.allTextContents()).toContain('One bad nodeRun');
    expect(await lines.count()).toBe(demoIncidents.length);
  });

  it('is shown with its crashes by node, the probability by chance and the differences', async () => {
    await browser.ask('/rollout-doctor deploy/api -n ml', card().getByText('3 of 3 crashing'));
    await browser.picture('crash-card', card());

    expect(await card().textContent()).toContain('Move off');
    await card()
      .getByRole('button', { name: /Show proof/ })
      .click();
    const proof = page.getByTestId('modal').last();
    await proof.getByText('6.12.0-5-amd64').first().waitFor();
    await browser.picture('crash-proof');
    await browser.closeModals();
  });

  it('is resolved by moving the pods after a review, and the card shows the recovery', async () => {
    await card()
      .getByRole('button', { name: /Review/ })
      .first()
      .click();
    await browser.modal.getByText('NotIn').first().waitFor();
    await browser.picture('crash-review');
    await browser.submit('api-c has another kernel');
    await card().getByText('recovered').first().waitFor();
    await browser.closeModals();
    await browser.picture('crash-healed');

    expect(nodes()).toHaveLength(9);
    expect(nodes()).not.toContain('api-c');
  });

  it('gets a reminder in its thread after a day, by which the exclusion is removed', async () => {
    await letReminderCome(rig);
    await card()
      .getByRole('button', { name: /repl(y|ies)/ })
      .click();
    const lift = page.getByRole('button', { name: /Remove exclusion|removing the node exclusion/ }).last();
    await lift.waitFor();
    await lift.scrollIntoViewIfNeeded();
    await browser.picture('crash-reminder');
    rig.cluster.load([conductObject([])]);
    await lift.click();
    await browser.modal.getByText('NotIn').first().waitFor();
    await browser.picture('crash-lift');
    await browser.submit('the kernel was put back');
    await card().getByText('has its previous settings again').first().waitFor();
    await browser.closeModals();
    await browser.picture('crash-lifted');

    await expect
      .poll(() => nodes().filter((node) => node === 'api-c').length, { timeout: 90_000 })
      .toBeGreaterThan(0);
  });
});
