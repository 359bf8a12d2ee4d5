import { describe, expect, it } from 'vitest';
import { schemas } from '#src/engine/objects/cluster-objects.js';
import { inService, nodesThatJoin, nodesThatMayReturn } from '#src/engine/scheduler/nodes-out-of-service.js';
import { type PodShape, placementOf, pod } from '../../../support/placement-builders.js';

const now = Date.parse('2026-11-20T09:30:00Z');
const ago = (seconds: number): string => new Date(now - seconds * 1000).toISOString();
const gpu = 'nvidia.com/gpu';

interface Fields {
  readonly taint?: string;
  readonly taints?: readonly string[];
  readonly conditions?: readonly (readonly [type: string, status: string, age: number])[];
  readonly capacity?: Record<string, string>;
  readonly allocatable?: Record<string, string>;
  readonly age?: number;
  readonly type?: string;
  readonly unschedulable?: boolean;
}

function buildNode(name: string, fields: Fields) {
  const taints = fields.taints ?? (fields.taint === undefined ? [] : [fields.taint]);
  return schemas.Node.parse({
    metadata: {
      name,
      creationTimestamp: ago(fields.age ?? 86_400),
      labels: fields.type === undefined ? {} : { 'node.kubernetes.io/instance-type': fields.type },
    },
    spec: {
      taints: taints.map((key) => ({ key, effect: 'NoSchedule' })),
      unschedulable: fields.unschedulable ?? false,
    },
    status: {
      capacity: { cpu: '4', ...fields.capacity },
      allocatable: { cpu: '4', memory: '8Gi', pods: '110', ...fields.allocatable },
      conditions: (fields.conditions ?? []).map(([type, status, age]) => ({
        type,
        status,
        lastTransitionTime: ago(age),
      })),
    },
  });
}

const wants = (requests: Record<string, string>): PodShape => ({ requests });

function asked(which: typeof nodesThatJoin, nodes: readonly ReturnType<typeof buildNode>[], shape: PodShape) {
  const placement = placementOf({ Node: [...nodes] });
  const waiting = pod('new', shape);
  return which(
    placement.index,
    nodes.map((each) => placement.check(waiting, each)),
    now,
  );
}
const mayReturn = (fields: Fields, shape: PodShape = {}): boolean =>
  asked(nodesThatMayReturn, [buildNode('n', fields)], shape).length > 0;
const joins = (fields: Fields, shape: PodShape = {}, others: readonly Fields[] = []): boolean =>
  asked(
    nodesThatJoin,
    [buildNode('n', fields), ...others.map((each, at) => buildNode(`o${at}`, each))],
    shape,
  ).includes('n');

const notReady = 'node.kubernetes.io/not-ready';

describe('a node that may take pods again by itself', () => {
  it.each<[string, string, string]>([
    ['is not ready', notReady, 'Ready'],
    ['cannot be reached', 'node.kubernetes.io/unreachable', 'Ready'],
    ['lacks memory', 'node.kubernetes.io/memory-pressure', 'MemoryPressure'],
    ['lacks disk space', 'node.kubernetes.io/disk-pressure', 'DiskPressure'],
    ['lacks process numbers', 'node.kubernetes.io/pid-pressure', 'PIDPressure'],
    ['has no network', 'node.kubernetes.io/network-unavailable', 'NetworkUnavailable'],
  ])('%s since less than five minutes', (_, taint, type) => {
    const [bad, good] = type === 'Ready' ? ['Unknown', 'True'] : ['True', 'False'];
    const since = (age: number, status = bad): boolean =>
      mayReturn({ taint, conditions: [[type, status, age]] });
    expect(since(299)).toBe(true);
    expect(since(300)).toBe(false);
    // The taint goes a moment after the condition.
    expect(since(9_000, good)).toBe(true);
  });

  it('counts the latest of several changes of its state', () => {
    const conditions = [
      ['Ready', 'False', 9_000],
      ['Ready', 'Unknown', 20],
      ['MemoryPressure', 'True', 9_000],
    ] as const;
    expect(mayReturn({ taint: notReady, conditions })).toBe(true);
  });

  it('lost all devices of a kind that it has', () => {
    const needs = wants({ [gpu]: '1' });
    expect(mayReturn({ capacity: { [gpu]: '8' }, allocatable: { [gpu]: '0' } }, needs)).toBe(true);
    expect(mayReturn({ capacity: { [gpu]: '8' } }, needs)).toBe(true);
    expect(mayReturn({ capacity: { [gpu]: '0' }, allocatable: { [gpu]: '0' } }, needs)).toBe(false);
    expect(mayReturn({ capacity: { [gpu]: '8' }, allocatable: { [gpu]: '1' } }, wants({ [gpu]: '2' }))).toBe(
      false,
    );
    expect(mayReturn({ capacity: { 'amd.com/gpu': '8' } }, needs)).toBe(false);
    expect(
      mayReturn({ capacity: { memory: '8Gi' }, allocatable: { memory: '0' } }, wants({ memory: '1Gi' })),
    ).toBe(false);
  });

  it.each<[string, Fields, PodShape]>([
    ['it takes the pod', {}, {}],
    ['it takes the pod although devices are missing', { capacity: { [gpu]: '8' } }, {}],
    ['its taint is somebody’s own', { taint: 'team' }, {}],
    ['it is cordoned', { taint: 'node.kubernetes.io/unschedulable', unschedulable: true }, {}],
    ['it is too small besides', { taint: notReady }, wants({ cpu: '8' })],
    ['another taint speaks against it besides', { taints: [notReady, 'team'] }, {}],
  ])('is none where %s', (_, fields, shape) => {
    expect(mayReturn(fields, shape)).toBe(false);
  });
});

describe('a node that joins', () => {
  const young = { age: 299 };
  it.each<[string, Fields, PodShape, readonly Fields[], boolean]>([
    ['is not ready yet', { ...young, taint: notReady }, {}, [], true],
    ['is five minutes old', { age: 300, taint: notReady }, {}, [], false],
    ['waits for its network agent', { ...young, taint: 'node.cilium.io/agent-not-ready' }, {}, [], true],
    [
      'waits for its cloud controller',
      { ...young, taint: 'node.cloudprovider.kubernetes.io/uninitialized' },
      {},
      [],
      true,
    ],
    ['waits for its start-up', { ...young, taint: 'example.com/startup' }, {}, [], true],
    ['has a taint of its own', { ...young, taint: 'team' }, {}, [], false],
    ['has a taint of its own besides', { ...young, taints: [notReady, 'team'] }, {}, [], false],
    ['takes the pod', young, {}, [], false],
    ['is too small', { ...young, taint: notReady }, wants({ cpu: '8' }), [], false],
    [
      'has no device yet that others of its type have',
      { ...young, type: 'g5' },
      wants({ [gpu]: '1' }),
      [
        { type: 'g5', allocatable: { [gpu]: '0' } },
        { type: 'g5', allocatable: { [gpu]: '4' } },
      ],
      true,
    ],
    [
      'has no device, as no other of its type',
      { ...young, type: 'g5' },
      wants({ [gpu]: '1' }),
      [
        { type: 'g5', allocatable: { [gpu]: '0' } },
        { type: 'p5', allocatable: { [gpu]: '4' } },
      ],
      false,
    ],
    ['has no device and no type', young, wants({ [gpu]: '1' }), [{ allocatable: { [gpu]: '4' } }], false],
    [
      'has some of the devices already',
      { ...young, type: 'g5', allocatable: { [gpu]: '1' } },
      wants({ [gpu]: '2' }),
      [{ type: 'g5', allocatable: { [gpu]: '4' } }],
      false,
    ],
  ])('%s', (_, fields, shape, others, expected) => {
    expect(joins(fields, shape, others)).toBe(expected);
  });
});

describe('a node as it would be in service', () => {
  it('has no cordon and no taint of its state, and keeps its own taints', () => {
    const { spec } = inService(
      buildNode('n', { taints: ['team', notReady, 'node.kubernetes.io/unschedulable'], unschedulable: true }),
    );
    expect(spec.unschedulable).toBe(false);
    expect(spec.taints.map(({ key }) => key)).toEqual(['team']);
    expect(inService(buildNode('n', { unschedulable: true })).spec.unschedulable).toBe(false);
    expect(inService(buildNode('n', { taint: notReady })).spec.taints).toEqual([]);
  });

  it('is the same object where nothing would change', () => {
    const healthy = buildNode('n', { taint: 'team' });
    expect(inService(healthy)).toBe(healthy);
  });
});
