import { join } from 'node:path';
import { Queue } from 'bullmq';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Stack, startStack } from '../../../demo/stack.js';
import { aloud } from '../../support/read-aloud.js';
import { isDeadlocked } from '../../support/shown-words.js';

const channel = 'ml-oncall';
const alerts = `
digest: { channel: C0MLONCALL, day: wed, at: '03:30', timeZone: Asia/Seoul }
`;
const policy = `
grants: []
channels:
  - { channels: [C0MLONCALL], namespaces: [shop] }
`;

let stack: Stack;
let queue: Queue;
beforeAll(async () => {
  stack = await startStack({
    alerts,
    policy,
    workers: 2,
    env: { REDIS_PREFIX: 'digest' },
    slack: { page: false },
    seed: async (cluster) => {
      for (const recorded of ['controls/before-surge-host-port', 'gpu-one-node']) {
        await cluster.loadRecording(join(import.meta.dirname, '../../scenarios', recorded));
      }
    },
  });
  const { hostname, port } = new URL(stack.redis.url);
  queue = new Queue('scan', {
    connection: { host: hostname, port: Number(port) },
    prefix: 'digest-jobs',
    skipMetasUpdate: true,
  });
});
afterAll(async () => {
  await queue.close();
  await stack.stop();
});

/** Runs the job that waits for its day, and gives the number of jobs that are done then. */
async function letTheDayCome(): Promise<number> {
  const before = await queue.getCompletedCount();
  const [job] = await queue.getDelayed();
  await job?.promote();
  await expect.poll(() => queue.getCompletedCount(), { timeout: 60_000 }).toBe(before + 1);
  return queue.getDelayedCount();
}

function digests() {
  return stack.slack.messages(channel).filter(({ blocks }) => aloud(blocks).includes('The next update of'));
}

it('is scheduled once for any number of workers, in the zone of the settings', async () => {
  await expect.poll(() => queue.getDelayedCount(), { timeout: 30_000 }).toBe(1);
  const [schedule, ...others] = await queue.getJobSchedulers();
  expect(others).toEqual([]);
  expect(schedule).toMatchObject({ key: 'weekly-digest', pattern: '30 3 * * 3', tz: 'Asia/Seoul' });
});

it('lists what the channel may see, once a day', async () => {
  expect(await letTheDayCome()).toBe(1);
  const [message, ...others] = digests();
  expect(others).toEqual([]);
  const text = aloud(message?.blocks ?? []);
  expect(text).toContain('The next update of 1 workload deadlocks');
  expect(text).toContain('shop/inference');
  expect(text).not.toContain('ingress');
  expect(await letTheDayCome()).toBe(1);
  expect(digests()).toHaveLength(1);
});

it('has a button that diagnoses one of the workloads', async () => {
  const [message] = digests();
  if (message === undefined) throw new Error('there is no digest');
  await stack.slack.as('robin').clicks(message, 'Diagnose');
  await expect
    .poll(() => stack.slack.messages(channel).map(({ blocks }) => aloud(blocks)), { timeout: 60_000 })
    .toContainEqual(
      expect.stringMatching(new RegExp(`shop/inference ${isDeadlocked}[\\s\\S]*Review fix`, 'u')),
    );
  expect(digests()).toHaveLength(1);
});

it('keeps its one schedule when every worker is killed', async () => {
  for (const worker of stack.workers) await worker.kill();
  for (const worker of stack.workers) await worker.start();
  await expect.poll(() => queue.getDelayedCount(), { timeout: 30_000 }).toBe(1);
  const schedules = await queue.getJobSchedulers();
  expect(schedules.map(({ key }) => key)).toEqual(['weekly-digest']);
});
