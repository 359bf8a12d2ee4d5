import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { approvePatiently } from '../../support/approve-patiently.js';
import { usualCases } from '../../support/at-night.js';
import { channel, eventually, isChanged, type Rig, startRig } from '../../support/faults-rig.js';
import { effectsOf } from '../../support/killed-at-random.js';
import { idle } from './objects.js';

let rig: Rig;

beforeAll(async () => {
  rig = await startRig();
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

/** From the click on Review to the verdict; the first test compares it with what is called. */
const callsOfApproval = [
  'chat.postMessage',
  'chat.update',
  'files.completeUploadExternal',
  'files.getUploadURLExternal',
  'usergroups.list',
  'users.info',
  'views.open',
  'views.update',
] as const;
type CallOfApproval = (typeof callsOfApproval)[number];

const troubles: readonly {
  readonly how: string;
  readonly begin: (method: CallOfApproval) => ReturnType<Rig['slack']['faults']['serverError']>;
}[] = [
  { how: 'answers 500', begin: (method) => faults().serverError({ method, times: 2 }) },
  { how: 'answers 429', begin: (method) => faults().rateLimit({ method, times: 2, retryAfterSeconds: 1 }) },
  { how: 'carries out and never answers', begin: (method) => faults().neverAnswer({ method, times: 2 }) },
  {
    how: 'carries out and ends the connection of',
    begin: (method) => faults().breakAfterSuccess({ method, times: 2 }),
  },
];
let approving: Rig;
const faults = () => approving.slack.faults;

/**
 * `SLACK_FAULTS=all` makes each trouble at each call; the usual run the one of each call after which nobody
 * knows whether Slack carried it out.
 */
const ofCalls = callsOfApproval
  .flatMap((method) => troubles.map((trouble) => ({ method, trouble })))
  .filter(({ trouble: { how } }) => process.env.SLACK_FAULTS === 'all' || how === 'answers 500');
const cases = usualCases(ofCalls, ({ method }) => /^(?:chat|users)\./u.test(method));

describe('an approval during which Slack', () => {
  let done = 0;
  let namespaces = 0;
  beforeAll(async () => {
    approving = await startRig();
  });
  afterEach(() => faults().clear());
  afterAll(async () => {
    process.stdout.write(`faults of Slack with one change and one verdict: ${done} of ${cases.length}\n`);
    await approving?.stop();
  });

  /** One approval, as a person makes it who presses again where nothing happens. */
  async function approveOnce(begin?: () => { met(): number }) {
    namespaces += 1;
    const at = await approving.also(`slack-${namespaces}`);
    for (const left of at.slack.modals('dana').slice(-1))
      await at.slack.as('dana').closes(left, { all: true });
    // A person asks again where Slack says that the app did not answer.
    await eventually('the request is acknowledged', async () => {
      return (await at.ask(`deploy/inference -n ${at.namespace}`)) === 'acknowledged';
    });
    const card = await at.untilDeadlock();
    const before = effectsOf(at);
    const calls = at.slack.calls().length;
    const trouble = begin?.();
    const isOver = () => at.cards().some((each) => at.says(each).includes('recovered'));
    await approvePatiently(at, isOver);
    await at.untilRecovered();
    const after = effectsOf(at);
    expect(isChanged(at)).toBe(true);
    expect([after.events, after.generation - before.generation]).toEqual([1, 1]);
    expect(at.changes()).toHaveLength(1);
    expect(at.cards().map(({ ts }) => ts)).toEqual([card.ts]);
    const thread = () => at.slack.thread(card).map(({ text }) => text);
    await at.slack.until(() => thread().some((text) => text.includes('recovered')), { what: 'the verdict' });
    expect(new Set(thread()).size).toBe(thread().length);
    return {
      trouble,
      called: at.slack
        .calls()
        .slice(calls)
        .map(({ method }) => method),
    };
  }

  it('calls these methods', async () => {
    const { called } = await approveOnce();
    // The app asks for facts about the channel and about itself now and then, no matter who approves.
    const ofApproval = called.filter((method) => !/^(?:apps|auth|conversations)\./u.test(method));
    expect([...new Set(ofApproval)].sort()).toEqual([...callsOfApproval]);
  });

  it.each(cases)(
    '$trouble.how $method makes one change and states one verdict',
    async ({ method, trouble }) => {
      const { trouble: met } = await approveOnce(() => trouble.begin(method));
      expect(met?.met()).toBeGreaterThan(0);
      done += 1;
    },
  );
});
