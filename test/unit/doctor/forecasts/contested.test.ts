import { describe, expect, it } from 'vitest';
import { type ClusterObjects, schemas } from '#src/engine/objects/cluster-objects.js';
import { node, pod } from '../../../support/placement-builders.js';
import { check, quota, type Serving, serving } from './build.js';

const gpu = 'nvidia.com/gpu';
const limits = (count: string) => ({ resources: { limits: { [gpu]: count }, requests: { [gpu]: count } } });
const oneGpu: Serving = { on: ['n1'], container: limits('1') };
const inPlace = { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } };

const rival = (needs: string): Partial<ClusterObjects> => ({
  Pod: [pod('rival', { namespace: 'ml', requests: { [gpu]: needs } })],
});

/** A ReplicaSet of the same namespace whose pod the quota refuses. */
function refused(needs: string): Partial<ClusterObjects> {
  const quotaMessage = `pods "cache-1-x" is forbidden: exceeded quota: team, requested: requests.${gpu}=${needs}, used: requests.${gpu}=1, limited: requests.${gpu}=1`;
  const containers = [{ name: 'app', image: 'cache:1', ...limits(needs) }];
  const replicaSet = schemas.ReplicaSet.parse({
    metadata: { name: 'cache-1', namespace: 'shop', uid: 'cache-uid' },
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: 'cache' } },
      template: { metadata: {}, spec: { containers } },
    },
    status: {
      replicas: 0,
      conditions: [{ type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: quotaMessage }],
    },
  });
  return { ReplicaSet: [replicaSet] };
}

const full = { ResourceQuota: [quota({ [`requests.${gpu}`]: '1' }, { [`requests.${gpu}`]: '1' })] };
const gpus = (count: string) => ({ Node: [node('n1', { allocatable: { [gpu]: count } })] });

describe('an update that frees a resource another workload waits for', () => {
  it.each<readonly [string, readonly Partial<ClusterObjects>[], string]>([
    ['a waiting pod', [gpus('1'), rival('1')], 'ml/rival'],
    ['an owner whose pods the quota refuses', [gpus('4'), full, refused('1')], 'shop/cache-1'],
  ])('has an undetermined outcome, and names %s', (_, cluster, name) => {
    const result = check({ cluster: [serving(oneGpu), ...cluster], shape: oneGpu, spec: inPlace });

    expect(result).toMatchObject({ outcome: 'cannot-tell', confidence: undefined });
    expect(result.says.at(-1)).toBe(
      `The update completes only if none of these workloads takes the freed resources first: ${name}.`,
    );
  });

  it.each<readonly [string, readonly Partial<ClusterObjects>[]]>([
    ['the waiting pod needs more', [gpus('1'), rival('2')]],
    ['the owner needs more than the quota has', [gpus('4'), full, refused('2')]],
  ])('completes where %s', (_, cluster) => {
    const result = check({ cluster: [serving(oneGpu), ...cluster], shape: oneGpu, spec: inPlace });

    expect(result.outcome).toBe('completes');
  });

  it.each<readonly [string, readonly Partial<ClusterObjects>[], string]>([
    ['a waiting pod', [gpus('1'), rival('1')], 'ml/rival'],
    ['an owner whose pods the quota refuses', [gpus('4'), full, refused('1')], 'shop/cache-1'],
  ])('suggests no strategy that %s could turn into an outage', (_, cluster, name) => {
    const result = check({ cluster: [serving(oneGpu), ...cluster], shape: oneGpu });

    expect(result).toMatchObject({ outcome: 'deadlock', wayOut: undefined });
    expect(result.says).toContain(
      `With maxSurge: 0, maxUnavailable: 1 the update completes only if none of these workloads takes the freed resources first: ${name}.`,
    );
  });
});
