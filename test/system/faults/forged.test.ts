import { WebClient } from '@slack/web-api';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { channel, eventually, type Rig, startRig } from '#support/faults-rig.js';
import { signedHeaders } from '../../../demo/slack/delivery/signature.js';
import type { View } from '../../../demo/slack/workspace/model.js';
import { idle } from './objects.js';

let rig: Rig;
let redis: Redis;

beforeAll(async () => {
  // `npm run bench` measures how fast the app acknowledges.
  rig = await startRig({ mode: 'http', workers: 2, slack: { ackLimitMs: 90_000 } });
  rig.cluster.create([idle('bystander')]);
  redis = new Redis(rig.redis.url, { maxRetriesPerRequest: null });
  await rig.ask('deploy/inference -n shop');
  await deadlock();
});

afterAll(async () => {
  redis.disconnect();
  await rig.stop();
});

const deadlock = () => rig.untilCard('is deadlocked');

/** Ids of incidents, newest first. */
const incidents = () => redis.zrevrange(`${rig.prefix}:incidents`, '0', '-1');

async function pressesForged(value: string): Promise<void> {
  const card = await deadlock();
  await rig.slack.as('dana').clicks(card, { actionId: 'remediation.review', value });
}

/** A submission as Slack sends it, of a view with the given id. */
function submission(view: View, person: string, id: string) {
  const { slack } = rig;
  const user = { id: slack.as(person).id, username: person, name: person, team_id: slack.teamId };
  return {
    type: 'view_submission',
    user,
    team: { id: slack.teamId, domain: 'local' },
    api_app_id: slack.appId,
    token: 'unused',
    trigger_id: id,
    view: {
      id,
      team_id: slack.teamId,
      type: 'modal',
      blocks: view.blocks,
      private_metadata: view.privateMetadata,
      callback_id: view.callbackId,
      state: { values: { reason: { reason: { type: 'plain_text_input', value: 'deadlock' } } } },
      hash: view.hash,
      root_view_id: id,
      app_id: slack.appId,
      bot_id: slack.botId,
    },
    response_urls: [],
  };
}

describe('a request that Slack did not send', () => {
  const body =
    'command=%2Frollout-doctor&text=deploy%2Finference+-n+shop&user_id=U0DANA&channel_id=C0MLONCALL';
  const posted = async (secret: string, ageSeconds: number) => {
    const seconds = Math.floor(Date.now() / 1_000) - ageSeconds;
    const answer = await fetch(`http://127.0.0.1:${rig.app.port}/slack/events`, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        ...signedHeaders(secret, body, seconds),
      },
      body,
    });
    return answer.status;
  };

  it.each([
    ['signed with another secret', () => posted('another-secret', 0)],
    ['signed six minutes ago', () => posted(rig.slack.signingSecret, 360)],
  ])('is rejected when it is %s', async (_, post) => {
    const before = (await incidents()).length;
    expect(await post()).toBe(401);
    expect(await incidents()).toHaveLength(before);
  });
});

describe('a forged button', () => {
  it.each(['kubectl.delete', 'remediation.review.extra'])(
    'with the action %s is rejected privately',
    async (actionId) => {
      const client = new WebClient(rig.slack.botToken, { slackApiUrl: rig.slack.apiUrl });
      const text = `press ${actionId}`;
      await client.chat.postMessage({
        channel: 'C0MLONCALL',
        text,
        blocks: [
          {
            type: 'actions',
            elements: [
              { type: 'button', action_id: actionId, value: 'x', text: { type: 'plain_text', text: 'Go' } },
            ],
          },
        ],
      });
      const message = rig.slack.messages(channel).find((each) => each.text === text);
      if (message === undefined) throw new Error('no message');
      await rig.slack.as('robin').clicks(message, { actionId });

      await rig.untilTold('robin', 'This button is no longer valid');
    },
  );

  it.each([
    ['an unknown value', '../../etc/passwd', 'told'],
    ['control characters', 'abc.\u0000\u202e', 'told'],
    ['an unknown incident', `${'f'.repeat(20)}.patch-strategy-in-place`, 'does not exist'],
  ])('with %s changes nothing', async (_, value, says) => {
    await pressesForged(value);
    if (says === 'told') await rig.untilTold('dana', 'This button is no longer valid');
    else await rig.untilModal('dana', says);
    expect(rig.changes()).toEqual([]);
  });

  it('with a fix that the incident does not offer, or of another incident, is rejected', async () => {
    await rig.ask('deploy/bystander -n shop');
    await rig.untilCard('No problem found for shop/bystander');
    const [other, ours] = await incidents();
    for (const value of [`${ours}.delete-everything`, `${other}.patch-strategy-in-place`]) {
      await pressesForged(value);
      await rig.untilModal('dana', 'is no longer a fix for this incident');
      const view = rig.slack.as('dana').modal();
      if (view !== undefined) await rig.slack.as('dana').closes(view, { all: true });
    }
    expect(rig.changes()).toEqual([]);
  });
});

describe('an approval in Slack', () => {
  it('whose expiry was changed in Redis does not count', async () => {
    const card = await deadlock();
    const view = await rig.review('dana', card);
    const { approvalId } = JSON.parse(view.privateMetadata) as { readonly approvalId: string };
    const key = `${rig.prefix}:approval:${approvalId}`;
    const record = JSON.parse((await redis.hget(key, 'json')) ?? '') as object;
    await redis.hset(key, 'json', JSON.stringify({ ...record, expiresAt: '2099-01-01T00:00:00.000Z' }));
    await rig.slack.as('dana').submits(view, { reason: 'deadlock' });

    await rig.untilModal('dana', 'is not an approval that Rollout Doctor signed');
    await rig.slack.as('dana').closes(view, { all: true });
    expect(rig.changes()).toEqual([]);
  });

  it('of an earlier diagnosis does not count', async () => {
    const card = await deadlock();
    const view = await rig.review('dana', card);
    await rig.slack.as('dana').closes(view, { all: true });
    await rig.diagnoseAgain(card);
    await rig.slack.dispatch({ kind: 'interaction', payload: submission(view, 'dana', 'V0OLD') });

    await eventually(
      'the approval is superseded',
      async () => (await rig.counted('rollout_doctor_approvals_total', { state: 'superseded' })) === 1,
    );
    expect(rig.changes()).toEqual([]);
  });

  it('that is submitted a hundred times at once changes the workload once, and cannot be used again', async () => {
    const card = await deadlock();
    const view = await rig.review('dana', card);
    const outcomes = await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        rig.slack.dispatch({
          kind: 'interaction',
          payload: submission(view, n % 2 === 0 ? 'dana' : 'min-jun', `V0CLICK${n}`),
        }),
      ),
    );
    expect(outcomes.filter(({ type }) => type !== 'acknowledged')).toEqual([]);
    await rig.untilCard('recovered');
    expect(rig.changes()).toHaveLength(1);

    await rig.slack.as('dana').submits(view, { reason: 'once more' });
    await rig.untilModal('dana', 'Your click changed nothing');
    expect(rig.changes()).toHaveLength(1);
  });
});
