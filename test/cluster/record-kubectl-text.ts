import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scenariosFolder } from '../support/scenarios/scenario-folders.js';
import { startControlPlane } from './harness/control-plane.js';
import { ensureTool } from './harness/tools.js';
import { kubectlOf, loadRecording } from './kubectl-text/load-recording.js';

/**
 * `npx tsx test/cluster/record-kubectl-text.ts [FOLDER [INCIDENT…]]`: prints recorded incidents with the real
 * kubectl from a real API server, as people do who have no other access, and stores the texts for the tests
 * that need no cluster.
 */
const chosen = [
  'gpu-one-node',
  'crash-on-one-node',
  'image-tag-missing',
  'quota-memory-three-replicas',
  'rwo-volume-attached-elsewhere',
  'stateful-set-too-large',
];
const [folder = join(import.meta.dirname, '../kubectl-text'), ...named] = process.argv.slice(2);
const { file } = await ensureTool('kubectl');

for (const incident of named.length > 0 ? named : chosen) {
  const expectation = readFileSync(join(scenariosFolder, incident, 'expect.json'), 'utf8');
  const { takenAt, workload } = JSON.parse(expectation) as {
    readonly takenAt: string;
    readonly workload: { readonly namespace: string };
  };
  const cluster = await startControlPlane({ controllers: 'none' });
  try {
    const kubectl = kubectlOf(file, cluster.adminKubeconfig);
    await loadRecording(kubectl, incident, takenAt);
    const to = join(folder, incident);
    mkdirSync(to, { recursive: true });
    const store = (name: string, text: string) => writeFileSync(join(to, name), text);
    const kinds = 'nodes,deployments,replicasets,statefulsets,daemonsets,pods,pvc,quota';
    // Without the option, kubectl 1.36 prints no events of several objects.
    store('describe.txt', await kubectl(['describe', kinds, '-A', '--show-events']));
    store('events.txt', await kubectl(['get', 'events', '-n', workload.namespace]));
    store('events-wide.txt', await kubectl(['get', 'events', '-A', '-o', 'wide']));
    store('pods.txt', await kubectl(['get', 'pods', '-n', workload.namespace, '-o', 'wide']));
    store('dump.txt', await kubectl(['cluster-info', 'dump', '--namespaces', workload.namespace]));
    store('at', `${new Date().toISOString()}\n`);
  } catch (error) {
    process.stderr.write(`${incident}: ${String(error)}\n`);
    process.exitCode = 1;
  } finally {
    await cluster.stop();
  }
}
