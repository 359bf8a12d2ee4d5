import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fullSight } from '#src/doctor/policy/view.js';
import { connectClusters } from '#src/edges/kubernetes/cluster-connection.js';
import { createClusterNames } from '#src/edges/kubernetes/cluster-names.js';
import { createWorkloadLocator } from '#src/edges/kubernetes/locate-workloads.js';
import type { WorkloadLocator } from '#src/service/alerts/alert-ports.js';
import { createLocalCluster, type LocalCluster } from '../../../demo/cluster/local-cluster.js';

const scenarios = join(import.meta.dirname, '../../scenarios');
const timeoutMs = 20_000;

describe('the workload of an alert', () => {
  let folder: string;
  let cluster: LocalCluster;
  let locator: WorkloadLocator;
  let inference: {
    readonly cluster: string;
    readonly kind: string;
    readonly namespace: string;
    readonly name: string;
  };
  let waiting: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rollout-doctor-locate-'));
    cluster = await createLocalCluster();
    await cluster.loadRecording(join(scenarios, 'gpu-one-node'));
    const path = join(folder, 'kubeconfig');
    await writeFile(path, cluster.kubeconfig());
    const names = connectClusters({ kubeconfig: path, contexts: [] }).map(createClusterNames);
    locator = createWorkloadLocator({ clusters: () => names, timeoutMs });
    const [name = ''] = locator.clusters;
    inference = { cluster: name, kind: 'Deployment', namespace: 'shop', name: 'inference' };
    const pods = cluster.list('v1', 'Pod', 'shop') as unknown as readonly {
      readonly metadata: { readonly name: string };
      readonly spec: { readonly nodeName?: string };
    }[];
    waiting = pods.find(({ spec }) => spec.nodeName === undefined)?.metadata.name ?? '';
  });

  afterAll(async () => {
    await cluster.close();
    await rm(folder, { recursive: true, force: true });
  });

  const workloads = async (asked: ReturnType<WorkloadLocator['named']>) => {
    const found = await asked;
    return found.type === 'located' ? found.workloads : found;
  };

  it('is found by its name, with and without its namespace, and not in another one', async () => {
    expect(await workloads(locator.named([{ namespace: 'shop', name: 'inference' }], fullSight))).toEqual([
      inference,
    ]);
    expect(await workloads(locator.named([{ kind: 'Deployment', name: 'inference' }], fullSight))).toEqual([
      inference,
    ]);
    expect(await workloads(locator.named([{ kind: 'StatefulSet', name: 'inference' }], fullSight))).toEqual(
      [],
    );
    expect(await workloads(locator.named([{ namespace: 'other', name: 'inference' }], fullSight))).toEqual(
      [],
    );
    expect(await workloads(locator.named([{ cluster: 'other', name: 'inference' }], fullSight))).toEqual([]);
  });

  it('is the Deployment that owns the ReplicaSet of a pod', async () => {
    expect(waiting).not.toBe('');
    expect(await workloads(locator.ownerOf({ namespace: 'shop', name: waiting }, fullSight))).toEqual([
      inference,
    ]);
    expect(await workloads(locator.ownerOf({ name: waiting }, fullSight))).toEqual([inference]);
  });

  it('is derived from the name of a deleted pod, if it exists', async () => {
    expect(
      await workloads(locator.ownerOf({ namespace: 'shop', name: 'inference-6d4b75cb6d-hwx2z' }, fullSight)),
    ).toEqual([inference]);
    expect(
      await workloads(locator.ownerOf({ namespace: 'shop', name: 'gone-6d4b75cb6d-hwx2z' }, fullSight)),
    ).toEqual([]);
  });

  it('is found by a namespace in which one of its pods is not ready', async () => {
    expect(await workloads(locator.sufferingIn({ namespace: 'shop' }, fullSight))).toEqual([inference]);
    expect(await workloads(locator.sufferingOn({ node: 'no-such-node' }, fullSight))).toEqual([]);
  });

  it('is absent for a pod without a rollout, and the owner is returned', async () => {
    cluster.create([
      {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'alone', namespace: 'shop' },
        spec: { containers: [{ name: 'c', image: 'i' }] },
      },
    ]);
    const found = await locator.ownerOf({ namespace: 'shop', name: 'alone' }, fullSight);

    expect(found).toMatchObject({ type: 'located', workloads: [], others: [{ kind: 'Pod', name: 'alone' }] });
  });

  it('is unreadable while the cluster does not answer', async () => {
    await cluster.refuse();
    const found = await locator.ownerOf({ namespace: 'shop', name: waiting }, fullSight);
    await cluster.accept();

    expect(found.type).toBe('unreadable');
  });
});
