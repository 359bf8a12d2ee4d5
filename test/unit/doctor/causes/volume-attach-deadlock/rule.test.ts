import { describe } from 'vitest';
import { volumeAttachDeadlock } from '#src/doctor/causes/volume-attach-deadlock/rule.js';
import type { ClusterObjects } from '#src/engine/objects/cluster-objects.js';
import type { Pod } from '#src/engine/objects/pod.js';
import type { Unseen } from '#src/engine/objects/snapshot.js';
import { build } from '../../../../support/kubernetes-objects.js';
import { claim, node, volume } from '../../../../support/placement-builders.js';
import {
  ago,
  buildDeployment,
  buildPod,
  buildReplicaSet,
  type DeploymentFields,
  type PodFields,
} from '../../../../support/rollout-builders.js';
import { autoscalerOf, expectFindings, has, lacks, podEvent, snapshotOf } from '../run-rule.js';

const withClaim = {
  containers: [{ name: 'app', image: 'web:1' }],
  volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
};
const oldPod = (fields: Partial<PodFields> = {}) =>
  buildPod({ name: 'old', node: 'n-a', spec: withClaim, ...fields });

function newPod(fields: Partial<PodFields> = {}, reason = 'ContainerCreating', sandbox = 'False'): Pod {
  return buildPod({
    name: 'new',
    owner: { name: 'web-2', uid: 'web-2-uid' },
    node: 'n-b',
    phase: 'Pending',
    age: 1500,
    spec: withClaim,
    status: {
      conditions: [
        { type: 'PodScheduled', status: 'True', lastTransitionTime: ago(1500) },
        { type: 'PodReadyToStartContainers', status: sandbox },
        { type: 'Ready', status: 'False' },
      ],
      containerStatuses: [{ name: 'app', ready: false, restartCount: 0, state: { waiting: { reason } } }],
    },
    ...fields,
  });
}

const attachment = (nodeName: string, persistentVolumeName = 'pv', attached = true) =>
  build('VolumeAttachment', `csi-${persistentVolumeName}-${nodeName}`, {
    spec: { attacher: 'disk.csi', nodeName, source: { persistentVolumeName } },
    status: { attached },
  });
const modes = (...accessModes: string[]): Partial<ClusterObjects> => ({
  PersistentVolumeClaim: [claim('data', { volumeName: 'pv', accessModes })],
  PersistentVolume: [
    volume('pv', { accessModes, csi: { driver: 'disk.csi' }, claimRef: { namespace: 'shop', name: 'data' } }),
  ],
});
const multiAttach = podEvent(
  'new',
  'FailedAttachVolume',
  'Multi-Attach error for volume "pv" Volume is already used by pod(s) old',
  'attachdetach-controller',
);
/** The same since Kubernetes 1.37. */
const waitingForDetach = podEvent(
  'new',
  'FailedAttachVolume',
  'Waiting for detach for volume "pv" Volume is already used by pod(s) old',
  'attachdetach-controller',
);
const notMounted = podEvent(
  'new',
  'FailedMount',
  'Unable to attach or mount volumes: unmounted volumes=[data], unattached volumes=[], failed to process volumes=[]: context deadline exceeded',
);
const debug = buildPod({
  ...{ name: 'debug', node: 'n-a', spec: withClaim },
  owner: { kind: 'Job', name: 'debug', uid: 'j' },
});

interface Fields extends Partial<ClusterObjects> {
  readonly old?: Partial<PodFields>;
  readonly waiting?: Pod;
  readonly others?: readonly Pod[];
  readonly deployment?: DeploymentFields;
  readonly unseen?: readonly Unseen[];
}

/** `shop/web`: the old pod has the disk on n-a, the new pod was sent to n-b 25 minutes ago. */
const stuck = ({ old, waiting = newPod(), others = [], deployment, unseen = [], ...objects }: Fields) =>
  snapshotOf(
    buildDeployment(deployment),
    {
      ReplicaSet: [
        buildReplicaSet({ revision: 1, replicas: 1, available: 1 }),
        buildReplicaSet({ revision: 2, replicas: 1 }),
      ],
      Pod: [oldPod(old), waiting, ...others],
      Node: [node('n-a'), node('n-b')],
      ...modes('ReadWriteOnce'),
      VolumeAttachment: [attachment('n-a')],
      ...objects,
    },
    { unseen },
  );

const drained = (tolerationSeconds?: number): Fields => ({
  Node: [
    node('n-a', { taints: [{ key: 'drain', value: '', effect: 'NoExecute', timeAdded: ago(60) } as never] }),
    node('n-b'),
  ],
  old: { spec: { ...withClaim, tolerations: [{ key: 'drain', operator: 'Exists', tolerationSeconds }] } },
});
const drainedNew = (tolerationSeconds?: number): Fields => ({
  Node: [
    node('n-a'),
    node('n-b', { taints: [{ key: 'drain', value: '', effect: 'NoExecute', timeAdded: ago(60) } as never] }),
  ],
  waiting: newPod({
    spec: { ...withClaim, tolerations: [{ key: 'drain', operator: 'Exists', tolerationSeconds }] },
  }),
});
const forbidden = [
  { what: 'PersistentVolumeClaim', namespace: 'shop', because: 'forbidden', message: '' },
] as const;
const manyPods = [{ what: 'Pod', namespace: '', because: 'too-many', message: '9 nodes' }] as const;
const proven = { confidence: 'proven', doubts: [] };

describe('a volume that the old pod keeps on its node', () => {
  expectFindings<Fields>(volumeAttachDeadlock, stuck, [
    [
      'is proven from the objects where the event has expired, and freed by stopping the old pod first',
      {},
      {
        ...proven,
        severity: 'critical',
        nodes: ['n-a'],
        holders: ['old'],
        reasoning: [
          'waits',
          'held',
          'one-node',
          'strategy-forbids',
          'counterfactual',
          'event-gone',
          'served',
        ],
        shownBy: has('VolumeAttachment'),
        fix: {
          kind: 'patch-strategy',
          strategy: { type: 'RollingUpdate', maxSurge: 0, maxUnavailable: 1 },
          prediction: { ends: 'complete', victims: [{ name: 'old' }] },
          price: { downtime: { kind: 'gap' } },
        },
      },
    ],
    [
      'is reported with the event while it exists',
      { Event: [multiAttach] },
      { reasoning: lacks('event-gone'), quotes: has(multiAttach.message) },
    ],
    [
      'is likely where the old pod tolerates a taint for some time',
      drained(600),
      { confidence: 'likely', doubts: ['evictions-may-free'] },
    ],
    ['is proven where the old pod tolerates the taint without a limit', drained(), proven],
    [
      'is likely where a taint evicts the new pod, which may then find the node of the volume',
      drainedNew(600),
      { confidence: 'likely', doubts: ['waiting-may-move'] },
    ],
    [
      'is likely where the node of the old pod is cordoned, as before a drain',
      { Node: [node('n-a', { unschedulable: true }), node('n-b')] },
      { confidence: 'likely', doubts: ['programs-may-evict'] },
    ],
    [
      'is proven where another node is cordoned',
      { Node: [node('n-a'), node('n-b'), node('n-c', { unschedulable: true })] },
      proven,
    ],
    ['is proven where the new pod tolerates the taint without a limit', drainedNew(), proven],
    [
      'is likely beside an autoscaler that may remove every pod',
      { HorizontalPodAutoscaler: [autoscalerOf('Deployment', 'web', 0)] },
      { confidence: 'likely', doubts: ['autoscaler-may-shrink'] },
    ],
    [
      'is proven beside an autoscaler that keeps one pod',
      { HorizontalPodAutoscaler: [autoscalerOf('Deployment', 'web', 1)] },
      proven,
    ],
    [
      'is reported within the first minute, since waiting cannot help',
      { waiting: newPod({ age: 20 }) },
      { confidence: 'proven' },
    ],
    ['is proven with a claim whose PersistentVolume was not recorded', { PersistentVolume: [] }, proven],
    [
      'is reported where the old pod crashes: its node keeps the volume',
      {
        old: { ready: false, restarts: 9, status: { conditions: [{ type: 'Ready', status: 'False' }] } },
      },
      { holders: ['old'] },
    ],
    [
      'is reported where the attachment to the new node failed',
      { VolumeAttachment: [attachment('n-a'), attachment('n-b', 'pv', false)] },
      {},
    ],
    [
      'is likely by the event without any VolumeAttachment',
      { VolumeAttachment: [], Event: [multiAttach] },
      { confidence: 'likely', doubts: ['attachment-unseen'] },
    ],
    [
      'is likely by the event of Kubernetes 1.37 without any VolumeAttachment',
      { VolumeAttachment: [], Event: [waitingForDetach] },
      { confidence: 'likely', doubts: ['attachment-unseen'] },
    ],
    [
      "is likely by the kubelet's own event about the volume",
      { VolumeAttachment: [], Event: [notMounted] },
      { confidence: 'likely' },
    ],
    [
      'is likely where only the event names volume and pod while claims are forbidden',
      {
        PersistentVolumeClaim: [],
        PersistentVolume: [],
        VolumeAttachment: [],
        Event: [multiAttach],
        unseen: forbidden,
      },
      { confidence: 'likely', nodes: ['n-a'], holders: ['old'] },
    ],
    [
      'is likely where only the event of Kubernetes 1.37 names volume and pod while claims are forbidden',
      {
        PersistentVolumeClaim: [],
        PersistentVolume: [],
        VolumeAttachment: [],
        Event: [waitingForDetach],
        unseen: forbidden,
      },
      { confidence: 'likely', nodes: ['n-a'], holders: ['old'] },
    ],
    ['is likely where unread pods may use the volume too', { unseen: manyPods }, { confidence: 'likely' }],
    [
      'is reported with other pods that use it on that node, and fixes that would not free it are withheld',
      { others: [debug] },
      {
        confidence: 'likely',
        fixes: ['undo-rollout'],
        withheld: has('patch-strategy'),
        facts: { alsoUsedBy: ['shop/debug'] },
      },
    ],
  ]);
});

describe('no volume deadlock is reported', () => {
  const made = newPod({}, 'ContainerCreating', 'True');
  const down = build('Node', 'n-a', { status: { conditions: [{ type: 'Ready', status: 'Unknown' }] } });
  expectFindings<Fields>(volumeAttachDeadlock, stuck, [
    ['without attachment and event', { VolumeAttachment: [] }],
    ['where several nodes may have the volume', modes('ReadWriteMany')],
    ['where several nodes may attach it for reading', modes('ReadOnlyMany')],
    ['where one of its modes allows several nodes', modes('ReadWriteOnce', 'ReadWriteMany')],
    ['where both pods are on the same node', { waiting: newPod({ node: 'n-a' }) }],
    ['where the volume is attached to the new node already', { VolumeAttachment: [attachment('n-b')] }],
    ['where the old pod is leaving', { old: { terminating: true } }],
    ['where the old pod has ended', { old: { phase: 'Failed' } }],
    ['where the attachment is of another volume', { VolumeAttachment: [attachment('n-a', 'other')] }],
    ['where the old pod does not use the claim', { old: { spec: { containers: withClaim.containers } } }],
    ['where the pod waits for its image', { waiting: newPod({}, 'ImagePullBackOff') }],
    ['where its volumes are mounted and the sandbox is made', { waiting: made }],
    [
      'where the volume is of no CSI driver',
      { PersistentVolume: [volume('pv', { nfs: { server: 'nas' } })] },
    ],
    ['while the rollout is paused', { deployment: { paused: true } }],
    ['where the controller may stop the old pod', { deployment: { maxUnavailable: 1 } }],
    ['under Recreate', { deployment: { recreate: true } }],
    ['where the node of the old pod is down, which is another matter', { Node: [down, node('n-b')] }],
    ['where the claim is not bound', { PersistentVolumeClaim: [claim('data')] }],
  ]);
});
