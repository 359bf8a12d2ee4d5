import { describe, expect, test } from 'vitest';
import { schemas } from '#src/engine/objects/cluster-objects.js';
import {
  claim,
  node,
  type PodShape,
  placementOf,
  reaches,
  reasonsFor,
  texts,
  volume,
} from '../../../../support/placement-builders.js';
import { bound, later, n1, n2, on1, storageClass, wanted, ZONE } from './volume-builders.js';

const local = storageClass('local', { provisioner: 'kubernetes.io/no-provisioner' });

describe('volumes with node affinity or zones', () => {
  test('refuse a node that they are not on', () => {
    const objects = {
      PersistentVolumeClaim: [bound],
      PersistentVolume: [volume('pv', reaches('kubernetes.io/hostname', 'n2'))],
    };
    expect(on1(objects)).toMatchObject([
      {
        id: 'volume-affinity',
        text: "node(s) didn't match PersistentVolume's node affinity",
        claim: 'data',
        volume: 'pv',
        resolvable: false,
      },
    ]);
    expect(placementOf({ Node: [n1, n2], ...objects }).evaluate(wanted).feasible).toEqual(['n2']);
  });

  test('accept any node where the requirements are on fields', () => {
    const byField = {
      required: {
        nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n2'] }] }],
      },
    };
    expect(
      on1({ PersistentVolumeClaim: [bound], PersistentVolume: [volume('pv', { nodeAffinity: byField })] }),
    ).toEqual([]);
  });

  test.each([
    ['the node’s zone', { [ZONE]: 'a' }, []],
    ['another zone', { [ZONE]: 'b' }, ['node(s) had no available volume zone']],
    ['one of several zones', { [ZONE]: 'b__a' }, []],
    ['an old zone label against a new one', { 'failure-domain.beta.kubernetes.io/zone': 'a' }, []],
    [
      'an old zone label elsewhere',
      { 'failure-domain.beta.kubernetes.io/zone': 'b' },
      ['node(s) had no available volume zone'],
    ],
    [
      'a region that the node does not have',
      { 'topology.kubernetes.io/region': 'eu' },
      ['node(s) had no available volume zone'],
    ],
    ['a label that names no zone', { [ZONE]: 'b__' }, []],
  ])('are compared with the labels of the node: a volume labelled with %s', (_, labels, expected) => {
    expect(
      texts(on1({ PersistentVolumeClaim: [bound], PersistentVolume: [volume('pv', {}, labels)] })),
    ).toEqual(expected);
  });

  test('accept a node without any zone label', () => {
    const objects = {
      Node: [node('plain')],
      PersistentVolumeClaim: [bound],
      PersistentVolume: [volume('pv', {}, { [ZONE]: 'b' })],
    };
    expect(reasonsFor(wanted, objects)).toEqual([]);
  });
});

describe('a claim that waits for its first consumer', () => {
  const waiting = (storageClassName: string, more: object = {}) =>
    claim('data', { storageClassName, ...more });
  const free = (name: string, more: object = {}) =>
    volume(name, { storageClassName: 'local', ...reaches('kubernetes.io/hostname', 'n1'), ...more });
  const NONE = "node(s) didn't find available persistent volumes to bind";

  test('with a provisioner is accepted on any node', () => {
    expect(on1({ PersistentVolumeClaim: [waiting('later')], StorageClass: [later] })).toEqual([]);
  });

  test('is accepted only within the topologies of its class', () => {
    const only = storageClass('later', {
      allowedTopologies: [{ matchLabelExpressions: [{ key: ZONE, values: ['b'] }] }],
    });
    expect(on1({ PersistentVolumeClaim: [waiting('later')], StorageClass: [only] })).toMatchObject([
      { id: 'no-pv', text: NONE, claim: 'data' },
    ]);
  });

  test('is undecided where the driver tracks capacity', () => {
    const CSIDriver = [
      schemas.CSIDriver.parse({ metadata: { name: 'csi.example.com' }, spec: { storageCapacity: true } }),
    ];
    const verdict = placementOf({
      Node: [n1],
      PersistentVolumeClaim: [waiting('later')],
      StorageClass: [later],
      CSIDriver,
    }).check(wanted, n1);
    expect(verdict).toMatchObject({ outcome: 'not-simulated', notSimulated: [{ why: 'storage-capacity' }] });
  });

  test('without a provisioner needs an available volume', () => {
    expect(texts(on1({ PersistentVolumeClaim: [waiting('local')], StorageClass: [local] }))).toEqual([NONE]);
    expect(
      on1({
        PersistentVolumeClaim: [waiting('local')],
        StorageClass: [local],
        PersistentVolume: [free('v')],
      }),
    ).toEqual([]);
  });

  test.each([
    ['of another class', { storageClassName: 'other' }],
    ['that is too small', { capacity: { storage: '1023Mi' } }],
    ['without the access mode', { accessModes: ['ReadOnlyMany'] }],
    ['of another mode', { volumeMode: 'Block' }],
    ['of another attributes class', { volumeAttributesClassName: 'fast' }],
    ['on another node', reaches('kubernetes.io/hostname', 'n2')],
    ['bound to another claim', { claimRef: { namespace: 'shop', name: 'other' } }],
  ])('is refused where there is only a volume %s', (_, more) => {
    expect(
      texts(
        on1({
          PersistentVolumeClaim: [waiting('local')],
          StorageClass: [local],
          PersistentVolume: [free('v', more)],
        }),
      ),
    ).toEqual([NONE]);
  });

  test('is refused where there is only a released volume', () => {
    const released = schemas.PersistentVolume.parse({ ...free('v'), status: { phase: 'Released' } });
    expect(
      texts(
        on1({
          PersistentVolumeClaim: [waiting('local')],
          StorageClass: [local],
          PersistentVolume: [released],
        }),
      ),
    ).toEqual([NONE]);
  });

  test('with a selector gets only volumes that match it', () => {
    const picky = waiting('local', { selector: { matchLabels: { speed: 'fast' } } });
    const objects = { PersistentVolumeClaim: [picky], StorageClass: [local] };
    const labelled = schemas.PersistentVolume.parse({
      ...free('v'),
      metadata: { name: 'v', labels: { speed: 'fast' } },
    });
    expect(texts(on1({ ...objects, PersistentVolume: [free('v')] }))).toEqual([NONE]);
    expect(on1({ ...objects, PersistentVolume: [labelled] })).toEqual([]);
  });

  test('gets a volume reserved for it even in another phase, but only on its node', () => {
    const reserved = (host: string) =>
      schemas.PersistentVolume.parse({
        ...free('v', {
          ...reaches('kubernetes.io/hostname', host),
          claimRef: { namespace: 'shop', name: 'data' },
        }),
        status: { phase: 'Pending' },
      });
    const objects = { PersistentVolumeClaim: [waiting('local')], StorageClass: [local] };
    expect(on1({ ...objects, PersistentVolume: [reserved('n1')] })).toEqual([]);
    expect(texts(on1({ ...objects, PersistentVolume: [reserved('n2')] }))).toEqual([NONE]);
  });

  test('never shares a volume with another claim, and the smaller claim gets the smaller volume', () => {
    const two: PodShape = {
      spec: {
        volumes: ['big', 'small'].map((name) => ({ name, persistentVolumeClaim: { claimName: name } })),
      },
    };
    const claims = [
      claim('big', { storageClassName: 'local', resources: { requests: { storage: '2Gi' } } }),
      claim('small', { storageClassName: 'local' }),
    ];
    const big = free('v-big', { capacity: { storage: '2Gi' } });
    const objects = { PersistentVolumeClaim: claims, StorageClass: [local] };
    expect(on1({ ...objects, PersistentVolume: [big, free('v-small')] }, two)).toEqual([]);
    expect(on1({ ...objects, PersistentVolume: [big] }, two)).toMatchObject([{ id: 'no-pv', claim: 'big' }]);
  });

  test('is accepted only on the node that was selected for provisioning', () => {
    const chosen = schemas.PersistentVolumeClaim.parse({
      ...waiting('later'),
      metadata: {
        name: 'data',
        namespace: 'shop',
        annotations: { 'volume.kubernetes.io/selected-node': 'n2' },
      },
    });
    expect(
      placementOf({ Node: [n1, n2], PersistentVolumeClaim: [chosen], StorageClass: [later] }).evaluate(wanted)
        .feasible,
    ).toEqual(['n2']);
  });
});
