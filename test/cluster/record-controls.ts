import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { allControls } from './controls/all-controls.js';
import { startCluster } from './harness/cluster.js';
import { writeScenario } from './harness/write-scenario.js';

/**
 * `tsx test/cluster/record-controls.ts [CONTROL…]` reproduces healthy controls, all or the named ones, and writes
 * each into `test/scenarios/controls/CONTROL`. Exits with 1 when one could not be reproduced.
 */
const names = process.argv.slice(2);
const unknown = names.filter((name) => !allControls.some(({ id }) => id === name));
if (unknown.length > 0) {
  console.error(`There is no control ${unknown.join(', ')}; there are ${allControls.map(({ id }) => id)}.`);
  process.exit(2);
}

const cluster = await startCluster();
try {
  for (const control of allControls.filter(({ id }) => names.length === 0 || names.includes(id))) {
    const { id, title, resembles, informational, diagnoseAfterSeconds } = control;
    const folder = join('test', 'scenarios', 'controls', id);
    try {
      const workload = await control.reproduce(cluster);
      await rm(folder, { recursive: true, force: true });
      const expected = {
        cause: null,
        never: [resembles],
        ...(informational === undefined ? {} : { informational }),
      };
      const later = diagnoseAfterSeconds === undefined ? {} : { diagnoseAfterSeconds };
      await writeScenario(cluster, folder, { id, title, workload, expected, ...later });
      console.log(`${id} is recorded`);
    } catch (error) {
      process.exitCode = 1;
      console.error(`${id} did not come about: ${error instanceof Error ? error.message : error}`);
    }
    await cluster.clear();
  }
} finally {
  await cluster.stop();
}
