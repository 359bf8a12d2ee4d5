import { describe, expect, it } from 'vitest';
import { blocksOf } from '#src/doctor/findings/waiting/block.js';
import { type RolloutCycle, rolloutCycleOf } from '#src/doctor/findings/waiting/rollout-cycle.js';
import type { Pod } from '#src/engine/objects/pod.js';
import type { Deployment } from '#src/engine/objects/workload.js';
import { names, node } from '../../../../support/placement-builders.js';
import {
  buildDeployment,
  buildExamination,
  buildReplicaSet,
  type Fields,
  foreignPod,
  type OwnedShape,
  ownedPod,
} from './build.js';

const gpu = { requests: { 'nvidia.com/gpu': '1' } };
const pool = (name: string) => ({ ...gpu, spec: { nodeSelector: { pool: name } } });

const replicaSet = (owner: string, revision: number) =>
  buildReplicaSet({
    revision,
    replicas: 1,
    available: revision === 1 ? 1 : 0,
    name: `${owner}-${revision}`,
    metadata: {
      ownerReferences: [{ kind: 'Deployment', name: owner, uid: `${owner}-uid`, controller: true }],
    },
  });

function deployment(name: string, fields: Parameters<typeof buildDeployment>[0] = {}, namespace = 'shop') {
  const base = buildDeployment({ maxSurge: 1, maxUnavailable: 0, ...fields });
  return { ...base, metadata: { ...base.metadata, name, namespace, uid: `${name}-uid` } };
}

interface Other {
  readonly deployment?: readonly Deployment[];
  /** The pending pod of the other rollout. */
  readonly waiting?: readonly Pod[];
  readonly holding?: readonly Pod[];
  readonly replicaSets?: Fields['ReplicaSet'];
  readonly own?: Parameters<typeof buildDeployment>[0];
}

const waits = (shape: OwnedShape = {}) => ownedPod('api-new', 2, { ...pool('a'), ...shape }, 'api');

/** `web` waits for pool b, where `api` holds the GPU, and `api` for pool a, where `web` does. */
function cycle(other: Other = {}): RolloutCycle | undefined {
  const examination = buildExamination({
    workload: deployment('web', other.own),
    Node: ['a', 'b'].map((name) =>
      node(`n-${name}`, { labels: { pool: name }, allocatable: { 'nvidia.com/gpu': '1' } }),
    ),
    ReplicaSet: [
      ...[1, 2].map((revision) => replicaSet('web', revision)),
      ...(other.replicaSets ?? [1, 2].map((revision) => replicaSet('api', revision))),
    ],
    Deployment: other.deployment ?? [deployment('api')],
    Pod: [
      ownedPod('web-old', 1, { on: 'n-a', ...gpu }),
      ownedPod('web-new', 2, pool('b')),
      ...(other.holding ?? [ownedPod('api-old', 1, { on: 'n-b', ...gpu }, 'api')]),
      ...(other.waiting ?? [waits()]),
    ],
  });
  const [block] = blocksOf(examination);
  if (block?.why.kind !== 'held' || block.why.holding === undefined) throw new Error('it should be held');
  return rolloutCycleOf(examination, block, block.why.holding);
}

describe('two rollouts that each hold what the other waits for', () => {
  it('are a wait cycle, proven when both were read', () => {
    const [own, api, ...more] = cycle()?.members ?? [];

    expect(more).toEqual([]);
    expect(cycle()?.unread).toEqual([]);
    expect(api).toMatchObject({ owner: { kind: 'Deployment', name: 'api' }, node: 'n-a' });
    expect(own).toMatchObject({ owner: { kind: 'Deployment', name: 'web' }, node: 'n-b' });
    expect(api?.waiting.metadata.name).toBe('api-new');
    expect(names(api?.holds ?? [])).toEqual(['api-old']);
    expect(names(own?.holds ?? [])).toEqual(['web-old']);
  });

  it.each<readonly [string, Other]>([
    ['without the other Deployment', { deployment: [] }],
    ['without its ReplicaSets', { replicaSets: [] }],
    [
      'with a Deployment of that name in another namespace only',
      { deployment: [deployment('api', {}, 'pay')] },
    ],
  ])('are an unproven wait cycle %s', (_, other) => {
    expect(cycle(other)).toMatchObject({ members: [{}, { owner: { name: 'api' } }], unread: ['shop/api'] });
  });

  it.each<readonly [string, Other]>([
    ['when the other rollout has no pending pod', { waiting: [] }],
    ['when its waiting pod has ended', { waiting: [waits({ phase: 'Failed' })] }],
    [
      'when the scheduler has not refused that pod yet',
      { waiting: [{ ...waits(), status: { ...waits().status, conditions: [] } }] },
    ],
    [
      'when the waiting pod is of the revision that holds',
      { waiting: [ownedPod('api-twin', 1, pool('a'), 'api')] },
    ],
    [
      'when the pod that waits is of a third workload',
      { waiting: [ownedPod('cart-new', 2, pool('a'), 'cart')] },
    ],
    [
      'when the other pod belongs to a namesake in another namespace',
      { waiting: [waits({ namespace: 'pay' })] },
    ],
    ['when its pod fits elsewhere', { waiting: [waits({ requests: {} })] }],
    [
      'when stopping our pod would not help it',
      { waiting: [waits({ requests: { 'nvidia.com/gpu': '2' } })] },
    ],
    ['when the other rollout is paused', { deployment: [deployment('api', { paused: true })] }],
    [
      'when the other rollout may still stop its old pod',
      { deployment: [deployment('api', { maxUnavailable: 1 })] },
    ],
    [
      'when the other workload is no Deployment',
      { holding: [foreignPod('api-0', 'StatefulSet', 'api', { on: 'n-b', ...gpu })] },
    ],
    ['when our own rollout is paused', { own: { paused: true } }],
    ['when our own rollout may still take our old pod', { own: { maxUnavailable: 1 } }],
  ])('are no wait cycle %s', (_, other) => {
    expect(cycle(other)).toBeUndefined();
  });
});
