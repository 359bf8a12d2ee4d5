import type { V1Pod } from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type ClusterConnection, connectClusters } from '#src/edges/kubernetes/cluster-connection.js';
import { createClusterReader } from '#src/edges/kubernetes/cluster-reader.js';
import { createPodCache, createPodWatcher } from '#src/edges/kubernetes/crash-watch/pod-cache.js';
import { createEngine } from '#src/service/create-engine.js';
import { type Cluster, startCluster } from './harness/cluster.js';
import { rollOut, untilUnschedulable, update } from './incidents/rolling.js';

const rounds = 12;
const gpu = { 'nvidia.com/gpu': '1' };
const nodes = ['gpu-a', 'gpu-b', 'gpu-c', 'gpu-d'] as const;
const engine = createEngine();

/** A worker that watches pods, in a cluster whose scheduler is stopped, so freed places stay free. */
describe('a diagnosis by a worker that watches pods', () => {
  let cluster: Cluster;
  let connection: ClusterConnection;
  let namespace: string;
  const stopping = new AbortController();
  const cache = createPodCache();
  let watched: Promise<void> = Promise.resolve();

  const holder = (node: string): V1Pod => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: `holder-${node}`, namespace },
    spec: {
      nodeName: node,
      containers: [{ name: 'a', image: 'a', resources: { requests: gpu, limits: gpu } }],
    },
  });

  beforeAll(async () => {
    cluster = await startCluster();
    namespace = await cluster.createNamespace('shop');
    const [home, ...others] = nodes;
    await cluster.createNodes({ name: home, allocatable: gpu });
    const old = await rollOut(cluster, { namespace, name: 'inference', requests: gpu });
    await cluster.createNodes(...others.map((name) => ({ name, allocatable: gpu })));
    for (const name of others) await cluster.create(holder(name));
    await update(cluster, namespace, 'inference');
    await untilUnschedulable(cluster, namespace, 'inference', old, ['4 Insufficient nvidia.com/gpu']);
    await cluster.controlPlane.stopComponent('kube-scheduler');
    const [only] = connectClusters({ kubeconfig: cluster.controlPlane.adminKubeconfig, contexts: [] });
    if (only === undefined) throw new Error('the kubeconfig has no context');
    connection = only;
    const watcher = createPodWatcher({ connections: [only], cache, pageTimeoutMs: 30_000 });
    await new Promise<void>((inStep) => {
      const nothing = (): void => undefined;
      const handlers = { listBegins: nothing, listEnds: nothing, pod: nothing, inStep, trouble: nothing };
      watched = watcher.watch(only.name, '', handlers, stopping.signal);
    });
  });
  afterAll(async () => {
    stopping.abort();
    await watched;
    await cluster?.stop();
  });

  async function diagnose() {
    const clock = { now: () => new Date() };
    const options = { connections: [connection], clock, timeoutMs: 30_000, findTimeoutMs: 10_000 };
    const ref = { cluster: connection.name, kind: 'Deployment', namespace, name: 'inference' } as const;
    const read = await createClusterReader({ ...options, pods: cache }).snapshot(ref, engine.needs);
    if (read.type !== 'snapshot') throw new Error(JSON.stringify(read));
    const holders = read.snapshot.index.objects.Pod.map(({ metadata }) => metadata.name)
      .filter((name) => name.startsWith('holder-'))
      .sort();
    const [first] = engine.diagnose(read.snapshot).findings;
    const isProven = first?.cause === 'surge-deadlock' && first.confidence === 'proven';
    return { holders, isProven, watchedPodsOn: read.snapshot.age?.watchedPodsOn };
  }

  it('proves no deadlock while a deleted pod leaves a free place, and proves it when another pod uses the place', async () => {
    const all = nodes.slice(1).map((name) => `holder-${name}`);
    let fromWatch = 0;
    for (let round = 0; round < rounds; round += 1) {
      const node = nodes[1 + (round % 3)] ?? '';
      await cluster.remove({ kind: 'Pod', namespace, name: `holder-${node}` });
      const free = await diagnose();
      expect(free).toMatchObject({ holders: all.filter((name) => !name.endsWith(node)), isProven: false });
      if (free.watchedPodsOn === 3) fromWatch += 1;
      await cluster.create(holder(node));
      // The API server's cache may be behind, the longer the busier the machine is.
      await vi.waitFor(async () => expect(await diagnose()).toMatchObject({ holders: all, isProven: true }), {
        timeout: 60_000,
        interval: 100,
      });
    }
    console.log(`${fromWatch} of ${rounds} diagnoses took the pods from the watch`);
    expect(fromWatch).toBeGreaterThan(0);
  });
});
