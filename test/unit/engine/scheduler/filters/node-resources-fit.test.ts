import { describe, expect, test } from 'vitest';
import { schemas } from '#src/engine/objects/cluster-objects.js';
import { holdersOf } from '#src/engine/scheduler/reason.js';
import {
  names,
  node,
  type PodShape,
  pod,
  reasonsFor,
  type SpecWire,
  texts,
} from '../../../../support/placement-builders.js';

const one = node('n1', {
  allocatable: { cpu: '2', memory: '2Gi', pods: '3', 'nvidia.com/gpu': '2', 'hugepages-2Mi': '4Mi' },
});
const busy = pod('busy', {
  on: 'n1',
  requests: {
    cpu: '1500m',
    memory: '1Gi',
    'nvidia.com/gpu': '1',
    'hugepages-2Mi': '2Mi',
    'ephemeral-storage': '9Gi',
  },
});

function refusals(shape: PodShape, ...others: ReturnType<typeof pod>[]) {
  return reasonsFor(pod('new', shape), { Node: [one], Pod: [busy, ...others] });
}

describe('the resource filter', () => {
  test.each([
    ['cpu', '500m', '501m', 'cpu'],
    ['memory', '1Gi', '1048577Ki', 'memory'],
    ['ephemeral-storage', '1Gi', '1073741825', 'ephemeral-storage'],
    ['nvidia.com/gpu', '1', '2', 'extended-resource'],
    ['hugepages-2Mi', '2Mi', '4Mi', 'extended-resource'],
  ] as const)('%s: accepts exactly %s and refuses %s', (resource, exact, more, id) => {
    expect(refusals({ requests: { [resource]: exact } })).toEqual([]);
    const reasons = refusals({ requests: { [resource]: more } });
    expect(texts(reasons)).toEqual([`Insufficient ${resource}`]);
    expect(reasons[0]).toMatchObject({ id, resource, resolvable: true, preemptible: true });
  });

  test.each([
    ['0.5', true],
    ['5e-1', true],
    ['.5', true],
    ['500000u', true],
    ['0.5001', false],
    ['500001u', false],
  ])('with 500m free and %s cpu requested accepts: %s', (cpu, fits) => {
    expect(refusals({ requests: { cpu } }).length === 0).toBe(fits);
  });

  test('reports every missing resource, in the order of the scheduler', () => {
    const requests = { 'nvidia.com/gpu': '2', 'ephemeral-storage': '5Gi', memory: '2Gi', cpu: '1' };
    expect(texts(refusals({ requests }))).toEqual([
      'Insufficient cpu',
      'Insufficient memory',
      'Insufficient ephemeral-storage',
      'Insufficient nvidia.com/gpu',
    ]);
  });

  test('reports the request, the free amount, the capacity of the node and the missing amount', () => {
    expect(refusals({ requests: { cpu: '0.75', memory: '1536Mi' } })).toMatchObject([
      { requested: '750m', free: '500m', allocatable: '2', short: '250m' },
      { requested: '1536Mi', free: '1Gi', allocatable: '2Gi', short: '512Mi' },
    ]);
  });

  test('reports a request above the capacity of the node as not resolvable by preemption', () => {
    expect(refusals({ requests: { 'nvidia.com/gpu': '3' } })).toMatchObject([
      { resolvable: false, preemptible: false, allocatable: '2' },
    ]);
  });

  test('reports a resource that the node does not have, without holders', () => {
    const [reason] = refusals({ requests: { 'example.com/fpga': '1' } });
    expect(reason).toMatchObject({ resolvable: false, allocatable: '0', holders: [] });
  });

  test('refuses even a small request on an overcommitted node, but not an empty one', () => {
    const tooMuch = pod('more', { on: 'n1', requests: { cpu: '1' } });
    expect(refusals({ requests: { cpu: '1m' } }, tooMuch)).toMatchObject([{ free: '-500m', short: '501m' }]);
    expect(refusals({ requests: { cpu: '0' } }, tooMuch)).toEqual([]);
  });

  test('names the pods that use the resource, the largest first', () => {
    const small = pod('a-small', { on: 'n1', requests: { cpu: '10m' } });
    const idle = pod('idle', { on: 'n1' });
    const [, reason] = refusals({ requests: { cpu: '1' } }, small, idle);
    expect(reason?.id).toBe('cpu');
    expect(names(reason === undefined ? [] : holdersOf(reason))).toEqual(['busy', 'a-small']);
  });

  test.each<[string, PodShape]>([
    ['the overhead of a pod', { spec: { overhead: { cpu: '400m' } } as unknown as SpecWire }],
    ['the resources of a whole pod', { spec: { resources: { requests: { cpu: '400m' } } } as SpecWire }],
  ])('names who uses it by %s', (_, shape) => {
    const [reason] = refusals({ requests: { cpu: '600m' } }, pod('other', { on: 'n1', ...shape }));
    expect(names(reason === undefined ? [] : holdersOf(reason))).toEqual(['busy', 'other']);
  });
});

describe('used resources', () => {
  test.each(['Succeeded', 'Failed'])('exclude a pod that has %s', (phase) => {
    const done = pod('done', { on: 'n1', phase, requests: { cpu: '500m' } });
    expect(refusals({ requests: { cpu: '500m' } }, done)).toEqual([]);
  });

  test('include a terminating pod until it is gone', () => {
    const terminatingPod = pod('leaving', { on: 'n1', terminating: true, requests: { cpu: '500m' } });
    expect(texts(refusals({ requests: { cpu: '500m' } }, terminatingPod))).toEqual(['Insufficient cpu']);
  });

  test('include a pod that waits for its containers', () => {
    const starting = pod('starting', { on: 'n1', phase: 'Pending', requests: { cpu: '500m' } });
    expect(texts(refusals({ requests: { cpu: '500m' } }, starting))).toEqual(['Insufficient cpu']);
  });

  test('exclude a pod without a node', () => {
    expect(refusals({ requests: { cpu: '500m' } }, pod('other', { requests: { cpu: '2' } }))).toEqual([]);
  });

  test('exclude a pod on another node', () => {
    expect(
      refusals({ requests: { cpu: '500m' } }, pod('other', { on: 'n2', requests: { cpu: '2' } })),
    ).toEqual([]);
  });
});

describe('pod slots', () => {
  const more = (count: number) => Array.from({ length: count }, (_, index) => pod(`f${index}`, { on: 'n1' }));

  test('accept a pod in the last slot', () => {
    expect(refusals({}, ...more(1))).toEqual([]);
  });

  test('refuse one more pod, and all pods there are holders', () => {
    const [reason] = refusals({}, ...more(2));
    expect(reason).toMatchObject({
      id: 'pods',
      text: 'Too many pods',
      resolvable: true,
      free: '0',
      allocatable: '3',
    });
    expect(reason === undefined ? [] : names(holdersOf(reason))).toEqual(['busy', 'f0', 'f1']);
  });

  test('are freed by terminated pods', () => {
    expect(refusals({}, ...more(1), pod('done', { on: 'n1', phase: 'Succeeded' }))).toEqual([]);
  });

  test('are zero on a node without a pods capacity', () => {
    const silent = schemas.Node.parse({ metadata: { name: 'n1' }, status: { allocatable: { cpu: '4' } } });
    expect(reasonsFor(pod('p'), { Node: [silent] })).toMatchObject([{ id: 'pods', resolvable: false }]);
  });
});

describe('extended resources backed by devices', () => {
  const deviceClass = schemas.DeviceClass.parse({
    metadata: { name: 'gpu' },
    spec: { extendedResourceName: 'example.com/fpga' },
  });

  test('are left to the device filter where the node itself has none', () => {
    const reasons = reasonsFor(pod('p', { requests: { 'example.com/fpga': '1' } }), {
      Node: [node('n1')],
      DeviceClass: [deviceClass],
    });
    expect(reasons).toEqual([]);
  });

  test('are counted where the node has some', () => {
    const reasons = reasonsFor(pod('p', { requests: { 'example.com/fpga': '2' } }), {
      Node: [node('n1', { allocatable: { 'example.com/fpga': '1' } })],
      DeviceClass: [deviceClass],
    });
    expect(texts(reasons)).toEqual(['Insufficient example.com/fpga']);
  });
});
