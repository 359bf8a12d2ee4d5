import { afterEach, describe, expect, it } from 'vitest';
import { type Mode, type Rig, read, startRig } from '../../support/slack-rig.js';

let rig: Rig;
afterEach(() => rig.close());

const rotated = { botToken: 'xoxb-local-2', appToken: 'xapp-local-2' };

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
