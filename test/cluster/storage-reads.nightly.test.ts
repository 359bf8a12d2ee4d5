import type { V1Pod } from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fullSight } from '#src/doctor/policy/view.js';
import { type ClusterConnection, connectClusters } from '#src/edges/kubernetes/cluster-connection.js';
import { createClusterNames } from '#src/edges/kubernetes/cluster-names.js';
import { createClusterReader } from '#src/edges/kubernetes/cluster-reader.js';
import { createWorkloadLocator } from '#src/edges/kubernetes/locate-workloads.js';
import { createEngine } from '#src/service/create-engine.js';
import type { EtcdChoice } from './harness/binaries.js';
import { type Cluster, startCluster } from './harness/cluster.js';
import { rollOut, untilUnschedulable, update } from './incidents/rolling.js';

const bystanders = 12;
const engine = createEngine();
const clock = { now: () => new Date() };

/** An etcd that does not report to the API server how far its watch cache is behind, and one that does. */
describe.each<EtcdChoice>(['old', 'current'])('with etcd %s', (etcd) => {
  let cluster: Cluster;
  let connection: ClusterConnection;
  let namespace: string;
  beforeAll(async () => {
    cluster = await startCluster({ etcd });
    namespace = await cluster.createNamespace('shop');
    await cluster.createNodes({ name: 'gpu-a', allocatable: { 'nvidia.com/gpu': '1' } }, { name: 'cpu-a' });
    for (let number = 0; number < bystanders; number += 1) {
      await cluster.create<V1Pod>({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: `bystander-${number}`, namespace },
        spec: { containers: [{ name: 'a', image: 'a' }] },
      });
    }
    const gpu = { namespace, name: 'inference', requests: { 'nvidia.com/gpu': '1' } };
    const old = await rollOut(cluster, gpu);
    await update(cluster, namespace, 'inference');
    await untilUnschedulable(cluster, namespace, 'inference', old, ['Insufficient nvidia.com/gpu']);
    const [only] = connectClusters({ kubeconfig: cluster.controlPlane.adminKubeconfig, contexts: [] });
    if (only === undefined) throw new Error('the kubeconfig has no context');
    connection = only;
  });
  afterAll(async () => {
    await cluster?.stop();
  });

  /** Pods and nodes that the API server read from etcd for lists since it started. */
  async function fetched(): Promise<number> {
    const { body } = await connection.call({ path: '/metrics', accept: 'text/plain' });
    const lines = String(body)
      .split('\n')
      .filter((line) => line.startsWith('apiserver_storage_list_fetched_objects_total{'))
      .filter((line) => /resource="(?:core\/)?(?:pods|nodes)"/.test(line));
    if (lines.length === 0) throw new Error('the API server counts no lists of pods and nodes');
    return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  }

  async function fetchedBy(act: () => Promise<unknown>): Promise<number> {
    const before = await fetched();
    await act();
    return (await fetched()) - before;
  }

  const reader = () =>
    createClusterReader({ connections: [connection], clock, timeoutMs: 30_000, findTimeoutMs: 10_000 });

  it.runIf(etcd === 'old')('a list without a resourceVersion reads all pods from etcd', async () => {
    const query = { fieldSelector: 'spec.nodeName=gpu-a', limit: 500 };
    const list = () => connection.call({ path: '/api/v1/pods', query });
    expect(await fetchedBy(list)).toBeGreaterThan(bystanders);
  });

  it('a diagnosis proves the deadlock and lists no pods or nodes from etcd', async () => {
    const ref = { cluster: connection.name, kind: 'Deployment', namespace, name: 'inference' } as const;
    const count = await fetchedBy(async () => {
      expect(await reader().find({ name: 'inference' }, fullSight)).toMatchObject({ type: 'found' });
      const read = await reader().snapshot(ref, engine.needs);
      if (read.type !== 'snapshot') throw new Error(JSON.stringify(read));
      const [finding] = engine.diagnose(read.snapshot).findings;
      expect(finding).toMatchObject({ cause: 'surge-deadlock', confidence: 'proven' });
      expect(read.snapshot.age).toMatchObject({ confirmed: 3, unconfirmed: 0 });
    });
    expect(count).toBe(0);
  });

  it('an alert and a scan list no pods or nodes from etcd', async () => {
    const locator = createWorkloadLocator({
      clusters: () => [createClusterNames(connection)],
      timeoutMs: 10_000,
    });
    const count = await fetchedBy(async () => {
      await locator.sufferingOn({ node: 'gpu-a' }, fullSight);
      await locator.sufferingIn({ namespace }, fullSight);
      await locator.ownerOf({ name: 'bystander-1' }, fullSight);
      const scope = { cluster: connection.name, namespace: '' };
      const scan = await reader().scope(scope, engine.needs, AbortSignal.timeout(30_000));
      expect(scan.type).toBe('scope');
    });
    expect(count).toBe(0);
  });

  it('a diagnosis right after a change sees its effect', async () => {
    const ref = { cluster: connection.name, kind: 'Deployment', namespace, name: 'inference' } as const;
    await cluster.patch({ kind: 'Deployment', namespace, name: 'inference' }, { spec: { replicas: 0 } });
    await cluster.until<V1Pod, true>({
      what: 'the pods to be gone',
      selection: { kind: 'Pod', namespace },
      check: (pods) => pods.length === bystanders || undefined,
    });
    const read = await reader().snapshot(ref, engine.needs);
    if (read.type !== 'snapshot') throw new Error(JSON.stringify(read));
    const names = read.snapshot.index.objects.Pod.map(({ metadata }) => metadata.name);
    expect(names.filter((name) => name.startsWith('inference'))).toEqual([]);
  });
});
