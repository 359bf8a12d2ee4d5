import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { channel, eventually, type Rig, startRig } from '../../support/faults-rig.js';
import { idle } from '../../support/idle-objects.js';
import { inThisProcess } from '../../support/in-this-process.js';

let rig: Rig;

beforeAll(async () => {
  rig = await startRig({ startPart: inThisProcess });
  rig.cluster.create(['outage', 'throttled', 'broken', 'silent', 'removed'].map((name) => idle(name)));
});

afterEach(() => rig.slack.faults.clear());

afterAll(() => rig.stop());

const fine = (name: string) => `shop/${name} is scaled to 0`;

/** All messages in the channel and its threads that name the workload. */
const messagesAbout = (name: string) =>
  rig.slack
    .messages(channel, { replies: true })
    .filter(({ botId, text }) => botId === rig.slack.botId && text.includes(`shop/${name}`))
    .map(({ text }) => text);

/** Expects exactly one card. */
async function expectOneCard(name: string) {
  await rig.untilCard(fine(name));
  expect(messagesAbout(name)).toHaveLength(1);
}

describe('a failure of Slack', () => {
  it('for a short time only delays a card', async () => {
    const outage = rig.slack.faults.serverError({ method: 'chat.postMessage' });
    await rig.ask('deploy/outage -n shop');
    await eventually('Slack failed three times', () => outage.met() >= 3);
    expect(rig.cards()).toEqual([]);
    outage.stop();

    await expectOneCard('outage');
  });

  it('with a Retry-After delays the next post by that time', async () => {
    rig.slack.faults.rateLimit({ method: 'chat.postMessage', retryAfterSeconds: 3, times: 1 });
    const before = rig.slack.calls('chat.postMessage').length;
    await rig.ask('deploy/throttled -n shop');
    await expectOneCard('throttled');

    const [refused, next] = rig.slack.calls('chat.postMessage').slice(before);
    expect(refused?.status).toBe(429);
    expect((next?.at ?? 0) - (refused?.at ?? 0)).toBeGreaterThanOrEqual(3_000);
  });

  it.each([
    { name: 'broken', how: 'breaks the connection', fault: () => rig.slack.faults.breakAfterSuccess },
    { name: 'silent', how: 'never answers', fault: () => rig.slack.faults.neverAnswer },
  ])('in which it posts and then $how does not lead to a second post', async ({ name, fault }) => {
    fault()({ method: 'chat.postMessage', times: 2 });
    await rig.ask(`deploy/${name} -n shop`);

    await expectOneCard(name);
  });

  it('that refuses a card is reported privately, and a repeated request posts the card', async () => {
    const refusing = rig.slack.faults.fail({ method: 'chat.postMessage', error: 'channel_not_found' });
    await rig.ask('deploy/inference -n shop');
    await rig.untilTold('dana', /Slack refused the card of .*inference/);
    refusing.stop();
    await rig.ask('deploy/inference -n shop');

    await rig.untilDeadlock();
  });

  it('that hides the profile of an approver prevents the approval', async () => {
    const card = await rig.untilDeadlock();
    rig.slack.faults.serverError({ method: 'usergroups.list' });
    await rig.opensReview('dana', card);

    await rig.untilModal('dana', 'Slack did not return your user profile');
    expect(rig.changes()).toEqual([]);
  });

  it('that excludes the bot from a channel is reported to the person in a direct message', async () => {
    const refused = () => rig.counted('rollout_doctor_messages_refused_total', { kind: 'card' });
    const before = await refused();
    rig.slack.removeApp(channel);
    await rig.ask('deploy/removed -n shop');

    const direct = await rig.slack.until(
      () => rig.slack.calls('chat.postMessage').find(({ args }) => args.channel === 'U0DANA')?.args,
      { what: 'a direct message' },
    );
    const says = String(direct.text).replace(/\p{Cf}/gu, '');
    expect(says).toContain('Slack refused the card of shop/removed');
    expect(says).toContain('not_in_channel');
    await eventually('both versions of the card are refused', async () => (await refused()) === before + 2);
    expect(rig.logged).toContainEqual(
      expect.objectContaining({ msg: 'Slack refused a message for good', error: 'not_in_channel' }),
    );
    expect(rig.slack.calls('chat.postMessage').filter(({ args }) => args.channel === 'U0DANA')).toHaveLength(
      1,
    );
  });
});
