import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { allForms } from './forms/all-forms.js';
import { expectationOf } from './forms/expectation-of.js';
import { type Form, reproduceForm } from './forms/form.js';
import { startCluster } from './harness/cluster.js';
import { writeScenario } from './harness/write-scenario.js';

/**
 * `tsx test/cluster/record-forms.ts [GROUP|FORM…]` reproduces forms of incidents, all or the named ones, one after
 * the other in one cluster, and writes each into `test/scenarios/GROUP/FORM`. Exits with 1 if one fails.
 */
const names = process.argv.slice(2);
const chosen = allForms.flatMap(({ group, forms }) =>
  forms
    .filter(
      ({ id, isRecorded = true }) =>
        isRecorded && (names.length === 0 || names.includes(id) || names.includes(group)),
    )
    .map((form) => ({ group, form })),
);

async function record(
  cluster: Awaited<ReturnType<typeof startCluster>>,
  group: string,
  form: Form,
): Promise<void> {
  const { id, title, diagnoseAfterSeconds = 0 } = form;
  const folder = join('test', 'scenarios', group, id);
  const { workload, scene, namespaces } = await reproduceForm(cluster, form);
  await rm(folder, { recursive: true, force: true });
  await writeScenario(cluster, folder, {
    id,
    title,
    workload,
    namespaces,
    expected: expectationOf(form),
    diagnoseAfterSeconds,
  });
  if (scene.logs.size > 0) await mkdir(join(folder, 'logs'), { recursive: true });
  for (const [name, text] of scene.logs) await writeFile(join(folder, 'logs', `${name}.log`), text);
}

const cluster = await startCluster();
try {
  for (const { group, form } of chosen) {
    const since = Date.now();
    try {
      await record(cluster, group, form);
      console.log(`${form.id} is recorded (${Math.round((Date.now() - since) / 1000)} s)`);
    } catch (error) {
      process.exitCode = 1;
      console.error(`${form.id} did not come about: ${error instanceof Error ? error.message : error}`);
    }
    await cluster.clear();
  }
} finally {
  await cluster.stop();
}
