import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { approvePatiently } from '../../support/approve-patiently.js';
import { usualCases } from '../../support/at-night.js';
import { eventually, isChanged, type Rig, startRig } from '../../support/faults-rig.js';
import { effectsOf } from '../../support/killed-at-random.js';

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
