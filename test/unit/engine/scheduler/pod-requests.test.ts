import { describe, expect, test } from 'vitest';
import { requestedBy } from '#src/engine/scheduler/cluster-facts.js';
import { podRequests } from '#src/engine/scheduler/pod-requests.js';
import { type PodShape, pod } from '../../../support/placement-builders.js';

type Requests = Record<string, string>;
const container = (requests: Requests, more: object = {}) => ({
  name: 'c',
  resources: { requests },
  ...more,
});
const sidecar = (requests: Requests) => container(requests, { restartPolicy: 'Always' });

function requestsOf(shape: PodShape, assigned = false): Record<string, number> {
  const amounts = podRequests(pod('p', shape), assigned);
  return Object.fromEntries([...amounts].map(([resource, amount]) => [resource, Number(amount)]));
}

describe('the requests of a pod', () => {
  const Mi = 1024 * 1024;
  /** Containers by their requests, init containers, and other fields of the spec. */
  const runs = (
    containers: readonly Requests[],
    initContainers: readonly object[] = [],
    more: object = {},
  ) => ({
    spec: { containers: containers.map((each) => container(each)), initContainers, ...more },
  });
  const gpu = 'nvidia.com/gpu';
  const [init, beside] = [container, sidecar];
  const limited = { name: 'c', resources: { limits: { cpu: '2', [gpu]: '1' }, requests: { cpu: '1' } } };
  const table: readonly (readonly [string, object, Record<string, number>])[] = [
    ['containers run side by side and add up', runs([{ cpu: '100m' }, { cpu: '0.2' }]), { cpu: 300 }],
    [
      'a request in another notation is the same request',
      { requests: { cpu: '1e-1', memory: '131072Ki' } },
      { cpu: 100, memory: 128 * Mi },
    ],
    [
      'an init container that needs more than all containers decides',
      runs([{ cpu: '100m' }], [init({ cpu: '1' })]),
      { cpu: 1000 },
    ],
    [
      'init containers run one after the other: the largest counts, not the sum',
      runs([{ cpu: '100m' }], [init({ cpu: '1' }), init({ cpu: '2' })]),
      { cpu: 2000 },
    ],
    [
      'an init container that needs less changes nothing',
      runs([{ cpu: '2' }], [init({ cpu: '1' })]),
      { cpu: 2000 },
    ],
    ['a sidecar runs beside the containers', runs([{ cpu: '1' }], [beside({ cpu: '500m' })]), { cpu: 1500 }],
    [
      'an init container runs beside the sidecars started before it',
      runs([{ cpu: '1' }], [beside({ cpu: '1' }), init({ cpu: '3' })]),
      { cpu: 4000 },
    ],
    [
      'an init container does not run beside a sidecar started after it',
      runs([{ cpu: '1' }], [init({ cpu: '3' }), beside({ cpu: '1' })]),
      { cpu: 3000 },
    ],
    [
      'each resource has its own largest step',
      runs([{ cpu: '2', memory: '1Mi' }], [init({ cpu: '1', memory: '5Mi' })]),
      { cpu: 2000, memory: 5 * Mi },
    ],
    [
      'overhead is added',
      runs([{ cpu: '1' }], [], { overhead: { cpu: '50m', memory: '10Mi' } }),
      { cpu: 1050, memory: 10 * Mi },
    ],
    [
      'pod-level requests replace those of the containers, overhead is still added',
      runs([{ cpu: '1', memory: '1Gi' }], [], {
        resources: { requests: { cpu: '3' } },
        overhead: { cpu: '50m' },
      }),
      { cpu: 3050, memory: 1024 * Mi },
    ],
    [
      'pod-level requests exist for cpu, memory and huge pages only',
      runs([{ [gpu]: '1' }], [], { resources: { requests: { [gpu]: '8', 'hugepages-2Mi': '4Mi' } } }),
      { [gpu]: 1, 'hugepages-2Mi': 4 * Mi },
    ],
    [
      'a limit without a request is the request',
      { spec: { containers: [limited] } },
      { cpu: 1000, [gpu]: 1 },
    ],
    [
      'a request of zero stays a request of zero',
      { requests: { cpu: '0', memory: '0' } },
      { cpu: 0, memory: 0 },
    ],
    [
      'cpu is rounded up to thousandths once, for the sum',
      runs([{ cpu: '100u' }, { cpu: '100u' }]),
      { cpu: 1 },
    ],
    ['memory is rounded up to bytes once', runs([{ memory: '500m' }, { memory: '600m' }]), { memory: 2 }],
    [
      'resources that the scheduler does not count are omitted',
      { requests: { pods: '5', storage: '1Gi', cpu: '1' } },
      { cpu: 1000 },
    ],
  ];

  test.each(table)('%s', (_, shape, expected) => {
    expect(requestsOf(shape as PodShape)).toEqual(expected);
  });
});

describe('the requests of a container that is resized in place', () => {
  const resizing = (pending?: string): PodShape => ({
    on: 'n1',
    requests: { cpu: '1', memory: '1Gi' },
    status: {
      containerStatuses: [
        {
          name: 'app',
          allocatedResources: { cpu: '3', memory: '2Gi' },
          resources: { requests: { cpu: '2', memory: '3Gi' } },
        },
      ],
      conditions:
        pending === undefined ? [] : [{ type: 'PodResizePending', status: 'True', reason: pending }],
    },
  });
  const Gi = 1024 ** 3;

  test('are the maximum of its desired, allocated and current resources', () => {
    expect(requestsOf(resizing(), true)).toEqual({ cpu: 3000, memory: 3 * Gi });
  });

  test('exclude the desired resources when the node can never provide them', () => {
    const shape = { ...resizing('Infeasible'), requests: { cpu: '64', memory: '1Gi' } };
    expect(requestsOf(shape, true)).toEqual({ cpu: 3000, memory: 3 * Gi });
  });

  test('exclude the desired resources when an older kubelet reports so in status.resize', () => {
    const shape = { ...resizing(), requests: { cpu: '64', memory: '1Gi' } };
    const status = { ...shape.status, resize: 'Infeasible' };
    expect(requestsOf({ ...shape, status }, true)).toEqual({ cpu: 3000, memory: 3 * Gi });
  });

  test('include the desired resources while the resize is only deferred', () => {
    const shape = { ...resizing('Deferred'), requests: { cpu: '64', memory: '1Gi' } };
    expect(requestsOf(shape, true).cpu).toBe(64_000);
  });

  test('are those of its spec while it has no node', () => {
    expect(requestsOf(resizing())).toEqual({ cpu: 1000, memory: Gi });
  });

  test('depend on the status for a sidecar, never for an ordinary init container', () => {
    const status = (name: string) => ({ name, resources: { requests: { cpu: '5' } } });
    const shape: PodShape = {
      on: 'n1',
      spec: {
        containers: [container({ cpu: '1' })],
        initContainers: [
          { ...sidecar({ cpu: '1' }), name: 'side' },
          { ...container({ cpu: '1' }), name: 'once' },
        ],
      },
      status: { initContainerStatuses: [status('side'), status('once')] },
    };
    expect(requestsOf(shape, true).cpu).toBe(6000);
  });

  test('include resized pod-level requests', () => {
    const shape: PodShape = {
      on: 'n1',
      spec: { containers: [container({ cpu: '1' })], resources: { requests: { cpu: '2' } } },
      status: { resources: { requests: { cpu: '4' } }, allocatedResources: { cpu: '3' } },
    };
    expect(requestsOf(shape, true).cpu).toBe(4000);
    expect(requestsOf(shape).cpu).toBe(2000);
  });
});

/** `resizedPods` of releases since 1.37: `PodRequests` takes the largest of three sums. */
describe('the requests of a pod that is resized where the largest sum counts', () => {
  /** Two containers with these processors: asked for, allocated and running. */
  const two = (
    asked: readonly [string, string],
    allocated: readonly (string | undefined)[],
    running: readonly (string | undefined)[],
    status: PodShape['status'] = {},
    more: object = {},
  ): PodShape => ({
    on: 'n1',
    spec: { containers: asked.map((cpu, at) => ({ ...container({ cpu }), name: `c${at}` })), ...more },
    status: {
      containerStatuses: asked.map((_, at) => ({
        name: `c${at}`,
        ...(allocated[at] === undefined ? {} : { allocatedResources: { cpu: allocated[at] } }),
        ...(running[at] === undefined ? {} : { resources: { requests: { cpu: running[at] } } }),
      })),
      ...status,
    },
  });
  const infeasible = { conditions: [{ type: 'PodResizePending', status: 'True', reason: 'Infeasible' }] };
  const stated = { allocatedResources: { cpu: '5' }, resources: { requests: { cpu: '4' } } };
  const level = { resources: { requests: { cpu: '2' } } };

  test.each<[string, PodShape, number]>([
    ['what moves between containers counts once', two(['1', '3'], ['3', '1'], ['3', '1']), 4000],
    ['what is asked for is the most', two(['4', '3'], ['3', '1'], ['2', '1']), 7000],
    ['what is allocated is the most', two(['1', '1'], ['3', '2'], ['2', '1']), 5000],
    ['what runs is the most', two(['1', '1'], ['1', '2'], ['4', '2']), 6000],
    ['a container without an allocation counts with its spec', two(['1', '2'], ['3', undefined], []), 5000],
    [
      'a container that does not run yet counts as allocated',
      two(['1', '1'], ['2', '2'], ['5', undefined]),
      7000,
    ],
    ['one of which nothing is stated counts with its spec', two(['1', '2'], [], ['4', undefined]), 6000],
    [
      'a resize that the node can never make counts not',
      two(['9', '9'], ['1', '2'], ['1', '1'], infeasible),
      3000,
    ],
    ['nor where nothing is stated', two(['9', '9'], ['1', undefined], ['1', undefined], infeasible), 1000],
    [
      'sums of the whole pod replace those of containers',
      two(['1', '1'], ['7', '7'], ['7', '7'], stated),
      5000,
    ],
    [
      'sums of the whole pod that run are the most',
      two(['1', '1'], [], [], { ...stated, allocatedResources: { cpu: '3' } }),
      4000,
    ],
    [
      'containers count where the whole pod has an allocation alone',
      two(['1', '1'], ['7', '7'], [], { allocatedResources: { cpu: '5' } }),
      14_000,
    ],
    [
      'containers count where the whole pod only runs',
      two(['1', '1'], ['7', '7'], [], { resources: { requests: { cpu: '5' } } }),
      14_000,
    ],
    ['requests of the whole pod', two(['1', '1'], [], [], stated, level), 5000],
    [
      'requests of the whole pod that are more',
      two(['1', '1'], [], [], stated, { resources: { requests: { cpu: '6' } } }),
      6000,
    ],
  ])('%s', (_, shape, cpu) => {
    const resized = { ...pod('p', shape), resizeRule: 'largest-sum' } as const;
    expect(Number(podRequests(resized, true).get('cpu'))).toBe(cpu);
  });
});

describe('the sum of requests on a node', () => {
  test('rounds up each pod separately', () => {
    const small = { requests: { cpu: '100u' }, on: 'n1' };
    expect(requestedBy([pod('a', small), pod('b', small)]).get('cpu')).toBe(2n);
  });

  test.each([
    ['limits alone', { spec: { containers: [{ name: 'c', resources: { limits: { cpu: '2' } } }] } }],
    ['init containers', { spec: { containers: [], initContainers: [container({ cpu: '2' })] } }],
    ['overhead', { spec: { containers: [container({ cpu: '1' })], overhead: { cpu: '1' } } }],
    [
      'pod-level requests',
      { spec: { containers: [container({ cpu: '1' })], resources: { requests: { cpu: '2' } } } },
    ],
    [
      'a resize',
      {
        requests: { cpu: '1' },
        status: { containerStatuses: [{ name: 'app', resources: { requests: { cpu: '2' } } }] },
      },
    ],
    ['a plain request', { requests: { cpu: '2' } }],
  ] as const)('counts %s', (_, shape) => {
    expect(requestedBy([pod('a', { ...(shape as PodShape), on: 'n1' })]).get('cpu')).toBe(2000n);
  });
});
