import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aloud } from '#support/read-aloud.js';
import { defaultPeople } from '../../../demo/slack/workspace/defaults.js';
import { type Stack, startStack } from '../../../demo/stack.js';

let stack: Stack;
const channel = 'ml-oncall';

beforeAll(async () => {
  const guest = { name: 'gil', isGuest: true, locale: 'en-US', timeZone: 'UTC' };
  stack = await startStack({ slack: { page: false, people: [...defaultPeople, guest] } });
  await stack.cluster.loadRecording(join(import.meta.dirname, '../../scenarios/gpu-one-node'));
});

afterAll(async () => {
  await stack.stop();
});

async function asks(person: string, request: string, words: string) {
  const before = stack.slack.ephemerals(person).length;
  await stack.slack.as(person).runs(`/rollout-doctor ${request}`, { channel });
  return stack.slack.until(
    () =>
      stack.slack
        .ephemerals(person)
        .slice(before)
        .find(({ blocks }) => aloud(blocks).includes(words)),
    { what: `an answer to ${person} with "${words}"` },
  );
}

it('a scan lists workloads with problems, and a button opens its diagnosis', async () => {
  const answer = await asks('sam', 'scan shop', '🔴 1 critical');
  expect(aloud(answer.blocks)).toMatch(
    /\| 🔴 Critical \| Ready 1\/1 \(old version\) \| `shop\/inference` is deadlocked: /,
  );
  await stack.slack.as('sam').clicks(answer, 'Diagnose shop/inference');
  await stack.slack.until(
    () => stack.slack.messages(channel).find(({ blocks }) => aloud(blocks).includes('is deadlocked')),
    { what: 'the card' },
  );
  await asks('min-jun', '스캔 shop', '심각 1개');
});

it('a scan of an unknown namespace, or by a guest, is answered with the reason', async () => {
  await asks('sam', 'scan shpo', 'Namespace `shpo` does not exist.');
  await asks('sam', 'scan shop --cluster nowhere', 'Unknown cluster `nowhere`.');
  await asks('gil', 'scan shop', 'The policy does not allow you to see any workload');
  await asks('sam', 'scan', 'The namespace is missing.');
});

it('a scan reports objects that it could not read', async () => {
  stack.cluster.faults.add({
    match: { verbs: ['list'], resources: ['nodes'] },
    effect: { type: 'status', code: 403, reason: 'Forbidden' },
  });
  const answer = await asks('sam', 'scan shop', 'Could not be read: `Node`');
  expect(aloud(answer.blocks)).toContain('the service account lacks permission');
  expect(aloud(answer.blocks)).not.toContain('is deadlocked');
});
