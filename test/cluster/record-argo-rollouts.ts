import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { KubernetesObject } from '@kubernetes/client-node';
import { deadlockedRollouts } from './argo-rollouts/deadlocks.js';
import { healthyRollouts } from './argo-rollouts/healthy.js';
import { heldUpdates } from './argo-rollouts/held-updates.js';
import { analysisTemplates, rolloutsLikeDeadlocks } from './argo-rollouts/look-alikes.js';
import { rolloutsBesideRollouts } from './argo-rollouts/neighbours.js';
import { otherDeadlockedRollouts } from './argo-rollouts/other-deadlocks.js';
import { rolloutsLikeOtherDeadlocks } from './argo-rollouts/other-look-alikes.js';
import { rolloutName } from './argo-rollouts/recorded-rollout.js';
import { startArgoRollouts } from './argo-rollouts/start-controller.js';
import { startCluster } from './harness/cluster.js';
import { writeScenario } from './harness/write-scenario.js';

/**
 * `tsx test/cluster/record-argo-rollouts.ts [ID…]` brings Rollouts about beside the real controller, all or the named ones,
 * each in a control plane of its own, and writes them into `test/scenarios/argo-rollouts/ID`. Exits with 1 when one could not be brought
 * about.
 */
const all = [
  ...deadlockedRollouts,
  ...otherDeadlockedRollouts,
  ...rolloutsLikeDeadlocks,
  ...heldUpdates,
  ...rolloutsLikeOtherDeadlocks,
  ...rolloutsBesideRollouts,
  ...healthyRollouts,
];
const names = process.argv.slice(2);
const unknown = names.filter((name) => !all.some(({ id }) => id === name));
if (unknown.length > 0) {
  console.error(
    `There is no Rollout ${unknown.join(', ')}; there are ${all.map(({ id }) => id).join(', ')}.`,
  );
  process.exit(2);
}

for (const { id, title, expected, diagnoseAfterSeconds, reproduce } of all) {
  if (names.length > 0 && !names.includes(id)) continue;
  const folder = join('test', 'scenarios', 'argo-rollouts', id);
  const cluster = await startCluster();
  const argo = await startArgoRollouts(cluster);
  try {
    const namespace = await cluster.createNamespace('shop');
    for (const object of analysisTemplates(namespace))
      await cluster.objects.create(object as KubernetesObject);
    const holders = await reproduce(cluster, namespace, argo);
    await rm(folder, { recursive: true, force: true });
    const workload = { cluster: 'test', kind: 'Rollout' as const, namespace, name: rolloutName };
    const later = diagnoseAfterSeconds === undefined ? {} : { diagnoseAfterSeconds };
    const written = { ...expected, ...(holders.length === 0 ? {} : { holders }) };
    await writeScenario(cluster, folder, { id, title, workload, expected: written, ...later });
    console.log(`${id} is recorded`);
  } catch (error) {
    process.exitCode = 1;
    console.error(`${id} did not come about: ${error instanceof Error ? error.message : error}`);
    console.error(argo.logs(5));
  } finally {
    await argo.stop();
    await cluster.stop();
  }
}
