import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createMetrics } from '#src/edges/metrics/metrics.js';
import { createBullMqJobQueue } from '#src/edges/redis/bullmq-job-queue.js';
import { connectConsumer } from '#src/edges/redis/connection.js';
import { createEngine } from '#src/service/create-engine.js';
import type { ClusterReader } from '#src/service/diagnose/cluster-reader.js';
import { createDiagnosisHandler } from '../../../workers/diagnosis-handler.js';
import { runWorker } from '../../../workers/run-worker.js';
import { withRedis } from '../../support/open-redis.js';
import { buildIncident } from '../../support/records.js';
import { openRecords } from '../../support/redis-records.js';

const open = withRedis();

it.each([
  {
    what: 'a cluster that never answers leaves slots to diagnoses of the other cluster',
    slow: { cluster: 'slow' },
    fast: { cluster: 'fast' },
  },
  {
    what: 'a person with many slow diagnoses leaves slots to the diagnoses of others',
    slow: { by: 'U0MANY' },
    fast: { by: 'U0DANA' },
  },
])('$what', async ({ slow, fast }) => {
  const { redis, url } = open;
  const prefix = `slow-${randomUUID()}`;
  const consumer = connectConsumer({ url, prefix }, () => undefined);
  const jobs = createBullMqJobQueue({ redis, prefix, onError: () => undefined });
  const incidents = openRecords(redis, prefix).incidents;
  let begun = 0;
  const cluster: Pick<ClusterReader, 'snapshot' | 'clusters' | 'find'> = {
    clusters: ['slow', 'fast'],
    find: async () => ({ type: 'found', workloads: [] }),
    snapshot: async (ref) => {
      if (ref.name.startsWith('fast'))
        return { type: 'not-found', what: 'workload', name: ref.name, nearest: [] };
      begun += 1;
      return new Promise(() => undefined);
    },
  };
  const handler = createDiagnosisHandler(
    {
      cluster,
      incidents,
      checkBrakes: async () => undefined,
      jobs,
      clock: { now: () => new Date() },
      engine: createEngine(),
      metrics: createMetrics(),
    },
    8,
  );
  const log = pino({ level: 'silent' });
  const { worker } = runWorker({ ...handler, queue: 'diagnosis', redis: consumer, prefix, log });
  onTestFinished(async () => {
    const closed = worker.close();
    consumer.disconnect();
    await Promise.race([closed, jobs.close()]);
  });
  const queue = async (
    id: string,
    of: { readonly cluster?: string; readonly by?: string },
  ): Promise<void> => {
    // Alerts have no person, so only the cluster counts.
    const { cluster: name = id, by } = of;
    const workload = { cluster: name, kind: 'Deployment', namespace: 'shop', name: id } as const;
    const origin = by === undefined ? { via: 'command' as const } : { via: 'command' as const, by };
    await incidents.open(buildIncident({ id, workload, origin }));
    await jobs.enqueue('diagnosis', { v: 1, incidentId: id, look: 1 });
  };
  for (let n = 0; n < 40; n += 1) await queue(`slow-${n}`, slow);
  await vi.waitUntil(() => begun >= 6, { timeout: 60_000 });
  for (let n = 0; n < 10; n += 1) await queue(`fast-${n}`, fast);

  for (let n = 0; n < 10; n += 1) {
    await vi.waitUntil(async () => (await incidents.get(`fast-${n}`))?.phase === 'failed', {
      timeout: 60_000,
    });
  }
  expect(begun).toBe(6);
});
