import { describe, expect, it } from 'vitest';
import { type JsonObject, listAt, numberAt, textAt, valueAt } from '../../../../../demo/cluster/json.js';
import { applyMergePatch } from '../../../../../demo/cluster/patch/merge-patch.js';
import { deployment } from '../builders.js';
import {
  conditions,
  count,
  imageOf,
  type LiveCluster,
  liveCluster,
  node,
  withImage,
} from './live-cluster.js';

const gpu: JsonObject = {
  containers: [{ name: 'app', image: 'x:1', resources: { limits: { 'nvidia.com/gpu': '1' } } }],
};
const merge = (body: JsonObject) => (object: JsonObject) => applyMergePatch(object, body);

function web(cluster: LiveCluster) {
  return cluster.find('apps/v1', 'Deployment', 'web');
}

function rolledOut(spec: JsonObject, podSpec: JsonObject = {}): LiveCluster {
  const cluster = liveCluster();
  cluster.state.load([node('n-1', { 'nvidia.com/gpu': '1' }), node('n-2')]);
  cluster.apply(deployment(spec, podSpec));
  cluster.pass(10);
  return cluster;
}

describe('a Deployment', () => {
  it('rolls out, and reports it in status, conditions, revision and Events', () => {
    const cluster = rolledOut({ replicas: 2 });
    const found = web(cluster);
    expect(found?.status).toMatchObject({
      observedGeneration: 1,
      replicas: 2,
      readyReplicas: 2,
      availableReplicas: 2,
      updatedReplicas: 2,
    });
    expect(conditions(found)).toEqual([
      'Available=True MinimumReplicasAvailable',
      'Progressing=True NewReplicaSetAvailable',
    ]);
    expect(found?.metadata.annotations?.['deployment.kubernetes.io/revision']).toBe('1');
    const [replicaSet] = cluster.list('apps/v1', 'ReplicaSet');
    const name = replicaSet?.metadata.name ?? '';
    const hash = replicaSet?.metadata.labels?.['pod-template-hash'];
    expect(name).toBe(`web-${hash}`);
    expect(valueAt(replicaSet, 'spec', 'selector', 'matchLabels')).toEqual({
      app: 'web',
      'pod-template-hash': hash,
    });
    expect(listAt(found, 'status', 'conditions').at(-1)?.message).toBe(
      `ReplicaSet "${name}" has successfully progressed.`,
    );
    expect(cluster.events('ScalingReplicaSet')).toEqual([
      `ScalingReplicaSet: Scaled up replica set ${name} from 0 to 2`,
    ]);
    expect(cluster.events('SuccessfulCreate')).toHaveLength(2);
  });

  it('never falls below its minimum while its image changes', () => {
    const cluster = rolledOut({ replicas: 4 });
    const found = web(cluster);
    if (found !== undefined) cluster.change(found, withImage('registry.example/web:2'));
    let lowest = 4;
    for (let second = 0; second < 60; second += 1) {
      cluster.pass(1);
      lowest = Math.min(lowest, count(web(cluster), 'availableReplicas'));
    }
    expect(lowest).toBe(3);
    expect(web(cluster)?.status).toMatchObject({ updatedReplicas: 4, availableReplicas: 4, replicas: 4 });
    expect(cluster.list('v1', 'Pod')).toHaveLength(4);
  });

  it('with one GPU and the default strategy deadlocks, reports why, and times out after ten minutes', () => {
    const cluster = rolledOut({ replicas: 1 }, gpu);
    const found = web(cluster);
    if (found !== undefined) cluster.change(found, withImage('x:2'));
    cluster.pass(300);
    expect(web(cluster)?.status).toMatchObject({
      replicas: 2,
      updatedReplicas: 1,
      availableReplicas: 1,
      unavailableReplicas: 1,
    });
    const pending = cluster.list('v1', 'Pod').find((pod) => valueAt(pod, 'status', 'phase') === 'Pending');
    expect(listAt(pending, 'status', 'conditions')).toMatchObject([
      {
        type: 'PodScheduled',
        status: 'False',
        reason: 'Unschedulable',
        message:
          '0/2 nodes are available: 2 Insufficient nvidia.com/gpu. no new claims to deallocate, preemption: 0/2 nodes are available: 1 No preemption victims found for incoming pod, 1 Preemption is not helpful for scheduling.',
      },
    ]);
    expect(conditions(web(cluster))).toContain('Progressing=True ReplicaSetUpdated');
    cluster.pass(310);
    expect(conditions(web(cluster))).toContain('Progressing=False ProgressDeadlineExceeded');
  });

  it.each<readonly [string, JsonObject]>([
    ['maxSurge 0, maxUnavailable 1', { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } }],
    ['Recreate', { type: 'Recreate', rollingUpdate: null }],
  ])('in that deadlock completes its rollout with %s', (_sentence, strategy) => {
    const cluster = rolledOut({ replicas: 1 }, gpu);
    const found = web(cluster);
    if (found !== undefined) cluster.change(found, withImage('x:2'));
    cluster.pass(700);
    if (found !== undefined) cluster.change(found, merge({ spec: { strategy } }));
    cluster.pass(30);
    expect(web(cluster)?.status).toMatchObject({ replicas: 1, updatedReplicas: 1, availableReplicas: 1 });
    expect(conditions(web(cluster))).toContain('Progressing=True NewReplicaSetAvailable');
    expect(cluster.pods()).toEqual([expect.stringMatching(/^web-\S+ Ready n-1$/)]);
  });

  it('rolls back to an earlier template with its old ReplicaSet and a new revision', () => {
    const cluster = rolledOut({ replicas: 1 });
    const found = web(cluster);
    if (found !== undefined) {
      cluster.change(found, withImage('registry.example/web:2'));
      cluster.pass(20);
      cluster.change(found, withImage('registry.example/web:1'));
      cluster.pass(20);
    }
    const revisions = cluster
      .list('apps/v1', 'ReplicaSet')
      .map((each) => [
        imageOf(each),
        each.metadata.annotations?.['deployment.kubernetes.io/revision'],
        numberAt(each, 'spec', 'replicas'),
      ]);
    expect(revisions).toHaveLength(2);
    expect(revisions).toContainEqual(['registry.example/web:1', '3', 1]);
    expect(revisions).toContainEqual(['registry.example/web:2', '2', 0]);
  });

  it('while paused scales and does not roll out', () => {
    const cluster = rolledOut({ replicas: 1 });
    const found = web(cluster);
    if (found !== undefined) {
      cluster.change(found, merge({ spec: { paused: true, replicas: 2 } }));
      cluster.change(found, withImage('registry.example/web:2'));
    }
    cluster.pass(20);
    expect(cluster.list('apps/v1', 'ReplicaSet').map(imageOf)).toEqual(['registry.example/web:1']);
    expect(count(web(cluster), 'availableReplicas')).toBe(2);
    expect(conditions(web(cluster))).toContain('Progressing=Unknown DeploymentPaused');
  });

  it('counts a pod as available only after minReadySeconds', () => {
    const cluster = rolledOut({ replicas: 1, minReadySeconds: 60 });
    expect(web(cluster)?.status).toMatchObject({ readyReplicas: 1, unavailableReplicas: 1 });
    cluster.pass(60);
    expect(count(web(cluster), 'availableReplicas')).toBe(1);
  });
});

describe('a ReplicaSet that exceeds a quota', () => {
  const needy: JsonObject = {
    containers: [{ name: 'app', image: 'x:1', resources: { requests: { memory: '1Gi' } } }],
  };

  function stuck(): LiveCluster {
    const cluster = liveCluster();
    cluster.state.load([node('n-1')]);
    cluster.apply({
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'team' },
      spec: { hard: { 'requests.memory': '1Gi' } },
    });
    cluster.apply(deployment({ replicas: 2 }, needy));
    cluster.pass(5);
    return cluster;
  }

  it('reports on itself, on its Deployment and in an Event why a pod is not created', () => {
    const cluster = stuck();
    const [replicaSet] = cluster.list('apps/v1', 'ReplicaSet');
    const refusal =
      /^pods "web-\S+" is forbidden: exceeded quota: team, requested: requests.memory=1Gi, used: requests.memory=1Gi, limited: requests.memory=1Gi$/;
    expect(conditions(replicaSet)).toEqual(['ReplicaFailure=True FailedCreate']);
    expect(textAt(listAt(replicaSet, 'status', 'conditions')[0], 'message')).toMatch(refusal);
    expect(conditions(web(cluster))).toContain('ReplicaFailure=True FailedCreate');
    expect(cluster.events('FailedCreate')[0]?.replace('FailedCreate: Error creating: ', '')).toMatch(refusal);
    expect(cluster.list('v1', 'ResourceQuota')[0]?.status).toEqual({
      hard: { 'requests.memory': '1Gi' },
      used: { 'requests.memory': '1Gi' },
    });
  });

  it('reports the refusal less and less often', () => {
    const cluster = stuck();
    const before = cluster.events('FailedCreate').length;
    cluster.pass(3600);
    const later = cluster.events('FailedCreate').length;
    expect(before).toBeLessThanOrEqual(4);
    expect(later).toBeGreaterThan(before);
    expect(later).toBeLessThan(25);
  });

  it('creates the pod as soon as the quota allows it', () => {
    const cluster = stuck();
    const quota = cluster.list('v1', 'ResourceQuota')[0];
    if (quota !== undefined) cluster.change(quota, merge({ spec: { hard: { 'requests.memory': '2Gi' } } }));
    cluster.pass(10);
    expect(count(web(cluster), 'availableReplicas')).toBe(2);
    expect(conditions(web(cluster))).not.toContain('ReplicaFailure=True FailedCreate');
  });
});
