import type { V1Deployment, V1Pod } from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Cluster, startCluster } from './harness/cluster.js';
import { rollOut, untilRolledOut, untilUnschedulable, update } from './incidents/rolling.js';

describe('a real control plane', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(async () => {
    await cluster?.stop();
  });

  it('deadlocks a Deployment on the only GPU until its strategy changes', async () => {
    const namespace = await cluster.createNamespace('shop');
    await cluster.createNodes({ name: 'gpu-a', allocatable: { 'nvidia.com/gpu': '1' } }, { name: 'cpu-a' });
    const [old] = await rollOut(cluster, {
      namespace,
      name: 'inference',
      requests: { 'nvidia.com/gpu': '1' },
    });
    expect(old).toBeDefined();
    await update(cluster, namespace, 'inference');
    const { blocked, messages } = await untilUnschedulable(
      cluster,
      namespace,
      'inference',
      [old ?? ''],
      ['Insufficient nvidia.com/gpu'],
    );
    expect(messages).toHaveLength(1);
    expect(messages[0]).toMatch(/^0\/2 nodes are available: 2 Insufficient nvidia\.com\/gpu\./);
    expect(messages[0]).toContain('1 No preemption victims found for incoming pod');
    expect(messages[0]).toContain('1 Preemption is not helpful for scheduling');

    const stuck = await cluster.until<V1Deployment, V1Deployment>({
      what: 'the Deployment to count its new pod',
      selection: { kind: 'Deployment', namespace },
      check: (all) => all.find((one) => one.status?.updatedReplicas === 1 && one.status.replicas === 2),
    });
    const conditions = stuck.status?.conditions?.map(({ type, status, reason }) => ({
      type,
      status,
      reason,
    }));
    // Which reason the controller notes last depends on the order of its syncs.
    const progressing = expect.stringMatching(/^(?:NewReplicaSetCreated|ReplicaSetUpdated)$/);
    expect(conditions).toEqual(
      expect.arrayContaining([
        { type: 'Available', status: 'True', reason: 'MinimumReplicasAvailable' },
        { type: 'Progressing', status: 'True', reason: progressing },
      ]),
    );
    expect(stuck.status).toMatchObject({
      replicas: 2,
      readyReplicas: 1,
      updatedReplicas: 1,
      unavailableReplicas: 1,
    });
    const holder = await cluster.read<V1Pod>({ kind: 'Pod', namespace, name: old ?? '' });
    expect(holder.status?.conditions?.find((one) => one.type === 'Ready')?.status).toBe('True');

    await cluster.patch(
      { kind: 'Deployment', namespace, name: 'inference' },
      { spec: { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } } },
    );
    await untilRolledOut(cluster, namespace, 'inference');
    const freed = await cluster.read<V1Pod>({ kind: 'Pod', namespace, name: blocked[0] ?? '' });
    expect(freed.spec?.nodeName).toBe('gpu-a');
  });
});
