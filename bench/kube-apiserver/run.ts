import { subscribe } from 'node:diagnostics_channel';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { connectClusters } from '#src/edges/kubernetes/cluster-connection.js';
import { createClusterReader } from '#src/edges/kubernetes/cluster-reader.js';
import { createPodCache, createPodWatcher } from '#src/edges/kubernetes/crash-watch/pod-cache.js';
import { createNodeCache } from '#src/edges/kubernetes/node-watch/node-cache.js';
import { createEngine } from '#src/service/create-engine.js';
import type { LooksTaken } from './looks-taken.js';

/**
 * `tsx bench/kube-apiserver/run.ts ROOT KUBECONFIG LOOKS NAMESPACE/NAME PROXY WATCHING PAUSE`: looks at a
 * deadlock again and again, PAUSE milliseconds apart, over one connection that stands already, as the worker
 * does that watches pods for the crash history. Each version is measured by its own file of this name; former
 * ones need ROOT. PROXY gives the bytes since the last call; the kubeconfig WATCHING leads past it, for the
 * watch of pods. Prints `LooksTaken`.
 */
const [, kubeconfig, looks, workload = '', counter = '', watchingKubeconfig, pause] = process.argv.slice(2);

const connections = connectClusters({ kubeconfig, contexts: [] });
const [connection] = connections;
if (connection === undefined) throw new Error('the kubeconfig has no context');
const engine = createEngine();
const nodes = createNodeCache({ connections, pageTimeoutMs: 60_000 });
const pods = createPodCache();
const reader = createClusterReader({
  connections,
  clock: { now: () => new Date() },
  timeoutMs: 60_000,
  findTimeoutMs: 60_000,
  nodes,
  pods,
});

const paths: string[] = [];
subscribe('undici:request:create', (message) => {
  const { request } = message as { readonly request: { readonly path: string } };
  // Not what asks for the bytes.
  if (request.path.startsWith('/api')) paths.push(request.path);
});
// Connections for as many requests as run at the same time.
await Promise.all(Array.from({ length: 16 }, () => connection.call({ path: '/version' })));
const watching = new AbortController();
const heapBefore = heldBytes();
void nodes.watch(connection.name, (because) => process.stderr.write(`${because}\n`), watching.signal);
await untilKept();
const cache = heldBytes() - heapBefore;
const podsBefore = heldBytes();
await watchPods();
const podsCache = heldBytes() - podsBefore;

const [namespace = '', name = ''] = workload.split('/');
const taken: { looks: LooksTaken['looks'][number][]; paths: string[] } = { looks: [], paths: [] };
for (let look = 0; look < Number(looks); look += 1) {
  await delay(Number(pause));
  await untilKept();
  paths.splice(0);
  await takeBytes();
  const cpu = process.cpuUsage();
  const began = performance.now();
  const read = await reader.snapshot(
    { cluster: connection.name, kind: 'Deployment', namespace, name },
    engine.needs,
  );
  if (read.type !== 'snapshot') throw new Error(`not read: ${JSON.stringify(read)}`);
  const readAt = performance.now();
  const { findings, defects } = engine.diagnose(read.snapshot);
  const endedAt = performance.now();
  const { user, system } = process.cpuUsage(cpu);
  const [first] = findings;
  if (first?.cause !== 'surge-deadlock' || defects.length > 0) {
    throw new Error(`not the deadlock: ${JSON.stringify({ findings, defects })}`);
  }
  taken.looks.push({
    reading: readAt - began,
    diagnosing: endedAt - readAt,
    processor: (user + system) / 1_000,
    requests: paths.length,
    bytes: await takeBytes(),
    isProven: first.confidence === 'proven',
  });
  taken.paths = [...paths];
}
const output: LooksTaken = { ...taken, cache, pods: podsCache };
process.stdout.write(`${JSON.stringify(output)}\n`);
watching.abort();
process.exit(0);

async function untilKept(): Promise<void> {
  while (nodes.nodes(connection?.name ?? '') === undefined) await delay(50);
}

/** Until they are listed; the watch then goes on. */
async function watchPods(): Promise<void> {
  const watcher = createPodWatcher({
    connections: connectClusters({ kubeconfig: watchingKubeconfig, contexts: [] }),
    pageTimeoutMs: 60_000,
    ...(pods === undefined ? {} : { cache: pods }),
  });
  await new Promise<void>((listEnds) => {
    const nothing = (): void => undefined;
    const trouble = (because: string): unknown => process.stderr.write(`${because}\n`);
    const hears = { listBegins: nothing, listEnds, pod: nothing, inStep: nothing, trouble };
    void watcher.watch(connection?.name ?? '', '', hears, watching.signal);
  });
}

function heldBytes(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

async function takeBytes(): Promise<number> {
  if (counter === '') return 0;
  return Number(await (await fetch(counter)).text());
}
