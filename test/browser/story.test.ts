import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { seedInference } from '../../demo/cluster/seed/inference-gpu.js';
import { type Stack, startStack } from '../../demo/stack.js';
import { hasBrowser, type OpenPage } from '../support/open-page.js';
import { isDeadlocked } from '../support/shown-words.js';
import { cardOf, changesIn, untilApproversAsked, withStage } from './with-stage.js';

/** The demo as a newcomer uses it. */
describe.runIf(hasBrowser)('the demo', () => {
  let stack: Stack;
  let page: Page;
  let browser: OpenPage;

  withStage(
    {
      async start() {
        const started = await startStack();
        await seedInference(started.cluster);
        return started;
      },
    },
    (stage) => {
      ({ stack, browser, page } = stage);
    },
  );

  const playAs = async (name: string): Promise<void> => {
    await page.getByTestId('person').selectOption(`U0${name.toUpperCase().replace('-', '')}`);
    await page.getByTestId('place-ml-oncall').click();
  };
  const card = () => cardOf(page, 'ml/inference');

  it('answers the command with a card that proves the deadlock', async () => {
    await browser.ask('/rollout-doctor deploy/inference -n ml', card().getByText(isDeadlocked));
    await browser.picture('card', card());

    expect(await card().count()).toBe(1);
    expect(await card().textContent()).toContain('nvidia.com/gpu');
    await card()
      .getByRole('button', { name: /Show proof/ })
      .click();
    const proof = page.getByTestId('modal').last();
    await proof.getByText('Ruled out').first().waitFor();
    expect(await proof.textContent()).toContain('gpu-a');
    await browser.picture('proof');
    await browser.closeModals();
  });

  it('is used by keyboard: Escape returns to the button that opened a window or a menu', async () => {
    const proof = card().getByRole('button', { name: /Show proof/ });
    const more = card().getByLabel('More actions');
    const hasFocus = async (what: Locator) => (await what.and(page.locator(':focus')).count()) === 1;
    await proof.focus();
    await page.keyboard.press('Enter');
    await page.getByTestId('modal').last().getByText('Ruled out').first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByTestId('modal').waitFor({ state: 'detached' });
    expect(await hasFocus(proof)).toBe(true);

    await more.focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await hasFocus(card().locator('.overflow-menu button').first())).toBe(true);
    await page.keyboard.press('Escape');
    expect(await card().locator('.overflow-menu').isVisible()).toBe(false);
    expect(await hasFocus(more)).toBe(true);
  });

  it('lets a person without the right ask the approvers, and changes nothing', async () => {
    await playAs('sam');
    await card()
      .getByRole('button', { name: /Review/ })
      .first()
      .click();
    const modal = page.getByTestId('modal');
    const ask = modal.getByRole('button', { name: 'Ask @ml-oncall to approve' });
    await ask.waitFor();
    await browser.picture('refused');
    await ask.click();
    await untilApproversAsked(stack);

    expect(
      stack.cluster.requests.some(({ verb, query }) => verb === 'patch' && !query.includes('dryRun')),
    ).toBe(false);
    await page.keyboard.press('Escape');
    await modal.waitFor({ state: 'detached' });
  });

  it('shows diff, impact and dry run before the approval, applies once, and shows the recovered card', async () => {
    await playAs('dana');
    await card()
      .getByRole('button', { name: /Review/ })
      .first()
      .dblclick();
    const modal = page.getByTestId('modal').last();
    await modal.getByText('maxSurge').first().waitFor();
    await page.getByTestId('submit').last().waitFor();
    await browser.picture('review');
    await modal.getByRole('textbox').first().fill('GPU deadlock');
    await page.getByTestId('submit').last().dblclick();
    await card().getByText('recovered').first().waitFor();
    await browser.closeModals();
    await browser.picture('healed', card());
    expect(await card().textContent()).toMatch(/Downtime: .+ \(estimated .+\)\./);

    expect(changesIn(stack)).toBe(1);
    expect(await card().count()).toBe(1);
  });

  it('keeps the proof of before the fix beside the one of now, and offers the post-mortem', async () => {
    await card()
      .getByRole('button', { name: /Show proof/ })
      .click();
    const proof = page.getByTestId('modal').last();
    await proof.getByText('Before the fix').first().waitFor();
    const said = (await proof.textContent()) ?? '';
    const [before = '', now = ''] = said.split('Now');
    expect(before).toContain('is deadlocked');
    expect(now).not.toContain('is deadlocked');
    await browser.picture('proof-after');
    await browser.closeModals();

    await card().getByLabel('More actions').click();
    await card().getByRole('button', { name: 'Post-mortem' }).click();
    const report = page.getByTestId('modal').last();
    await report.getByText('# Post-mortem').first().waitFor();
    for (const part of ['## Timeline', '## Cause', '## Change', '## Result', 'Downtime: ', 'approved: '])
      expect(await report.textContent()).toContain(part);
    await browser.picture('post-mortem');
    await browser.closeModals();
  });

  it('restores the former strategy by Undo', async () => {
    await card().getByRole('button', { name: /undo/i }).first().click();
    await browser.modal.getByText('maxSurge').first().waitFor();
    await browser.submit('back to normal');
    await stack.slack.until(
      () => {
        const spec = stack.cluster.find('apps/v1', 'Deployment', 'ml', 'inference')?.spec;
        return JSON.stringify(spec).includes('"maxSurge":"25%"') || undefined;
      },
      { what: 'the former strategy' },
    );
    await browser.picture('undone');
  });
});
