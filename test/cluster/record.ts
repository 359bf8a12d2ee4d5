import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startCluster } from './harness/cluster.js';
import { recordNamespaces } from './harness/record.js';
import { allIncidents } from './incidents/all-incidents.js';

/**
 * `tsx test/cluster/record.ts INCIDENT [FOLDER]` brings the incident about and writes `objects.json` and
 * `expect.json` as the scenario tests read them, by default into `test/scenarios/INCIDENT`.
 */
const [id = '', folder = join('test', 'scenarios', id)] = process.argv.slice(2);
const incident = allIncidents.find((one) => one.id === id);
if (incident === undefined) {
  console.error(`There is no incident "${id}"; there are ${allIncidents.map((one) => one.id).join(', ')}.`);
  process.exit(2);
}

const { known, title, bringAbout } = incident;
const cluster = await startCluster();
try {
  const { workload, holders } = await bringAbout(cluster);
  const { kind, namespace, name } = workload;
  const objects = await recordNamespaces(cluster, [namespace]);
  const expectation = {
    id,
    title,
    takenAt: new Date().toISOString().replace(/\.\d+Z$/, 'Z'),
    workload: { kind, namespace, name },
    ...(known.anyOf === undefined ? { cause: known.cause ?? null } : { anyOf: known.anyOf }),
    ...(known.resource === undefined ? {} : { detail: { resource: known.resource } }),
    ...(known.never === undefined ? {} : { never: known.never }),
    ...(known.nodes === undefined ? {} : { nodes: known.nodes }),
    ...(holders.length === 0 ? {} : { holders }),
  };
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'objects.json'), `${JSON.stringify(objects, undefined, 1)}\n`);
  await writeFile(join(folder, 'expect.json'), `${JSON.stringify(expectation, undefined, 1)}\n`);
  console.log(
    `${objects.items.length} objects of Kubernetes ${cluster.controlPlane.version} are in ${folder}`,
  );
} finally {
  await cluster.stop();
}
