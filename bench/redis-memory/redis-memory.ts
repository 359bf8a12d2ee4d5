import { Redis } from 'ioredis';
import { queueNames } from '#src/service/jobs/jobs.js';
import {
  changeContainers,
  create,
  dayMinutes,
  deploymentObject,
  type IncidentSeed,
  namespaceObject,
  seedIncidents,
} from '../../demo/cluster/seed/incident-seed.js';
import { type Rig, startRig } from '../../test/support/faults-rig.js';
import { type RedisFamily, readFamilySizes, redisFamilies } from '../../test/support/redis-families.js';
import { bytes, count, megabytes, type Table } from '../report/table.js';

const cardWithinMs = 120_000;

/**
 * What incidents leave in Redis. Each is a deadlock that a person asks about, reviews and approves, and that
 * is verified as recovered.
 */
export async function measureRedisMemory(incidents: number): Promise<Table> {
  const rig = await startRig({
    scenario: 'none',
    built: 'dist',
    ownRedis: true,
    env: { NODE_WATCH: 'on' },
    seed: (cluster) => seedIncidents(cluster, [deadlocks(incidents + 1)]),
  });
  const redis = new Redis(rig.redis.url);
  try {
    // The first one brings what is there once: scripts, streams, connections.
    await carryOut(rig, 0);
    const [before, usedBefore] = [await readFamilySizes(redis, rig.prefix), await used(redis)];
    const jobsBefore = await endedJobs(redis, rig.prefix);
    for (let number = 1; number <= incidents; number += 1) await carryOut(rig, number);
    const [after, usedAfter] = [await readFamilySizes(redis, rig.prefix), await used(redis)];
    const jobs = (await endedJobs(redis, rig.prefix)) - jobsBefore;
    const perIncident = (name: RedisFamily): number => (after[name].bytes - before[name].bytes) / incidents;
    const row = (name: string, size: number) => ({ name, figures: [bytes(size), megabytes(size * 1_000)] });
    const sum = redisFamilies.reduce((total, name) => total + perIncident(name), 0);
    return {
      id: 'memory',
      title: 'What incidents leave in Redis',
      about: `${incidents} incidents: a person asks, reviews, approves, and the change is verified. MEMORY USAGE of every key, less that after one incident; app and worker as built.`,
      columns: ['an incident', '1,000 incidents'],
      rows: [
        ...redisFamilies.map((name) => row(name, perIncident(name))),
        row('together', sum),
        row('used_memory of Redis, by INFO', (usedAfter - usedBefore) / incidents),
        { name: 'jobs that ended', figures: [count(jobs / incidents), count((jobs / incidents) * 1_000)] },
      ],
    };
  } finally {
    redis.disconnect();
    await rig.stop();
  }
}

const namespaceOf = (number: number): string => `ml-${String(number).padStart(3, '0')}`;

async function carryOut(rig: Rig, number: number): Promise<void> {
  const workload = `${namespaceOf(number)}/inference`;
  await rig.ask(`deploy/inference -n ${namespaceOf(number)}`);
  const card = (words: string) =>
    rig.slack.until(
      () => rig.cards().find((each) => rig.says(each).includes(workload) && rig.says(each).includes(words)),
      { withinMs: cardWithinMs, what: `the card of ${workload} with "${words}"` },
    );
  await rig.approve('dana', await card('is deadlocked'));
  await card('recovered');
}

async function endedJobs(redis: Redis, prefix: string): Promise<number> {
  const each = await Promise.all(queueNames.map((name) => redis.zcard(`${prefix}-jobs:${name}:completed`)));
  return each.reduce((sum, number) => sum + number, 0);
}

async function used(redis: Redis): Promise<number> {
  return Number(/^used_memory:(\d+)/m.exec(await redis.info('memory'))?.[1]);
}

/**
 * Deployments that each wait for the GPU that their own old pod holds, each on a node that no other can use.
 */
function deadlocks(count: number): IncidentSeed {
  const numbers = Array.from({ length: count }, (_, number) => number);
  const poolOf = (number: number) => ({ 'node.example/pool': namespaceOf(number) });
  return {
    workload: `deploy/inference -n ${namespaceOf(0)}`,
    nodes: numbers.map((number) => ({
      name: `gpu-${number}`,
      number: number + 1,
      cpu: '16',
      memory: '64Gi',
      extended: { 'nvidia.com/gpu': '1' },
      labels: poolOf(number),
    })),
    conduct: [],
    steps: [
      {
        minutesAgo: 3 * dayMinutes,
        happens(registry) {
          for (const number of numbers) {
            const namespace = namespaceOf(number);
            create(registry, namespaceObject(namespace));
            const container = {
              name: 'server',
              image: 'registry.example/ml/inference:1.4.2',
              resources: {
                requests: { cpu: '2', memory: '8Gi' },
                limits: { memory: '8Gi', 'nvidia.com/gpu': '1' },
              },
            };
            const pod = { nodeSelector: poolOf(number) };
            create(registry, deploymentObject({ namespace, name: 'inference' }, 1, container, pod));
          }
        },
      },
      {
        minutesAgo: 25,
        happens(registry) {
          for (const number of numbers) {
            changeContainers(registry, namespaceOf(number), 'inference', (container) => {
              container.image = 'registry.example/ml/inference:1.5.0';
            });
          }
        },
      },
    ],
  };
}
