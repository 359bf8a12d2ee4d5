import { describe, expect, it } from 'vitest';
import {
  isEveryPoolShut,
  nodePoolAdmissions,
} from '#src/doctor/findings/waiting/node-groups-that-may-grow.js';
import { indexObjects } from '#src/engine/objects/cluster-index.js';
import { clusterObjects } from '#src/engine/objects/cluster-objects.js';
import { NodeClaim, NodePool } from '#src/engine/objects/policy.js';
import type { Unseen } from '#src/engine/objects/snapshot.js';
import { pod, type SpecWire } from '../../../../support/placement-builders.js';
import { buildDeployment } from '../../../../support/rollout-builders.js';

const waiting = (spec: SpecWire = {}) =>
  pod('web-2', { requests: { 'nvidia.com/gpu': '1', cpu: '2' }, spec });

interface PoolFields {
  readonly name?: string;
  readonly limits?: Readonly<Record<string, string>>;
  readonly used?: Readonly<Record<string, string>>;
  readonly ready?: string;
  readonly replicas?: number;
  readonly deleted?: boolean;
  readonly requirements?: readonly object[];
  readonly taints?: readonly object[];
  readonly labels?: Readonly<Record<string, string>>;
}

const pool = (fields: PoolFields = {}) =>
  NodePool.parse({
    metadata: {
      name: fields.name ?? 'gpu',
      ...(fields.deleted ? { deletionTimestamp: '2026-11-20T09:00:00Z' } : {}),
    },
    spec: {
      limits: fields.limits,
      replicas: fields.replicas,
      template: {
        metadata: { labels: fields.labels },
        spec: { requirements: fields.requirements, taints: fields.taints },
      },
    },
    status: {
      resources: fields.used,
      conditions: [{ type: 'Ready', status: fields.ready ?? 'True', reason: 'NodeClassReadyFalse' }],
    },
  });

const snapshot = (
  pools: readonly NodePool[],
  claims: readonly NodeClaim[] = [],
  unseen: readonly Unseen[] = [],
) => ({
  index: indexObjects(clusterObjects({ NodePool: pools, NodeClaim: claims })),
  workload: buildDeployment(),
  unseen,
});

describe('the door of a NodePool', () => {
  it.each<[string, PoolFields, object]>([
    ['has no limit', {}, { state: 'open' }],
    [
      'has exactly as much left as the pod requests',
      { limits: { 'nvidia.com/gpu': '8' }, used: { 'nvidia.com/gpu': '7' } },
      { state: 'open' },
    ],
    [
      'has less left than the pod requests',
      { limits: { 'nvidia.com/gpu': '8' }, used: { 'nvidia.com/gpu': '8' } },
      {
        state: 'shut',
        because: { kind: 'limit', resource: 'nvidia.com/gpu', limit: '8', left: '0', needed: '9' },
      },
    ],
    [
      'has less cpu left than the pod requests, in thousandths',
      { limits: { cpu: '10' }, used: { cpu: '8001m' } },
      {
        state: 'shut',
        because: { kind: 'limit', resource: 'cpu', limit: '10', left: '1999m', needed: '10001m' },
      },
    ],
    [
      'is beyond its limit',
      { limits: { cpu: '4' }, used: { cpu: '16' } },
      { state: 'shut', because: { left: '0' } },
    ],
    [
      'has no memory left, of which every node has some',
      { limits: { memory: '64Gi' }, used: { memory: '64Gi' } },
      { state: 'shut', because: { resource: 'memory' } },
    ],
    [
      'has no other device left, which a node for this pod need not have',
      { limits: { 'amd.com/gpu': '4' }, used: { 'amd.com/gpu': '4' } },
      { state: 'open' },
    ],
    ['may have no further node', { limits: { nodes: '3' }, used: { nodes: '3' } }, { state: 'shut' }],
    ['may have one more node', { limits: { nodes: '3' }, used: { nodes: '2' } }, { state: 'open' }],
    ['reports no usage yet', { limits: { cpu: '10' } }, { state: 'open' }],
    ['is not ready', { ready: 'False' }, { state: 'shut', because: { kind: 'not-ready' } }],
    ['has an unknown readiness', { ready: 'Unknown' }, { state: 'open' }],
    ['is static', { replicas: 0 }, { state: 'shut', because: { kind: 'static' } }],
    ['is being deleted', { deleted: true }, { state: 'shut', because: { kind: 'being-deleted' } }],
  ])('of a pool that %s', (_name, fields, expected) => {
    expect(nodePoolAdmissions(snapshot([pool(fields)]), waiting())).toMatchObject([
      { pool: 'gpu', ...expected },
    ]);
  });

  const zone = (operator: string, ...values: string[]) => ({ key: 'zone', operator, values });
  it.each<[string, PoolFields, SpecWire, boolean]>([
    [
      'whose requirement allows the selected label',
      { requirements: [zone('In', 'a', 'b')] },
      { nodeSelector: { zone: 'a' } },
      true,
    ],
    [
      'whose requirement excludes the selected label',
      { requirements: [zone('In', 'b')] },
      { nodeSelector: { zone: 'a' } },
      false,
    ],
    ['whose label differs', { labels: { zone: 'b' } }, { nodeSelector: { zone: 'a' } }, false],
    ['without a requirement for the label', {}, { nodeSelector: { zone: 'a' } }, true],
    ['that the pod selects by name', {}, { nodeSelector: { 'karpenter.sh/nodepool': 'gpu' } }, true],
    [
      'that is not the one that the pod selects by name',
      {},
      { nodeSelector: { 'karpenter.sh/nodepool': 'cpu' } },
      false,
    ],
    [
      'with a taint that the pod does not tolerate',
      { taints: [{ key: 'gpu', effect: 'NoSchedule' }] },
      {},
      false,
    ],
    [
      'with a mere preference against pods',
      { taints: [{ key: 'gpu', effect: 'PreferNoSchedule' }] },
      {},
      true,
    ],
    [
      'with a taint that the pod tolerates',
      { taints: [{ key: 'gpu', effect: 'NoSchedule' }] },
      { tolerations: [{ key: 'gpu', operator: 'Exists' }] },
      true,
    ],
  ])('a pool %s', (_name, fields, podFields, admits) => {
    expect(nodePoolAdmissions(snapshot([pool(fields)]), waiting(podFields))).toHaveLength(admits ? 1 : 0);
  });

  type Requirement = ReturnType<typeof zone>;
  const term = (...matchExpressions: Requirement[]) => ({ matchExpressions });
  it.each<[string, ReturnType<typeof term>[], boolean]>([
    ['one of the terms', [term(zone('In', 'b')), term(zone('In', 'a'))], true],
    ['none of the terms', [term(zone('In', 'b')), term(zone('NotIn', 'a'))], false],
    ['a term that requires the label to be absent', [term(zone('DoesNotExist'))], false],
  ])('considers required node affinity: %s', (_name, terms, admits) => {
    const required = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } };
    const admissions = nodePoolAdmissions(
      snapshot([pool({ requirements: [zone('In', 'a')] })]),
      waiting({ affinity: { nodeAffinity: required } }),
    );
    expect(admissions).toHaveLength(admits ? 1 : 0);
  });
});

const claim = (reached: readonly string[] = [], deletionTimestamp?: string) =>
  NodeClaim.parse({
    metadata: { name: 'gpu-1', labels: { 'karpenter.sh/nodepool': 'gpu' }, deletionTimestamp },
    status: { conditions: reached.map((type) => ({ type, status: 'True', reason: type })) },
  });
const leaving = claim([], '2026-11-20T09:00:00Z');
const joined = claim(['Launched', 'Registered', 'Initialized']);

/** karpenter `controllers/static/provisioning/controller.go: Reconcile`. */
describe('a static NodePool', () => {
  it.each<[string, PoolFields, readonly NodeClaim[], object]>([
    ['has all its nodes', { replicas: 1 }, [joined], { state: 'shut', because: { kind: 'static' } }],
    ['has one node too few', { replicas: 2 }, [joined], { state: 'changing', because: 'below-replicas' }],
    ['loses a node', { replicas: 1 }, [leaving], { state: 'changing', because: 'below-replicas' }],
    ['shrinks', { replicas: 1 }, [joined, leaving], { state: 'shut', because: { kind: 'static' } }],
    [
      'has one node too few and is not ready',
      { replicas: 2, ready: 'False' },
      [joined],
      { state: 'shut', because: { kind: 'not-ready' } },
    ],
    [
      'may have no more nodes than it has',
      { replicas: 2, limits: { nodes: '1' }, used: { nodes: '1' } },
      [joined],
      { state: 'shut', because: { kind: 'limit', resource: 'nodes' } },
    ],
    [
      'waits for a node that was launched',
      { replicas: 1 },
      [claim(['Launched'])],
      { state: 'changing', because: 'launched' },
    ],
    [
      'has asked the cloud for a node',
      { replicas: 1 },
      [claim()],
      { state: 'shut', because: { kind: 'static' } },
    ],
  ])('%s', (_name, fields, claims, expected) => {
    expect(nodePoolAdmissions(snapshot([pool(fields)], claims), waiting())).toMatchObject([expected]);
  });

  it('adds no node where the NodeClaims were not read', () => {
    const unread: Unseen = { what: 'NodeClaim', namespace: '', because: 'forbidden', message: '' };
    expect(nodePoolAdmissions(snapshot([pool({ replicas: 2 })], [], [unread]), waiting())).toMatchObject([
      { state: 'shut', because: { kind: 'static' } },
    ]);
  });
});

describe('all doors together', () => {
  const full = { limits: { cpu: '1' }, used: { cpu: '1' } };
  it.each<[string, ReturnType<typeof snapshot>, boolean]>([
    ['no NodePool was read', snapshot([]), false],
    ['the only pool is full', snapshot([pool(full)]), true],
    ['one of two pools has room', snapshot([pool(full), pool({ name: 'other' })]), false],
    [
      'the pool with room does not admit the pod',
      snapshot([pool(full), pool({ name: 'other', taints: [{ key: 'x', effect: 'NoExecute' }] })]),
      true,
    ],
    ['a node of the full pool is being deleted', snapshot([pool(full)], [leaving]), false],
    [
      'a node of the full pool was launched and has not joined',
      snapshot([pool(full)], [claim(['Launched'])]),
      false,
    ],
    ['the node of the full pool has joined', snapshot([pool(full)], [joined]), true],
    ['a node of another pool is being deleted', snapshot([pool({ ...full, name: 'cpu' })], [leaving]), true],
    [
      'not all NodePools were read',
      snapshot([pool(full)], [], [{ what: 'NodePool', namespace: '', because: 'too-many', message: '' }]),
      false,
    ],
  ])('%s', (_name, read, expected) => {
    expect(isEveryPoolShut(read, [waiting()])).toBe(expected);
  });
});
