import { describe, expect, it } from 'vitest';
import type { Unseen } from '#src/engine/objects/snapshot.js';
import { node, pod } from '../../../support/placement-builders.js';
import { check, quota, type Serving, serving, type Update } from './build.js';

const gpu = 'nvidia.com/gpu';
const gpuNode = (name: string, count = '1', more: object = {}) =>
  node(name, { allocatable: { [gpu]: count }, ...more });
const oneGpu: Serving = { on: ['n1'], container: { resources: { limits: { [gpu]: '1' } } } };
const twoGpus = { ...oneGpu, container: { resources: { limits: { [gpu]: '2' } } } };
const held: Update = { cluster: [serving(oneGpu), { Node: [gpuNode('n1')] }], shape: oneGpu };
const small: Update = { cluster: [serving({ on: ['n1'] }), { Node: [node('n1')] }] };
const tainted = { taints: [{ key: 'a', value: 'b', effect: 'NoSchedule' }] };
const starts = (...Node: readonly ReturnType<typeof node>[]): Update => ({
  cluster: [{ Node: [...Node] }],
  shape: oneGpu,
});
const unseen = (...kinds: readonly Unseen['what'][]): readonly Unseen[] =>
  kinds.map((what) => ({ what, namespace: '', because: 'forbidden', message: '' }));

describe('where no node can run the pod, the missing resource is the one that most nodes lack', () => {
  it.each<readonly [string, Update, string]>([
    ['a resource', starts(gpuNode('n1', '0'), gpuNode('n2', '0'), gpuNode('n3', '1', tainted)), gpu],
    [
      'a toleration',
      starts(gpuNode('n1', '0'), gpuNode('n2', '1', tainted), gpuNode('n3', '1', tainted)),
      'taint',
    ],
    [
      'a resource of full nodes, though more nodes are of another pool',
      {
        ...starts(gpuNode('n1'), gpuNode('n2', '1', tainted), gpuNode('n3', '1', tainted)),
        cluster: [
          { Node: [gpuNode('n1'), gpuNode('n2', '1', tainted), gpuNode('n3', '1', tainted)] },
          {
            Pod: [pod('of-others', { namespace: 'ml', on: 'n1', requests: { [gpu]: '1' } })],
          },
        ],
      },
      gpu,
    ],
    [
      'a resource that no node has',
      {
        cluster: [{ Node: [node('n1'), node('n2')] }],
        shape: { pod: { volumes: [{ name: 'd', persistentVolumeClaim: { claimName: 'd' } }] } },
      },
      'pvc-missing',
    ],
    [
      'a claim of a device',
      {
        cluster: [{ Node: [node('n1')] }],
        shape: { pod: { resourceClaims: [{ name: 'x', resourceClaimName: 'x' }] } },
      },
      'deviceClaim',
    ],
  ])('%s', (_, update, resource) => {
    const result = check(update);

    expect([result.outcome, result.resource, result.holders], result.says.join('\n')).toEqual([
      'stuck',
      resource,
      [],
    ]);
  });

  it('and only a countable resource is reported as missing', () => {
    const short = starts(gpuNode('n1', '0'), gpuNode('n2', '0'));
    const untolerated = starts(gpuNode('n1', '1', tainted), gpuNode('n2', '1', tainted));
    const keys = (update: Update) =>
      check({ ...update, spec: { replicas: 2 } }).reasoning.map(({ key }) => key);

    expect(keys(short)).toEqual(['needs', 'would-say', 'lacks', 'lacks']);
    expect(keys(untolerated)).toEqual(['would-say', 'lacks', 'lacks']);
    expect(check({ ...short, spec: { replicas: 2 } }).reasoning[0]?.values).toEqual({
      resource: gpu,
      pods: 2,
    });
  });

  it('and the nearest node is first, with the resource that it lacks', () => {
    const result = check(starts(gpuNode('n1', '0'), gpuNode('n2', '0'), gpuNode('n3', '1', tainted)));

    expect(result.reasoning.filter(({ key }) => key === 'lacks').map(({ values }) => values)).toEqual([
      { node: 'n3', texts: ['node(s) had untolerated taint(s)'] },
      { node: 'n1', texts: ['Insufficient nvidia.com/gpu'] },
      { node: 'n2', texts: ['Insufficient nvidia.com/gpu'] },
    ]);
    expect(result.message).toMatch(/^0\/3 nodes are available: .*2 Insufficient nvidia\.com\/gpu/u);
  });
});

describe('the pods that block an update', () => {
  const values = (update: Update, key: string) => {
    const result = check(update);
    return result.reasoning.find((each) => each.key === key)?.values;
  };

  it('are reported for every node on which equally few of them would have to move', () => {
    const update: Update = {
      cluster: [
        serving({ ...oneGpu, on: ['n1', 'n2', 'n2'] }),
        { Node: [gpuNode('n1'), gpuNode('n2', '2')] },
      ],
      shape: oneGpu,
      spec: { replicas: 3 },
    };

    expect(values(update, 'held-by')).toEqual({
      pods: ['shop/web-1-0', 'shop/web-1-1'],
      nodes: ['n1', 'n2'],
    });
    expect(values(update, 'would-have-to-move')).toEqual({ pods: ['shop/web-1-0'], node: 'n1' });
    expect(check(update).nodes).toEqual(['n1', 'n2']);
  });

  it('are not reported for a node where other pods hold the rest', () => {
    const update: Update = {
      cluster: [
        serving({ ...oneGpu, on: ['n1', 'n1', 'n2'] }),
        {
          Node: [gpuNode('n1', '2'), gpuNode('n2', '2')],
          Pod: [pod('other', { on: 'n2', requests: { [gpu]: '1' } })],
        },
      ],
      shape: twoGpus,
      spec: { replicas: 3 },
    };

    expect(values(update, 'held-by')).toEqual({ pods: ['shop/web-1-0', 'shop/web-1-1'], nodes: ['n1'] });
    expect(check(update).holders.map(({ name }) => name)).toEqual(['web-1-0', 'web-1-1']);
  });

  it('are reported although other pods have lower priority, where the pod never preempts', () => {
    const never = { ...oneGpu, pod: { priority: 100, preemptionPolicy: 'Never' } };
    const low = pod('low', { on: 'n2', requests: { [gpu]: '1' }, priority: 1 });
    const result = check({
      cluster: [serving(never), { Node: [gpuNode('n1'), gpuNode('n2')], Pod: [low] }],
      shape: never,
    });

    expect([result.outcome, result.nodes], result.says.join('\n')).toEqual(['deadlock', ['n1']]);
  });
});

describe('a quota on a resource that the pod does not request', () => {
  const ResourceQuota = [quota({ 'limits.cpu': '4' }, { 'limits.cpu': '0' })];
  const message = 'failed quota: team: must specify limits.cpu for: app';

  it.each<readonly [string, Update]>([
    ['from the start', { cluster: [{ Node: [node('n1')], ResourceQuota }] }],
    ['in an update', { cluster: [...small.cluster, { ResourceQuota }] }],
  ])('is reported with the message of the API server: %s', (_, update) => {
    const result = check(update);

    expect(result).toMatchObject({ outcome: 'stuck', resource: undefined, message, holders: [], nodes: [] });
    expect(result.summary).toMatchObject({ key: 'stuck-by-quota', values: { quota: 'team' } });
    expect(result.reasoning).toMatchObject([{ key: 'would-say', values: { message } }]);
  });
});

describe('an unread kind leaves the answer open', () => {
  const { Pod: _, ...withoutPods } = serving({ on: ['n1'] });
  const why = (update: Update) => {
    const result = check(update);
    return [result.outcome, ...result.reasoning.map(({ key, values }) => values.what ?? key)];
  };

  it.each<readonly [string, Update, readonly string[]]>([
    ['pods, for an update that would deadlock', { ...held, unseen: unseen('Pod') }, ['Pod']],
    ['pods, for an update that would complete', { ...small, unseen: unseen('Pod') }, ['Pod']],
    ['pods and nodes', { ...held, unseen: unseen('Pod', 'Event', 'Node') }, ['Pod', 'Node']],
    [
      'pods and nodes, for an update that would complete',
      { ...small, unseen: unseen('Node', 'Pod') },
      ['Node', 'Pod'],
    ],
    [
      'pods that the status counts',
      { cluster: [withoutPods, { Node: [node('n1')] }] },
      ['because-pods-unseen'],
    ],
  ])('%s', (_, update, because) => {
    expect(why(update)).toEqual(['cannot-tell', ...because]);
  });
});

describe('the overhead of a RuntimeClass', () => {
  const using = (runtimeClassName: string): Update => {
    const shape: Serving = {
      on: ['n1'],
      pod: { runtimeClassName },
      container: { resources: { limits: { cpu: '1' } } },
    };
    const other = pod('other', { on: 'n1', spec: { runtimeClassName: 'kata', overhead: { cpu: '1' } } });
    return {
      cluster: [serving(shape), { Node: [node('n1', { allocatable: { cpu: '3' } })], Pod: [other] }],
      shape,
    };
  };

  it('is added to a new pod, as other pods of the class have it', () => {
    expect(check(using('kata'))).toMatchObject({ outcome: 'deadlock', resource: 'cpu' });
    expect(check(using('runc')).outcome).toBe('completes');
  });
});
