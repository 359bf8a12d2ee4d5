import type { Locator, Page, Response } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { startDemo } from '../../demo/live/start-demo.js';
import type { Stack } from '../../demo/stack.js';
import { hasBrowser, type OpenPage } from '../support/open-page.js';
import { withStage } from './with-stage.js';

/** A small laptop, and an upright phone. */
const laptop = { width: 1280, height: 757 };
const phone = { width: 390, height: 844 };

/** The demo as a newcomer uses it, with the tour. */
describe.runIf(hasBrowser)('the tour of the demo', () => {
  let stack: Stack;
  let page: Page;
  let browser: OpenPage;

  withStage({ height: laptop.height, start: () => startDemo() }, (stage) => {
    ({ stack, browser, page } = stage);
  });

  const inChannel = () => page.getByRole('main').getByTestId('message');
  const card = () =>
    inChannel()
      .filter({ hasText: 'ml/inference' })
      .filter({ has: page.getByRole('button', { name: /Review|undo/i }) });
  const doneSteps = async (): Promise<readonly string[]> => {
    const done = page.getByTestId('tour').locator('[data-done="true"]');
    return (await done.all()).length === 0 ? [] : await done.locator('.tour-label').allTextContents();
  };
  const panelButtons = () => page.getByTestId('demo-panel').getByRole('button');
  const pressReset = () => panelButtons().filter({ hasText: 'Reset the demo' }).click();
  /** Presses Reset, and waits until the page has its answer. */
  const reset = async (): Promise<void> => {
    const isAnswer = (response: Response) => response.request().postData()?.includes('"extra"') === true;
    await Promise.all([page.waitForResponse(isAnswer), pressReset()]);
    await inChannel().getByText('Five incidents are waiting').waitFor();
  };
  const deadlocked = () => page.getByTestId('cluster').getByLabel(/^inference-.*pending$/);
  const reviewAndApply = async (): Promise<void> => {
    await card()
      .getByRole('button', { name: /Review/ })
      .first()
      .click();
    await browser.submit('the old pod may stop');
    await expect.poll(doneSteps).toContain('Apply');
  };

  it('opens with the incidents to run, and shows every button of the panel on a small laptop', async () => {
    await inChannel().getByText('Five incidents are waiting').waitFor();
    await browser.picture('tour-start');

    expect(
      await inChannel()
        .getByRole('button', { name: /^Run: / })
        .count(),
    ).toBe(5);
    for (const button of await panelButtons().all()) {
      const box = await button.boundingBox();
      expect((box?.y ?? Number.POSITIVE_INFINITY) + (box?.height ?? 0)).toBeLessThanOrEqual(laptop.height);
    }
    expect(await deadlocked().count()).toBe(1);
    expect(await doneSteps()).toEqual([]);
  });

  it('opens at the first incident on a phone', async () => {
    await page.setViewportSize(phone);
    await page.reload();
    const run = inChannel().getByRole('button', { name: 'Run: GPU deadlock' });
    await run.waitFor();
    const { y = -1, height = 0 } = (await run.boundingBox()) ?? {};
    await browser.picture('tour-start-phone');

    expect(y).toBeGreaterThan(0);
    expect(y + height).toBeLessThanOrEqual(phone.height);
    await page.setViewportSize(laptop);
    await page.reload();
  });

  it('marks each step after it has happened, and shows the deadlock recover', async () => {
    await inChannel().getByRole('button', { name: 'Run: GPU deadlock' }).click();
    await expect.poll(doneSteps).toEqual(['Ask']);
    await browser.picture('tour-asked');
    const href = await card().getByRole('link', { name: 'surge-deadlock' }).first().getAttribute('href');
    expect(await (await page.request.get(href ?? '')).text()).toContain('# surge-deadlock');
    await card()
      .getByRole('button', { name: /Show proof/ })
      .click();
    await page.getByTestId('modal').waitFor();
    await expect.poll(doneSteps).toEqual(['Ask', 'Show proof']);
    await browser.closeModals();
    await card()
      .getByRole('button', { name: /Review/ })
      .first()
      .click();
    await page.getByTestId('submit').last().waitFor();
    await browser.picture('tour-review');
    expect(await doneSteps()).toEqual(['Ask', 'Show proof', 'Review fix']);
    await browser.submit('the old pod may stop');
    const oldPod = page.getByTestId('cluster').getByLabel(/^inference-.*old revision, ready$/);
    await expect.poll(() => oldPod.count()).toBe(0);
    await browser.closeModals();
    await browser.picture('tour-applying');
    await expect.poll(doneSteps).toEqual(['Ask', 'Show proof', 'Review fix', 'Apply']);
    await page
      .getByTestId('cluster')
      .getByLabel(/^inference-.*new revision, ready$/)
      .waitFor();
    await page.getByTestId('demo-panel').getByText('GPU deadlock (recovered)').waitFor({ state: 'attached' });
    await card().getByRole('button', { name: /undo/i }).first().waitFor();
    await browser.picture('tour-recovered');

    expect(await deadlocked().count()).toBe(0);
  });

  it('keeps its steps apart from the button that hides it, also beside an open thread', async () => {
    await card().getByTestId('open-thread').click();
    await page.getByTestId('thread').getByTestId('message').first().waitFor();
    const right = async (what: Locator) => {
      const { x = 0, width = 0 } = (await what.boundingBox()) ?? {};
      return x + width;
    };
    const hide = await page.getByRole('button', { name: 'Hide the tour' }).boundingBox();
    const labels = await page.getByTestId('tour').locator('.tour-label').all();
    expect(labels).toHaveLength(5);
    for (const label of labels) expect(await right(label)).toBeLessThanOrEqual(hide?.x ?? 0);
    await page.getByRole('button', { name: 'Close thread' }).click();
  });

  it('ends with Undo', async () => {
    await card().getByRole('button', { name: /undo/i }).first().click();
    await browser.submit('the old pod may stop');
    await expect.poll(doneSteps).toContain('Undo');
    await browser.closeModals();
    await browser.picture('tour-undone');
  });

  it('shows the report of the sentinel about a bad version', async () => {
    await panelButtons().filter({ hasText: 'Deploy a bad version' }).click();
    const report = inChannel().filter({ hasText: 'search/query' });
    await report
      .getByRole('button', { name: /Review/ })
      .first()
      .waitFor();
    await browser.picture('bad-version');
  });

  it('starts again after a reset, also when Run is pressed right after it', async () => {
    await pressReset();
    await page.getByTestId('demo-panel').getByText('Resetting…').waitFor();
    await browser.picture('resetting');
    await page.getByTestId('demo-panel').getByRole('button', { name: 'Run: GPU deadlock' }).click();
    await card().waitFor();
    await browser.picture('reset');

    expect(await inChannel().filter({ hasText: 'search/query' }).count()).toBe(0);
    await expect.poll(doneSteps).toEqual(['Ask']);
    expect(await deadlocked().count()).toBe(1);
  });

  it('ends when the review of Sam is refused', async () => {
    await reviewAndApply();
    await browser.closeModals();
    await page.getByTestId('tour').getByRole('button', { name: 'Play Sam' }).click();
    await page.getByRole('button', { name: 'Run: One bad node' }).last().click();
    const other = inChannel().filter({ hasText: 'ml/api' });
    await other
      .getByRole('button', { name: /Review/ })
      .first()
      .click();
    await expect.poll(doneSteps).toContain('Undo');
    await browser.closeModals();
    await page.getByTestId('person').selectOption('U0DANA');
  });

  it('shows Korean cards in the Korean channel', async () => {
    await reset();
    await page.getByTestId('place-장애-대응').click();
    await inChannel().getByRole('button', { name: '실행: GPU 교착 상태' }).click();
    await inChannel().filter({ hasText: 'ml/inference' }).getByText(/교착/).first().waitFor();
    const picture = page.getByTestId('thread').getByRole('img', { name: /교착 상태 구조/ });
    await inChannel().filter({ hasText: 'ml/inference' }).getByTestId('open-thread').click();
    await picture.waitFor();
    expect(await panelButtons().filter({ hasText: '데모 초기화' }).count()).toBe(1);
    await browser.picture('korean');
    await page.getByRole('button', { name: 'Close thread' }).click();

    await panelButtons().filter({ hasText: '데모 초기화' }).click();
    await expect
      .poll(() => inChannel().filter({ hasText: 'ml/inference' }).filter({ hasText: '교착' }).count())
      .toBe(0);
    await inChannel().getByRole('button', { name: '실행: GPU 교착 상태' }).waitFor();
    await page.getByTestId('place-ml-oncall').click();
  });

  it('leads to a recovered deadlock in at most four clicks on a phone', async () => {
    await reset();
    await page.setViewportSize(phone);
    await browser.picture('phone-start');
    await browser.fits();
    // One click here, and two of the next line: Review and Apply.
    await page.getByRole('button', { name: 'Run: GPU deadlock' }).last().click();
    await reviewAndApply();
    await browser.closeModals();
    await browser.picture('phone-recovered');
    await page
      .getByTestId('cluster')
      .getByRole('button', { name: /Cluster/ })
      .click();
    await page
      .getByTestId('cluster')
      .getByLabel(/^inference-.*new revision, ready$/)
      .waitFor();
    await browser.picture('phone-cluster');
    await browser.fits();
    await page.getByRole('button', { name: 'Hide the tour' }).click();
    expect(await page.getByTestId('tour').count()).toBe(0);
    expect(stack.slack.messages('ml-oncall').length).toBeGreaterThan(1);
  });
});
