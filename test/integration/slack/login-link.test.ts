import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { reviewOf } from '../../support/shown-words.js';
import { buildReview } from '../../support/slack-builders.js';
import { type Rig, read, startRig } from '../../support/slack-rig.js';

let rig: Rig;

beforeEach(async () => {
  rig = await startRig();
});
afterEach(() => rig.close());

const url = 'https://rollout-doctor.example.com/confirm/0123456789abcdef0123';
const demands = { approvers: 1, notRequester: false, typeName: false, login: true };

const modalOf = (person: string, what: string) =>
  rig.slack.until(
    () => {
      const modal = rig.slack.as(person).modal();
      return modal !== undefined && read(modal).includes(what) ? modal : undefined;
    },
    { what },
  );

/** Dana reviews a change whose approval the policy wants confirmed, and presses Apply. */
async function pressApply(waits: Promise<void> = Promise.resolve()) {
  const review = buildReview({ demands });
  rig.let({
    reviewRemediation: async () => review,
    awaitDryRun: async () => review,
    async decideApproval() {
      await waits;
      return { type: 'login', approval: review.approval, url };
    },
  });
  const card = await rig.postCard();
  await rig.slack.as('dana').clicks(card, reviewOf('ml/inference'));
  const modal = await modalOf('dana', 'After Apply, you confirm this approval with the company login');
  await rig.slack.as('dana').submits(modal, { reason: 'stuck' });
  return { card };
}

describe('the window of a review whose approval needs the login', () => {
  it('shows the link to the person who pressed Apply, and to nobody else', async () => {
    const { card } = await pressApply();

    const modal = await modalOf('dana', '[Log in to confirm]');

    expect(read(modal)).toContain(url);
    expect(read(modal)).toContain('Nothing was changed yet');
    expect(JSON.stringify(modal.blocks)).toContain(`"url":"${url}"`);
    expect(JSON.stringify(rig.slack.message(card))).not.toContain(url);
    expect(rig.slack.ephemerals('dana').concat(rig.slack.ephemerals('min-jun'))).toEqual([]);
  });

  it('answers a click on the link without a request of its own', async () => {
    await pressApply();
    await rig.slack.as('dana').clicks(await modalOf('dana', '[Log in to confirm]'), 'Log in to confirm');

    expect((await rig.untilAsked('decideApproval', 1)).length).toBe(1);
    expect(rig.logged.filter(({ level }) => level >= 40)).toEqual([]);
  });

  it('shows the link also when the decision takes longer than Slack waits', async () => {
    let resolve = (): void => undefined;
    await pressApply(
      new Promise((done) => {
        resolve = done;
      }),
    );
    await modalOf('dana', 'Verifying that nothing has changed');
    resolve();

    expect(read(await modalOf('dana', '[Log in to confirm]'))).toContain(url);
  });
});
