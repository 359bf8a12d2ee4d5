import type { App } from '@slack/bolt';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLocalSlack, type LocalSlack } from '../../../demo/slack/create-local-slack.js';
import { defaultManifest } from '../../../demo/slack/manifest.js';
import type { Message, View } from '../../../demo/slack/workspace/model.js';
import { type Mode, type Rig, startRig } from './rig.js';

const plain = (text: string) => ({ type: 'plain_text' as const, text });

/** A small app that does each thing once. */
function listeners(app: App, slack: LocalSlack): void {
  app.command('/rollout-doctor', async ({ ack, command, client, respond }) => {
    await ack();
    if (command.text === 'help') {
      await respond('Say namespace/name.');
      return;
    }
    await client.chat.postMessage({
      channel: command.channel_id,
      text: `${command.text} is deadlocked`,
      metadata: { event_type: 'card', event_payload: { incident: 'i1' } },
      blocks: [
        { type: 'section', text: { type: 'mrkdwn', text: `\`${command.text}\` is deadlocked` } },
        {
          type: 'actions',
          block_id: 'ways',
          elements: [
            { type: 'button', action_id: 'review', text: plain('Review'), value: 'i1' },
            { type: 'static_select', action_id: 'pick', options: [{ text: plain('Later'), value: 'later' }] },
            { type: 'overflow', action_id: 'more', options: [{ text: plain('Mute'), value: 'mute' }] },
          ],
        },
      ],
    });
  });
  app.action({ type: 'block_actions', action_id: 'review' }, async ({ ack, body, client }) => {
    await ack();
    await client.views.open({
      trigger_id: body.trigger_id,
      view: {
        type: 'modal',
        callback_id: 'review',
        private_metadata: body.message?.ts ?? '',
        notify_on_close: true,
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
  app.view('review', async ({ ack, view, body, client }) => {
    const reason = view.state.values.reason?.text?.value ?? '';
    if (reason.length < 5) {
      await ack({ response_action: 'errors', errors: { reason: 'Say a little more.' } });
      return;
    }
    await ack();
    const channel = 'C0MLONCALL';
    const ts = view.private_metadata;
    await client.chat.update({ channel, ts, text: `Approved by ${body.user.name}: ${reason}` });
    await client.chat.postMessage({ channel, thread_ts: ts, text: 'The old pod is stopping.' });
    await client.chat.postEphemeral({ channel, user: body.user.id, text: 'You approved this.' });
  });
  app.view({ callback_id: 'review', type: 'view_closed' }, async ({ ack, body, client }) => {
    await ack();
    await client.chat.postEphemeral({
      channel: 'C0MLONCALL',
      user: body.user.id,
      text: 'Nothing was changed.',
    });
  });
  app.action({ type: 'block_actions', action_id: /^(pick|more)$/ }, async ({ ack, action, respond }) => {
    await ack();
    const chosen = 'selected_option' in action ? action.selected_option?.value : undefined;
    await respond({ text: `chosen: ${chosen}`, replace_original: false });
  });
  app.shortcut('diagnose_this', async ({ ack, shortcut, respond }) => {
    await ack();
    if (shortcut.type === 'message_action') await respond(`About: ${shortcut.message.text}`);
  });
  app.event('app_mention', async ({ event, say }) => {
    await say({ text: `You said: ${event.text}`, thread_ts: event.thread_ts ?? event.ts });
  });
  app.event('app_home_opened', async ({ event, client }) => {
    await client.views.publish({
      user_id: event.user,
      view: { type: 'home', blocks: [{ type: 'header', text: plain('Incidents') }] },
    });
  });
  app.message(async ({ message, client }) => {
    if (!('bot_id' in message) || message.bot_id === undefined || message.bot_id === slack.botId) return;
    const title = 'attachments' in message ? message.attachments?.[0]?.title : undefined;
    await client.chat.postMessage({
      channel: message.channel,
      thread_ts: message.ts,
      text: `Seen: ${title}`,
    });
  });
}

describe.each<Mode>(['http', 'socket'])('a Bolt app over %s', (mode) => {
  let rig: Rig;
  let slack: LocalSlack;
  beforeEach(async () => {
    rig = await startRig(mode, listeners);
    slack = rig.slack;
  });
  afterEach(() => rig.stop());

  const card = () => slack.until(() => slack.messages('ml-oncall')[0], { what: 'the card' });
  const lastEphemeral = (person: string, text: string) =>
    slack.until(() => slack.ephemerals(person).find((message) => message.text === text), { what: text });
  const modalOf = (person: string) => slack.until(() => slack.as(person).modal(), { what: 'a modal' });

  async function reviewed(): Promise<{ message: Message; view: View }> {
    await slack.as('dana').runs('/rollout-doctor ml/inference');
    const message = await card();
    await slack.as('dana').clicks(message, 'Review');
    return { message, view: await modalOf('dana') };
  }

  it('acknowledges a command and posts as its bot', async () => {
    const outcome = await slack.as('dana').runs('/rollout-doctor ml/inference', { channel: 'ml-oncall' });
    expect(outcome.type).toBe('acknowledged');
    const message = await card();
    expect(message).toMatchObject({ botId: slack.botId, appId: slack.appId, user: slack.botUserId });
    expect(message.metadata).toEqual({ event_type: 'card', event_payload: { incident: 'i1' } });
    expect(message.blocks.every(({ block_id }) => typeof block_id === 'string')).toBe(true);
  });

  it('answers only the person who asked', async () => {
    await slack.as('sam').runs('/rollout-doctor help');
    expect((await lastEphemeral('sam', 'Say namespace/name.')).visibleTo).toBe('U0SAM');
    expect(slack.ephemerals('dana')).toEqual([]);
    expect(slack.messages('ml-oncall')).toEqual([]);
  });

  it('opens a modal by a click, shows its errors, and edits the message after it is submitted', async () => {
    const { message, view } = await reviewed();
    expect(view.title).toBe('Stop the old pod first');

    const tooEarly = await slack.as('dana').submits(view);
    expect(tooEarly).toMatchObject({
      type: 'refused',
      errors: { reason: 'Please complete this required field.' },
    });

    await slack.as('dana').submits(view, { Reason: 'no' });
    expect(slack.as('dana').modal()?.errors).toEqual({ reason: 'Say a little more.' });

    await slack.as('dana').submits(view, { reason: 'GPU is needed' });
    expect(slack.modals('dana')).toEqual([]);
    await lastEphemeral('dana', 'You approved this.');
    expect(slack.messages('ml-oncall')).toHaveLength(1);
    const after = slack.message(message);
    expect(after).toMatchObject({ text: 'Approved by dana: GPU is needed', blocks: [] });
    expect(after?.edited).toBeDefined();
    expect(slack.thread(message).map(({ text }) => text)).toEqual(['The old pod is stopping.']);
  });

  it('is notified when a person closes a modal', async () => {
    const { view } = await reviewed();
    await slack.as('dana').closes(view);
    expect(slack.modals('dana')).toEqual([]);
    await lastEphemeral('dana', 'Nothing was changed.');
  });

  it('receives choices from menus, and the message keeps them in its state', async () => {
    await slack.as('dana').runs('/rollout-doctor ml/inference');
    const message = await card();
    await slack.as('dana').chooses(message, { actionId: 'pick' }, 'later');
    await lastEphemeral('dana', 'chosen: later');
    expect(slack.message(message)?.values.ways?.pick).toMatchObject({ selected_option: { value: 'later' } });
    await slack.as('dana').chooses(message, { actionId: 'more' }, 'mute');
    await lastEphemeral('dana', 'chosen: mute');
  });

  it('receives message shortcuts', async () => {
    const said = slack.as('dana').says('inference is stuck');
    await slack.as('min-jun').usesShortcut('diagnose_this', said);
    await lastEphemeral('min-jun', 'About: inference is stuck');
  });

  it('receives mentions, and answers in the thread', async () => {
    const said = slack.as('dana').mentions('ml/inference <now> & @sam');
    const reply = await slack.until(() => slack.thread(said)[0], { what: 'a reply' });
    expect(reply.text).toBe(`You said: <@${slack.botUserId}> ml/inference &lt;now&gt; &amp; <@U0SAM>`);
    slack.as('dana').mentions('again', { threadTs: said.ts });
    await slack.until(() => slack.thread(said).length === 3, { what: 'a second reply' });
    expect(slack.messages('ml-oncall')).toHaveLength(1);
  });

  it('receives alerts that other programs post by webhook or as an app, and ignores its own messages', async () => {
    const byWebhook = slack.asBot('alertmanager').posts({
      channel: 'incidents',
      attachments: [{ title: '[FIRING:1] KubeDeploymentRolloutStuck', color: 'danger' }],
    });
    expect(byWebhook).toMatchObject({ subtype: 'bot_message', user: undefined, username: 'Alertmanager' });
    const byApp = slack.asBot('grafana').posts({ channel: 'incidents', attachments: [{ title: 'Stuck' }] });
    expect(byApp).toMatchObject({ subtype: undefined, user: 'U0GRAFANA', botId: 'B0GRAFANA' });
    const first = await slack.until(() => slack.thread(byWebhook)[0], { what: 'an answer' });
    expect(first.text).toBe('Seen: [FIRING:1] KubeDeploymentRolloutStuck');
    expect((await slack.until(() => slack.thread(byApp)[0], { what: 'an answer' })).text).toBe('Seen: Stuck');
    // Slack delivers the app's own two replies as well: four message events.
    await slack.until(() => slack.eventAttempts.length === 4, { what: 'four events' });
    expect(slack.messages('incidents', { replies: true })).toHaveLength(4);
  });

  it('publishes a Home tab', async () => {
    slack.as('robin').opensHome();
    const home = await slack.until(() => slack.home('robin'), { what: 'the Home tab' });
    expect(home.blocks[0]).toMatchObject({ type: 'header' });
    expect(slack.home('dana')).toBeUndefined();
  });

  it('receives no command that the manifest does not name', async () => {
    expect(await slack.as('dana').runs('/deploy now')).toEqual({
      type: 'refused',
      because: 'invalid_command',
    });
    expect(slack.ephemerals('dana')[0]?.text).toBe('/deploy is not a valid command.');
  });

  it('receives typed names as mentions when the manifest requests it', async () => {
    await slack.as('dana').runs('/rollout-doctor @sam #incidents');
    expect((await card()).text).toBe('<@U0SAM|sam> <#C0INCIDENTS|incidents> is deadlocked');
  });
});

describe('an app without the scope for commands', () => {
  it('has no shortcuts', async () => {
    const slack = await createLocalSlack({
      page: false,
      manifest: {
        ...defaultManifest,
        oauth_config: { scopes: { bot: ['chat:write', 'channels:history'] } },
      },
    });
    const said = slack.as('dana').says('inference is stuck');
    const outcome = await slack.as('dana').usesShortcut('diagnose_this', said);
    await slack.close();

    expect(outcome).toMatchObject({ type: 'refused' });
  });
});
