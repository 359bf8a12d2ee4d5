import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { welcomeMessage } from '../../demo/live/welcome.js';
import { createLocalSlack } from '../../demo/slack/create-local-slack.js';
import { lowContrasts } from '../support/low-contrast.js';
import { hasBrowser } from '../support/open-page.js';
import { withStage } from './with-stage.js';

const plain = (text: string) => ({ type: 'plain_text' as const, text });
const styles = [undefined, 'primary', 'danger'] as const;

/** What a button is while the app works on the click, and while the demo resets. */
const states = ['', 'disabled', 'aria-busy=true', 'disabled aria-busy=true'] as const;

describe.runIf(hasBrowser)('the text of the demo', () => {
  let page: Page;
  withStage(
    {
      async start() {
        const slack = await createLocalSlack({
          panel: [{ title: { en: 'GPU deadlock', ko: 'GPU 교착 상태' }, line: '/rollout-doctor inference' }],
          extraButtons: [{ label: { en: 'Reset', ko: '초기화' }, run: () => undefined }],
        });
        const bot = slack.asBot('alertmanager');
        bot.posts({ channel: 'ml-oncall', ...welcomeMessage('en') });
        const elements = styles.map((style, at) => ({
          type: 'button',
          action_id: `press-${at}`,
          text: plain('Review'),
          ...(style === undefined ? {} : { style }),
        }));
        bot.posts({
          channel: 'ml-oncall',
          text: 'A card',
          blocks: [
            { type: 'actions', elements },
            { type: 'context', elements: [{ type: 'mrkdwn', text: 'asked by `dana`' }] },
          ],
        });
        return { slack, stop: () => slack.close() };
      },
    },
    (stage) => {
      ({ page } = stage);
    },
  );

  it.each(['light', 'dark'] as const)(
    'can be read in the %s colours, whatever state a button has',
    async (colorScheme) => {
      await page.emulateMedia({ colorScheme });
      await page.getByRole('main').getByRole('button', { name: 'Review' }).first().waitFor();
      for (const state of states) {
        const attributes = state
          .split(' ')
          .filter(Boolean)
          .map((each) => each.split('='));
        await page.evaluate(
          `for (const button of document.querySelectorAll('button')) for (const name of ['disabled', 'aria-busy']) button.removeAttribute(name);
        for (const button of document.querySelectorAll('button')) for (const [name, value = ''] of ${JSON.stringify(attributes)}) button.setAttribute(name, value);`,
        );
        for (const button of await page.getByRole('main').getByRole('button', { name: 'Review' }).all()) {
          await button.hover();
          expect(await lowContrasts(page), state).toEqual([]);
        }
      }
    },
  );
});
