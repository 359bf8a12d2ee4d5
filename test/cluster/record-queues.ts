import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startCluster } from './harness/cluster.js';
import { writeScenario } from './harness/write-scenario.js';
import { defineKueue } from './kueue/definitions.js';
import { playKueue } from './kueue/played-kueue.js';
import type { RecordedQueue } from './kueue/queued-rollout.js';
import { recordedQueues } from './kueue/recorded-queues.js';

/**
 * `tsx test/cluster/record-queues.ts [ID…]` brings Deployments in Kueue's queues about, all or the named ones, and writes them
 * into `test/scenarios/queues/ID`. The control plane is real, Kueue's controllers are played. Exits with 1 when one could
 * not be brought about.
 */
const names = process.argv.slice(2);
const unknown = names.filter((name) => !recordedQueues.some(({ id }) => id === name));
if (unknown.length > 0) {
  const ids = recordedQueues.map(({ id }) => id).join(', ');
  console.error(`There is no queue ${unknown.join(', ')}; there are ${ids}.`);
  process.exit(2);
}

/** A queue admits in seconds, and nothing changes any longer. */
const diagnoseAfterSeconds = 120;
const maxAttempts = 3;

for (const queue of recordedQueues) {
  if (names.length > 0 && !names.includes(queue.id)) continue;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await record(queue);
      console.log(`${queue.id} is recorded`);
      break;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      console.error(`${queue.id} did not come about: ${message.slice(0, 300)}`);
      if (attempt < maxAttempts) continue;
      process.exitCode = 1;
      break;
    }
  }
}

async function record({ id, title, expected, reproduce, ...scene }: RecordedQueue): Promise<void> {
  const folder = join('test', 'scenarios', 'queues', id);
  const cluster = await startCluster();
  try {
    await defineKueue(cluster);
    const kueue = playKueue(cluster);
    const shop = await cluster.createNamespace('shop');
    const research = await cluster.createNamespace('research');
    const holders = await reproduce({ cluster, kueue, shop, research });
    const without = await kueue.podsWithoutWorkload(shop);
    if (without.length > 0) throw new Error(`${without.join(', ')} have no Workload`);
    await rm(folder, { recursive: true, force: true });
    const workload = { cluster: 'test', kind: 'Deployment' as const, namespace: shop, name: 'web' };
    const written = { ...expected, ...(holders.length === 0 ? {} : { holders }) };
    const later = scene.diagnoseAfterSeconds ?? diagnoseAfterSeconds;
    await writeScenario(cluster, folder, {
      ...{ id, title, workload, expected: written },
      namespaces: [shop, research],
      diagnoseAfterSeconds: later,
    });
  } finally {
    await cluster.stop();
  }
}
