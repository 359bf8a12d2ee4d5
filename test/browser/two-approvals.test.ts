import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { seedInference } from '../../demo/cluster/seed/inference-gpu.js';
import { type Stack, startStack } from '../../demo/stack.js';
import { hasBrowser, type OpenPage } from '../support/open-page.js';
import { isDeadlocked } from '../support/shown-words.js';
import { cardOf, changesIn, withStage } from './with-stage.js';

/** What the buttons, cards and replies say. */
const words = {
  en: {
    locale: 'en-US',
    deadlock: isDeadlocked,
    review: /^Review/,
    needsTwo: 'This change needs 2 approvals.',
    awaiting: '1 more person must approve',
    reject: /^Reject/,
    confirm: 'Reject',
    rejected: 'Nothing was changed.',
    recovered: 'recovered',
    more: 'More actions',
    postMortem: 'Post-mortem',
    approved: '`Kim Min-jun` and `Dana Reyes` approved',
  },
  ko: {
    locale: 'ko-KR',
    deadlock: '교착',
    review: /검토/,
    needsTwo: '이 변경에는 2명의 승인이 필요합니다.',
    awaiting: '1명이 더 승인해야 합니다',
    reject: /^거절/,
    confirm: '거절',
    rejected: '아무것도 변경하지 않았습니다.',
    recovered: '복구되었습니다',
    more: '추가 작업',
    postMortem: '사후 분석',
    approved: '`Kim Min-jun`, `Dana Reyes` 님이 승인',
  },
} as const;

const twoApprovers = `apiVersion: rollout-doctor/v1
grants:
  - groups: [ml-oncall]
    namespaces: ["*"]
    actions: "*"
demands:
  - namespaces: ["*"]
    approvers: 2
brakes:
  cancelSeconds: 0
`;

describe.runIf(hasBrowser).each(['en', 'ko'] as const)(
  'a change that two people must approve, on a phone with a touch screen in %s',
  (language) => {
    const says = words[language];
    let stack: Stack;
    let page: Page;
    let browser: OpenPage;

    withStage(
      {
        touch: true,
        async start() {
          const person = (name: string, realName: string) => ({
            ...{ name, realName, locale: says.locale, timeZone: 'Asia/Seoul' },
          });
          const started = await startStack({
            policy: twoApprovers,
            slack: {
              people: [person('min-jun', 'Kim Min-jun'), person('dana', 'Dana Reyes')],
              userGroups: [{ handle: 'ml-oncall', members: ['min-jun', 'dana'] }],
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

    const card = () => cardOf(page, 'ml/inference');
    const modal = () => browser.modal;
    const playAs = async (id: string): Promise<void> => {
      await page.setViewportSize({ width: 1280, height: 900 });
      await page.getByTestId('person').selectOption(id);
      await page.getByTestId('place-ml-oncall').click();
      await page.setViewportSize({ width: 390, height: 844 });
    };
    const tap = async (what: Locator): Promise<void> => {
      await what.scrollIntoViewIfNeeded();
      await what.tap();
    };
    const approve = async (reason: string): Promise<void> => {
      await tap(card().getByRole('button', { name: says.review }).first());
      await modal().getByText('maxSurge').first().waitFor();
      await page.getByTestId('submit').last().waitFor();
      expect(await modal().textContent()).toContain(says.needsTwo);
      await modal().getByRole('textbox').first().fill(reason);
      await browser.fits();
      await browser.picture(`two-approvals-review-${language}`);
      await tap(page.getByTestId('submit').last());
    };
    it('waits for a second person after the first approval, and changes nothing', async () => {
      await playAs('U0MINJUN');
      await page.setViewportSize({ width: 1280, height: 900 });
      await browser.ask('/rollout-doctor ml/inference', card().getByText(says.deadlock).first());
      await page.setViewportSize({ width: 390, height: 844 });
      await approve('the only GPU');
      await card().getByText(says.awaiting).first().waitFor();
      await browser.closeModals();
      await browser.fits();
      await browser.picture(`two-approvals-awaiting-${language}`);

      expect(changesIn(stack)).toBe(0);
    });

    it('is closed for everybody by the rejection of the second person, who is asked before', async () => {
      await playAs('U0DANA');
      await tap(card().getByRole('button', { name: says.reject }).first());
      const question = page.getByTestId('confirm');
      await question.waitFor();
      await browser.fits();
      await browser.picture(`two-approvals-reject-${language}`);
      await tap(question.getByRole('button', { name: says.confirm, exact: true }));
      await stack.slack.until(
        () =>
          stack.slack
            .messages('ml-oncall', { replies: true })
            .some(({ threadTs, text }) => threadTs !== undefined && text.includes(says.rejected)),
        { what: 'the rejection in the thread', withinMs: 90_000 },
      );
      await card().getByText(says.awaiting).first().waitFor({ state: 'detached' });
      await browser.picture(`two-approvals-rejected-${language}`);

      expect(changesIn(stack)).toBe(0);
    });

    it('is applied once after the approvals of both, whom the post-mortem names', async () => {
      await playAs('U0MINJUN');
      await approve('still the only GPU');
      await card().getByText(says.awaiting).first().waitFor();
      await browser.closeModals();
      await playAs('U0DANA');
      await approve('agreed');
      await card().getByText(says.recovered).first().waitFor();
      await browser.closeModals();
      await browser.fits();
      await browser.picture(`two-approvals-recovered-${language}`);
      expect(changesIn(stack)).toBe(1);

      await tap(card().getByLabel(says.more));
      await tap(card().getByRole('button', { name: says.postMortem }));
      await modal().getByText(says.approved).first().waitFor();
      await browser.fits();
      await browser.picture(`two-approvals-post-mortem-${language}`);
      await browser.closeModals();
    });
  },
);
