import { WebClient } from '@slack/web-api';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renderCard } from '#src/adapters/slack/render/card.js';
import { Diagnosis } from '#src/core/diagnosis/diagnosis.js';
import { createDoctor, createTell } from '#src/doctor.js';
import { scenarios } from '#support/scenarios/expectation.js';
import { snapshotOf } from '#support/scenarios/snapshot-of.js';
import { buildIncident } from '#support/slack-builders.js';
import { createLocalSlack, type LocalSlack } from '../../demo/slack/create-local-slack.js';
import { hasBrowser, type OpenPage, openPage } from './open-page.js';

/** An upright phone, in CSS pixels. */
const phone = { width: 390, height: 844 };
/** Twelve lines of text, which fit between the header and the composer of a phone. */
const maxCardHeight = 440;

/** The card of the first recorded incident of every cause, on a phone. */
describe.runIf(hasBrowser)('a card on a phone', () => {
  let slack: LocalSlack;
  let browser: OpenPage;
  let page: Page;

  beforeAll(async () => {
    slack = await createLocalSlack({});
    browser = await openPage();
    ({ page } = browser);
    await page.goto(slack.url);
    await page.getByTestId('place-ml-oncall').click();
    await page.setViewportSize(phone);
  });
  afterAll(async () => {
    await browser?.close();
    await slack?.close();
  });

  it('shows its verdict, its fix and its button without scrolling for every cause', async () => {
    const tell = createTell();
    const client = new WebClient(slack.botToken, { slackApiUrl: slack.apiUrl });
    const causes = new Set<string>();
    for (const scenario of scenarios()) {
      const found = createDoctor().diagnose(await snapshotOf(scenario));
      const cause = found.findings[0]?.cause ?? 'nothing';
      if (causes.has(cause)) continue;
      causes.add(cause);
      const workload = { ...found.workload, cluster: 'prod-eu' };
      const diagnosis = Diagnosis.parse(JSON.parse(JSON.stringify({ ...found, workload })));
      const { text, blocks } = renderCard(buildIncident({ workload, diagnosis }), undefined, { tell });
      await client.chat.postMessage({ channel: 'C0MLONCALL', text, blocks });
    }
    const cards = page.getByTestId('message');
    await expect.poll(() => cards.count()).toBe(causes.size);

    const tall: string[] = [];
    for (const card of await cards.all()) {
      const { height, toButton } = await sizeOf(card);
      if (height > maxCardHeight || toButton > maxCardHeight) {
        tall.push(`${height} px, button at ${toButton} px: ${(await card.textContent())?.slice(0, 120)}`);
      }
    }
    await browser.picture('phone');
    expect(tall).toEqual([]);
    expect(causes.size).toBeGreaterThan(40);
  });
});

async function sizeOf(card: Locator): Promise<{ readonly height: number; readonly toButton: number }> {
  const box = await card.boundingBox();
  const button = await card
    .getByRole('button', { name: /Review|Show|Diagnose/ })
    .first()
    .boundingBox();
  if (box === null || button === null) throw new Error('a card or its button is not on the page');
  return { height: Math.round(box.height), toButton: Math.round(button.y + button.height - box.y) };
}
