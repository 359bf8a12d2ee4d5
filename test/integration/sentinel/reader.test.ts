import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fullSight } from '#src/doctor/policy/view.js';
import type { CandidateOwner } from '#src/doctor/sentinel/candidate.js';
import { type ClusterConnection, connectClusters } from '#src/edges/kubernetes/cluster-connection.js';
import { createClusterNames } from '#src/edges/kubernetes/cluster-names.js';
import { createWorkloadLocator } from '#src/edges/kubernetes/locate-workloads.js';
import { createCandidateReader } from '#src/edges/kubernetes/sentinel/candidate-watcher.js';
import { createLocalCluster, type LocalCluster } from '../../../demo/cluster/local-cluster.js';
import { readyNode } from '../../../demo/cluster/seed/nodes.js';
import { eventually } from '../../support/eventually.js';
import { deploymentOf, rollOut } from '../../support/sentinel-rollouts.js';
import { shippedReaderRules } from '../kubernetes/shipped-reader-rules.js';

const rules = shippedReaderRules();
const withoutNamespaces = rules.map((rule) => ({
  ...rule,
  resources: rule.resources.filter((resource) => resource !== 'namespaces'),
}));
const rolled = { namespace: 'shop', name: 'web', cpu: '600m' };

let folder: string;
let cluster: LocalCluster;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rollout-doctor-candidates-'));
  cluster = await createLocalCluster({
    name: 'prod',
    namespaces: ['team'],
    users: [
      { name: 'reader', token: 'reader', rules },
      { name: 'bound', token: 'bound', rules: withoutNamespaces },
    ],
    kubelet: { usual: { startMs: 50, readyMs: 50, terminationMs: 50 } },
  });
  cluster.load([readyNode({ name: 'n-a', number: 1, cpu: '1', memory: '8Gi' }, Date.now() - 86_400_000)]);
  const annotations = { 'rollout-doctor.dev/sentinel': 'on' };
  cluster.create([
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', annotations } },
    deploymentOf(rolled),
  ]);
  await untilStatus('"readyReplicas":1');
});

afterAll(async () => {
  await cluster.close();
  await rm(folder, { recursive: true, force: true });
});

const untilStatus = (part: string): Promise<void> =>
  eventually(`the Deployment status to contain ${part}`, () =>
    JSON.stringify(cluster.find('apps/v1', 'Deployment', 'shop', 'web')?.status ?? {}).includes(part),
  );

async function connections(user: string): Promise<readonly ClusterConnection[]> {
  const path = join(folder, user);
  await writeFile(path, cluster.kubeconfig(user));
  return connectClusters({ kubeconfig: path, contexts: [] });
}

async function behind(owner: Partial<CandidateOwner>, user = 'reader') {
  const reader = createCandidateReader({ connections: await connections(user), timeoutMs: 20_000 });
  return reader.behind('prod', { kind: 'ReplicaSet', namespace: 'shop', name: '', ...owner });
}

const replicaSet = () => cluster.list('apps/v1', 'ReplicaSet', 'shop')[0]?.metadata.name ?? '';
const pod = () => cluster.list('v1', 'Pod', 'shop')[0]?.metadata.name ?? '';
const workload = { cluster: 'prod', kind: 'Deployment', namespace: 'shop', name: 'web' };

describe('the workload of a candidate, read with the shipped rights,', () => {
  it('is the Deployment that owns its ReplicaSet, with its annotations and no old pods', async () => {
    const found = await behind({ name: replicaSet() });

    expect(found).toMatchObject({
      type: 'workload',
      workload,
      oldPods: 'none',
      annotated: { namespace: { 'rollout-doctor.dev/sentinel': 'on' } },
    });
  });

  it('is the Deployment that owns the ReplicaSet of its pod', async () => {
    expect(await behind({ kind: 'Pod', name: pod() })).toMatchObject({ type: 'workload', workload });
  });

  it('is absent when the pod, the ReplicaSet or the DaemonSet is deleted', async () => {
    for (const kind of ['Pod', 'ReplicaSet', 'DaemonSet'] as const) {
      expect(await behind({ kind, name: 'gone' })).toEqual({ type: 'nothing' });
    }
  });

  it('has no Namespace annotations when Namespaces may not be read', async () => {
    const found = await behind({ name: replicaSet() }, 'bound');

    expect(found).toMatchObject({ type: 'workload', annotated: { namespace: {} } });
  });

  it('is unreadable while the cluster does not answer', async () => {
    const name = replicaSet();
    await cluster.refuse();
    expect(await behind({ name })).toMatchObject({ type: 'unreadable', because: 'unavailable' });
    await cluster.accept();
  });

  it('is also found for an alert about the pod', async () => {
    const names = (await connections('reader')).map(createClusterNames);
    const locator = createWorkloadLocator({ clusters: () => names, timeoutMs: 20_000 });

    expect(await locator.ownerOf({ namespace: 'shop', name: pod() }, fullSight)).toMatchObject({
      workloads: [workload],
    });
  });

  it('has old pods when a second revision is rolling out', async () => {
    await rollOut(cluster, rolled);
    await untilStatus('"updatedReplicas":1,"readyReplicas":1');
    await eventually('the reader to find old pods', async () => {
      const found = await behind({ name: replicaSet() });
      return found.type === 'workload' && found.oldPods === 'some';
    });
  });
});
