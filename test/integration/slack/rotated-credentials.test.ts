import { createHmac } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { type Mode, type Rig, read, startRig } from '../../support/slack-rig.js';

let rig: Rig;
afterEach(() => rig.close());

const rotated = { botToken: 'xoxb-local-2', appToken: 'xapp-local-2', signingSecret: 'local-secret-2' };

describe.each<Mode>(['http', 'socket'])('over %s, after the bot token was replaced', (mode) => {
  it('every client calls Slack with the new one', async () => {
    rig = await startRig({ mode });
    const { slack, clients } = rig;
    slack.rotate({ botToken: rotated.botToken });

    for (const client of Object.values(clients)) expect(await client.auth.test()).toMatchObject({ ok: true });
    slack.as('dana').opensHome();
    await slack.until(() => {
      const page = slack.as('dana').home();
      return page !== undefined && read(page).includes('@U0DANA');
    });
  });
});

it('a connection of Socket Mode is opened with the new app token', async () => {
  rig = await startRig({ mode: 'socket' });
  const { slack } = rig;
  slack.rotate({ appToken: rotated.appToken });
  slack.sockets.warn('refresh_requested');
  slack.sockets.drop('all');
  await slack.until(() => slack.sockets.connections() > 0);
  await slack.as('dana').runs('/rollout-doctor ml/inference', { channel: 'ml-oncall' });

  await rig.untilAsked('requestDiagnosis', 1);
});

it('requests that are signed with the former secret are refused, and those with the new one accepted', async () => {
  rig = await startRig({ mode: 'http' });
  const { slack } = rig;
  const before = slack.signingSecret;
  slack.rotate({ signingSecret: rotated.signingSecret });

  expect(await sends(before)).toBe(401);
  expect(rig.asked).toEqual([]);
  expect(await sends(rotated.signingSecret)).toBe(200);
  await rig.untilAsked('requestDiagnosis', 1);
});

async function sends(secret: string): Promise<number> {
  const body = new URLSearchParams({
    command: '/rollout-doctor',
    text: 'ml/inference',
    user_id: 'U0DANA',
    channel_id: 'C0MLONCALL',
    trigger_id: '1.2.3',
    team_id: 'T0LOCAL',
    response_url: 'http://127.0.0.1:1/none',
  }).toString();
  const stamp = String(Math.floor(Date.now() / 1_000));
  const answer = await fetch(`http://127.0.0.1:${rig.port}/slack/events`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-slack-request-timestamp': stamp,
      'x-slack-signature': `v0=${createHmac('sha256', secret).update(`v0:${stamp}:${body}`).digest('hex')}`,
    },
    body,
  });
  await answer.text();
  return answer.status;
}
