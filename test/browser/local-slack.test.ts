import { App, LogLevel } from '@slack/bolt';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLocalSlack, type LocalSlack } from '../../demo/slack/create-local-slack.js';
import { hasBrowser, type OpenPage, openPage } from '../support/open-page.js';

const plain = (text: string) => ({ type: 'plain_text' as const, text });

/** These tests need a browser, such as from `apt-get install chromium`. */
describe.runIf(hasBrowser)('the page of the local Slack', () => {
  let slack: LocalSlack;
  let app: App;
  let page: Page;
  let browser: OpenPage;
  let clicks: string[] = [];
  const outside: string[] = [];
  const complaints: string[] = [];

  beforeAll(async () => {
    slack = await createLocalSlack({
      panel: [
        {
          title: { en: 'GPU deadlock', ko: 'GPU 교착 상태' },
          line: '/rollout-doctor deploy/inference -n ml',
        },
      ],
      extraButtons: [
        {
          label: { en: 'Fire the alert', ko: '알림 보내기' },
          run() {
            slack.asBot('alertmanager').posts({
              channel: 'incidents',
              attachments: [
                { title: '[FIRING:1] Stuck', color: 'danger', fields: [{ title: 'namespace', value: 'ml' }] },
              ],
            });
          },
        },
      ],
    });
    app = new App({
      token: slack.botToken,
      appToken: slack.appToken,
      socketMode: true,
      clientOptions: { slackApiUrl: slack.apiUrl },
      logLevel: LogLevel.ERROR,
    });
    listen();
    await app.start();
    browser = await openPage();
    ({ page } = browser);
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(`${slack.url}/`) && !url.startsWith('data:')) outside.push(url);
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
  });
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
    await slack?.close();
  });
  beforeEach(() => {
    clicks = [];
  });

  function listen(): void {
    app.command('/rollout-doctor', async ({ ack, command, client }) => {
      await ack();
      await client.chat.postMessage({
        channel: command.channel_id,
        text: `${command.text} is deadlocked`,
        blocks: [
          {
            type: 'section',
            text: {
              type: 'mrkdwn',
              verbatim: true,
              text: `*${command.text}* \`&lt;!channel&gt;\` <@U0DANA>`,
            },
          },
          {
            type: 'context',
            elements: [{ type: 'mrkdwn', text: 'diagnosed <!date^1763685004^{time}|never>' }],
          },
          {
            type: 'table',
            rows: [
              ['Node', '*Free*'],
              ['gpu-a', '0'],
            ].map((row) => row.map((text) => ({ type: 'raw_text' as const, text }))),
          },
          {
            type: 'actions',
            elements: [
              { type: 'button', action_id: 'review', style: 'primary', text: plain('Review') },
              {
                type: 'button',
                action_id: 'dismiss',
                text: plain('Dismiss'),
                confirm: {
                  title: plain('Dismiss this?'),
                  text: plain('It goes away.'),
                  confirm: plain('Yes'),
                  deny: plain('Keep it'),
                },
              },
            ],
          },
        ],
      });
    });
    app.action({ type: 'block_actions', action_id: 'review' }, async ({ ack, body, client }) => {
      clicks.push(`review by ${body.user.name}`);
      await ack();
      await client.views.open({
        trigger_id: body.trigger_id,
        view: {
          type: 'modal',
          callback_id: 'apply',
          private_metadata: body.message?.ts ?? '',
          title: plain('Stop the old pod first'),
          submit: plain('Apply'),
          blocks: [
            {
              type: 'input',
              block_id: 'reason',
              label: plain('Reason'),
              element: { type: 'plain_text_input', action_id: 'text' },
            },
          ],
        },
      });
    });
    app.action({ type: 'block_actions', action_id: 'dismiss' }, async ({ ack, body }) => {
      clicks.push(`dismiss by ${body.user.name}`);
      await ack();
    });
    app.view('apply', async ({ ack, view, body, client }) => {
      if ((view.state.values.reason?.text?.value ?? '').length < 5) {
        await ack({ response_action: 'errors', errors: { reason: 'Say a little more.' } });
        return;
      }
      await ack();
      const channel = 'C0MLONCALL';
      await client.chat.update({ channel, ts: view.private_metadata, text: `Approved by ${body.user.name}` });
      await client.chat.postMessage({
        channel,
        thread_ts: view.private_metadata,
        text: 'The old pod is stopping.',
      });
      await client.chat.postEphemeral({ channel, user: body.user.id, text: 'You approved this.' });
    });
  }

  it('leads from a command over a modal to an approved message, its thread and an ephemeral message', async () => {
    await page.goto(slack.url);
    const composer = page.getByTestId('composer');
    await composer.fill('/roll');
    await page.getByTestId('command-hint').getByText('namespace/name | help').waitFor();
    await composer.press('Tab');
    await composer.pressSequentially('ml/inference');
    await composer.press('Enter');

    const card = page.getByTestId('message').first();
    await card.getByRole('button', { name: 'Review' }).waitFor();
    expect(await card.locator('code').textContent()).toBe('<!channel>');
    expect(await card.locator('.mention').allTextContents()).toEqual(['@dana']);
    expect(await card.locator('th').allTextContents()).toEqual(['Node', '*Free*']);
    // 2025-11-21 00:30:04 UTC is the evening before for Dana, who lives in New York.
    expect(await card.locator('.block-context time').textContent()).toMatch(/^7:30\sPM$/);

    await card.getByRole('button', { name: 'Review' }).press('Enter');
    const modal = page.getByRole('dialog', { name: 'Stop the old pod first' });
    await modal.getByLabel('Reason').fill('GPU');
    await modal.getByRole('button', { name: 'Apply' }).click();
    await modal.getByText('Say a little more.').waitFor();
    expect(await modal.getByLabel('Reason').inputValue()).toBe('GPU');
    await modal.getByLabel('Reason').fill('GPU is needed');
    await modal.getByRole('button', { name: 'Apply' }).click();
    await modal.waitFor({ state: 'detached' });

    await card.getByText('Approved by dana').waitFor();
    expect(await card.getByRole('button', { name: 'Review' }).count()).toBe(0);
    await page.locator('[data-private="true"]').getByText('You approved this.').waitFor();
    await page.getByTestId('open-thread').click();
    await page.getByTestId('thread').getByText('The old pod is stopping.').waitFor();
    await page.getByRole('button', { name: 'Close thread' }).click();
    expect(slack.modals('dana')).toEqual([]);
  });

  it('shows the answer to somebody who asked from further up', async () => {
    const scrolled = () => page.evaluate("document.querySelector('.messages').scrollTop");
    for (let index = 0; index < 6; index += 1)
      await slack.as('dana').runs(`/rollout-doctor ml/earlier-${index}`);
    await page.getByText('ml/earlier-5').waitFor();
    await page.getByText('ml/earlier-5').hover();
    await page.mouse.wheel(0, -10_000);
    await expect.poll(scrolled).toBe(0);
    await page.getByTestId('demo-panel').getByRole('button', { name: 'Run: GPU deadlock' }).click();
    const answer = page.getByTestId('message').filter({ hasText: 'deploy/inference -n ml' });
    await answer.waitFor();
    const end = (await page.getByTestId('composer').boundingBox())?.y ?? 0;
    await expect.poll(async () => (await answer.boundingBox())?.y ?? end).toBeLessThan(end);
  });

  it('asks for a confirmation before it sends an action with a confirm dialog', async () => {
    await slack.as('dana').runs('/rollout-doctor ml/second');
    const card = page.getByTestId('message').filter({ hasText: 'ml/second' });
    await card.getByRole('button', { name: 'Dismiss' }).click();
    await page
      .getByRole('dialog', { name: 'Dismiss this?' })
      .getByRole('button', { name: 'Keep it' })
      .click();
    await page.getByTestId('confirm').waitFor({ state: 'detached' });
    await card.getByRole('button', { name: 'Dismiss' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Yes' }).click();
    await slack.until(() => clicks.length > 0, { what: 'the click' });
    expect(clicks).toEqual(['dismiss by dana']);
  });

  it('can be used as another person, who does not see ephemeral messages of others', async () => {
    await page.getByTestId('person').selectOption('U0SAM');
    await page.getByText('in no user group').waitFor();
    await page.getByTestId('message').filter({ hasText: 'ml/second' }).waitFor();
    expect(await page.getByText('You approved this.').count()).toBe(0);
    const card = page.getByTestId('message').filter({ hasText: 'ml/second' });
    await card.getByRole('button', { name: 'Review' }).click();
    await page.getByRole('dialog', { name: 'Stop the old pod first' }).waitFor();
    expect(clicks).toEqual(['review by sam']);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(slack.modals('sam')).toEqual([]);
  });

  it('shows alerts of other programs as unread until they are opened, and the demo panel fires them', async () => {
    await page.getByTestId('demo-panel').getByText('GPU deadlock').waitFor();
    await page.getByRole('button', { name: 'Fire the alert' }).click();
    await page.getByTestId('place-incidents').getByText('1 unread').waitFor();
    await page.getByTestId('place-incidents').click();
    await page.getByText('[FIRING:1] Stuck').waitFor();
    expect(await page.getByTestId('place-incidents').getByText('unread').count()).toBe(0);
  });

  it('draws the signs of a rich text, which the fonts of the machine may lack', async () => {
    slack.asBot('alertmanager').posts({
      channel: 'incidents',
      blocks: [
        {
          type: 'rich_text',
          elements: [
            { type: 'rich_text_section', elements: [{ type: 'text', text: '🔴 Critical: 🟢 soon' }] },
          ],
        },
      ],
    });
    const posted = page.getByRole('main').getByTestId('message').filter({ hasText: 'Critical:' });
    await posted.getByRole('img', { name: ':red_circle:' }).waitFor();

    expect(await posted.getByRole('img', { name: ':large_green_circle:' }).count()).toBe(1);
    expect(await posted.textContent()).toContain(' Critical:  soon');
  });

  it('starts no line with the mark that follows a code', async () => {
    const code = (text: string) => ({ type: 'text', text, style: { code: true } });
    const text = (words: string) => ({ type: 'text', text: words });
    // Of different lengths, so that some end at the edge.
    const named = Array.from({ length: 60 }, (_, index) => [
      code(`pod-${'x'.repeat(index % 13)}`),
      text(', '),
    ]);
    slack.asBot('alertmanager').posts({
      channel: 'incidents',
      blocks: [
        {
          type: 'rich_text',
          elements: [{ type: 'rich_text_section', elements: [text('These pods: '), ...named.flat()] }],
        },
      ],
    });
    const posted = page.getByRole('main').getByTestId('message').filter({ hasText: 'These pods' });
    await posted.getByText('pod-xxxxxxxxxxxx').first().waitFor();

    expect(await posted.locator('.slack_inline_code').count()).toBe(60);
    const marksOnTheirOwnLine = `
      [...document.querySelectorAll('.slack_inline_code')].filter((code) => {
        const mark = document.createRange();
        mark.setStart(code.nextSibling.firstChild, 0);
        mark.setEnd(code.nextSibling.firstChild, 1);
        const { top, height } = mark.getBoundingClientRect();
        return top + height / 2 > [...code.getClientRects()].at(-1).bottom;
      }).length`;
    const found: unknown[] = [];
    // Somewhere in these widths a line has room for a code and not for the mark.
    for (let width = 420; width < 500; width += 2) {
      await page.setViewportSize({ width, height: 900 });
      found.push(await page.evaluate(marksOnTheirOwnLine));
    }
    await page.setViewportSize({ width: 1_280, height: 900 });
    expect(found).toEqual(found.map(() => 0));
  });

  it('follows a link to a message', async () => {
    const [first] = slack.messages('ml-oncall');
    const { ts = '' } = first ?? {};
    await page.goto(`${slack.url}/archives/C0MLONCALL/p${ts.replace('.', '')}`);
    await page.locator('.message-marked').getByText('Approved by dana').waitFor();
  });

  it('fits a phone, and every control has a name', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    const overhang = () => page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
    expect(await overhang()).toBeLessThanOrEqual(0);
    await page.getByRole('button', { name: 'Show channels and demo' }).click();
    await page.getByTestId('place-ml-oncall').click();
    await page.getByTestId('open-thread').first().click();
    expect(await overhang()).toBeLessThanOrEqual(0);
    const snapshot = await page.locator('body').ariaSnapshot();
    expect(snapshot).not.toMatch(/- (button|textbox|combobox|dialog)(:| \[|$)/m);
  });

  it('requests nothing from other hosts, and logs no error', () => {
    expect(outside).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
