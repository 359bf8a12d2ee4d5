import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  deployment,
  letReminderCome,
  opened,
  podsOf,
  quick,
  refused,
  untilThread,
} from '#support/crashes-stage.js';
import { eventually, type Rig, startRig } from '#support/faults-rig.js';
import { conductObject } from '../../../demo/cluster/loops/conduct.js';
import { seedDemo } from '../../../demo/cluster/seed/demo-incidents.js';
import type { Message } from '../../../demo/slack/workspace/model.js';

/** The second incident of the demo from the command to the removed exclusion, on real parts over HTTP. */
describe('an incident of pods that crash on one node', () => {
  let rig: Rig;
  let card: Message;

  beforeAll(async () => {
    rig = await startRig({ mode: 'http', scenario: 'none', cluster: { kubelet: quick } });
    await seedDemo(rig.cluster);
  });

  afterAll(async () => {
    await rig?.stop();
  });

  const affinity = () =>
    JSON.stringify(deployment(rig, 'ml', 'api').spec).match(/"affinity":\{.*?\}\}\}/)?.[0];
  const pods = () => podsOf(rig, 'ml', 'api');

  it('shows the affected pods, the probability by chance and the differences of the node', async () => {
    expect(await rig.ask('deploy/api -n ml')).toBe('acknowledged');
    card = await rig.untilCard('crashes only on');
    const text = rig.says(card);

    expect(text).toContain('ml/api crashes only on api-c');
    expect(text).toContain('likely');
    expect(text).toContain('Ready 6/9');
    const proof = await rig.proof('dana', card);
    expect(proof).toContain('On `api-c` 3 of 3 pods crashed.');
    expect(proof).toContain('On the other 2 nodes 0 of 6 pods of the same revision crashed.');
    expect(proof).toContain('about 1 of 28 cases');
    expect(proof).toContain(
      'Different from the other nodes: `kernelVersion` is `6.12.0-5-amd64` instead of `6.1.0-28-amd64`',
    );
    expect(proof).toContain('Different from the other nodes: `label node.example/image` is `2026-11-18`');
    expect(proof).toContain('a lead to check, not proof');
    expect(proof).toContain('6 of 9 pods are ready');
    expect(proof).toContain('Not recommended');
  });

  it('is not reviewed by a person without the right, and a review changes nothing', async () => {
    const before = deployment(rig, 'ml', 'api').metadata.generation;
    const refusal = await refused(rig, 'sam', card, 'Review for ml/api: Move off api-c', 'not approve');
    await rig.slack.as('sam').closes(refusal);
    const review = await opened(rig, 'dana', card, 'Review for ml/api: Move off api-c', 'NotIn');
    const text = JSON.stringify(review);

    for (const words of [
      'kubernetes.io/hostname',
      'NotIn',
      '9 pods are replaced',
      'api-a',
      'api-b',
      'A reminder follows in this thread',
    ]) {
      expect(text).toContain(words);
    }
    expect(deployment(rig, 'ml', 'api').metadata.generation).toBe(before);
    expect(rig.changes()).toEqual([]);
    await rig.slack.as('dana').submits(review, { reason: 'api-c got another kernel' });
  });

  it('is resolved by moving the pods, and the card shows the verified recovery', async () => {
    card = await rig.untilCard('recovered');

    expect(pods()).toHaveLength(9);
    expect(pods().filter(({ node, ready }) => node === 'api-c' || !ready)).toEqual([]);
    expect(affinity()).toContain('"NotIn"');
    expect(rig.changes()).toMatchObject([{ resource: 'deployments', name: 'api' }]);
    expect(rig.says(card)).toContain('Verified: `crash-loop-on-node` is gone.');
    expect(rig.cards()).toHaveLength(1);
    await untilThread(rig, card, 'recovered');
    await untilThread(rig, card, 'api-c got another kernel');
  });

  it('gets a reminder in its thread a day later that the exclusion is still in effect', async () => {
    expect(await letReminderCome(rig)).toBe(24 * 3_600_000);
    const reminder = await untilThread(rig, card, 'still in effect');
    const text = rig.says(reminder);

    expect(text).toContain('Move off `api-c`');
    expect(text).toContain('U0DANA');
    expect(text).toContain('[Remove exclusion]');
  });

  it('loses the exclusion by the reminder and another approval, and pods use the node again', async () => {
    const reminder = await untilThread(rig, card, 'still in effect');
    rig.cluster.load([conductObject([])]);
    const review = await opened(rig, 'min-jun', reminder, 'Remove exclusion', 'NotIn');
    expect(affinity()).toContain('"NotIn"');
    await rig.slack.as('min-jun').submits(review, { reason: 'the kernel was put back' });
    card = await rig.untilCard('has its previous settings again');

    expect(affinity()).toBeUndefined();
    await eventually(
      'nine ready pods, some of them on api-c',
      () => pods().filter(({ ready }) => ready).length === 9 && pods().some(({ node }) => node === 'api-c'),
    );
  });

  it('refuses the button of the reminder after the exclusion is removed', async () => {
    const reminder = await untilThread(rig, card, 'still in effect');
    const view = await refused(rig, 'dana', reminder, 'Remove exclusion', 'undone or replaced');

    expect(JSON.stringify(view)).not.toContain('NotIn');
  });
});
