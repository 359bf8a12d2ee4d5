import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Replacement } from '../../../demo/slack/web-api/faults.js';
import { reviewOf } from '../../support/shown-words.js';
import { buildReview } from '../../support/slack-builders.js';
import { type Rig, read, startRig } from '../../support/slack-rig.js';

let rig: Rig;

beforeEach(async () => {
  rig = await startRig();
  rig.let({ reviewRemediation: async () => buildReview() });
});
afterEach(() => rig.close());

const lies: readonly [string, Replacement][] = [
  ['an HTML page', { body: '<html><body>Sign in</body></html>', headers: { 'content-type': 'text/html' } }],
  ['empty', { body: '' }],
  ['broken JSON', { body: '{"ok":true,"view":{' }],
  ['an object without ok', { body: '{}' }],
  ['success without a view', { body: '{"ok":true}' }],
];

async function pressReview(): Promise<void> {
  const card = await rig.postCard();
  await rig.slack.as('dana').clicks(card, reviewOf('ml/inference'));
}

const untilPlan = () =>
  rig.slack.until(
    () => {
      const modal = rig.slack.as('dana').modal();
      return modal !== undefined && read(modal).includes('maxSurge: 0') ? modal : undefined;
    },
    { what: 'the plan in the modal' },
  );

const untilTold = () =>
  rig.slack.until(() => (rig.slack.ephemerals('dana').length > 0 ? rig.told('dana') : undefined), {
    what: 'private words to dana',
  });

describe('a modal', () => {
  it.each(lies)('shows the plan although the answer of Slack was %s', async (_, lie) => {
    rig.slack.faults.replaceAnswer({ method: 'views.open', times: 1, ...lie, done: true });
    await pressReview();

    await untilPlan();
  });

  it.each(lies)('shows the plan although the answer of Slack to its update was %s', async (_, lie) => {
    const done = lie.body !== '';
    rig.slack.faults.replaceAnswer({ method: 'views.update', times: 1, ...lie, done });
    await pressReview();

    await untilPlan();
  });
});

describe('a person whose modal', () => {
  it.each(lies)(
    'was not opened, because the answer was %s, is asked to press the button again',
    async (_, lie) => {
      rig.slack.faults.replaceAnswer({ method: 'views.open', times: 1, ...lie, done: false });
      await pressReview();

      expect(await untilTold()).toContain('Press the button again');
    },
  );

  it.each(lies)(
    'was not updated, because the answer was %s, is asked to press the button again',
    async (_, lie) => {
      rig.slack.faults.replaceAnswer({ method: 'views.update', ...lie, done: false });
      await pressReview();

      expect(await untilTold()).toContain('Press the button again');
    },
  );
});
