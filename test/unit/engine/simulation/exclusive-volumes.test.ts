import { describe, expect, it } from 'vitest';
import { indexObjects } from '#src/engine/objects/cluster-index.js';
import { type ClusterObjects, clusterObjects, schemas } from '#src/engine/objects/cluster-objects.js';
import { exclusiveVolumesOf, lacksVolume, usersOf } from '#src/engine/simulation/create-pod-simulator.js';

interface PodFields {
  readonly node?: string;
  readonly phase?: string;
  readonly claim?: string;
  readonly namespace?: string;
  readonly ready?: boolean;
}

const podOf = (
  name: string,
  { node, phase, claim = 'data', namespace = 'shop', ready = false }: PodFields = {},
) =>
  schemas.Pod.parse({
    metadata: { name, namespace, uid: `${name}-uid` },
    spec: { nodeName: node, volumes: [{ name: 'v', persistentVolumeClaim: { claimName: claim } }] },
    status: { phase, conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }] },
  });
const claimOf = (fields: object = {}, namespace = 'shop') =>
  schemas.PersistentVolumeClaim.parse({
    metadata: { name: 'data', namespace },
    spec: { accessModes: ['ReadWriteOnce'], volumeName: 'pv-1', ...fields },
  });
const volumeOf = (fields: object = {}) =>
  schemas.PersistentVolume.parse({
    metadata: { name: 'pv-1' },
    spec: { accessModes: ['ReadWriteOnce'], csi: { driver: 'd' }, ...fields },
  });
const attachmentOf = (volume: string) =>
  schemas.VolumeAttachment.parse({
    metadata: { name: `of-${volume}` },
    spec: { nodeName: 'node-a', source: { persistentVolumeName: volume } },
  });
const indexOf = (objects: Partial<ClusterObjects>) =>
  indexObjects(
    clusterObjects({ PersistentVolumeClaim: [claimOf()], PersistentVolume: [volumeOf()], ...objects }),
  );

const pod = podOf('web-2');

describe('a volume excludes other nodes', () => {
  it.each<[string, Partial<ClusterObjects>, boolean]>([
    ['when one node may attach it', {}, true],
    [
      'when one pod may use it',
      { PersistentVolume: [volumeOf({ accessModes: ['ReadWriteOncePod'] })] },
      true,
    ],
    [
      'not when many may write',
      { PersistentVolume: [volumeOf({ accessModes: ['ReadWriteOnce', 'ReadWriteMany'] })] },
      false,
    ],
    ['not when many may read', { PersistentVolume: [volumeOf({ accessModes: ['ReadOnlyMany'] })] }, false],
    ['not when its access mode is unknown', { PersistentVolume: [volumeOf({ accessModes: [] })] }, false],
    [
      'not without a CSI driver',
      { PersistentVolume: [volumeOf({ csi: undefined, hostPath: { path: '/' } })] },
      false,
    ],
    ['according to its claim where the volume was not read', { PersistentVolume: [] }, true],
    [
      'not where such a claim allows several nodes',
      { PersistentVolume: [], PersistentVolumeClaim: [claimOf({ accessModes: ['ReadWriteMany'] })] },
      false,
    ],
    ['not before the claim is bound', { PersistentVolumeClaim: [claimOf({ volumeName: '' })] }, false],
    ['not when the claim is of another namespace', { PersistentVolumeClaim: [claimOf({}, 'ml')] }, false],
    [
      'not when its driver attaches no volumes: a pod is ready with it and others are attached',
      { Pod: [podOf('web-1', { node: 'node-a', ready: true })], VolumeAttachment: [attachmentOf('pv-2')] },
      false,
    ],
    [
      'while no pod is ready with it',
      { Pod: [podOf('web-1', { node: 'node-a' })], VolumeAttachment: [attachmentOf('pv-2')] },
      true,
    ],
    ['while attachments were not read', { Pod: [podOf('web-1', { node: 'node-a', ready: true })] }, true],
    [
      'while it is attached',
      { Pod: [podOf('web-1', { node: 'node-a', ready: true })], VolumeAttachment: [attachmentOf('pv-1')] },
      true,
    ],
  ])('%s', (_, objects, exclusive) => {
    expect(exclusiveVolumesOf(indexOf(objects), pod).map(({ volume }) => volume)).toEqual(
      exclusive ? ['pv-1'] : [],
    );
  });

  it('with its own attachments only', () => {
    const index = indexOf({ VolumeAttachment: [attachmentOf('pv-1'), attachmentOf('pv-2')] });
    const [found] = exclusiveVolumesOf(index, pod);
    expect(found?.attachments.map(({ metadata }) => metadata.name)).toEqual(['of-pv-1']);
  });
});

describe('the users of a claim', () => {
  it('are the assigned, unfinished pods of its namespace', () => {
    const index = indexOf({
      Pod: [
        podOf('a', { node: 'node-a' }),
        podOf('b'),
        podOf('c', { node: 'node-a', phase: 'Failed' }),
        podOf('d', { node: 'node-a', claim: 'other' }),
        podOf('e', { node: 'node-a', namespace: 'ml' }),
        podOf('f', { node: '' }),
      ],
    });
    expect(usersOf(index, claimOf()).map(({ metadata }) => metadata.name)).toEqual(['a']);
  });
});

describe('a pod waits for its volume', () => {
  const user = podOf('web-1', { node: 'node-a' });
  const index = indexOf({ Pod: [user] });

  it.each([
    ['on another node than its user', 'node-b', { gone: [], placed: [] }, true],
    ['not on the same node', 'node-a', { gone: [], placed: [] }, false],
    ['not after the user is gone', 'node-b', { gone: [user], placed: [] }, false],
    [
      'when a pod that was placed since uses it elsewhere',
      'node-b',
      { gone: [user], placed: [podOf('web-3', { node: 'node-c' })] },
      true,
    ],
    [
      'not for a pod that was placed since and uses another volume',
      'node-b',
      { gone: [user], placed: [podOf('web-3', { node: 'node-c', claim: 'other' })] },
      false,
    ],
    [
      'not because of itself',
      'node-b',
      { gone: [user], placed: [{ ...pod, spec: { ...pod.spec, nodeName: 'node-c' } }] },
      false,
    ],
  ])('%s', (_, node, difference, lacks) => {
    expect(lacksVolume(index, pod, node, difference)).toBe(lacks);
  });
});
