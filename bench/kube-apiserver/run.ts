import { subscribe } from 'node:diagnostics_channel';
import { performance } from 'node:perf_hooks';
import { connectClusters } from '../../src/adapters/kubernetes/cluster-connection.js';
import { createClusterReader } from '../../src/adapters/kubernetes/cluster-reader.js';
import { createDoctor } from '../../src/doctor.js';
import { deadlocked } from '../generated-cluster/deadlock.js';
import type { LooksTaken } from './looks-taken.js';

/**
 * `tsx bench/kube-apiserver/run.ts KUBECONFIG LOOKS`: looks at the deadlock again and again over one connection that
 * stands already, as a worker does. Prints `LooksTaken`.
 */
const [kubeconfig, looks] = process.argv.slice(2);
const connections = connectClusters({ kubeconfig, contexts: [] });
const [connection] = connections;
if (connection === undefined) throw new Error('the kubeconfig has no context');
const doctor = createDoctor();
const reader = createClusterReader({
  connections,
  clock: { now: () => new Date() },
  timeoutMs: 60_000,
  findTimeoutMs: 60_000,
});

const paths: string[] = [];
subscribe('undici:request:create', (message) => {
  const { request } = message as { readonly request: { readonly path: string } };
  paths.push(request.path);
});
// Connections for as many requests as run at the same time.
await Promise.all(Array.from({ length: 16 }, () => connection.call({ path: '/version' })));

const taken: LooksTaken = { looks: [], paths: [] };
for (let look = 0; look < Number(looks); look += 1) {
  paths.splice(0);
  const began = performance.now();
  const read = await reader.snapshot({ cluster: connection.name, ...deadlocked }, doctor.needs);
  if (read.type !== 'snapshot') throw new Error(`not read: ${JSON.stringify(read)}`);
  const readAt = performance.now();
  const { findings, defects } = doctor.diagnose(read.snapshot);
  const endedAt = performance.now();
  const [first] = findings;
  if (first?.cause !== 'surge-deadlock' || first.confidence !== 'proven' || first.holders.length !== 1) {
    throw new Error(
      `not the expected proof: ${JSON.stringify({ findings, defects, unseen: read.snapshot.unseen })}`,
    );
  }
  taken.looks.push({ reading: readAt - began, diagnosing: endedAt - readAt, requests: paths.length });
  taken.paths = [...paths];
}
process.stdout.write(`${JSON.stringify(taken)}\n`);
process.exit(0);
