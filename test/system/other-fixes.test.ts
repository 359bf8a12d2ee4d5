import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type Stack, startStack } from '../../demo/stack.js';

const scenarios = join(import.meta.dirname, '../scenarios');
const channel = 'ml-oncall';
let stack: Stack;

afterEach(async () => {
  await stack.stop();
});

async function asked(folder: string, name: string): Promise<void> {
  stack = await startStack({ slack: { page: false } });
  await stack.cluster.loadRecording(join(scenarios, folder));
  await stack.slack.as('dana').runs(`/rollout-doctor deploy/${name} -n shop`, { channel });
}

const card = (words: string) =>
  stack.slack.until(
    () => stack.slack.messages(channel).find((message) => JSON.stringify(message.blocks).includes(words)),
    { what: `a card with "${words}"` },
  );

/** Presses a button of the card, reads the review, and approves it. */
async function approved(words: string, button: string, shows: string): Promise<string> {
  const dana = stack.slack.as('dana');
  await dana.clicks(await card(words), button);
  const view = await stack.slack.until(
    () => {
      const open = dana.modal();
      return open?.submit !== undefined && JSON.stringify(open).includes(shows) ? open : undefined;
    },
    { what: `the review with ${shows}` },
  );
  await dana.submits(view, { reason: 'deadlock' });
  return JSON.stringify(view);
}

const image = (name: string) =>
  JSON.stringify(stack.cluster.find('apps/v1', 'Deployment', 'shop', name)?.spec).match(
    /"image":"([^"]+)"/,
  )?.[1];

describe('another fix of a deadlock through Slack', () => {
  it('scales the old ReplicaSet down after a review that names diff, downtime and the missing undo', async () => {
    await asked('gpu-one-node', 'inference');
    const review = await approved(
      'is deadlocked',
      'Scale down the old ReplicaSet once',
      'ReplicaSet shop/inference-',
    );

    for (const words of ['replicas: 0', 'of downtime', 'no drift from Git', 'This cannot be undone']) {
      expect(review).toContain(words);
    }
    const recovered = await card('recovered');
    expect(JSON.stringify(recovered.blocks)).not.toContain('"Undo"');
    const strategy = JSON.stringify(stack.cluster.find('apps/v1', 'Deployment', 'shop', 'inference')?.spec);
    expect(strategy).toContain('25%');
  });

  it('rolls back to revision 1 after a review of the diff, and forward again by Undo', async () => {
    await asked('memory-full-of-itself', 'analytics');
    await card('is deadlocked');
    const stuck = image('analytics');
    const review = await approved(
      'is deadlocked',
      'Roll back to revision 1',
      'the pod template will differ from the manifest',
    );
    expect(review).toContain('containers[');
    expect(review).toContain('stops 1 pod');
    await card('recovered');
    expect(image('analytics')).not.toBe(stuck);

    await approved('recovered', 'Undo', 'containers[');
    await stack.slack.until(() => image('analytics') === stuck || undefined, {
      what: 'the stuck revision again',
    });
  });
});
