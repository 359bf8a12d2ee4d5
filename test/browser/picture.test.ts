import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { apiOnABadNode } from '../../demo/cluster/seed/api-on-a-bad-node.js';
import { seedIncidents } from '../../demo/cluster/seed/incident-seed.js';
import { inferenceGpu } from '../../demo/cluster/seed/inference-gpu.js';
import { type Stack, startStack } from '../../demo/stack.js';
import { hasBrowser, type OpenPage } from '../support/open-page.js';
import { isDeadlocked, reviewOf } from '../support/shown-words.js';
import { manifestWithout } from '../support/slack-rig.js';
import { withStage } from './with-stage.js';

const patience = 90_000;

/** Rows that the ring takes on the screen, broken lines counted. */
const rowsOfRing = `(() => {
  const block = document.querySelector('[data-testid="thread"] pre');
  const range = document.createRange();
  range.selectNodeContents(block);
  return Math.round(range.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(block).lineHeight));
})()`;

/** What there is to see in the thread of an incident. `apt-get install chromium` brings the browser. */
describe.runIf(hasBrowser)('the picture in the thread, as text', () => {
  let stack: Stack;
  let page: Page;
  let browser: OpenPage;

  withStage(
    {
      async start() {
        const started = await startStack({ slack: { manifest: manifestWithout('files:write') } });
        await seedIncidents(started.cluster, [inferenceGpu, apiOnABadNode]);
        return started;
      },
    },
    (stage) => {
      ({ stack, browser, page } = stage);
    },
  );

  /** Asks, and opens the thread under the card when the picture is there. */
  const askAndOpen = async (name: string): Promise<void> => {
    const reply = page
      .getByTestId('message')
      .filter({ hasText: `ml/${name}` })
      .getByTestId('open-thread');
    await browser.ask(`/rollout-doctor ml/${name}`, reply);
    expect(await reply.count()).toBe(1);
    await reply.click();
    await thread().getByTestId('message').nth(1).waitFor();
  };
  const thread = () => page.getByTestId('thread');
  const picture = (words: string) => thread().getByTestId('message').filter({ hasText: words });

  it('shows the wait cycle of the deadlock as a ring', async () => {
    await askAndOpen('inference');
    const ring = picture('wait cycle');
    await ring.scrollIntoViewIfNeeded();
    await browser.picture('ring', ring);

    expect(await ring.count()).toBe(1);
    const lines = ((await ring.locator('pre').textContent()) ?? '').split('\n');
    expect(lines[0]).toMatch(/^┌─▶ new pod inference-/);
    expect(lines.at(-1)).toBe('└───┘ the new pod is ready');
    expect(lines.join('\n')).toMatch(
      /needs nvidia\.com\/gpu on gpu-a\n│ {3}▼ in use by\n│ {3}old pod inference-/,
    );
  });

  it('breaks no line of the ring on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    const block = picture('wait cycle').locator('pre');
    await block.scrollIntoViewIfNeeded();
    await browser.picture('ring-phone');

    const lines = ((await block.textContent()) ?? '').split('\n').length;
    await expect.poll(() => page.evaluate(rowsOfRing)).toBe(lines);
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  it('stays when the change has helped, and a second one shows the ready pod', async () => {
    const card = await stack.slack.until(
      () =>
        stack.slack.messages('ml-oncall').find(({ text }) => text.includes(`ml/inference ${isDeadlocked}`)),
      { what: 'the card', withinMs: patience },
    );
    // The page plays Dana: what opens for others does not lie over it.
    const minJun = stack.slack.as('min-jun');
    await minJun.clicks(card, reviewOf('ml/inference'));
    const review = await stack.slack.until(
      () => {
        const view = minJun.modal();
        return view?.submit !== undefined && JSON.stringify(view).includes('maxSurge') ? view : undefined;
      },
      { what: 'the review', withinMs: patience },
    );
    await minJun.submits(review, { reason: 'deadlock' });
    await picture('1 of 1 pod ready').waitFor();
    await browser.picture('ring-healed');

    expect(await picture('wait cycle').count()).toBe(1);
    expect(await picture('1 of 1 pod ready').getByRole('img', { name: ':x:' }).count()).toBe(0);
  });

  it('shows at a glance that one node alone is red, in signs, colours and words', async () => {
    await page.getByRole('button', { name: 'Close thread' }).click();
    await askAndOpen('api');
    const strip = picture('pods crashing, all on');
    await strip.scrollIntoViewIfNeeded();
    await browser.picture('strip', strip);

    const text = (await strip.textContent()) ?? '';
    expect(text).toMatch(/3 of 3 crashing, \d+ restarts each/);
    expect(text.match(/0 of 3 crashing/g)).toHaveLength(2);
    // Three and six for the pods, and one each where the signs are explained.
    expect(await strip.getByRole('img', { name: ':x:' }).count()).toBe(4);
    expect(await strip.getByRole('img', { name: ':large_green_circle:' }).count()).toBe(7);
    expect(text).toMatch(/crashing\s+ready/);
    await page.setViewportSize({ width: 390, height: 844 });
    await strip.scrollIntoViewIfNeeded();
    await browser.picture('strip-phone');
    await page.setViewportSize({ width: 1280, height: 900 });
  });
});
