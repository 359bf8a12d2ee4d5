import { type Job, Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { QueueName } from '#src/service/jobs/jobs.js';
import type { Message } from '../../../demo/slack/workspace/model.js';
import { eventually, type Rig, startRig } from '../../support/faults-rig.js';
import { idle } from '../../support/idle-objects.js';

let rig: Rig;
let redis: Redis;
const queues = new Map<QueueName, Queue>();

beforeAll(async () => {
  rig = await startRig({ cluster: { kubelet: { usual: { startMs: 6_000 } } } });
  rig.cluster.create(['ours', 'theirs', 'nobodys', 'unshown'].map((name) => idle(name)));
  redis = new Redis(rig.redis.url, { maxRetriesPerRequest: null });
  for (const name of ['diagnosis', 'remediation', 'verification', 'delivery'] as const) {
    queues.set(name, new Queue(name, { connection: redis, prefix: `${rig.prefix}-jobs` }));
  }
});

afterAll(async () => {
  await Promise.all([...queues.values()].map((queue) => queue.close()));
  redis.disconnect();
  await rig.stop();
});

const worker = () => {
  const [first] = rig.workers;
  if (first === undefined) throw new Error('no worker');
  return first;
};

function queue(name: QueueName): Queue {
  const found = queues.get(name);
  if (found === undefined) throw new Error(`no queue ${name}`);
  return found;
}

/** Replaces the payload of the only waiting job of this incident. */
async function poison(name: QueueName, incidentId: string, payload: (data: object) => unknown) {
  const find = async (): Promise<Job | undefined> => {
    const jobs = await queue(name).getJobs(['waiting', 'delayed', 'prioritized']);
    return jobs.find(({ data }) => (data as { incidentId?: string }).incidentId === incidentId);
  };
  await eventually(`a ${name} job for ${incidentId}`, async () => (await find()) !== undefined);
  const job = await find();
  if (job?.id === undefined) throw new Error('the job is gone again');
  const { id, data } = job;
  await job.remove();
  await queue(name).add(name, payload(data as object), { jobId: id, attempts: 1 });
}

/** Lets the worker answer the dry run, and stops it before the approval. */
async function approveWithoutWorker(card: Message): Promise<void> {
  const view = await rig.review('dana', card);
  await worker().stop();
  await rig.slack.as('dana').submits(view, { reason: 'deadlock' });
}

/** Id of the newest incident of a workload. */
async function incidentOf(workload: string): Promise<string> {
  const ids = await redis.zrevrange(`${rig.prefix}:incidents`, '0', '-1');
  for (const id of ids) {
    const json = await redis.hget(`${rig.prefix}:incident:${id}`, 'json');
    if (json?.includes(`"name":"${workload}"`)) return id;
  }
  throw new Error(`no incident of ${workload}`);
}

async function ask(workload: string): Promise<string> {
  await rig.ask(`deploy/${workload} -n shop`);
  return eventuallyIncident(workload);
}

async function eventuallyIncident(workload: string): Promise<string> {
  await eventually(`an incident of ${workload}`, () =>
    incidentOf(workload).then(
      () => true,
      () => false,
    ),
  );
  return incidentOf(workload);
}

const failed = (name: QueueName) =>
  rig.counted('rollout_doctor_job_duration_seconds_count', { queue: name, outcome: 'failed' });

describe('a job with an invalid payload', () => {
  it('ends with a card that states the failure, whatever is wrong with the payload', async () => {
    await worker().stop();
    await poison('diagnosis', await ask('ours'), (data) => ({ ...data, look: 'first' }));
    await poison('diagnosis', await ask('theirs'), (data) => ({ ...data, v: 2, look: 1 }));
    await poison('diagnosis', await ask('nobodys'), () => 'not even an object');
    const unshown = await ask('unshown');
    await queue('delivery').add(
      'delivery',
      { v: 1, kind: 'card', incidentId: 7 },
      { jobId: `card-${unshown}-2`, attempts: 1 },
    );
    await worker().start();

    await rig.untilCard('shop/ours could not be diagnosed');
    await rig.untilCard('shop/theirs could not be diagnosed');
    expect(await failed('diagnosis')).toBe(3);
    expect(rig.logged.filter(({ msg }) => msg === 'a job failed for good').length).toBeGreaterThanOrEqual(3);
  });

  it('is replaced from the record when it names no incident', async () => {
    await rig.untilCard('shop/nobodys is scaled to 0');
    await rig.untilCard('shop/unshown is scaled to 0');
    expect(await failed('delivery')).toBe(1);
  });

  it('ends an approved change, and the card states that nothing was changed', async () => {
    await rig.ask('deploy/inference -n shop');
    await approveWithoutWorker(await rig.untilDeadlock());
    const incident = await incidentOf('inference');
    await poison('remediation', incident, ({ ...data }) => ({ ...data, v: 'one' }));
    await worker().start();

    await rig.untilCard('was not applied');
    await rig.untilCard('Nothing was changed');
    expect(rig.changes()).toEqual([]);
    expect(await failed('remediation')).toBe(1);
  });

  it('of an unreadable approval ends the change, and the workload is diagnosed again', async () => {
    await approveWithoutWorker(await rig.untilDeadlock());
    const underway = () => redis.zrange(`${rig.prefix}:approval:open`, '0', '0');
    await eventually('the approval counts', async () => (await underway()).length === 1);
    const [approval] = await underway();
    await redis.hset(`${rig.prefix}:approval:${approval}`, 'json', '{"v":1,"state":"who knows"}');
    await worker().start();

    await rig.untilCard('It is unknown whether');
    await rig.untilDeadlock();
    expect(rig.changes()).toEqual([]);
    await eventually('the record is reported', () =>
      rig.logged.some(({ msg }) => msg === 'a record cannot be read and is left alone'),
    );
    await redis.zrem(`${rig.prefix}:approval:open`, String(approval));
  });

  it('ends a verification with an unknown verdict', async () => {
    const card = await rig.untilDeadlock();
    await rig.approve('dana', card);
    await rig.untilCard('Verifying whether it helps');
    await worker().stop();
    await poison('verification', await incidentOf('inference'), (data) => ({ ...data, approvalId: 3 }));
    await worker().start();

    await rig.untilCard('Could not verify whether the change helped');
  });
});
