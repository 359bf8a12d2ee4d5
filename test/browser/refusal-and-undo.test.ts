import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { seedInference } from '../../demo/cluster/seed/inference-gpu.js';
import { type Stack, startStack } from '../../demo/stack.js';
import { hasBrowser, type OpenPage } from '../support/open-page.js';
import { isDeadlocked } from '../support/shown-words.js';
import { cardOf, changesIn, untilApproversAsked, withStage } from './with-stage.js';

/** What the buttons and cards say. */
const words = {
  ko: {
    locale: 'ko-KR',
    deadlock: '교착',
    review: /검토/,
    mayNot: /승인할 (수|권한)/,
    recovered: '복구되었습니다',
    measured: /서비스 중단: .+\(예상: .+\)\./,
    undo: /되돌리기/,
    undone: '되돌리기 완료',
  },
  en: {
    locale: 'en-US',
    deadlock: isDeadlocked,
    review: /Review/,
    mayNot: /cannot approve changes/,
    recovered: 'recovered',
    measured: /Downtime: .+ \(estimated .+\)\./,
    undo: /undo/i,
    undone: 'Undone',
  },
} as const;

/** Sam may view everything and approve nothing. */
const peopleWith = (locale: string) => [
  { name: 'min-jun', realName: 'Kim Min-jun', locale, timeZone: 'Asia/Seoul' },
  { name: 'sam', realName: 'Sam Okafor', locale, timeZone: 'Asia/Seoul' },
];

/** English on a desktop is the story of `story.test.ts`. */
describe.runIf(hasBrowser).each([
  ['ko', 'a desktop', { width: 1280, height: 900 }],
  ['ko', 'a phone', { width: 390, height: 844 }],
  ['en', 'a phone', { width: 390, height: 844 }],
] as const)('a refusal, a change and its undo in %s on %s', (language, device, viewport) => {
  const says = words[language];
  let stack: Stack;
  let page: Page;
  let browser: OpenPage;

  withStage(
    {
      async start() {
        const started = await startStack({
          slack: {
            people: peopleWith(says.locale),
            userGroups: [{ handle: 'ml-oncall', members: ['min-jun'] }],
          },
          env: { CHANNEL_LANGUAGE: language },
        });
        await seedInference(started.cluster);
        return started;
      },
    },
    (stage) => {
      ({ stack, browser, page } = stage);
    },
  );

  const picture = (name: string) => browser.picture(`${language}-${name}-${device.replace('a ', '')}`);
  const card = () => cardOf(page, 'ml/inference');
  const modal = () => browser.modal;
  const openReview = async (name: RegExp): Promise<void> => {
    const opens = card().getByRole('button', { name }).first();
    await opens.scrollIntoViewIfNeeded();
    await opens.click();
    await modal().getByText('maxSurge').first().waitFor();
  };
  it('shows a person without the right the review, and the way to ask those who have it', async () => {
    await page.getByTestId('person').selectOption('U0SAM');
    await page.getByTestId('place-ml-oncall').click();
    await browser.ask('/rollout-doctor ml/inference', card().getByText(says.deadlock).first());
    await page.setViewportSize(viewport);
    await openReview(says.review);
    const ask = modal().getByRole('button', { name: /@ml-oncall/ });
    await ask.waitFor();
    await picture('refused');
    expect(await modal().textContent()).toMatch(says.mayNot);
    expect(await page.getByTestId('submit').count()).toBe(0);
    await browser.fits();
    await ask.click();
    await untilApproversAsked(stack);
    await browser.closeModals();
    expect(changesIn(stack)).toBe(0);
  });

  it('applies the change for a person with the right, and states what was measured', async () => {
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.getByTestId('person').selectOption('U0MINJUN');
    await page.getByTestId('place-ml-oncall').click();
    await page.setViewportSize(viewport);
    await openReview(says.review);
    await page.getByTestId('submit').last().waitFor();
    await picture('review');
    await browser.fits();
    await browser.submit('the only GPU');
    await card().getByText(says.recovered).first().waitFor();
    await browser.closeModals();
    await picture('recovered');
    expect(await card().textContent()).toMatch(says.measured);
    expect(changesIn(stack)).toBe(1);
  });

  it('restores the former strategy by Undo, and states what is true then', async () => {
    await openReview(says.undo);
    await page.getByTestId('submit').last().waitFor();
    await picture('undo-review');
    await browser.fits();
    await browser.submit('the only GPU');
    await card().getByText(says.undone).first().waitFor();
    await browser.closeModals();
    await picture('undone');
    await browser.fits();
    expect(await card().textContent()).toMatch(/maxSurge/);
    expect(changesIn(stack)).toBe(2);
  });
});
