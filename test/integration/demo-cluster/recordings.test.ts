import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../demo/cluster/api-object.js';
import type { JsonObject } from '../../../demo/cluster/json.js';
import { listAt, numberAt, setAt } from '../../../demo/cluster/json.js';
import {
  createLocalCluster,
  type LocalCluster,
  type LocalClusterOptions,
} from '../../../demo/cluster/local-cluster.js';
import { readRecording } from '../../../demo/cluster/recording/read-recording.js';
import { updateObject } from '../../../demo/cluster/registry/update-object.js';
import { requireResourceType } from '../../../demo/cluster/resources/resource-types.js';
import { seedInference } from '../../../demo/cluster/seed/inference-gpu.js';

const folder = fileURLToPath(new URL('../../scenarios/', import.meta.url));
/**
 * Recorded when the whole control plane was idle. Others are moments of a story: something there is about to
 * happen, or was composed of parts that no controller has seen together.
 */
const atRest = [
  'all-nodes-cordoned',
  'anti-affinity-three-on-three',
  'app-crash-with-log',
  'autoscaler-at-work',
  'config-key-missing',
  'cpu-millis',
  'crash-after-rollout',
  'crash-on-node-intermittent',
  'crash-on-one-node',
  'crash-two-daemonsets-same-node',
  'deadlock-before-the-alert',
  'foreign-host-port',
  'four-replicas-stall',
  'gpu-nowhere',
  'gpu-one-node',
  'healthy-mid-rollout',
  'host-port',
  'image-tag-missing',
  'init-crash',
  'kubelet-rejected',
  'liveness-kill',
  'local-volume-cpu',
  'memory-full-of-itself',
  'min-ready-seconds',
  'more-replicas-than-nodes',
  'mount-configmap-missing',
  'oom-limit',
  'operator-owned',
  'quota-first-rollout',
  'quota-memory-three-replicas',
  'readiness-lease',
  'rwo-volume-attached-elsewhere',
  'scale-up-without-capacity',
  'scheduling-gate',
  'selector-to-node-without-gpu',
  'spread-counts-tainted-nodes',
  'topology-spread',
  'volume-elsewhere',
];

async function recorded(name: string, options: LocalClusterOptions = {}): Promise<LocalCluster> {
  const { takenAt } = await readRecording(`${folder}${name}`);
  const cluster = await createLocalCluster({
    ...(takenAt === undefined ? {} : { startAt: takenAt }),
    ...options,
  });
  await cluster.loadRecording(`${folder}${name}`);
  return cluster;
}

/** The first Deployment of namespace `shop`. */
function workload(cluster: LocalCluster): ApiObject {
  const [first] = cluster.list('apps/v1', 'Deployment', 'shop');
  if (first === undefined) throw new Error('the recording holds no Deployment');
  return first;
}

function setStrategy(cluster: LocalCluster, deployment: ApiObject, strategy: JsonObject): void {
  const { namespace = '', name } = deployment.metadata;
  const change = (object: ApiObject): JsonObject => {
    const changed: JsonObject = structuredClone(object);
    setAt(changed, ['spec', 'strategy'], strategy);
    return changed;
  };
  updateObject(cluster.registry, requireResourceType('apps', 'deployments'), namespace, name, change, {
    manager: 'rollout-doctor',
    user: 'admin',
    dryRun: false,
    subresource: '',
    replaces: false,
  });
}

const oldFirst = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } };

describe('a recorded incident', () => {
  it.each(atRest)('%s does not change after it is loaded', async (name) => {
    const cluster = await recorded(name);
    const { store } = cluster.registry;
    const loaded = store.revision;
    cluster.settle();
    cluster.advanceTo(cluster.clock.now() + 2_000);
    const written = store
      .changesSince(loaded)
      .filter(({ object }) => object.kind !== 'ServiceAccount')
      .map(({ type, key, object }) => `${type} ${object.kind} ${key}`);
    await cluster.close();
    expect(written).toEqual([]);
  });

  it.each([
    'anti-affinity-three-on-three',
    'cpu-millis',
    'deadlock-before-the-alert',
    'gpu-one-node',
    'host-port',
    'local-volume-cpu',
    'memory-full-of-itself',
    'operator-owned',
    'quota-memory-three-replicas',
    'rwo-volume-attached-elsewhere',
    'topology-spread',
  ])('%s completes its rollout when the old pod may stop first', async (name) => {
    const cluster = await recorded(name);
    const deployment = workload(cluster);
    setStrategy(cluster, deployment, oldFirst);
    cluster.advanceTo(cluster.clock.now() + 60_000);
    const { namespace = '', name: deploymentName } = deployment.metadata;
    const after = cluster.find('apps/v1', 'Deployment', namespace, deploymentName);
    await cluster.close();
    const replicas = numberAt(after, 'spec', 'replicas');
    expect(after?.status).toMatchObject({ replicas, updatedReplicas: replicas, availableReplicas: replicas });
    expect(listAt(after, 'status', 'conditions').find(({ type }) => type === 'Progressing')).toMatchObject({
      reason: 'NewReplicaSetAvailable',
    });
  });

  it('with a pod that waits for a lease completes its rollout when the pod is adopted and the lease holder is deleted', async () => {
    const cluster = await recorded('readiness-lease', {
      kubelet: { adopts: (_pod, { objects }) => objects.Pod.length === 1 },
    });
    const deployment = workload(cluster);
    setStrategy(cluster, deployment, oldFirst);
    cluster.advanceTo(cluster.clock.now() + 60_000);
    const after = cluster.find('apps/v1', 'Deployment', 'shop', deployment.metadata.name);
    await cluster.close();
    expect(after?.status).toMatchObject({ replicas: 1, updatedReplicas: 1, availableReplicas: 1 });
  });

  it('keeps the ages that its objects had at the recording', async () => {
    const at = Date.parse('2030-01-01T00:00:00Z');
    const cluster = await createLocalCluster({ startAt: at });
    await cluster.loadRecording(`${folder}gpu-one-node`);
    const { takenAt = 0, objects } = await readRecording(`${folder}gpu-one-node`);
    const [recordedDeployment] = objects.filter(
      ({ kind }) => kind === 'Deployment',
    ) as unknown as ApiObject[];
    const loaded = workload(cluster);
    await cluster.close();
    const ageOf = (object: ApiObject | undefined, now: number) =>
      now - Date.parse(object?.metadata.creationTimestamp ?? '');
    expect(ageOf(loaded, at)).toBe(ageOf(recordedDeployment, takenAt));
    expect(loaded.metadata.uid).toBe(recordedDeployment?.metadata.uid);
  });
});

describe('the seeded incident', () => {
  const now = Date.parse('2026-11-20T09:30:00Z');

  async function seeded(): Promise<LocalCluster> {
    const cluster = await createLocalCluster({ startAt: now });
    await seedInference(cluster);
    return cluster;
  }

  it('is a surge deadlock 25 minutes old behind a pod three days old', async () => {
    const cluster = await seeded();
    const deployment = cluster.find('apps/v1', 'Deployment', 'ml', 'inference');
    const pods = cluster.list('v1', 'Pod', 'ml');
    await cluster.close();
    expect(deployment?.status).toMatchObject({
      replicas: 2,
      updatedReplicas: 1,
      availableReplicas: 1,
      unavailableReplicas: 1,
    });
    expect(listAt(deployment, 'status', 'conditions')).toMatchObject([
      { type: 'Available', status: 'True' },
      {
        type: 'Progressing',
        status: 'False',
        reason: 'ProgressDeadlineExceeded',
        lastUpdateTime: '2026-11-20T09:15:01Z',
      },
    ]);
    const ages = pods
      .map(({ metadata }) => now - Date.parse(metadata.creationTimestamp))
      .sort((a, b) => a - b);
    expect(ages).toEqual([25 * 60_000, 3 * 24 * 60 * 60_000]);
  });

  it('has the same pods each time', async () => {
    const clusters = [await seeded(), await seeded()];
    const dumps = clusters.map((cluster) =>
      cluster
        .list('v1', 'Pod', 'ml')
        .map(({ metadata, spec, status }) => ({ name: metadata.name, uid: metadata.uid, spec, status })),
    );
    for (const cluster of clusters) await cluster.close();
    expect(dumps[0]).toEqual(dumps[1]);
  });

  it('does not change without a write', async () => {
    const cluster = await seeded();
    const { store } = cluster.registry;
    const before = store.revision;
    cluster.advanceTo(now + 60_000);
    const written = store.revision - before;
    await cluster.close();
    expect(written).toBe(0);
  });
});
