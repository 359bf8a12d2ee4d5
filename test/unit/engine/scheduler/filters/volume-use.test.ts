import { describe, expect, test } from 'vitest';
import { indexObjects } from '#src/engine/objects/cluster-index.js';
import { type ClusterObjects, clusterObjects, schemas } from '#src/engine/objects/cluster-objects.js';
import { parseServerVersion } from '#src/engine/objects/release-rules.js';
import { createPlacement } from '#src/engine/scheduler/placement.js';
import { holdersOf } from '#src/engine/scheduler/reason.js';
import {
  claim,
  names,
  type PodShape,
  placementOf,
  pod,
  type SpecWire,
  texts,
  volume,
} from '../../../../support/placement-builders.js';
import { bound, later, n1, on1, wanted } from './volume-builders.js';

describe('an exclusive volume', () => {
  const exclusive = {
    PersistentVolumeClaim: [claim('data', { volumeName: 'pv', accessModes: ['ReadWriteOncePod'] })],
    PersistentVolume: [volume('pv')],
  };
  const TEXT =
    'node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod';

  test('with ReadWriteOncePod in use anywhere is refused on every node, and its user is named', () => {
    const [reason] = on1({ ...exclusive, Pod: [pod('old', { on: 'n2', claim: 'data' })] });
    expect(reason).toMatchObject({
      id: 'rwop',
      text: TEXT,
      claim: 'data',
      resolvable: true,
      preemptible: true,
    });
    expect(reason === undefined ? [] : names(holdersOf(reason))).toEqual(['old']);
  });

  test.each([
    ['a terminated user', pod('old', { on: 'n2', claim: 'data', phase: 'Succeeded' })],
    ['a user without a node', pod('old', { claim: 'data' })],
    ['a claim of the same name elsewhere', pod('old', { on: 'n2', claim: 'data', namespace: 'bank' })],
  ])('is accepted with %s', (_, old) => {
    expect(on1({ ...exclusive, Pod: [old] })).toEqual([]);
  });

  test('with ReadWriteOnce is not checked by the scheduler', () => {
    expect(
      on1({
        PersistentVolumeClaim: [bound],
        PersistentVolume: [volume('pv')],
        Pod: [pod('old', { on: 'n2', claim: 'data' })],
      }),
    ).toEqual([]);
  });

  const disk = (kind: object): PodShape => ({ spec: { volumes: [{ name: 'd', ...kind }] } as SpecWire });
  const table: readonly (readonly [string, object, object, boolean])[] = [
    ['one GCE disk', { gcePersistentDisk: { pdName: 'x' } }, { gcePersistentDisk: { pdName: 'x' } }, true],
    ['two GCE disks', { gcePersistentDisk: { pdName: 'x' } }, { gcePersistentDisk: { pdName: 'y' } }, false],
    [
      'one GCE disk both read',
      { gcePersistentDisk: { pdName: 'x', readOnly: true } },
      { gcePersistentDisk: { pdName: 'x', readOnly: true } },
      false,
    ],
    [
      'one GCE disk one writes',
      { gcePersistentDisk: { pdName: 'x' } },
      { gcePersistentDisk: { pdName: 'x', readOnly: true } },
      true,
    ],
    [
      'one EBS volume',
      { awsElasticBlockStore: { volumeID: 'v' } },
      { awsElasticBlockStore: { volumeID: 'v' } },
      true,
    ],
    ['one iSCSI target', { iscsi: { iqn: 'q' } }, { iscsi: { iqn: 'q' } }, true],
    [
      'one RBD image of a shared monitor',
      { rbd: { monitors: ['a', 'b'], image: 'i' } },
      { rbd: { monitors: ['b'], image: 'i' } },
      true,
    ],
    [
      'one RBD image name of other monitors',
      { rbd: { monitors: ['a'], image: 'i' } },
      { rbd: { monitors: ['b'], image: 'i' } },
      false,
    ],
    [
      'one RBD image name of other pools',
      { rbd: { monitors: ['a'], image: 'i' } },
      { rbd: { monitors: ['a'], image: 'i', pool: 'p' } },
      false,
    ],
  ];
  test.each(table)('%s on one node conflicts: %j, %j, %s', (_, mine, theirs, conflict) => {
    const here = on1({ Pod: [pod('old', { ...disk(theirs), on: 'n1' })] }, disk(mine));
    const text = 'node(s) had no available disk';
    expect(here).toMatchObject(conflict ? [{ plugin: 'VolumeRestrictions', text, resolvable: true }] : []);
    expect(here).toHaveLength(conflict ? 1 : 0);
    expect(on1({ Pod: [pod('old', { ...disk(theirs), on: 'n2' })] }, disk(mine))).toEqual([]);
  });
});

describe('the number of volumes that a node can attach', () => {
  const csi = (name: string, handle = name) =>
    volume(name, { csi: { driver: 'csi.example.com', volumeHandle: handle } });
  const limited = (count: number | undefined) =>
    schemas.CSINode.parse({
      metadata: { name: 'n1' },
      spec: {
        drivers: [{ name: 'csi.example.com', allocatable: count === undefined ? undefined : { count } }],
      },
    });
  const claims = ['data', 'one', 'two'].map((name) => claim(name, { volumeName: name }));
  const volumes = ['data', 'one', 'two'].map((name) => csi(name));
  const user = (name: string) => pod(`user-of-${name}`, { on: 'n1', claim: name });
  const objects = { PersistentVolumeClaim: claims, PersistentVolume: volumes };

  test('accepts the last volume, refuses one more, and names the holders', () => {
    expect(on1({ ...objects, CSINode: [limited(2)], Pod: [user('one')] })).toEqual([]);
    const [reason] = on1({
      ...objects,
      CSINode: [limited(2)],
      Pod: [user('one'), user('two'), pod('idle', { on: 'n1' })],
    });
    expect(reason).toMatchObject({
      id: 'max-volumes',
      text: 'node(s) exceed max volume count',
      driver: 'csi.example.com',
      limit: 2,
      attached: 2,
      requested: 1,
      resolvable: true,
    });
    expect(reason === undefined ? [] : names(holdersOf(reason))).toEqual(['user-of-one', 'user-of-two']);
  });

  test('does not count a volume that is attached already', () => {
    expect(on1({ ...objects, CSINode: [limited(1)], Pod: [user('data')] })).toEqual([]);
  });

  test('is unlimited on a node that reports no limit', () => {
    expect(on1({ ...objects, CSINode: [limited(undefined)], Pod: [user('one'), user('two')] })).toEqual([]);
    expect(on1({ ...objects, Pod: [user('one'), user('two')] })).toEqual([]);
  });

  test('of zero is refused without holders', () => {
    expect(on1({ ...objects, CSINode: [limited(0)] })).toMatchObject([
      { resolvable: false, preemptible: true },
    ]);
  });

  const attachment = (volumeName: string, nodeName = 'n1') =>
    schemas.VolumeAttachment.parse({
      metadata: { name: `at-${volumeName}` },
      spec: { attacher: 'csi.example.com', nodeName, source: { persistentVolumeName: volumeName } },
    });

  test('includes a volume that is still attached although no pod uses it, once', () => {
    expect(on1({ ...objects, CSINode: [limited(1)], VolumeAttachment: [attachment('one')] })).toHaveLength(1);
    expect(
      on1({ ...objects, CSINode: [limited(2)], Pod: [user('one')], VolumeAttachment: [attachment('one')] }),
    ).toEqual([]);
    expect(on1({ ...objects, CSINode: [limited(1)], VolumeAttachment: [attachment('one', 'n2')] })).toEqual(
      [],
    );
  });

  test('decreases with the volume of a removed pod', () => {
    const placement = placementOf({
      Node: [n1],
      ...objects,
      CSINode: [limited(1)],
      Pod: [user('one')],
      VolumeAttachment: [attachment('one')],
    });
    expect(
      placement.wouldFitIf(wanted, [user('one')]).best?.remove.map(({ metadata }) => metadata.name),
    ).toEqual(['user-of-one']);
  });

  test('includes a claim that is yet to be provisioned, for the driver of its class', () => {
    const unbound = {
      PersistentVolumeClaim: [claim('data', { storageClassName: 'later' }), ...claims.slice(1)],
      PersistentVolume: volumes,
      StorageClass: [later],
    };
    expect(texts(on1({ ...unbound, CSINode: [limited(1)], Pod: [user('one')] }))).toEqual([
      'node(s) exceed max volume count',
    ]);
  });
});

describe('a CSI driver that a node lacks', () => {
  const name = 'csi.example.com';
  const driver = (preventPodSchedulingIfMissing?: boolean) =>
    schemas.CSIDriver.parse({ metadata: { name }, spec: { preventPodSchedulingIfMissing } });
  const served = (on: string, drivers: readonly string[]) =>
    schemas.CSINode.parse({
      metadata: { name: on },
      spec: { drivers: drivers.map((each) => ({ name: each })) },
    });
  const bound = {
    PersistentVolumeClaim: [claim('data', { volumeName: 'pv' })],
    PersistentVolume: [volume('pv', { csi: { driver: name, volumeHandle: 'pv' } })],
  };
  const refused = [
    {
      id: 'csi-driver-missing',
      text: 'csi.example.com CSI driver is not installed on the node',
      resolvable: false,
      preemptible: true,
    },
  ];

  test.each<readonly [string, Partial<ClusterObjects>]>([
    ['that serves other drivers', { CSIDriver: [driver(true)], CSINode: [served('n1', ['other'])] }],
    ['without a CSINode', { CSIDriver: [driver(true)], CSINode: [served('n2', [name])] }],
  ])('keeps its pods off a node %s', (_, objects) => {
    expect(on1({ ...bound, ...objects })).toMatchObject(refused);
  });

  test('keeps off a pod whose claim has no volume yet, by its class', () => {
    const objects = {
      PersistentVolumeClaim: [claim('data', { storageClassName: 'later' })],
      StorageClass: [later],
      CSIDriver: [driver(true)],
      CSINode: [served('n1', [])],
    };
    expect(on1(objects)).toMatchObject(refused);
  });

  test.each<readonly [string, Partial<ClusterObjects>]>([
    ['serves it', { CSIDriver: [driver(true)], CSINode: [served('n1', [name])] }],
    [
      'lacks it, where the driver does not ask for that',
      { CSIDriver: [driver(false)], CSINode: [served('n1', [])] },
    ],
    ['lacks it, where an older server dropped the field', { CSIDriver: [driver()] }],
    ['lacks it, where no such driver is registered', { CSINode: [served('n1', [])] }],
  ])('does not matter on a node that %s', (_, objects) => {
    expect(on1({ ...bound, ...objects })).toEqual([]);
  });

  test.each([
    ['the driver was not read', ['CSIDriver'], {}, 'v1.37.2', 'not-simulated'],
    ['nor was the version', ['CSIDriver'], {}, undefined, 'not-simulated'],
    ['the release has no such drivers', ['CSIDriver'], {}, 'v1.36.3', 'fits'],
    ['its drivers were not read', ['CSINode'], { CSIDriver: [driver(true)] }, 'v1.37.2', 'not-simulated'],
    ['the driver does not ask for it', ['CSINode'], { CSIDriver: [driver(false)] }, 'v1.37.2', 'fits'],
    ['it serves the driver', ['CSIDriver'], { CSINode: [served('n1', [name])] }, 'v1.37.2', 'fits'],
  ] as const)('leaves a node in doubt where %s', (_, unseen, objects, version, outcome) => {
    const index = indexObjects(
      clusterObjects({ Node: [n1], ...bound, ...objects }),
      undefined,
      version === undefined ? undefined : parseServerVersion(version),
    );
    expect(createPlacement(index, { unseen: [...unseen] }).check(wanted, n1)).toMatchObject({
      outcome,
      notSimulated: outcome === 'fits' ? [] : [{ why: 'csi-driver-unseen', subject: name }],
    });
  });

  test('does not matter for a pod without volumes', () => {
    expect(on1({ CSIDriver: [driver(true)], CSINode: [] }, {})).toEqual([]);
  });
});
