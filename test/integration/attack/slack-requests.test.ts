import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Rig, sendSigned, startRig } from '../../support/slack-rig.js';
import { statedCount } from '../../support/stated-count.js';

let rig: Rig;
beforeEach(async () => {
  rig = await startRig();
});
afterEach(() => rig.close());

/** Sends a body that Slack signed: what became of it, and what it says. */
const send = (body: string, type?: string, secret = rig.slack.signingSecret) =>
  sendSigned({ port: rig.port, secret }, body, type);

const from = { team: { id: 'T0LOCAL' }, user: { id: 'U0DANA' }, api_app_id: 'A0LOCAL', trigger_id: '1.2' };
const interactive = (payload: object): string =>
  new URLSearchParams({ payload: JSON.stringify({ ...from, ...payload }) }).toString();
const press = (more: object): string =>
  interactive({
    type: 'block_actions',
    container: { type: 'message', channel_id: 'C0MLONCALL', message_ts: '1.2' },
    channel: { id: 'C0MLONCALL' },
    actions: [{ type: 'button', action_id: 'incident.proof', block_id: 'b', value: 'a' }],
    ...more,
  });
const submit = (view: object): string =>
  interactive({
    type: 'view_submission',
    view: { id: 'V1', type: 'modal', callback_id: 'remediation.review', state: { values: {} }, ...view },
  });
const event = (more: object): string =>
  JSON.stringify({ type: 'event_callback', team_id: 'T0LOCAL', event_id: `Ev${Math.random()}`, ...more });
const review = '{"approvalId":"a","channel":"C0MLONCALL"}';
const typed = (value: unknown) => ({ values: { reason: { reason: { value } }, name: { name: { value } } } });

/** Requests that lack something, hold something else in its place, or are of a kind that nobody asked for. */
const forms: readonly [string, string][] = [
  ['a press without a person', press({ user: undefined })],
  ['a press of nothing', press({ actions: [] })],
  ['a press without actions', press({ actions: undefined })],
  ['actions that are null', press({ actions: null })],
  ['an action that is null', press({ actions: [null] })],
  ['an action without its id', press({ actions: [{ type: 'button' }] })],
  ['an action id that is a number', press({ actions: [{ type: 'button', action_id: 7 }] })],
  ['a press without its place', press({ container: undefined, channel: undefined })],
  ['a submission without a view', interactive({ type: 'view_submission' })],
  ['a submission without its name', submit({ callback_id: undefined })],
  ['a submission without a state', submit({ state: undefined, private_metadata: review })],
  ['a state without values', submit({ state: {}, private_metadata: review })],
  ['a reason that is a number', submit({ state: typed(7), private_metadata: review })],
  ['a search that is a map', submit({ callback_id: 'home.search', state: typed({}) })],
  ['metadata that are missing', submit({ private_metadata: undefined })],
  ['metadata of many fields', submit({ private_metadata: `{${'"a":1,'.repeat(20_000)}"b":1}` })],
  ['a shortcut without a channel', interactive({ type: 'message_action', callback_id: 'diagnose_this' })],
  ['a closed modal', interactive({ type: 'view_closed', view: { callback_id: 'remediation.review' } })],
  ['a request for options', interactive({ type: 'block_suggestion', action_id: 'a', value: 'x' })],
  ['a dialog', interactive({ type: 'dialog_submission', callback_id: 'a', submission: {} })],
  ['an old button', interactive({ type: 'interactive_message', callback_id: 'a', actions: [{}] })],
  ['a global shortcut', interactive({ type: 'shortcut', callback_id: 'a' })],
  ['a type that is a list', interactive({ type: ['block_actions'] })],
  ['null', 'payload=null'],
  ['null under a spelled name', 'p%61yload=%20null%20'],
  ['a list', 'payload=[]'],
  ['two payloads', 'payload=null&payload=null'],
  ['no JSON', 'payload=hello'],
  ['a command without a person', 'command=%2Frollout-doctor&text=help&channel_id=C0MLONCALL'],
  ['a command twice', 'command=%2Frollout-doctor&text=a&text=b&user_id=U0DANA&channel_id=C0MLONCALL'],
];
const events: readonly [string, string][] = [
  ['null', 'null'],
  ['a list', '[]'],
  ['nothing', ''],
  ['an event that is missing', event({})],
  ['an event that is a text', event({ event: 'x' })],
  [
    'a mention without a text',
    event({ event: { type: 'app_mention', user: 'U0DANA', channel: 'C', ts: '1' } }),
  ],
  ['a mention without a channel', event({ event: { type: 'app_mention', user: 'U0DANA', text: 'help' } })],
  ['an opened page without a person', event({ event: { type: 'app_home_opened', tab: 'home' } })],
  [
    'lists in lists',
    `{"type":"event_callback","event":{"type":"x"},"a":${'['.repeat(400_000)}${']'.repeat(400_000)}}`,
  ],
  ['many empty objects', `{"type":"event_callback","event":{"type":"x"},"a":[${'{},'.repeat(300_000)}{}]}`],
];

describe('a request from Slack that no listener can read', () => {
  it('is answered, causes no error and keeps nobody else from an answer', async () => {
    for (const [name, body, type] of [
      ...forms.map((each) => [...each, 'application/x-www-form-urlencoded'] as const),
      ...events.map((each) => [...each, 'application/json'] as const),
    ]) {
      const { status } = await send(body, type);
      expect([200, 400], name).toContain(status);
      expect(
        rig.logged.filter(({ level }) => level >= 50),
        name,
      ).toEqual([]);
    }
    expect(forms.length + events.length).toBe(statedCount('signed requests'));
    expect(rig.asks('decideApproval')).toEqual([]);
    expect(rig.logged.length).toBeGreaterThan(forms.length / 2);
    await rig.slack.as('dana').runs('/rollout-doctor ml/inference', { channel: 'ml-oncall' });
    await rig.untilAsked('requestDiagnosis', 1);
  });

  it('leaves no modal that looks as if the change was approved', async () => {
    for (const view of [{ state: undefined }, { callback_id: undefined }, { private_metadata: undefined }]) {
      const { text } = await send(submit({ private_metadata: review, ...view }));
      expect(JSON.parse(text)).toMatchObject({ response_action: 'update', view: { type: 'modal' } });
      expect(text).toContain('Nothing was done');
    }
  });
});

it('with a wrong signature is one line of the log a minute, however many there are', async () => {
  for (let at = 0; at < 50; at += 1) {
    expect(await send(press({}), undefined, 'another secret')).toMatchObject({ status: 401 });
  }
  expect(rig.logged.filter(({ msg }) => msg.includes('wrong signature'))).toHaveLength(1);
});
