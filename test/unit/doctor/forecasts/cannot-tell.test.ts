import { describe, expect, it } from 'vitest';
import { schemas } from '#src/engine/objects/cluster-objects.js';
import { claim, node, pod, volume } from '../../../support/placement-builders.js';
import { check, type Serving, serving, type Update } from './build.js';

const gpu = 'nvidia.com/gpu';
const gpuNode = (name: string, count = '1', labels: Readonly<Record<string, string>> = {}) =>
  node(name, { allocatable: { [gpu]: count }, labels });
const oneGpu: Serving = { on: ['n1'], container: { resources: { limits: { [gpu]: '1' } } } };
const held: Update = { cluster: [serving(oneGpu), { Node: [gpuNode('n1')] }], shape: oneGpu };
const small: Update = { cluster: [serving({ on: ['n1'] }), { Node: [node('n1')] }] };

/** Each pod needs a whole node, so that a new one has to start on the other node. */
function elsewhere(volumes: readonly object[]): Update {
  const shape = { pod: { volumes }, container: { resources: { requests: { cpu: '3' } } } };
  const claimed = { volumeName: 'pv' };
  return {
    cluster: [
      serving({ on: ['n1'], ...shape }),
      {
        Node: [node('n1', { allocatable: { cpu: '4' } }), node('n2', { allocatable: { cpu: '4' } })],
        PersistentVolumeClaim: [claim('data', claimed)],
        PersistentVolume: [
          volume('pv', {
            csi: { driver: 'disk.example.com', volumeHandle: 'pv' },
            claimRef: { namespace: 'shop', name: 'data', uid: 'uid-data' },
          }),
        ],
      },
    ],
    shape,
  };
}

function beside(objects: Update['cluster'][number], update: Update = held): Update {
  return { ...update, cluster: [...update.cluster, objects] };
}
const event = (reason: string) =>
  schemas.Event.parse({
    metadata: { name: 'e', namespace: 'shop' },
    involvedObject: { kind: 'Pod', name: 'x', namespace: 'shop' },
    reason,
    type: 'Normal',
  });
const config = (name: string) => schemas.ConfigMap.parse({ metadata: { name, namespace: 'kube-system' } });

describe('a check has no certain outcome', () => {
  const unseen = (what: 'Pod' | 'Node' | 'Event' | 'PodLog') =>
    [{ what, namespace: '', because: 'forbidden', message: '' }] as const;

  const important: Serving = { ...oneGpu, pod: { priority: 100 } };
  const low = pod('low', { on: 'n2', requests: { [gpu]: '1' }, priority: 1 });
  const evicting: Update = {
    cluster: [serving(important), { Node: [gpuNode('n1'), gpuNode('n2')], Pod: [low] }],
    shape: important,
  };
  const claimed = elsewhere([{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }]);
  const ephemeral = elsewhere([{ name: 'scratch', ephemeral: { volumeClaimTemplate: { spec: {} } } }]);
  const ofKarpenter = { Node: [gpuNode('n1', '1', { 'karpenter.sh/nodepool': 'a' })] };
  const newNode = { NodeClaim: [schemas.NodeClaim.parse({ metadata: { name: 'c' } })] };
  const unreadNode = { what: 'Node', because: 'forbidden' };
  const [karpenter, clusterAutoscaler] = [{ by: 'Karpenter' }, { by: 'cluster-autoscaler' }];

  it.each<[string, Update, string, object]>([
    ['when Karpenter has created a node', beside(newNode), 'autoscaler', karpenter],
    [
      'when a node belongs to Karpenter',
      { ...held, cluster: [serving(oneGpu), ofKarpenter] },
      'autoscaler',
      karpenter,
    ],
    [
      'when cluster-autoscaler acted',
      beside({ Event: [event('TriggeredScaleUp')] }),
      'autoscaler',
      clusterAutoscaler,
    ],
    [
      'when cluster-autoscaler did not act',
      beside({ Event: [event('NotTriggerScaleUp')] }),
      'autoscaler',
      clusterAutoscaler,
    ],
    [
      'when cluster-autoscaler wrote its status',
      beside({ ConfigMap: [config('cluster-autoscaler-status')] }),
      'autoscaler',
      clusterAutoscaler,
    ],
    ['when no node is known', { cluster: [serving(oneGpu)], shape: oneGpu }, 'no-nodes', {}],
    ['when nodes could not be read', { ...held, unseen: unseen('Node') }, 'unread', unreadNode],
    [
      'for a completing update when nodes could not be read',
      { ...small, unseen: unseen('Node') },
      'unread',
      unreadNode,
    ],
    ['when the new pods would evict others', evicting, 'preemption', { victims: ['shop/low'] }],
    ["when the new pod starts on a node that the old one's volume cannot come to", claimed, 'not-ready', {}],
    [
      'when the new pod has a volume whose claim is made with it',
      ephemeral,
      'not-simulated',
      { parts: ['VolumeBinding'] },
    ],
  ])('%s', (_, update, because, values) => {
    const result = check(update);

    expect([result.outcome, result.confidence], result.says.join('\n')).toEqual(['cannot-tell', undefined]);
    expect(result.reasoning.map(({ key }) => key)).toEqual([`because-${because}`]);
    expect(result.reasoning[0]?.values).toMatchObject(values);
  });

  it.each<[string, Update]>([
    ['another event', beside({ Event: [event('Scheduled')] })],
    ['another ConfigMap', beside({ ConfigMap: [config('kube-root-ca.crt')] })],
    ['logs that were not read', { ...held, unseen: unseen('PodLog') }],
    ['events that were not read', { ...held, unseen: unseen('Event') }],
  ])('but still finds a deadlock with %s', (_, update) => {
    expect(check(update).outcome).toBe('deadlock');
  });

  it.each<[string, Update]>([
    ['logs that were not read', { ...small, unseen: unseen('PodLog') }],
    ['events that were not read', { ...small, unseen: unseen('Event') }],
  ])('but still finds a completing update with %s', (_, update) => {
    expect(check(update).outcome).toBe('completes');
  });
});

describe('the priority of a class that could not be read', () => {
  const shape: Serving = { ...oneGpu, pod: { priorityClassName: 'high' } };
  const like = (fields: object) => ({
    Node: [gpuNode('n1'), gpuNode('n2')],
    Pod: [
      pod('low', { on: 'n2', requests: { [gpu]: '1' }, priority: 1 }),
      pod('like', { on: 'n1', spec: { priorityClassName: 'high', ...fields } }),
    ],
  });

  it.each<[string, object, string]>([
    ['is that of a pod of the class', { priority: 100 }, 'cannot-tell'],
    [
      'evicts no pod where an existing pod of the class does not',
      { priority: 100, preemptionPolicy: 'Never' },
      'deadlock',
    ],
    ['is unknown where no pod has the class', {}, 'deadlock'],
  ])('%s', (_, fields, outcome) => {
    const result = check({ cluster: [serving(shape), like(fields)], shape });
    expect(result.outcome, result.says.join('\n')).toBe(outcome);
  });

  it('is that of the class, once it is known', () => {
    const PriorityClass = [schemas.PriorityClass.parse({ metadata: { name: 'high' }, value: 0 })];
    const result = check({ cluster: [serving(shape), like({ priority: 100 }), { PriorityClass }], shape });
    expect(result.outcome, result.says.join('\n')).toBe('deadlock');
  });
});

describe('another object in the same manifests', () => {
  const limits = schemas.LimitRange.parse({
    metadata: { name: 'l', namespace: 'shop' },
    spec: { limits: [{ type: 'Container', defaultRequest: { cpu: '3' }, default: { cpu: '3' } }] },
  });

  it('may be a LimitRange, which makes new pods larger', () => {
    const cluster = [
      serving({ on: ['n1'], container: { resources: { requests: { cpu: '3' } } } }),
      { Node: [node('n1')] },
    ];
    expect(check({ cluster }).outcome).toBe('completes');
    const result = check({ cluster, companions: { LimitRange: [limits] } });
    expect([result.outcome, result.resource], result.says.join('\n')).toEqual(['deadlock', 'cpu']);
  });

  it('may be a claim that a new pod needs', () => {
    const shape = { pod: { volumes: [{ name: 'd', persistentVolumeClaim: { claimName: 'd' } }] } };
    const storage = schemas.StorageClass.parse({
      metadata: { name: 'fast' },
      provisioner: 'csi.example.com',
      volumeBindingMode: 'WaitForFirstConsumer',
    });
    const cluster = [{ Node: [node('n1')], StorageClass: [storage] }];
    expect(check({ cluster, shape }).outcome).toBe('stuck');
    const companions = { PersistentVolumeClaim: [claim('d', { storageClassName: 'fast' })] };
    expect(check({ cluster, shape, companions }).outcome).toBe('completes');
  });
});
