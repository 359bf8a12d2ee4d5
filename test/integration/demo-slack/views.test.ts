import type { App } from '@slack/bolt';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LocalSlack } from '../../../demo/slack/create-local-slack.js';
import type { View } from '../../../demo/slack/workspace/model.js';
import { type Rig, startRig } from './rig.js';

const plain = (text: string) => ({ type: 'plain_text' as const, text });

function modal(title: string, more: { clear_on_close?: boolean; notify_on_close?: boolean } = {}) {
  return {
    type: 'modal' as const,
    callback_id: 'step',
    title: plain(title),
    submit: plain('Next'),
    blocks: [
      {
        type: 'input' as const,
        block_id: 'answer',
        optional: true,
        label: plain('Answer'),
        element: { type: 'plain_text_input' as const, action_id: 'text' },
      },
      {
        type: 'actions' as const,
        block_id: 'more',
        elements: [{ type: 'button' as const, action_id: 'push', text: plain('More') }],
      },
    ],
    ...more,
  };
}

let rig: Rig;
let slack: LocalSlack;
let closed: string[] = [];

function listeners(app: App): void {
  app.error(async () => {});
  app.command('/rollout-doctor', async ({ ack, command, client }) => {
    await ack();
    await client.views.open({
      trigger_id: command.trigger_id,
      view: modal('one', { notify_on_close: true }),
    });
  });
  app.action({ type: 'block_actions', action_id: 'push' }, async ({ ack, body, client }) => {
    await ack();
    await client.views.push({ trigger_id: body.trigger_id, view: modal('above', { notify_on_close: true }) });
  });
  app.view('step', async ({ ack, view }) => {
    const wish = view.state.values.answer?.text?.value;
    if (wish === 'update') await ack({ response_action: 'update', view: modal('two') });
    else if (wish === 'push') await ack({ response_action: 'push', view: modal('three') });
    else if (wish === 'clear') await ack({ response_action: 'clear' });
    else if (wish === 'long') await ack({ response_action: 'update', view: modal('x'.repeat(25)) });
    else if (wish === 'nowhere') await ack({ response_action: 'errors', errors: { elsewhere: 'x' } });
    else await ack();
  });
  app.view({ callback_id: 'step', type: 'view_closed' }, async ({ ack, view, body }) => {
    closed.push(`${view.title.text} ${'is_cleared' in body && body.is_cleared}`);
    await ack();
  });
}

async function opened(): Promise<View> {
  await slack.as('dana').runs('/rollout-doctor');
  return slack.until(() => slack.as('dana').modal(), { what: 'the modal' });
}
const titles = () => slack.modals('dana').map(({ title }) => title);

beforeEach(async () => {
  closed = [];
  rig = await startRig('socket', listeners);
  slack = rig.slack;
});
afterEach(() => rig.stop());

describe('a submitted view', () => {
  it.each([
    ['update', ['two']],
    ['push', ['one', 'three']],
    ['clear', []],
    ['nothing', []],
  ])('is followed by the views that the app answers with: %s', async (wish, left) => {
    await slack.as('dana').submits(await opened(), { text: wish });
    expect(titles()).toEqual(left);
  });

  it.each(['long', 'nowhere'])('stays open with a notice when Slack rejects the answer: %s', async (wish) => {
    const outcome = await slack.as('dana').submits(await opened(), { text: wish });
    expect(outcome.type).toBe('refused');
    expect(slack.as('dana').modal()?.notice).toContain('trouble connecting');
  });
});

describe('a stack of views', () => {
  it('has at most three views', async () => {
    const dana = slack.as('dana');
    await opened();
    for (const count of [1, 2, 3]) {
      await dana.clicks(dana.modal() ?? (await opened()), 'More');
      await slack.until(() => slack.calls('views.push').length === count, { what: 'a push' });
    }
    const answers = slack.calls('views.push').map(({ answer }) => answer.error ?? 'ok');
    expect(answers).toEqual(['ok', 'ok', 'push_limit_reached']);
    expect(titles()).toEqual(['one', 'above', 'above']);
  });

  it('closes one view or all views, and notifies the app', async () => {
    const dana = slack.as('dana');
    await dana.clicks(await opened(), 'More');
    const above = await slack.until(() => slack.modals('dana')[1], { what: 'a second view' });
    await dana.closes(above);
    expect(titles()).toEqual(['one']);
    await dana.clicks(dana.modal() ?? above, 'More');
    const again = await slack.until(() => slack.modals('dana')[1], { what: 'a second view' });
    await dana.closes(again, { all: true });
    expect(titles()).toEqual([]);
    expect(closed).toEqual(['above false', 'above true', 'one true']);
  });
});

describe('an update of a view', () => {
  it('keeps typed text, and is rejected with the hash of an older state', async () => {
    const view = await opened();
    await slack.as('dana').fills(view, { Answer: 'typed' });
    const update = (hash: string) =>
      rig.app.client.views.update({ view_id: view.id, hash, view: modal('changed') });
    await update(view.hash);
    expect(slack.as('dana').modal()).toMatchObject({
      title: 'changed',
      values: { answer: { text: { value: 'typed' } } },
    });
    await expect(update(view.hash)).rejects.toMatchObject({ data: { error: 'hash_conflict' } });
  });
});
