import { describe, expect, it } from 'vitest';
import type { ClusterObjects } from '#src/core/cluster/cluster-objects.js';
import { schemas } from '#src/core/cluster/cluster-objects.js';
import type { Pod } from '#src/core/cluster/pod.js';
import type { Snapshot } from '#src/core/cluster/snapshot.js';
import { Deployment, ReplicaSet } from '#src/core/cluster/workload.js';
import { fragileStrategy as rule } from '#src/core/diagnosis/causes/fragile-strategy/rule.js';
import { text } from '#src/core/diagnosis/causes/fragile-strategy/text.js';
import { surgeDeadlock } from '#src/core/diagnosis/causes/surge-deadlock/rule.js';
import { claim, node, volume } from '#support/placement-builders.js';
import { ago, buildPod, type PodFields } from '#support/rollout-builders.js';
import { buildStateOf } from '../../../rollout/daemon-set-builders.js';
import { foundBy, keysOf, mustFind, renderFinding, snapshotOf } from '../run-rule.js';

const gpu = 'nvidia.com/gpu';
const gpuNode = (name: string, count = 1) => node(name, { allocatable: { [gpu]: String(count) } });
const oneGpu = {
  containers: [
    {
      name: 'app',
      image: 'web:1',
      resources: { requests: { [gpu]: '1', cpu: '1' }, limits: { [gpu]: '1' } },
    },
  ],
};

interface Shape {
  readonly replicas?: number;
  readonly spec?: object;
  readonly strategy?: object;
  /** Nodes of the pods, all of the current revision and ready. */
  readonly on?: readonly string[];
  readonly pod?: Partial<PodFields>;
  readonly deployment?: object;
  readonly status?: object;
  readonly objects?: Partial<ClusterObjects>;
  readonly others?: readonly Pod[];
  readonly unseen?: Snapshot['unseen'];
}

/** `shop/web` at revision 1, complete: one replica with the only GPU. */
function healthy(shape: Shape = {}): Snapshot {
  const { on = ['a'], spec = oneGpu } = shape;
  const replicas = shape.replicas ?? on.length;
  const template = { metadata: { labels: { app: 'web' } }, spec };
  const workload = Deployment.parse({
    metadata: { name: 'web', namespace: 'shop', uid: 'web-uid', generation: 1 },
    spec: {
      replicas,
      selector: { matchLabels: { app: 'web' } },
      template,
      strategy: shape.strategy,
      ...shape.deployment,
    },
    status: {
      observedGeneration: 1,
      replicas,
      updatedReplicas: replicas,
      readyReplicas: replicas,
      availableReplicas: replicas,
      ...shape.status,
    },
  });
  const labels = { app: 'web', 'pod-template-hash': 'v1' };
  const set = ReplicaSet.parse({
    metadata: {
      name: 'web-1',
      namespace: 'shop',
      uid: 'web-1-uid',
      generation: 1,
      creationTimestamp: ago(9000),
      annotations: {
        'deployment.kubernetes.io/revision': '1',
        'deployment.kubernetes.io/desired-replicas': String(replicas),
      },
      ownerReferences: [{ kind: 'Deployment', name: 'web', uid: 'web-uid', controller: true }],
    },
    spec: { replicas, selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
    status: { observedGeneration: 1, replicas, readyReplicas: replicas, availableReplicas: replicas },
  });
  const pods = on.map((name, position) =>
    buildPod({ name: `web-1-${position}`, labels, node: name, spec, ...shape.pod }),
  );
  return snapshotOf(
    workload,
    { ReplicaSet: [set], Pod: [...pods, ...(shape.others ?? [])], Node: [gpuNode('a')], ...shape.objects },
    { unseen: shape.unseen ?? [] },
  );
}

describe('a workload whose replicas fill all nodes', () => {
  it('deadlocks at the next update, which is reported as a note', () => {
    const finding = mustFind(rule, healthy());

    expect(finding).toMatchObject({
      severity: 'info',
      confidence: 'proven',
      resource: gpu,
      nodes: ['a'],
      holders: [{ kind: 'Pod', namespace: 'shop', name: 'web-1-0' }],
      remediations: [],
    });
    expect(keysOf(finding.reasoning)).toEqual(['strategy', 'no-place', 'would-say', 'held', 'in-place']);
    expect(keysOf(finding.weakenedBy)).toEqual(['same-template']);
  });

  it('has the predicted scheduler message, and a strategy that completes', () => {
    const finding = mustFind(rule, healthy());
    const { en, ko } = renderFinding(finding, text);

    expect(en.join('\n')).toContain('0/1 nodes are available: 1 Insufficient nvidia.com/gpu.');
    expect(ko).toHaveLength(en.length);
    expect(finding.advice[0]?.snippet).toContain('maxSurge: 0');
  });

  it.each<readonly [string, Shape, string]>([
    ['three replicas on three nodes with one GPU each', { on: ['a', 'b', 'c'] }, gpu],
    [
      'a host port on the only node',
      {
        spec: { containers: [{ name: 'app', image: 'web:1', ports: [{ containerPort: 80, hostPort: 80 }] }] },
      },
      'hostPort',
    ],
    [
      'memory',
      { spec: { containers: [{ name: 'app', image: 'w', resources: { requests: { memory: '5Gi' } } }] } },
      'memory',
    ],
    [
      'anti-affinity with itself',
      {
        spec: {
          containers: [{ name: 'app', image: 'w' }],
          affinity: {
            podAntiAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: [
                { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'web' } } },
              ],
            },
          },
        },
      },
      'podAntiAffinity',
    ],
  ])('includes %s', (_, shape, resource) => {
    const nodes = (shape.on ?? ['a']).map((name) => gpuNode(name));

    expect(mustFind(rule, healthy({ objects: { Node: nodes }, ...shape }))).toMatchObject({
      resource,
      confidence: 'proven',
    });
  });

  it('includes a quota without capacity for one more pod', () => {
    const quota = schemas.ResourceQuota.parse({
      metadata: { name: 'team', namespace: 'shop' },
      spec: { hard: { 'requests.cpu': '1' } },
      status: { hard: { 'requests.cpu': '1' }, used: { 'requests.cpu': '1' } },
    });
    const finding = mustFind(
      rule,
      healthy({ objects: { ResourceQuota: [quota], Node: [gpuNode('a'), gpuNode('b')] } }),
    );

    expect(keysOf(finding.reasoning)).toContain('no-quota');
    renderFinding(finding, text);
  });

  it('is only likely to deadlock where pods could not be read', () => {
    const unseen = [{ what: 'Pod', namespace: '', because: 'too-many', message: '' }] as const;
    const finding = foundBy(rule, healthy({ unseen }));

    expect(finding?.confidence ?? 'likely').toBe('likely');
  });
});

describe('a volume that one node can attach', () => {
  const spec = {
    containers: [{ name: 'app', image: 'web:1' }],
    volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
  };
  const objects = (...nodes: readonly ReturnType<typeof node>[]): Partial<ClusterObjects> => ({
    Node: nodes,
    PersistentVolumeClaim: [claim('data', { volumeName: 'pv' })],
    PersistentVolume: [volume('pv', { csi: { driver: 'd' }, claimRef: { namespace: 'shop', name: 'data' } })],
    VolumeAttachment: [
      schemas.VolumeAttachment.parse({
        metadata: { name: 'csi-1' },
        spec: { attacher: 'd', nodeName: 'a', source: { persistentVolumeName: 'pv' } },
        status: { attached: true },
      }),
    ],
  });

  it('may block an update when the scheduler has a choice', () => {
    const finding = mustFind(rule, healthy({ spec, objects: objects(node('a'), node('b')) }));

    expect(finding).toMatchObject({ severity: 'info', confidence: 'possible', nodes: ['a'] });
    expect(keysOf(finding.reasoning)).toEqual(['strategy', 'moves', 'moves-perhaps']);
    expect(finding.advice[0]?.snippet).toContain('Recreate');
    renderFinding(finding, text);
  });

  it('is likely to block an update when its own node is full beside the old pod', () => {
    const containers = [{ name: 'app', image: 'w', resources: { requests: { cpu: '3' } } }];
    const finding = mustFind(
      rule,
      healthy({ spec: { ...spec, containers }, objects: objects(node('a'), node('b')) }),
    );

    expect(finding.confidence).toBe('likely');
    expect(keysOf(finding.reasoning)).toContain('moves-always');
  });

  it('cannot move where there is only one node', () => {
    expect(foundBy(rule, healthy({ spec, objects: objects(node('a')) }))).toBeUndefined();
  });

  it('blocks nothing when several nodes may attach it', () => {
    const shared = volume('pv', { csi: { driver: 'd' }, accessModes: ['ReadWriteMany'] });

    expect(
      foundBy(
        rule,
        healthy({ spec, objects: { ...objects(node('a'), node('b')), PersistentVolume: [shared] } }),
      ),
    ).toBeUndefined();
  });
});

describe('a surging DaemonSet', () => {
  const spec = {
    containers: [{ name: 'app', image: 'agent:2', ports: [{ containerPort: 80, hostPort: 80 }] }],
  };

  function daemons(fields: { maxSurge?: number; spec?: object }, revision = 2): Snapshot {
    const owner = { kind: 'DaemonSet', name: 'agent', uid: 'agent-uid' };
    const nodes = ['n-0', 'n-1'].map((name) => node(name));
    const state = buildStateOf(
      { maxSurge: 1, spec, ...fields },
      nodes.map(({ metadata }) => [metadata.name, revision, { owner, spec: fields.spec ?? spec }] as const),
    );
    const { daemonSet } = state;
    const workload = { ...daemonSet, status: { ...daemonSet.status, observedGeneration: 2 } };
    const revisions = state.controllerRevisions.map((each) => ({
      ...each,
      metadata: {
        ...each.metadata,
        namespace: 'shop',
        ownerReferences: [{ apiVersion: 'apps/v1', ...owner, controller: true }],
      },
    }));
    return snapshotOf(workload, { ControllerRevision: revisions, Pod: state.pods, Node: nodes });
  }

  it('deadlocks beside its own host port', () => {
    const finding = mustFind(rule, daemons({}));

    expect(finding).toMatchObject({
      severity: 'info',
      confidence: 'proven',
      resource: 'hostPort',
      nodes: ['n-0', 'n-1'],
      subject: { kind: 'DaemonSet' },
    });
    expect(finding.advice[0]?.snippet).toContain('updateStrategy');
    renderFinding(finding, text);
  });

  it.each([
    ['stops the old pod first', { maxSurge: 0 }],
    ['fits twice on the node', { spec: { containers: [{ name: 'app', image: 'agent:2' }] } }],
  ])('completes its update when it %s', (_, fields) => {
    expect(foundBy(rule, daemons(fields))).toBeUndefined();
  });

  it('is not reported while an update is in progress', () => {
    expect(foundBy(rule, daemons({}, 1))).toBeUndefined();
  });
});

describe('no fragile strategy is reported', () => {
  it.each<readonly [string, Shape]>([
    ['when a second GPU is free', { objects: { Node: [gpuNode('a', 2)] } }],
    ['when another node has one', { objects: { Node: [gpuNode('a'), gpuNode('b')] } }],
    [
      'when the strategy stops the old pod first',
      { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } },
    ],
    ['when it uses Recreate', { strategy: { type: 'Recreate' } }],
    ['when a pod may be unavailable', { strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } } }],
    ['when it is paused', { deployment: { paused: true } }],
    ['when it has no replicas', { on: [], replicas: 0 }],
    ['when it is unhealthy now', { pod: { ready: false }, status: { availableReplicas: 0 } }],
    ['when the controller has not observed its last change', { status: { observedGeneration: 0 } }],
    ['when no node is known', { objects: { Node: [] } }],
    [
      'when an autoscaler may add a node',
      {
        objects: {
          Node: [gpuNode('a')],
          Event: [
            schemas.Event.parse({
              metadata: { name: 'e', namespace: 'shop' },
              reason: 'TriggeredScaleUp',
              message: 'pod triggered scale-up',
            }),
          ],
        },
      },
    ],
    [
      'when a higher priority lets it preempt other pods',
      {
        spec: { ...oneGpu, priority: 10 },
        others: [
          buildPod({
            name: 'batch',
            owner: { kind: 'Job', name: 'batch', uid: 'batch-uid' },
            node: 'b',
            labels: { app: 'batch' },
            spec: { ...oneGpu, priority: 0 },
          }),
        ],
        objects: { Node: [gpuNode('a'), gpuNode('b')] },
      },
    ],
  ])('%s', (_, shape) => {
    expect(foundBy(rule, healthy(shape))).toBeUndefined();
  });

  it('when the deadlock itself is reported', () => {
    const { index, workload } = healthy();
    if (workload.kind !== 'Deployment') throw new Error('a Deployment is needed');
    const [first] = index.objects.ReplicaSet;
    const [old] = index.objects.Pod;
    if (first === undefined || old === undefined) throw new Error('an old pod is needed');
    const template = {
      metadata: { labels: { app: 'web' } },
      spec: { ...oneGpu, containers: [{ ...oneGpu.containers[0], image: 'web:2' }] },
    };
    const labels = { app: 'web', 'pod-template-hash': 'v2' };
    const changed = Deployment.parse({
      ...workload,
      spec: { ...workload.spec, template },
      status: { ...workload.status },
    });
    const second = ReplicaSet.parse({
      metadata: { ...first.metadata, name: 'web-2', uid: 'web-2-uid', creationTimestamp: ago(1000) },
      spec: {
        replicas: 1,
        selector: { matchLabels: labels },
        template: { ...template, metadata: { labels } },
      },
      status: { observedGeneration: 1, replicas: 1 },
    });
    const waiting = buildPod({
      name: 'web-2-0',
      owner: { name: 'web-2', uid: 'web-2-uid' },
      labels,
      node: undefined,
      spec: oneGpu,
    });
    const now = snapshotOf(changed, {
      ReplicaSet: [first, second],
      Pod: [old, waiting],
      Node: [gpuNode('a')],
    });

    expect(foundBy(surgeDeadlock, now)).toBeDefined();
    expect(foundBy(rule, now)).toBeUndefined();
  });
});
