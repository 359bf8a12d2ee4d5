import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startCluster } from './harness/cluster.js';
import { writeScenario } from './harness/write-scenario.js';
import { defineKserve } from './services/kserve-definitions.js';
import type { RecordedService } from './services/played-controllers.js';
import { defineDynamo } from './services/played-dynamo.js';
import { defineKnative } from './services/played-knative.js';
import { defineProductionStack } from './services/played-production-stack.js';
import { defineRay } from './services/played-ray.js';
import { recordedDynamoGraphs } from './services/recorded-dynamo.js';
import { recordedKnativeServices } from './services/recorded-knative.js';
import { recordedKserveServices } from './services/recorded-kserve.js';
import { recordedProductionStacks } from './services/recorded-production-stack.js';
import { recordedRayServices } from './services/recorded-ray.js';

/**
 * `tsx test/cluster/record-services.ts [FOLDER/ID…]` brings Knative Services, RayServices, DynamoGraphDeployments and
 * Deployments of vLLM production-stack about, all or the named ones, and
 * writes them into `test/scenarios/FOLDER/ID`. The control plane is real, the controllers of these kinds are played.
 * Exits with 1 when one could not be brought about.
 */
const families = [
  { folder: 'knative', kind: 'KnativeService', define: defineKnative, services: recordedKnativeServices },
  { folder: 'ray-services', kind: 'RayService', define: defineRay, services: recordedRayServices },
  { folder: 'dynamo', kind: 'DynamoGraphDeployment', define: defineDynamo, services: recordedDynamoGraphs },
  { folder: 'kserve', kind: 'Deployment', define: defineKserve, services: recordedKserveServices },
  {
    folder: 'production-stack',
    kind: 'Deployment',
    define: defineProductionStack,
    services: recordedProductionStacks,
  },
] as const;
type Family = (typeof families)[number];

const names = process.argv.slice(2);
const known = families.flatMap(({ folder, services }) => services.map(({ id }) => `${folder}/${id}`));
const unknown = names.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`There is no service ${unknown.join(', ')}; there are ${known.join(', ')}.`);
  process.exit(2);
}

/** Nothing changes any longer. */
const diagnoseAfterSeconds = 120;
const maxAttempts = 3;

for (const family of families) {
  for (const service of family.services) {
    const path = `${family.folder}/${service.id}`;
    if (names.length > 0 && !names.includes(path)) continue;
    for (let attempt = 1; ; attempt += 1) {
      try {
        await record(family, service);
        console.log(`${path} is recorded`);
        break;
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        console.error(`${path} did not come about: ${message.slice(0, 300)}`);
        if (attempt < maxAttempts) continue;
        process.exitCode = 1;
        break;
      }
    }
  }
}

async function record(
  { folder, kind, define }: Family,
  { id, title, asked, expected, reproduce, workload, ...later }: RecordedService,
): Promise<void> {
  const path = join('test', 'scenarios', folder, id);
  const cluster = await startCluster();
  try {
    await define(cluster);
    const shop = await cluster.createNamespace('shop');
    const holders = await reproduce({ cluster, shop });
    await rm(path, { recursive: true, force: true });
    const written = {
      ...(asked === undefined ? {} : { asked }),
      ...expected,
      ...(holders.length === 0 ? {} : { holders: [...holders].sort() }),
    };
    await writeScenario(cluster, path, {
      ...{
        id,
        title,
        workload: { cluster: 'test', namespace: shop, ...(workload ?? { kind, name: 'llm' }) },
        expected: written,
      },
      diagnoseAfterSeconds: later.diagnoseAfterSeconds ?? diagnoseAfterSeconds,
    });
  } finally {
    await cluster.stop();
  }
}
