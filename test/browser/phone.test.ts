import type { RichTextBlock } from '@slack/types';
import { WebClient } from '@slack/web-api';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Diagnosis } from '#src/doctor/findings/diagnosis.js';
import { renderCard } from '#src/edges/slack/render/card.js';
import type { Message } from '#src/edges/slack/render/message.js';
import { createEngine, createTell } from '#src/service/create-engine.js';
import { createLocalSlack, type LocalSlack } from '../../demo/slack/create-local-slack.js';
import { hasBrowser, type OpenPage, openPage } from '../support/open-page.js';
import { scenarios } from '../support/scenarios/expectation.js';
import { snapshotOf } from '../support/scenarios/snapshot-of.js';
import { buildIncident } from '../support/slack-builders.js';

/** An upright phone, in CSS pixels. */
const phone = { width: 390, height: 844 };
/** Twelve lines of text, which fit between the header and the composer of a phone. */
const maxCardHeight = 440;

/**
 * The card of the first recorded incident of every cause, on a phone: a narrow window, and one that fingers
 * touch.
 */
describe.runIf(hasBrowser).each([
  ['a phone', false],
  ['a phone with a touch screen', true],
])('a card on %s', (_, touch) => {
  let slack: LocalSlack;
  let browser: OpenPage;
  let page: Page;

  beforeAll(async () => {
    slack = await createLocalSlack({});
    browser = await openPage({ touch });
    ({ page } = browser);
    await page.goto(slack.url);
    await page.getByTestId('place-ml-oncall').click();
    await page.setViewportSize(phone);
    expect(await page.evaluate("matchMedia('(hover: none)').matches")).toBe(touch);
  });
  afterAll(async () => {
    await browser?.close();
    await slack?.close();
  });

  it('shows its verdict, its fix and its button without scrolling for every cause', async () => {
    const client = new WebClient(slack.botToken, { slackApiUrl: slack.apiUrl });
    const messages = await cardsOfCauses();
    for (const { text, blocks } of messages)
      await client.chat.postMessage({ channel: 'C0MLONCALL', text, blocks });
    const cards = page.getByTestId('message');
    await expect.poll(() => cards.count()).toBe(messages.length);

    const tall: string[] = [];
    for (const card of await cards.all()) {
      const { height, toButton } = await sizeOf(card);
      if (height > maxCardHeight || toButton > maxCardHeight) {
        tall.push(`${height} px, button at ${toButton} px: ${(await card.textContent())?.slice(0, 120)}`);
      }
    }
    await browser.picture(`phone${touch ? '-touch' : ''}`);
    expect(tall).toEqual([]);
    const text = await cards.first().locator('.message-main').boundingBox();
    expect(text?.width ?? 0).toBeGreaterThan(phone.width * 0.75);
    expect(messages.length).toBeGreaterThan(40);

    const menus = page.getByTestId('message').locator('.overflow');
    const [first, last] = [menus.first(), menus.last()];
    for (const menu of [first, last]) {
      await menu.scrollIntoViewIfNeeded();
      await menu.locator('summary').click();
      const box = await menu.locator('.overflow-menu').boundingBox();
      expect(box).not.toBeNull();
      const { x, y, width, height } = box ?? { x: -1, y: -1, width: 0, height: 0 };
      expect([x >= 0, y >= 0, x + width <= phone.width, y + height <= phone.height]).toEqual(
        Array.from({ length: 4 }, () => true),
      );
      await menu.locator('summary').click();
    }
  });

  it('keeps the words of a table whole, which scrolls in itself', async () => {
    const client = new WebClient(slack.botToken, { slackApiUrl: slack.apiUrl });
    const words = [
      'Critical',
      'payments/transcoder',
      'Ready 1/1',
      'does not exist in the registry',
      '2:21 PM',
      '–',
    ];
    const rows = [words, words].map((row) => row.map(richCell));
    await client.chat.postMessage({ channel: 'C0MLONCALL', text: 'list', blocks: [{ type: 'table', rows }] });
    const cell = page.getByRole('cell', { name: 'payments/transcoder' }).last();
    await cell.scrollIntoViewIfNeeded();

    // One line of text, and what surrounds it.
    expect((await cell.boundingBox())?.width ?? 0).toBeGreaterThan(120);
    const box = await page.getByTestId('message').last().locator('.block-table').boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? phone.width + 1)).toBeLessThanOrEqual(phone.width);
    await browser.picture(`phone-table${touch ? '-touch' : ''}`);
  });
});

let rendered: Promise<readonly Message[]> | undefined;

/** Made once for both phones. */
function cardsOfCauses(): Promise<readonly Message[]> {
  rendered ??= renderCards();
  return rendered;
}

async function renderCards(): Promise<readonly Message[]> {
  const tell = createTell();
  const byCause = new Map<string, Message>();
  // A recording states its cause, so that only the first ones are diagnosed.
  const expected = new Set<string>();
  for (const scenario of scenarios()) {
    const stated = scenario.expect.cause ?? 'nothing';
    if (expected.has(stated)) continue;
    expected.add(stated);
    const found = createEngine().diagnose(await snapshotOf(scenario));
    const cause = found.findings[0]?.cause ?? 'nothing';
    if (byCause.has(cause)) continue;
    const workload = { ...found.workload, cluster: 'prod-eu' };
    const diagnosis = Diagnosis.parse(JSON.parse(JSON.stringify({ ...found, workload })));
    byCause.set(cause, renderCard(buildIncident({ workload, diagnosis }), undefined, { tell }));
  }
  return [...byCause.values()];
}

async function sizeOf(card: Locator): Promise<{ readonly height: number; readonly toButton: number }> {
  const box = await card.locator('.message-main').boundingBox();
  const button = await card
    .getByRole('button', { name: /Review|Show|Diagnose/ })
    .first()
    .boundingBox();
  if (box === null || button === null) throw new Error('a card or its button is not on the page');
  return { height: Math.round(box.height), toButton: Math.round(button.y + button.height - box.y) };
}

function richCell(text: string): RichTextBlock {
  const elements = [{ type: 'text' as const, text }];
  return { type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] };
}
