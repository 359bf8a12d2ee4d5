import { describe, expect, it } from 'vitest';
import { type ClusterObjects, schemas } from '#src/engine/objects/cluster-objects.js';
import type { Pod } from '#src/engine/objects/pod.js';
import { claim, node, pod, reaches, volume } from '../../../support/placement-builders.js';
import { check, quota, type Serving, serving, type Update } from './build.js';

const gpu = 'nvidia.com/gpu';
const gpuNode = (name: string, count = '1') => node(name, { allocatable: { [gpu]: count } });
/** A GPU with a limit only, as in manifests: the API server adds the request only to pods. */
const oneGpu: Serving = { on: ['n1'], container: { resources: { limits: { [gpu]: '1' } } } };
const held: Update = { cluster: [serving(oneGpu), { Node: [gpuNode('n1')] }], shape: oneGpu };
/** Within its grace period. */
const leaving = (one: Pod): Pod => ({
  ...one,
  metadata: { ...one.metadata, deletionTimestamp: '2026-11-20T09:30:20Z' },
});
const inPlace = { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } };
const apart = {
  affinity: {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { labelSelector: { matchLabels: { app: 'web' } }, topologyKey: 'kubernetes.io/hostname' },
      ],
    },
  },
};
const spread = (more: object = {}) => ({
  topologySpreadConstraints: [
    {
      maxSkew: 1,
      topologyKey: 'kubernetes.io/hostname',
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: { matchLabels: { app: 'web' } },
      ...more,
    },
  ],
});

/** The workload serves in this shape beside other objects, and is updated. */
const of = (
  shape: Serving,
  beside: Partial<ClusterObjects> = {},
  more: Omit<Update, 'cluster'> = {},
): Update => ({
  cluster: [serving(shape), beside],
  shape,
  ...more,
});
const nodes = (...names: readonly string[]) => ({ Node: names.map((name) => node(name)) });
const gpus = (...names: readonly string[]) => ({ Node: names.map((name) => gpuNode(name)) });
const other = (priority?: number) =>
  pod('other', { on: 'n2', requests: { [gpu]: '1' }, ...(priority === undefined ? {} : { priority }) });
const limited = (hard: string, used: string) => ({
  ...nodes('n1'),
  ResourceQuota: [quota({ pods: hard }, { pods: used })],
});
const onePort: Serving = { on: ['n1'], container: { ports: [{ containerPort: 80, hostPort: 80 }] } };
const two: Serving = { on: ['n1', 'n1'] };
const important: Serving = { ...oneGpu, pod: { priority: 100 } };
const surging = (maxSurge: number, maxUnavailable: number) => ({
  rollingUpdate: { maxSurge, maxUnavailable },
});
const byHash = { pod: spread({ matchLabelKeys: ['pod-template-hash'] }) };
const set: Serving = { ...oneGpu, kind: 'StatefulSet' };
const twoGpus = { container: { resources: { limits: { [gpu]: '2' } } } };
const scalable = {
  Node: [node('n1', { allocatable: { [gpu]: '1' }, labels: { 'karpenter.sh/nodepool': 'gpu' } })],
};
const noNodes: Update['unseen'] = [{ what: 'Node', namespace: '', because: 'forbidden', message: '' }];
const noSets: Update['unseen'] = [
  { what: 'ReplicaSet', namespace: 'shop', because: 'forbidden', message: '' },
];
const newAlone: Update = { cluster: [nodes('n1')], unseen: noSets };
const apartOn = (...on: readonly string[]): Serving => ({ on, pod: apart });

type Row = readonly [title: string, update: Update, outcome: string, resource?: string];

const rows: readonly Row[] = [
  ['the only GPU is in use by the old pod', held, 'deadlock', gpu],
  ['a second GPU is free', of(oneGpu, gpus('n1', 'n2')), 'completes'],
  ['the old pod is stopped first', { ...held, spec: inPlace }, 'completes'],
  ['all old pods go first', { ...held, spec: { strategy: { type: 'Recreate' } } }, 'completes'],
  [
    'a pod on the other GPU is terminating',
    of(oneGpu, { ...gpus('n1', 'n2'), Pod: [leaving(other())] }),
    'completes',
  ],
  [
    'the other GPU is in use by a running pod',
    of(oneGpu, { ...gpus('n1', 'n2'), Pod: [other()] }),
    'deadlock',
    gpu,
  ],
  [
    'the other GPU is in use by a pod of lower priority',
    of(important, { ...gpus('n1', 'n2'), Pod: [other(1)] }),
    'cannot-tell',
  ],
  [
    'the new revision wants two GPUs that no node has',
    { ...held, shape: { ...oneGpu, ...twoGpus } },
    'stuck',
    gpu,
  ],
  ['an autoscaler may add a node', of(oneGpu, scalable), 'cannot-tell'],
  ['nodes could not be read', { ...held, unseen: noNodes }, 'cannot-tell'],
  ['ReplicaSets could not be read', of(oneGpu, gpus('n1', 'n2'), { unseen: noSets }), 'cannot-tell'],
  ['ReplicaSets could not be read, and the workload is new', newAlone, 'completes'],
  [
    'ReplicaSets could not be read, and the workload is a StatefulSet',
    of(set, gpus('n1'), { unseen: noSets }),
    'completes',
  ],
  ['no node is known', { cluster: [serving(oneGpu)], shape: oneGpu }, 'cannot-tell'],
  [
    'each of three replicas keeps apart on three nodes',
    of(apartOn('n1', 'n2', 'n3'), nodes('n1', 'n2', 'n3')),
    'deadlock',
    'podAntiAffinity',
  ],
  [
    'a fourth node is free for them',
    of(apartOn('n1', 'n2', 'n3'), nodes('n1', 'n2', 'n3', 'n4')),
    'completes',
  ],
  ['a host port is in use on the only node', of(onePort, nodes('n1')), 'deadlock', 'hostPort'],
  [
    'the spread counts only the new revision',
    of({ on: ['n1', 'n2'], ...byHash }, nodes('n1', 'n2')),
    'completes',
  ],
  [
    'the API server would refuse another selector',
    of({ on: ['n1'] }, nodes('n1'), { spec: { selector: { matchLabels: { app: 'other' } } } }),
    'refused',
  ],
  ['the template does not change', of({ on: ['n1'] }, nodes('n1'), { image: 'web:1' }), 'unchanged'],
  ['the rollout is paused', { ...held, spec: { paused: true } }, 'unchanged'],
  ['the workload is new and fits', { cluster: [nodes('n1')], spec: { replicas: 3 } }, 'completes'],
  ['the workload is new and has no node', { cluster: [nodes('n1')], shape: oneGpu }, 'stuck', gpu],
  ['a quota is used up by the old pods', of(two, limited('2', '2')), 'deadlock', 'pods'],
  ['a quota allows the surge', of(two, limited('3', '2')), 'completes'],
  [
    'a quota allows one of two surge pods',
    of(two, limited('3', '2'), { spec: { strategy: surging(2, 0) } }),
    'completes',
  ],
  [
    'a quota allows two of three new pods',
    { cluster: [limited('2', '0')], spec: { replicas: 3 } },
    'stuck',
    'pods',
  ],
  ['other pods use up a quota', { cluster: [limited('2', '2')] }, 'stuck', 'pods'],
  [
    'the quota comes with the same manifests',
    of(two, nodes('n1'), { companions: { ResourceQuota: [quota({ pods: '2' }, {})] } }),
    'deadlock',
    'pods',
  ],
  [
    'the quota is raised by the same manifests',
    of(two, limited('2', '2'), { companions: { ResourceQuota: [quota({ pods: '4' }, {})] } }),
    'completes',
  ],
  [
    'a DaemonSet surges onto host ports in use',
    of({ ...onePort, kind: 'DaemonSet' }, nodes('n1'), { spec: { updateStrategy: surging(1, 0) } }),
    'deadlock',
    'hostPort',
  ],
  ['a DaemonSet stops the old pod first', of({ ...onePort, kind: 'DaemonSet' }, nodes('n1')), 'completes'],
  ['a StatefulSet replaces its pods one by one', of(set, gpus('n1')), 'completes'],
  [
    'a StatefulSet waits until its pods are deleted by hand',
    of(set, gpus('n1'), { spec: { updateStrategy: { type: 'OnDelete' } } }),
    'unchanged',
  ],
];

describe('checkUpdate', () => {
  it.each(rows.map(([title, update, outcome, resource]) => ({ title, update, outcome, resource })))(
    'predicts the outcome when $title',
    ({ update, outcome, resource }) => {
      const result = check(update);
      expect([result.outcome, result.resource], result.says.join('\n')).toEqual([outcome, resource]);
      expect(result.holders.length > 0).toBe(outcome === 'deadlock');
      expect(result.confidence === undefined).toBe(outcome === 'cannot-tell');
    },
  );

  it('names the pods that hold the resource, the scheduler message, the rule and the fix with its downtime', () => {
    const { says, message, nodes, holders, wayOut } = check(held);
    expect(nodes).toEqual(['n1']);
    expect(holders).toEqual([{ kind: 'Pod', namespace: 'shop', name: 'web-1-0' }]);
    expect(message).toMatch(/^0\/1 nodes are available: 1 Insufficient nvidia\.com\/gpu\. /);
    expect(wayOut).toMatchObject({
      strategy: { type: 'RollingUpdate', maxSurge: 0, maxUnavailable: 1 },
      downtime: { kind: 'gap' },
    });
    expect(says).toContain('Blocked by shop/web-1-0 on n1.');
    expect(says.join(' ')).toContain('With 1 replica, maxSurge');
  });

  it('states the downtime of Recreate', () => {
    const { downtime } = check({ ...held, spec: { strategy: { type: 'Recreate' } } });
    expect(downtime).toMatchObject({ kind: 'gap', readyMin: 0, ofReplicas: 1 });
  });

  it('warns of the next update where the template does not change', () => {
    const result = check({
      cluster: [serving(oneGpu), { Node: [gpuNode('n1')] }],
      shape: oneGpu,
      image: 'web:1',
    });
    expect(result.outcome).toBe('unchanged');
    expect(result.says.at(-1)).toContain('The next update that changes the pods would deadlock');
  });

  it('tries opposite choices of nodes, and states that both give the same outcome', () => {
    const shape: Partial<Serving> = { container: { resources: { requests: { cpu: '2' } } } };
    const cluster = [
      serving({ on: ['n1', 'n1'], ...shape }),
      {
        Node: [
          node('n1'),
          node('n2', { allocatable: { cpu: '4' } }),
          node('n3', { allocatable: { cpu: '2' } }),
        ],
      },
    ];
    const result = check({ cluster, shape });
    expect([result.outcome, result.confidence]).toEqual(['completes', 'likely']);
    expect(result.says.join(' ')).toContain('Two opposite choices give the same result');
  });

  it('gives new ordinals of a StatefulSet the claims that its controller creates', () => {
    const storage = schemas.StorageClass.parse({
      metadata: { name: 'fast', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
      provisioner: 'csi.example.com',
      volumeBindingMode: 'WaitForFirstConsumer',
    });
    const volumeClaimTemplates = [
      {
        metadata: { name: 'data' },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      },
    ];
    const result = check({
      cluster: [{ Node: [node('n1')], StorageClass: [storage] }],
      shape: { kind: 'StatefulSet' },
      spec: { replicas: 2, volumeClaimTemplates },
    });
    expect(result.outcome, result.says.join('\n')).toBe('completes');
  });

  it('keeps a pod in the zone of its volume', () => {
    const zoned = { labels: { zone: 'a' } };
    const shape: Partial<Serving> = {
      pod: { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] },
      container: { resources: { requests: { cpu: '3' } } },
    };
    const result = check({
      cluster: [
        serving({ on: ['n1'], ...shape }),
        {
          Node: [node('n1', zoned), node('n2', { labels: { zone: 'b' } })],
          PersistentVolumeClaim: [claim('data', { volumeName: 'pv' })],
          PersistentVolume: [
            volume('pv', {
              claimRef: { namespace: 'shop', name: 'data', uid: 'uid-data' },
              ...reaches('zone', 'a'),
            }),
          ],
        },
      ],
      shape,
    });
    expect([result.outcome, result.resource], result.says.join('\n')).toEqual(['deadlock', 'cpu']);
  });
});
