import { join } from 'node:path';
import { startCluster } from './harness/cluster.js';
import { writeScenario } from './harness/write-scenario.js';
import { allIncidents } from './incidents/all-incidents.js';
import { deletedWorkloads } from './incidents/deleted-workloads.js';
import { lostReadiness, lostReadinessTogether } from './incidents/lost-readiness.js';
import { outages } from './incidents/outages.js';
import { pluginRefusals } from './incidents/plugin-refusal.js';
import { removedNodes } from './incidents/removed-node.js';
import { silentKubelet } from './incidents/silent-kubelet.js';
import { waitCycles } from './incidents/wait-cycles.js';

/**
 * `tsx test/cluster/record.ts INCIDENT [FOLDER]` reproduces the incident and writes `objects.json` and
 * `expect.json` as the scenario tests read them, by default into `test/scenarios/INCIDENT`.
 */
const incidents = [
  ...allIncidents,
  silentKubelet,
  lostReadiness,
  lostReadinessTogether,
  ...outages,
  ...deletedWorkloads,
  ...removedNodes,
  ...pluginRefusals,
  ...waitCycles,
];
const [id = '', folder = join('test', 'scenarios', id)] = process.argv.slice(2);
const incident = incidents.find((one) => one.id === id);
if (incident === undefined) {
  console.error(`There is no incident "${id}"; there are ${incidents.map((one) => one.id).join(', ')}.`);
  process.exit(2);
}

const { known, title, reproduce } = incident;
const cluster = await startCluster();
try {
  const { workload, holders } = await reproduce(cluster);
  const count = await writeScenario(cluster, folder, {
    id,
    title,
    workload,
    ...(known.stuckAfterSeconds === undefined ? {} : { diagnoseAfterSeconds: known.stuckAfterSeconds }),
    ...(incident.withManagers === undefined ? {} : { withManagers: incident.withManagers }),
    expected: {
      ...(known.anyOf === undefined ? { cause: known.cause ?? null } : { anyOf: known.anyOf }),
      ...(known.resource === undefined ? {} : { detail: { resource: known.resource } }),
      ...(known.never === undefined ? {} : { never: known.never }),
      ...(known.nodes === undefined ? {} : { nodes: known.nodes }),
      ...(holders.length === 0 ? {} : { holders }),
    },
  });
  console.log(`${count} objects of Kubernetes ${cluster.controlPlane.version} are in ${folder}`);
} finally {
  await cluster.stop();
}
