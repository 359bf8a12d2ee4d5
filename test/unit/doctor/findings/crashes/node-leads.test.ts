import { describe, expect, it } from 'vitest';
import { attributesOf, leadsOf } from '#src/doctor/findings/crashes/node-leads.js';
import { Node } from '#src/engine/objects/node.js';
import { crashSnapshot, failingPod } from './build.js';

interface Shape {
  readonly labels?: Readonly<Record<string, string>>;
  readonly spec?: object;
  readonly status?: object;
}

function machine(name: string, { labels = {}, spec = {}, status = {} }: Shape = {}): Node {
  return Node.parse({ metadata: { name, labels }, spec, status });
}

function listAttributes(shape: Shape): readonly string[] {
  return attributesOf(machine('n-a', shape)).map(({ name, value }) => `${name}: ${value}`);
}

const condition = (type: string, status: string, reason = '') => ({ type, status, reason });

describe('the traits that may distinguish a node', () => {
  it.each<readonly [string, Shape, readonly string[]]>([
    ['no trait of a bare node', {}, []],
    [
      'no trait of a node with normal conditions',
      {
        status: {
          conditions: [condition('Ready', 'True', 'KubeletReady'), condition('MemoryPressure', 'False')],
        },
      },
      [],
    ],
    [
      'a node that is not ready, with the reason',
      { status: { conditions: [condition('Ready', 'False', 'KubeletNotReady')] } },
      ['condition Ready: False (KubeletNotReady)'],
    ],
    [
      'a node with unknown status',
      { status: { conditions: [condition('Ready', 'Unknown')] } },
      ['condition Ready: Unknown'],
    ],
    [
      'a pressure, and one without a reason given',
      {
        status: {
          conditions: [
            condition('DiskPressure', 'True', 'KubeletHasDiskPressure'),
            condition('XidError', 'True'),
          ],
        },
      },
      ['condition DiskPressure: True (KubeletHasDiskPressure)', 'condition XidError: True'],
    ],
    [
      'no condition with unknown status',
      { status: { conditions: [condition('KernelDeadlock', 'Unknown')] } },
      [],
    ],
    [
      'a taint, and that it is cordoned',
      { spec: { taints: [{ key: 'team', value: 'ml', effect: 'NoSchedule' }], unschedulable: true } },
      ['taint team: ml:NoSchedule', 'cordoned: true'],
    ],
    [
      'the reported operating system',
      {
        status: {
          nodeInfo: {
            kernelVersion: '6.8.0',
            kubeletVersion: 'v1.36.1',
            bootID: 'b-1',
            operatingSystem: 'linux',
          },
        },
      },
      ['kernelVersion: 6.8.0', 'kubeletVersion: v1.36.1'],
    ],
    [
      'all five figures of the system',
      {
        status: {
          nodeInfo: {
            kernelVersion: '6.8.0',
            osImage: 'Ubuntu 24.04',
            containerRuntimeVersion: 'containerd://2.1',
            kubeletVersion: 'v1.36.1',
            architecture: 'arm64',
          },
        },
      },
      [
        'kernelVersion: 6.8.0',
        'osImage: Ubuntu 24.04',
        'containerRuntimeVersion: containerd://2.1',
        'kubeletVersion: v1.36.1',
        'architecture: arm64',
      ],
    ],
    [
      'its labels, save those that name the node or are the same on all',
      {
        labels: {
          'kubernetes.io/hostname': 'n-a',
          'kubernetes.io/os': 'linux',
          'beta.kubernetes.io/os': 'linux',
          pool: 'spot',
        },
      },
      ['label pool: spot'],
    ],
    [
      'devices that it has and does not offer',
      { status: { capacity: { 'nvidia.com/gpu': '8' }, allocatable: { 'nvidia.com/gpu': '7' } } },
      ['unhealthy nvidia.com/gpu: 7 of 8 allocatable'],
    ],
    [
      'no device that it offers completely',
      { status: { capacity: { 'nvidia.com/gpu': '8' }, allocatable: { 'nvidia.com/gpu': '8' } } },
      [],
    ],
    ['no device with an unknown number on offer', { status: { capacity: { 'nvidia.com/gpu': '8' } } }, []],
    [
      'no cpu, memory or huge pages, of which every node keeps some back',
      {
        status: {
          capacity: { cpu: '8', memory: '16Gi', 'hugepages-2Mi': '1Gi', 'hugepages-x/y': '2' },
          allocatable: { cpu: '7', memory: '15Gi', 'hugepages-2Mi': '512Mi', 'hugepages-x/y': '1' },
        },
      },
      [],
    ],
  ])('include %s', (_, shape, expected) => {
    expect(listAttributes(shape)).toEqual(expected);
  });
});

describe('a trait that all bad nodes and no healthy one have', () => {
  const kernel = (name: string, kernelVersion: string, labels = {}) =>
    machine(name, { labels, status: { nodeInfo: { kernelVersion } } });

  function leads(nodes: readonly Node[], bad: readonly string[], good: readonly string[]) {
    return leadsOf(crashSnapshot({ pods: [], nodes }), bad, good, []);
  }

  it('is named with the trait of the healthy ones', () => {
    const nodes = [kernel('a', '6.8'), kernel('b', '6.8'), kernel('c', '6.5'), kernel('d', '6.5')];

    expect(leads(nodes, ['a', 'b'], ['c', 'd'])).toEqual([
      { name: 'kernelVersion', value: '6.8', elsewhere: '6.5' },
    ]);
  });

  it('omits the healthy ones where they differ among themselves, or have no such trait', () => {
    const differing = [kernel('a', '6.8'), kernel('b', '6.5'), kernel('c', '6.1')];
    const without = [machine('a', { labels: { pool: 'spot' } }), machine('b')];

    expect(leads(differing, ['a'], ['b', 'c'])).toEqual([
      { name: 'kernelVersion', value: '6.8', elsewhere: undefined },
    ]);
    expect(leads(without, ['a'], ['b'])).toEqual([
      { name: 'label pool', value: 'spot', elsewhere: undefined },
    ]);
  });

  it.each<readonly [string, readonly Node[], readonly string[], readonly string[]]>([
    [
      'a trait that only one of two bad nodes has',
      [kernel('a', '6.8'), kernel('b', '6.5'), kernel('c', '6.1')],
      ['a', 'b'],
      ['c'],
    ],
    [
      'a trait that one of two healthy nodes has too',
      [kernel('a', '6.8'), kernel('b', '6.8'), kernel('c', '6.5')],
      ['a'],
      ['b', 'c'],
    ],
    ['anything, without a good node to compare with', [kernel('a', '6.8')], ['a'], []],
    ['anything, without a bad node', [kernel('a', '6.8')], [], ['a']],
    ['anything of a bad node that was not read', [kernel('b', '6.5')], ['a'], ['b']],
  ])('is not %s', (_, nodes, bad, good) => {
    expect(leads(nodes, bad, good)).toEqual([]);
  });

  it('is ranked by how often such traits are the cause, then by name', () => {
    const bad = machine('a', {
      labels: { zone: 'z-1', 'nvidia.com/gpu.product': 'H100', arch: 'x', 'cuda.version': '12' },
      spec: { unschedulable: true, taints: [{ key: 'x', effect: 'NoSchedule' }] },
      status: {
        conditions: [condition('DiskPressure', 'True')],
        capacity: { 'nvidia.com/gpu': '2' },
        allocatable: { 'nvidia.com/gpu': '1' },
        nodeInfo: {
          kernelVersion: '6.8',
          osImage: 'Ubuntu',
          containerRuntimeVersion: 'containerd://2',
          kubeletVersion: 'v1',
          architecture: 'arm64',
        },
      },
    });
    const pods = [
      failingPod({ name: 'p-a', node: 'a', status: { containerStatuses: [image('sha256:new')] } }),
      failingPod({ name: 'p-b', node: 'b', status: { containerStatuses: [image('sha256:old')] } }),
    ];
    const found = leadsOf(crashSnapshot({ pods, nodes: [bad, machine('b')] }), ['a'], ['b'], pods);

    expect(found.map(({ name }) => name)).toEqual([
      'condition DiskPressure',
      'unhealthy nvidia.com/gpu',
      'image digest of app',
      'cordoned',
      'taint x',
      'label cuda.version',
      'label nvidia.com/gpu.product',
      'architecture',
      'containerRuntimeVersion',
      'kernelVersion',
      'kubeletVersion',
      'osImage',
      'label arch',
      'label zone',
    ]);
  });

  const image = (digest: string) => ({
    name: 'app',
    ready: true,
    restartCount: 0,
    image: 'web:1',
    imageID: digest === '' ? '' : `registry.example/web@${digest}`,
  });

  it('may be another image behind the same tag, of the pods on those very nodes', () => {
    const on = (node: string, digest: string) =>
      failingPod({ name: `p-${node}`, node, status: { containerStatuses: [image(digest)] } });
    const pods = [on('a', 'sha256:new'), on('b', 'sha256:old'), on('c', 'sha256:other')];

    expect(leadsOf(crashSnapshot({ pods }), ['a'], ['b'], pods)).toContainEqual({
      name: 'image digest of app',
      value: 'sha256:new',
      elsewhere: 'sha256:old',
    });
    const unpulled = [on('a', ''), on('b', 'sha256:old')];
    expect(leadsOf(crashSnapshot({ pods: unpulled }), ['a'], ['b'], unpulled)).toEqual([]);
  });
});
