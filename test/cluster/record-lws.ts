import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startCluster } from './harness/cluster.js';
import { writeScenario } from './harness/write-scenario.js';
import { deadlockedSets } from './lws/deadlocks.js';
import { healthySets } from './lws/healthy.js';
import { setsLikeDeadlocks } from './lws/look-alikes.js';
import { otherDeadlockedSets, setsLikeOtherDeadlocks } from './lws/other-deadlocks.js';
import { setName } from './lws/recorded-set.js';
import { startLeaderWorkerSets } from './lws/start-controller.js';

/**
 * `tsx test/cluster/record-lws.ts [ID…]` brings LeaderWorkerSets about beside the real controller, all or the named ones,
 * each in a control plane of its own, and writes them into `test/scenarios/leader-worker-sets/ID`. Exits with 1 when one
 * could not be brought about.
 */
const all = [
  ...deadlockedSets,
  ...otherDeadlockedSets,
  ...setsLikeDeadlocks,
  ...setsLikeOtherDeadlocks,
  ...healthySets,
];
const names = process.argv.slice(2);
const unknown = names.filter((name) => !all.some(({ id }) => id === name));
if (unknown.length > 0) {
  console.error(
    `There is no LeaderWorkerSet ${unknown.join(', ')}; there are ${all.map(({ id }) => id).join(', ')}.`,
  );
  process.exit(2);
}

for (const { id, title, expected, diagnoseAfterSeconds, reproduce } of all) {
  if (names.length > 0 && !names.includes(id)) continue;
  const folder = join('test', 'scenarios', 'leader-worker-sets', id);
  const cluster = await startCluster();
  const controller = await startLeaderWorkerSets(cluster);
  try {
    const namespace = await cluster.createNamespace('shop');
    const holders = await reproduce(cluster, namespace);
    await rm(folder, { recursive: true, force: true });
    const workload = { cluster: 'test', kind: 'LeaderWorkerSet' as const, namespace, name: setName };
    const written = { ...expected, ...(holders.length === 0 ? {} : { holders }) };
    const later = diagnoseAfterSeconds === undefined ? {} : { diagnoseAfterSeconds };
    await writeScenario(cluster, folder, { id, title, workload, expected: written, ...later });
    console.log(`${id} is recorded`);
  } catch (error) {
    process.exitCode = 1;
    console.error(`${id} did not come about: ${error instanceof Error ? error.message : error}`);
    console.error(controller.logs(5));
  } finally {
    await controller.stop();
    await cluster.stop();
  }
}
