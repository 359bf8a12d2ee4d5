import { describe, expect } from 'vitest';
import { volumeUnbound as rule } from '#src/doctor/causes/volume-unbound/rule.js';
import type { ClusterObjects } from '#src/engine/objects/cluster-objects.js';
import type { Snapshot } from '#src/engine/objects/snapshot.js';
import { build, claim, event, leaving, node, volume } from '../../../../support/kubernetes-objects.js';
import { ago, buildDeployment, buildPod, buildReplicaSet } from '../../../../support/rollout-builders.js';
import { expectFindings, has, snapshotOf, step } from '../run-rule.js';

/** A generic ephemeral volume `data`, and the claim of its name that belongs to this. */
const ephemeral = (uid: string | undefined) => ({
  says: `0/1 nodes are available: PVC shop/web-2-a-data was not created for pod shop/web-2-a (pod is not owner).`,
  spec: { volumes: [{ name: 'data', ephemeral: {} }] },
  of: claim('web-2-a-data', 'pv', {
    metadata: {
      ownerReferences:
        uid === undefined ? [] : [{ kind: 'Pod', name: 'web-2-a', uid, controller: true, apiVersion: 'v1' }],
    },
  }),
  PersistentVolume: [volume('pv')],
});
const none = (why: string) => `0/1 nodes are available: ${why}. not found`;
const unbound = none('pod has unbound immediate PersistentVolumeClaims');
const noMemory = '0/1 nodes are available: 1 Insufficient memory.';
const forbidden = [
  { what: 'PersistentVolumeClaim', namespace: 'shop', because: 'forbidden', message: '' },
] as const;

interface Fields extends Partial<ClusterObjects> {
  readonly says?: string;
  /** The claim `data`. */
  readonly of?: ClusterObjects['PersistentVolumeClaim'][number];
  readonly spec?: object;
  readonly unseen?: Snapshot['unseen'];
  readonly onNode?: string;
  readonly nominated?: string;
  readonly reason?: string;
}

/** `shop/web`, first rollout: its pod names the claim `data`. */
function waiting(fields: Fields): Snapshot {
  const { says, of, spec, unseen = [], onNode, nominated, reason = 'Unschedulable', ...objects } = fields;
  const PersistentVolumeClaim = of === undefined ? [] : [of];
  const condition = { type: 'PodScheduled', status: 'False', reason, message: says };
  const conditions = says === undefined ? [] : [{ ...condition, lastTransitionTime: ago(900) }];
  const pod = buildPod({
    name: 'web-2-a',
    owner: { name: 'web-2', uid: 'web-2-uid' },
    node: onNode,
    age: 900,
    spec: {
      containers: [{ name: 'app', image: 'web:2' }],
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
      ...spec,
    },
    ...(onNode === undefined
      ? { status: { phase: 'Pending', conditions, nominatedNodeName: nominated } }
      : {}),
  });
  const ReplicaSet = [buildReplicaSet({ revision: 2, replicas: 1 })];
  return snapshotOf(
    buildDeployment(),
    { ReplicaSet, Pod: [pod], Node: [node('n-a')], PersistentVolumeClaim, ...objects },
    { unseen },
  );
}

/** The claim `data`, which waits so many seconds for a volume. */
const pending = (spec: Parameters<typeof claim>[2] = {}, age = 900) =>
  claim('data', undefined, { metadata: { creationTimestamp: ago(age) } }, spec);
const ofClass = (storageClassName: string, age = 900) => pending({ spec: { storageClassName } }, age);
const named = pending({ spec: { volumeName: 'pv-x' } });
const bound = claim('data', 'pv');
const waitsFor = 'WaitForFirstConsumer';
const storageClass = (name: string, provisioner = 'disk.csi.example', volumeBindingMode = 'Immediate') =>
  build('StorageClass', name, { provisioner, volumeBindingMode });
const manual = (mode?: string) => storageClass('local', 'kubernetes.io/no-provisioner', mode);
const about = (reason: string, message: string, secondsAgo = 60) =>
  event(bound, reason, message, {
    metadata: { name: `data.${reason}.${secondsAgo}` },
    lastTimestamp: ago(secondsAgo),
    firstTimestamp: undefined,
  });
const quotaExceeded =
  'failed to provision volume with StorageClass "fast": rpc error: code = ResourceExhausted desc = quota exceeded';
const failed = about('ProvisioningFailed', quotaExceeded);
const local = (name: string, of: Parameters<typeof volume>[1]) =>
  volume(name, { spec: { storageClassName: 'local' } }, of ?? {});
const small = local('pv-small', { spec: { capacity: { storage: '1Mi' } } });
const usedBy = (name: string) => ({ claimRef: { namespace: 'shop', name, uid: `before-${name}` } });
const fast = [storageClass('fast')];
const ofFast = ofClass('fast');

/** The claim `data`, for whose pod the scheduler chose `n-a`. */
const chosen = (age = 900) =>
  pending(
    {
      metadata: { annotations: { 'volume.kubernetes.io/selected-node': 'n-a' } },
      spec: { storageClassName: 'later' },
    },
    age,
  );
const later = storageClass('later', 'disk.csi.example', waitsFor);
const reported = (secondsAgo: number) => ({
  ...about('ExternalProvisioning', 'Waiting for a volume to be created'),
  firstSeen: ago(secondsAgo),
});

const because = (key: string, confidence = 'proven') => ({
  reasoning: has(key),
  confidence,
  fixes: [],
  withheld: has('restart-rollout'),
  advice: has(expect.any(String)),
});

describe('an unbound claim is reported because', () => {
  expectFindings<Fields>(rule, waiting, [
    [
      'it does not exist, as the scheduler reports',
      { says: none('persistentvolumeclaim "data" not found') },
      because('missing'),
    ],
    ['it does not exist, and the scheduler has not tried the pod yet', {}, because('missing', 'likely')],
    [
      'it is being deleted while the pod needs it',
      {
        says: none('persistentvolumeclaim "data" is being deleted'),
        of: claim('data', 'pv', leaving(100)),
        PersistentVolume: [volume('pv')],
      },
      because('deleting'),
    ],
    ['an ephemeral volume has a claim that somebody made', ephemeral(undefined), because('not-owned')],
    ['an ephemeral volume has the claim of another pod', ephemeral('other'), because('not-owned')],
    ['it has lost its volume', { of: claim('data', 'pv', { status: { phase: 'Lost' } }) }, because('lost')],
    [
      'it is bound to a volume that does not exist',
      { says: none('persistentvolume "pv" not found'), of: bound },
      because('lost'),
    ],
    [
      'its storage class does not exist, and others do',
      { says: unbound, of: ofClass('fats'), StorageClass: fast },
      because('class-missing'),
    ],
    [
      'its storage class was not read, and no message reports it missing',
      { says: unbound, of: ofClass('fats') },
      because('class-missing', 'likely'),
    ],
    [
      'its storage class is not found by the volume controller',
      {
        of: ofClass('fats'),
        Event: [about('ProvisioningFailed', 'storageclass.storage.k8s.io "fats" not found')],
      },
      because('class-missing'),
    ],
    ['it names no class and there is no default', { says: unbound, of: pending() }, because('no-class')],
    [
      'it accepts only manually created volumes, and there is none',
      { says: unbound, of: ofClass('') },
      because('no-volume'),
    ],
    [
      'its class has no provisioner, and no volume matches',
      {
        says: unbound,
        of: ofClass('local'),
        StorageClass: [manual()],
        PersistentVolume: [small],
      },
      because('no-volume'),
    ],
    [
      'it waits for its first consumer, and no volume can ever be bound to it',
      {
        says: "0/1 nodes are available: 1 node(s) didn't find available persistent volumes to bind. preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.",
        of: ofClass('local'),
        StorageClass: [manual(waitsFor)],
      },
      because('no-volume'),
    ],
    [
      'the provisioner cannot create it, which is quoted',
      { says: unbound, of: ofFast, StorageClass: fast, Event: [failed] },
      { ...because('provisioning-failed'), quotes: has(quotaExceeded) },
    ],
    [
      'the provisioner fails after the first consumer has got its node',
      {
        of: ofFast,
        StorageClass: [storageClass('fast', 'disk.csi.example', waitsFor)],
        Event: [failed],
      },
      because('provisioning-failed'),
    ],
    [
      'the provisioner has reported nothing for a quarter of an hour',
      { says: unbound, of: ofFast, StorageClass: fast },
      because('silent', 'likely'),
    ],
    [
      'the scheduler chose a node minutes ago, and waits for the provisioner before it binds the pod',
      { of: chosen(), StorageClass: [later], nominated: 'n-a' },
      {
        ...because('silent', 'likely'),
        steps: has(step('silent', { seconds: 900 }), step('chosen', { node: 'n-a' })),
        ruledOut: has('surge-deadlock', 'preempted'),
        facts: { trouble: { kind: 'silent', node: 'n-a', hasBegun: false } },
      },
    ],
    [
      'the same before Kubernetes 1.35, which names the node on the claim alone',
      { of: chosen(), StorageClass: [later] },
      because('silent', 'likely'),
    ],
    [
      'the scheduler gave up to bind it',
      {
        says: 'running PreBind plugin "VolumeBinding": binding volumes: context deadline exceeded',
        reason: 'SchedulerError',
        of: chosen(),
        StorageClass: [later],
      },
      because('silent'),
    ],
    [
      'a pod that waited for room got its node minutes ago, as the volume binder reports',
      { says: noMemory, of: chosen(), StorageClass: [later], nominated: 'n-a', Event: [reported(400)] },
      { ...because('silent', 'likely'), steps: has(step('silent', { seconds: 400 })) },
    ],
    [
      'its provisioner began and has not finished',
      { of: chosen(), StorageClass: [later], Event: [about('Provisioning', 'External provisioner', 800)] },
      because('unfinished', 'likely'),
    ],
    ['it names a volume that does not exist', { says: unbound, of: named }, because('named-missing')],
    [
      'it names a volume that belongs to another claim',
      {
        says: unbound,
        of: named,
        PersistentVolume: [volume('pv-x', { spec: usedBy('other') })],
      },
      because('named'),
    ],
    [
      'no volume matches: the nearest lack something, and a released one may be released',
      {
        says: unbound,
        of: ofClass('local'),
        StorageClass: [manual()],
        PersistentVolume: [
          small,
          local('pv-old', { spec: usedBy('data'), status: { phase: 'Released' } }),
          local('pv-taken', { spec: usedBy('other'), status: { phase: 'Bound' } }),
        ],
      },
      {
        ...because('no-volume'),
        steps: has(near('pv-old', 'released'), near('pv-small', 'size'), near('pv-taken', 'bound')),
        snippets: expect.stringContaining('kubectl patch pv pv-old'),
      },
    ],
    [
      'the scheduler says so, where claims are forbidden',
      { says: unbound, unseen: forbidden },
      { confidence: 'likely', doubts: has('claims-unread') },
    ],
  ]);
});

describe('an unbound claim is not reported for', () => {
  expectFindings<Fields>(rule, waiting, [
    [
      'the own claim of an ephemeral volume',
      { ...ephemeral('web-2-a-uid'), says: '0/1 nodes are available: 1 Insufficient cpu.' },
    ],
    [
      'a claim that waits for its first consumer, which does not fit',
      {
        says: '0/1 nodes are available: 1 Insufficient cpu.',
        spec: { containers: [{ name: 'app', image: 'web:2', resources: { requests: { cpu: '64' } } }] },
        of: ofFast,
        StorageClass: [storageClass('fast', 'disk.csi.example', waitsFor)],
      },
    ],
    [
      'a claim whose first consumer got its node a minute ago',
      { of: chosen(60), StorageClass: [later], nominated: 'n-a' },
    ],
    [
      'a pod that waited for room and got its node a minute ago',
      { says: noMemory, of: chosen(), StorageClass: [later], nominated: 'n-a', Event: [reported(60)] },
    ],
    [
      'a pod that is refused for its nodes, while a claim that names its node is not reported to wait',
      { says: noMemory, of: chosen(), StorageClass: [later] },
    ],
    [
      'a volume that is being made since a minute',
      {
        says: unbound,
        of: ofClass('fast', 60),
        StorageClass: fast,
        Event: [about('ExternalProvisioning', 'Waiting for a volume to be created')],
      },
    ],
    [
      'a provisioner that failed once and succeeded then',
      {
        says: unbound,
        of: ofClass('fast', 200),
        StorageClass: fast,
        Event: [
          about('ProvisioningFailed', 'timeout', 100),
          about('ProvisioningSucceeded', 'Successfully provisioned volume pvc-1', 10),
        ],
      },
    ],
    [
      'a suitable volume that the binder is about to bind',
      {
        says: unbound,
        of: ofClass(''),
        PersistentVolume: [volume('pv', { spec: { storageClassName: '' } })],
      },
    ],
    [
      'a bound claim, and a scheduler that lacks memory',
      { says: noMemory, of: bound, PersistentVolume: [volume('pv')] },
    ],
    ['a claim that was not recorded, while the scheduler names another reason', { says: noMemory }],
    ['a pod that has its node', { onNode: 'n-a' }],
    ['a gated pod', { spec: { schedulingGates: [{ name: 'wait' }] } }],
    ['forbidden claims, while the scheduler names another reason', { says: noMemory, unseen: forbidden }],
  ]);
});

function near(name: string, lacks: string) {
  return expect.objectContaining({ key: 'near', values: { volume: name, lacks: [lacks] } });
}
