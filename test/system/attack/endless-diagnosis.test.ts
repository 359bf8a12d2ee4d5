import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { bundlePrograms } from '../../../scripts/bundle-programs.mjs';
import { eventually, type Rig, startRig } from '../../support/faults-rig.js';
import { idle } from '../../support/idle-objects.js';
import { shippedFolder } from '../../support/shipped-programs.js';

const elsewhere = 'incidents';

/** The worker with a rule that loops, bundled as it ships: a thread that is ended starts again each time. */
let builtWorker: string;
beforeAll(async () => {
  // Beside the packages that no bundle holds.
  const cache = join(import.meta.dirname, '../../../node_modules/.cache/rollout-doctor');
  await mkdir(cache, { recursive: true });
  builtWorker = await mkdtemp(join(cache, 'looping-'));
  await bundlePrograms({
    folder: builtWorker,
    entryPoints: {
      worker: 'test/system/attack/looping-worker.ts',
      'looping-thread': 'test/system/attack/looping-thread.ts',
    },
    sourcemap: false,
  });
});
afterAll(() => rm(builtWorker, { recursive: true, force: true }));

async function started(deadlineSeconds: number): Promise<Rig> {
  const rig = await startRig({
    built: (name) => (name.startsWith('worker') ? builtWorker : join(shippedFolder('image'), 'dist')),
    env: { TEST_DEADLINE_SECONDS: String(deadlineSeconds) },
  });
  onTestFinished(() => rig.stop());
  return rig;
}

const namespace = (name: string) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });

const ended = (rig: Rig) =>
  rig.logged.filter(({ msg }) => msg === 'a diagnosis was ended before its result').length;

const diagnoses = (rig: Rig) =>
  rig.counted('rollout_doctor_job_duration_seconds_count', { queue: 'diagnosis', outcome: 'done' });

it('a rule that loops longer than a job lock ends once with a card, and the worker continues', async () => {
  const rig = await started(20);
  rig.cluster.create([namespace('healthy'), idle('poison'), idle('other', { namespace: 'healthy' })]);
  await rig.ask('deploy/poison -n shop');
  const hasRead = () => rig.cluster.requests.some(({ resource }) => resource === 'deployments');
  const isLooping = async () => (await diagnoses(rig)) === 0 && hasRead();
  await eventually('the diagnosis has begun', isLooping);

  await rig.ask('deploy/other -n healthy');
  await rig.untilCard('healthy/other is scaled to 0');
  const [worker] = rig.workers;
  expect((await fetch(`http://127.0.0.1:${worker?.statusPort}/healthz`)).status).toBe(200);
  expect(ended(rig)).toBe(0);

  await rig.untilCard('The diagnosis of shop/poison was stopped because it took longer than 20 seconds');
  expect(ended(rig)).toBe(1);
  const redis = new Redis(rig.redis.url, { maxRetriesPerRequest: null });
  const queue = new Queue('diagnosis', { connection: redis, prefix: `${rig.prefix}-jobs` });
  onTestFinished(async () => {
    await queue.close();
    redis.disconnect();
  });
  for (const job of await queue.getJobs()) {
    expect([job.stalledCounter, job.attemptsMade]).toEqual([0, 1]);
  }

  await rig.ask('deploy/poison -n shop');
  await rig.untilCard('shop/poison was not diagnosed again');
  expect(ended(rig)).toBe(1);
});

it('an approval and a verification complete while a hundred endless diagnoses wait', async () => {
  const rig = await started(5);
  const names = Array.from({ length: 100 }, (_, n) => `poison-${n}`);
  rig.cluster.create(Array.from({ length: 10 }, (_, n) => namespace(`team-${n}`)));
  rig.cluster.create(names.map((name, n) => idle(name, { namespace: `team-${n % 10}` })));
  await rig.ask('deploy/inference -n shop');
  const card = await rig.untilDeadlock();
  for (const [n, name] of names.entries()) {
    await rig.slack
      .as('min-jun')
      .runs(`/rollout-doctor deploy/${name} -n team-${n % 10}`, { channel: elsewhere });
  }
  await eventually('the first one was ended', () => ended(rig) > 0);

  await rig.approve('dana', card);
  await rig.untilRecovered();
  expect(rig.changes()).toHaveLength(1);
  expect(await diagnoses(rig)).toBeLessThan(names.length);
});
