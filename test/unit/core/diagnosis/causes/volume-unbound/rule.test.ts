import { describe, expect, it } from 'vitest';
import type { ClusterObjects } from '#src/core/cluster/cluster-objects.js';
import { schemas } from '#src/core/cluster/cluster-objects.js';
import type { Event } from '#src/core/cluster/event.js';
import type { Snapshot } from '#src/core/cluster/snapshot.js';
import { volumeUnbound as rule } from '#src/core/diagnosis/causes/volume-unbound/rule.js';
import { text } from '#src/core/diagnosis/causes/volume-unbound/text.js';
import { claim, node, volume } from '#support/placement-builders.js';
import { ago, buildDeployment, buildPod, buildReplicaSet } from '#support/rollout-builders.js';
import { foundBy, keysOf, mustFind, renderFinding, snapshotOf } from '../run-rule.js';

const unbound = '0/1 nodes are available: pod has unbound immediate PersistentVolumeClaims. not found';
const absent = '0/1 nodes are available: persistentvolumeclaim "data" not found. not found';

interface Fields extends Partial<ClusterObjects> {
  readonly schedulerMessage?: string;
  readonly spec?: object;
  readonly unseen?: Snapshot['unseen'];
  readonly onNode?: string;
}

/** `shop/web`, first rollout: its pod names the claim `data`. */
function waiting({ schedulerMessage, spec, unseen = [], onNode, ...objects }: Fields): Snapshot {
  const condition = {
    type: 'PodScheduled',
    status: 'False',
    reason: 'Unschedulable',
    message: schedulerMessage,
    lastTransitionTime: ago(900),
  };
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
      ? { status: { phase: 'Pending', conditions: schedulerMessage === undefined ? [] : [condition] } }
      : {}),
  });
  return snapshotOf(
    buildDeployment(),
    {
      ReplicaSet: [buildReplicaSet({ revision: 2, replicas: 1 })],
      Pod: [pod],
      Node: [node('n-a')],
      ...objects,
    },
    { unseen },
  );
}

function pending(spec: Parameters<typeof claim>[1] = {}, age = 900) {
  const { metadata, ...rest } = claim('data', spec);
  return { ...rest, metadata: { ...metadata, creationTimestamp: ago(age) } };
}

function storageClass(name: string, provisioner = 'disk.csi.example', volumeBindingMode = 'Immediate') {
  return schemas.StorageClass.parse({ metadata: { name }, provisioner, volumeBindingMode });
}

function claimEvent(reason: string, message: string, at = ago(60)): Event {
  return schemas.Event.parse({
    metadata: { name: `data.${reason}.${at}`, namespace: 'shop' },
    involvedObject: { kind: 'PersistentVolumeClaim', namespace: 'shop', name: 'data', uid: 'uid-data' },
    type: 'Warning',
    reason,
    message,
    lastTimestamp: at,
  });
}

const failed = claimEvent(
  'ProvisioningFailed',
  'failed to provision volume with StorageClass "fast": rpc error: code = ResourceExhausted desc = quota exceeded',
);

describe('an unbound claim is reported because', () => {
  const cases: readonly (readonly [string, Fields, string, 'proven' | 'likely'])[] = [
    ['it does not exist, as the scheduler reports', { schedulerMessage: absent }, 'missing', 'proven'],
    ['it does not exist, and the scheduler has not tried the pod yet', {}, 'missing', 'likely'],
    [
      'it is being deleted while the pod needs it',
      {
        schedulerMessage: '0/1 nodes are available: persistentvolumeclaim "data" is being deleted. not found',
        PersistentVolumeClaim: [
          {
            ...claim('data', { volumeName: 'pv' }),
            metadata: { ...claim('data', { volumeName: 'pv' }).metadata, deletionTimestamp: ago(100) },
          },
        ],
        PersistentVolume: [volume('pv')],
      },
      'deleting',
      'proven',
    ],
    [
      'it has lost its volume',
      {
        PersistentVolumeClaim: [
          { ...claim('data', { volumeName: 'pv' }), status: { phase: 'Lost', conditions: [] } },
        ],
      },
      'lost',
      'proven',
    ],
    [
      'it is bound to a volume that does not exist',
      {
        schedulerMessage: '0/1 nodes are available: persistentvolume "pv" not found. not found',
        PersistentVolumeClaim: [claim('data', { volumeName: 'pv' })],
      },
      'lost',
      'proven',
    ],
    [
      'its storage class does not exist, and others do',
      {
        schedulerMessage: unbound,
        PersistentVolumeClaim: [pending({ storageClassName: 'fats' })],
        StorageClass: [storageClass('fast')],
      },
      'class-missing',
      'proven',
    ],
    [
      'its storage class was not read, and no message reports it missing',
      { schedulerMessage: unbound, PersistentVolumeClaim: [pending({ storageClassName: 'fats' })] },
      'class-missing',
      'likely',
    ],
    [
      'its storage class is not found by the volume controller',
      {
        PersistentVolumeClaim: [pending({ storageClassName: 'fats' })],
        Event: [claimEvent('ProvisioningFailed', 'storageclass.storage.k8s.io "fats" not found')],
      },
      'class-missing',
      'proven',
    ],
    [
      'it names no class and there is no default',
      { schedulerMessage: unbound, PersistentVolumeClaim: [pending()] },
      'no-class',
      'proven',
    ],
    [
      'it accepts only manually created volumes, and there is none',
      { schedulerMessage: unbound, PersistentVolumeClaim: [pending({ storageClassName: '' })] },
      'no-volume',
      'proven',
    ],
    [
      'its class has no provisioner, and no volume matches',
      {
        schedulerMessage: unbound,
        PersistentVolumeClaim: [pending({ storageClassName: 'local' })],
        StorageClass: [storageClass('local', 'kubernetes.io/no-provisioner')],
        PersistentVolume: [volume('pv-small', { storageClassName: 'local', capacity: { storage: '1Mi' } })],
      },
      'no-volume',
      'proven',
    ],
    [
      'it waits for its first consumer, and no volume can ever be bound to it',
      {
        schedulerMessage:
          "0/1 nodes are available: 1 node(s) didn't find available persistent volumes to bind. preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.",
        PersistentVolumeClaim: [pending({ storageClassName: 'local' })],
        StorageClass: [storageClass('local', 'kubernetes.io/no-provisioner', 'WaitForFirstConsumer')],
      },
      'no-volume',
      'proven',
    ],
    [
      'the provisioner cannot create it',
      {
        schedulerMessage: unbound,
        PersistentVolumeClaim: [pending({ storageClassName: 'fast' })],
        StorageClass: [storageClass('fast')],
        Event: [failed],
      },
      'provisioning-failed',
      'proven',
    ],
    [
      'the provisioner fails after the first consumer has got its node',
      {
        PersistentVolumeClaim: [pending({ storageClassName: 'fast' })],
        StorageClass: [storageClass('fast', 'disk.csi.example', 'WaitForFirstConsumer')],
        Event: [failed],
      },
      'provisioning-failed',
      'proven',
    ],
    [
      'the provisioner has reported nothing for a quarter of an hour',
      {
        schedulerMessage: unbound,
        PersistentVolumeClaim: [pending({ storageClassName: 'fast' })],
        StorageClass: [storageClass('fast')],
      },
      'silent',
      'likely',
    ],
    [
      'it names a volume that does not exist',
      {
        schedulerMessage: unbound,
        PersistentVolumeClaim: [
          { ...pending({ volumeName: 'pv-x' }), status: { phase: 'Pending', conditions: [] } },
        ],
      },
      'named-missing',
      'proven',
    ],
    [
      'it names a volume that belongs to another claim',
      {
        schedulerMessage: unbound,
        PersistentVolumeClaim: [
          { ...pending({ volumeName: 'pv-x' }), status: { phase: 'Pending', conditions: [] } },
        ],
        PersistentVolume: [volume('pv-x', { claimRef: { namespace: 'shop', name: 'other', uid: 'u' } })],
      },
      'named',
      'proven',
    ],
  ];

  it.each(cases)('%s', (_, fields, key, confidence) => {
    const finding = mustFind(rule, waiting(fields));

    expect(keysOf(finding.reasoning)).toContain(key);
    expect(finding.confidence).toBe(confidence);
    expect(finding.remediations).toEqual([]);
    expect(finding.withheld.map(({ kind }) => kind)).toContain('restart-rollout');
    expect(finding.advice.length).toBeGreaterThan(0);
    const { en, ko } = renderFinding(finding, text);
    expect(ko).toHaveLength(en.length);
  });

  it('and the finding states what the nearest volumes lack, and how to release a released one', () => {
    const finding = mustFind(
      rule,
      waiting({
        schedulerMessage: unbound,
        PersistentVolumeClaim: [pending({ storageClassName: 'local' })],
        StorageClass: [storageClass('local', 'kubernetes.io/no-provisioner')],
        PersistentVolume: [
          volume('pv-small', { storageClassName: 'local', capacity: { storage: '1Mi' } }),
          {
            ...volume('pv-old', {
              storageClassName: 'local',
              claimRef: { namespace: 'shop', name: 'data', uid: 'before' },
            }),
            status: { phase: 'Released' },
          },
          volume('pv-taken', {
            storageClassName: 'local',
            claimRef: { namespace: 'shop', name: 'other', uid: 'u' },
          }),
        ],
      }),
    );

    const near = finding.reasoning.filter(({ key }) => key === 'near').map(({ values }) => values);
    expect(near).toEqual([
      { volume: 'pv-old', lacks: ['released'] },
      { volume: 'pv-small', lacks: ['size'] },
      { volume: 'pv-taken', lacks: ['bound'] },
    ]);
    expect(finding.advice[0]?.snippet).toContain('kubectl patch pv pv-old');
  });

  it('and the finding quotes the provisioner as evidence', () => {
    const finding = mustFind(
      rule,
      waiting({
        PersistentVolumeClaim: [pending({ storageClassName: 'fast' })],
        StorageClass: [storageClass('fast')],
        Event: [failed],
      }),
    );

    expect(finding.evidence.map(({ value }) => value)).toContain(failed.message);
  });

  it('and the finding quotes the scheduler where claims are forbidden', () => {
    const unseen: Snapshot['unseen'] = [
      { what: 'PersistentVolumeClaim', namespace: 'shop', because: 'forbidden', message: '' },
    ];
    const finding = mustFind(rule, waiting({ schedulerMessage: unbound, unseen }));

    expect(finding.confidence).toBe('likely');
    expect(renderFinding(finding, text).en.join(' ')).toContain('forbidden');
  });
});

describe('an unbound claim is not reported for', () => {
  const cases: readonly (readonly [string, Fields])[] = [
    [
      'a claim that waits for its first consumer, which does not fit',
      {
        schedulerMessage: '0/1 nodes are available: 1 Insufficient cpu.',
        spec: {
          containers: [{ name: 'app', image: 'web:2', resources: { requests: { cpu: '64' } } }],
        },
        PersistentVolumeClaim: [pending({ storageClassName: 'fast' })],
        StorageClass: [storageClass('fast', 'disk.csi.example', 'WaitForFirstConsumer')],
      },
    ],
    [
      'a volume that is being made since a minute',
      {
        schedulerMessage: unbound,
        PersistentVolumeClaim: [pending({ storageClassName: 'fast' }, 60)],
        StorageClass: [storageClass('fast')],
        Event: [claimEvent('ExternalProvisioning', 'Waiting for a volume to be created')],
      },
    ],
    [
      'a provisioner that failed once and succeeded then',
      {
        schedulerMessage: unbound,
        PersistentVolumeClaim: [pending({ storageClassName: 'fast' }, 200)],
        StorageClass: [storageClass('fast')],
        Event: [
          claimEvent('ProvisioningFailed', 'timeout', ago(100)),
          claimEvent('ProvisioningSucceeded', 'Successfully provisioned volume pvc-1', ago(10)),
        ],
      },
    ],
    [
      'a suitable volume that the binder is about to bind',
      {
        schedulerMessage: unbound,
        PersistentVolumeClaim: [pending({ storageClassName: '' })],
        PersistentVolume: [volume('pv', { storageClassName: '' })],
      },
    ],
    [
      'a bound claim, and a scheduler that lacks memory',
      {
        schedulerMessage: '0/1 nodes are available: 1 Insufficient memory.',
        PersistentVolumeClaim: [claim('data', { volumeName: 'pv' })],
        PersistentVolume: [volume('pv')],
      },
    ],
    [
      'a claim that was not recorded, while the scheduler names another reason',
      { schedulerMessage: '0/1 nodes are available: 1 Insufficient memory.' },
    ],
    ['a pod that has its node', { onNode: 'n-a' }],
    ['a gated pod', { spec: { schedulingGates: [{ name: 'wait' }] } }],
    [
      'forbidden claims, while the scheduler names another reason',
      {
        schedulerMessage: '0/1 nodes are available: 1 Insufficient memory.',
        unseen: [{ what: 'PersistentVolumeClaim', namespace: 'shop', because: 'forbidden', message: '' }],
      },
    ],
  ];

  it.each(cases)('%s', (_, fields) => {
    expect(foundBy(rule, waiting(fields))).toBeUndefined();
  });
});
