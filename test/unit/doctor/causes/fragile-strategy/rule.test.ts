import { describe, expect, it } from 'vitest';
import { fragileStrategy as rule } from '#src/doctor/causes/fragile-strategy/rule.js';
import { surgeDeadlock } from '#src/doctor/causes/surge-deadlock/rule.js';
import type { ClusterObjects } from '#src/engine/objects/cluster-objects.js';
import type { Pod } from '#src/engine/objects/pod.js';
import type { Snapshot } from '#src/engine/objects/snapshot.js';
import { build, type Change, deployment, quota, replicaSet } from '../../../../support/kubernetes-objects.js';
import { claim, node, volume } from '../../../../support/placement-builders.js';
import { buildPod, type PodFields } from '../../../../support/rollout-builders.js';
import { buildStateOf } from '../../../engine/workloads/daemon-set-builders.js';
import { expectFindings, foundBy, has, snapshotOf } from '../run-rule.js';

const gpu = 'nvidia.com/gpu';
const gpuNode = (name: string, count = 1) => node(name, { allocatable: { [gpu]: String(count) } });
const running = (container: object, more: object = {}) => ({
  containers: [{ name: 'app', image: 'web:1', ...container }],
  ...more,
});
const asking = (requests: object) => running({ resources: { requests } });
const oneGpu = running({ resources: { requests: { [gpu]: '1', cpu: '1' }, limits: { [gpu]: '1' } } });
const port = running({ ports: [{ containerPort: 80, hostPort: 80 }] });

interface Shape extends Partial<ClusterObjects> {
  readonly spec?: object;
  readonly strategy?: object;
  /** Nodes of the pods, all of the current revision and ready. */
  readonly on?: readonly string[];
  readonly pod?: Partial<PodFields>;
  readonly changes?: Change<'Deployment'>;
  readonly others?: readonly Pod[];
  readonly unseen?: Snapshot['unseen'];
}

const labels = { app: 'web', 'pod-template-hash': 'web-1' };

/** `shop/web` at revision 1, complete: one replica with the only GPU. */
function healthy(shape: Shape): Snapshot {
  const {
    on = ['a'],
    spec = oneGpu,
    strategy,
    pod,
    changes = {},
    others = [],
    unseen = [],
    ...objects
  } = shape;
  const replicas = on.length;
  const ready = { replicas, readyReplicas: replicas, availableReplicas: replicas };
  const workload = deployment(
    'web',
    {
      metadata: { generation: 1 },
      spec: { replicas, template: { spec }, strategy },
      status: { observedGeneration: 1, updatedReplicas: replicas, ...ready },
    } as Change<'Deployment'>,
    changes,
  );
  const set = replicaSet(1, 'web', {
    metadata: { annotations: { 'deployment.kubernetes.io/desired-replicas': String(replicas) } },
    spec: { replicas, template: { spec } },
    status: ready,
  } as Change<'ReplicaSet'>);
  const pods = on.map((name, at) => buildPod({ name: `web-1-${at}`, labels, node: name, spec, ...pod }));
  return snapshotOf(
    workload,
    { ReplicaSet: [set], Pod: [...pods, ...others], Node: [gpuNode('a')], ...objects },
    { unseen },
  );
}

const apart = { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'web' } } };
const apartFromItself = running(
  {},
  {
    affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [apart] } },
  },
);
const note = (resource: string) => ({ severity: 'info', confidence: 'proven', resource, fixes: [] });

describe('a workload whose replicas fill all nodes', () => {
  expectFindings<Shape>(rule, healthy, [
    [
      'deadlocks at the next update, which is a note with a strategy that completes',
      {},
      {
        ...note(gpu),
        nodes: ['a'],
        holders: ['web-1-0'],
        reasoning: ['strategy', 'no-place', 'would-say', 'held', 'in-place'],
        doubts: ['same-template'],
        snippets: expect.stringContaining('maxSurge: 0'),
      },
    ],
    [
      'may be of three replicas',
      { on: ['a', 'b', 'c'], Node: ['a', 'b', 'c'].map((name) => gpuNode(name)) },
      note(gpu),
    ],
    ['may use a host port on the only node', { spec: port }, note('hostPort')],
    ['may use the memory', { spec: asking({ memory: '5Gi' }) }, note('memory')],
    ['may have anti-affinity with itself', { spec: apartFromItself }, note('podAntiAffinity')],
    [
      'may have a quota without capacity for one more pod',
      {
        ResourceQuota: [quota({ 'requests.cpu': '1' }, { 'requests.cpu': '1' })],
        Node: [gpuNode('a'), gpuNode('b')],
      },
      { reasoning: has('no-quota') },
    ],
  ]);

  it('is only likely to deadlock where pods could not be read', () => {
    const unseen = [{ what: 'Pod', namespace: '', because: 'too-many', message: '' }] as const;

    expect(foundBy(rule, healthy({ unseen }))?.confidence ?? 'likely').toBe('likely');
  });
});

const attached = build('VolumeAttachment', 'csi-1', {
  spec: { attacher: 'd', nodeName: 'a', source: { persistentVolumeName: 'pv' } },
  status: { attached: true },
});
const withDisk = (shape: Shape): Snapshot =>
  healthy({
    spec: running({}, { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] }),
    Node: [node('a'), node('b')],
    PersistentVolumeClaim: [claim('data', { volumeName: 'pv' })],
    PersistentVolume: [volume('pv', { csi: { driver: 'd' }, claimRef: { namespace: 'shop', name: 'data' } })],
    VolumeAttachment: [attached],
    ...shape,
  });

describe('a volume that one node can attach', () => {
  const large = { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] };
  expectFindings<Shape>(rule, withDisk, [
    [
      'may block an update where the scheduler has a choice',
      {},
      {
        severity: 'info',
        confidence: 'possible',
        nodes: ['a'],
        reasoning: ['strategy', 'moves', 'moves-perhaps'],
        snippets: expect.stringContaining('Recreate'),
      },
    ],
    [
      'is likely to block an update where its own node is full beside the old pod',
      { spec: { ...asking({ cpu: '3' }), ...large } },
      { confidence: 'likely', reasoning: has('moves-always') },
    ],
    ['cannot move where there is only one node', { Node: [node('a')] }],
    [
      'blocks nothing where several nodes may attach it',
      { PersistentVolume: [volume('pv', { csi: { driver: 'd' }, accessModes: ['ReadWriteMany'] })] },
    ],
  ]);
});

interface Daemons {
  readonly maxSurge?: number;
  readonly spec?: object;
  readonly revision?: number;
}

function daemons({ maxSurge = 1, spec = port, revision = 2 }: Daemons): Snapshot {
  const owner = { kind: 'DaemonSet', name: 'agent', uid: 'agent-uid' };
  const nodes = ['n-0', 'n-1'].map((name) => node(name));
  const state = buildStateOf(
    { maxSurge, spec },
    nodes.map(({ metadata }) => [metadata.name, revision, { owner, spec }] as const),
  );
  const { daemonSet } = state;
  const ownerReferences = [{ apiVersion: 'apps/v1', ...owner, controller: true }];
  return snapshotOf(
    { ...daemonSet, status: { ...daemonSet.status, observedGeneration: 2 } },
    {
      ControllerRevision: state.controllerRevisions.map((each) => ({
        ...each,
        metadata: { ...each.metadata, namespace: 'shop', ownerReferences },
      })),
      Pod: state.pods,
      Node: nodes,
    },
  );
}

describe('a surging DaemonSet', () => {
  expectFindings<Daemons>(rule, daemons, [
    [
      'deadlocks beside its own host port',
      {},
      {
        ...note('hostPort'),
        nodes: ['n-0', 'n-1'],
        subject: { kind: 'DaemonSet' },
        snippets: expect.stringContaining('updateStrategy'),
      },
    ],
    ['completes its update where it stops the old pod first', { maxSurge: 0 }],
    ['completes its update where it fits twice on the node', { spec: running({}) }],
    ['is not reported while an update is in progress', { revision: 1 }],
  ]);
});

const scaleUp = build('Event', 'e', { reason: 'TriggeredScaleUp', message: 'pod triggered scale-up' });
const rolling = (maxSurge: number) => ({
  type: 'RollingUpdate',
  rollingUpdate: { maxSurge, maxUnavailable: 1 },
});
const batch = buildPod({
  name: 'batch',
  owner: { kind: 'Job', name: 'batch', uid: 'batch-uid' },
  node: 'b',
  labels: { app: 'batch' },
  spec: { ...oneGpu, priority: 0 },
});

describe('no fragile strategy is reported', () => {
  expectFindings<Shape>(rule, healthy, [
    ['where a second GPU is free', { Node: [gpuNode('a', 2)] }],
    ['where another node has one', { Node: [gpuNode('a'), gpuNode('b')] }],
    ['where the strategy stops the old pod first', { strategy: rolling(0) }],
    ['where it uses Recreate', { strategy: { type: 'Recreate' } }],
    ['where a pod may be unavailable', { strategy: rolling(1) }],
    ['where it is paused', { changes: { spec: { paused: true } } }],
    ['where it has no replicas', { on: [] }],
    ['where it is unhealthy now', { pod: { ready: false }, changes: { status: { availableReplicas: 0 } } }],
    [
      'where the controller has not observed its last change',
      { changes: { status: { observedGeneration: 0 } } },
    ],
    ['where no node is known', { Node: [] }],
    ['where an autoscaler may add a node', { Event: [scaleUp] }],
    [
      'where a higher priority lets it preempt other pods',
      { spec: { ...oneGpu, priority: 10 }, others: [batch], Node: [gpuNode('a'), gpuNode('b')] },
    ],
  ]);

  it('where the deadlock itself is reported', () => {
    const { index, workload } = healthy({
      changes: {
        spec: { template: { spec: running({ ...oneGpu.containers[0], image: 'web:2' }) } },
      } as Change<'Deployment'>,
    });
    const template = { spec: running({ ...oneGpu.containers[0], image: 'web:2' }) };
    const second = replicaSet(2, 'web', { spec: { template } } as Change<'ReplicaSet'>);
    const waiting = buildPod({
      name: 'web-2-0',
      owner: { name: 'web-2', uid: 'web-2-uid' },
      labels: { 'pod-template-hash': 'web-2' },
      node: undefined,
      spec: oneGpu,
    });
    const { ReplicaSet, Pod, Node } = index.objects;
    const now = snapshotOf(workload, { ReplicaSet: [...ReplicaSet, second], Pod: [...Pod, waiting], Node });

    expect(foundBy(surgeDeadlock, now)).toBeDefined();
    expect(foundBy(rule, now)).toBeUndefined();
  });
});
