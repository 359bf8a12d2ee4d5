import { describe, expect, test } from 'vitest';
import { indexObjects } from '#src/engine/objects/cluster-index.js';
import { type ClusterObjects, clusterObjects, schemas } from '#src/engine/objects/cluster-objects.js';
import { createPlacement } from '#src/engine/scheduler/placement.js';
import {
  claim,
  type PodShape,
  placementOf,
  pod,
  type SpecWire,
  texts,
  volume,
} from '../../../../support/placement-builders.js';
import { bound, later, n1, storageClass, wanted } from './volume-builders.js';

describe('the pod is refused for its claims because of', () => {
  const refusals = (objects: Partial<ClusterObjects>, shape: PodShape = { claim: 'data' }) =>
    placementOf({ Node: [n1], ...objects }).evaluate(pod('new', shape)).refusals;
  const changed = (metadata: object, more: object = {}) =>
    schemas.PersistentVolumeClaim.parse({ ...bound, metadata: { ...bound.metadata, ...metadata }, ...more });

  test('a claim that does not exist', () => {
    expect(refusals({})).toMatchObject([
      { id: 'pvc-missing', text: 'persistentvolumeclaim "data" not found', claim: 'data', resolvable: false },
    ]);
  });

  test('a missing claim, though another namespace has one of the same name', () => {
    expect(refusals({ PersistentVolumeClaim: [changed({ namespace: 'bank' })] })).toMatchObject([
      { id: 'pvc-missing' },
    ]);
  });

  test('a claim that waits for a volume of an immediate class, of no class, or of a missing one', () => {
    const immediate = storageClass('now', { volumeBindingMode: 'Immediate' });
    for (const storageClassName of ['now', undefined, 'nowhere']) {
      expect(
        refusals({ PersistentVolumeClaim: [claim('data', { storageClassName })], StorageClass: [immediate] }),
      ).toMatchObject([
        { id: 'unbound-pvc', text: 'pod has unbound immediate PersistentVolumeClaims', claim: 'data' },
      ]);
    }
  });

  test('a claim that names its volume but is not bound to it yet', () => {
    const pending = schemas.PersistentVolumeClaim.parse({
      ...claim('data', { volumeName: 'pv', storageClassName: 'later' }),
      metadata: { name: 'data', namespace: 'shop' },
      status: { phase: 'Pending' },
    });
    expect(refusals({ PersistentVolumeClaim: [pending], StorageClass: [later] })).toMatchObject([
      { id: 'unbound-pvc' },
    ]);
  });

  test('a claim that has lost its volume', () => {
    const lost = changed({}, { status: { phase: 'Lost' } });
    expect(texts(refusals({ PersistentVolumeClaim: [lost] }))).toEqual([
      'persistentvolumeclaim "data" bound to non-existent persistentvolume "pv"',
    ]);
  });

  test('a bound claim whose volume is gone', () => {
    expect(refusals({ PersistentVolumeClaim: [bound] })).toMatchObject([
      { id: 'lost-pv', text: 'persistentvolume "pv" not found' },
    ]);
  });

  test('a claim that is being deleted', () => {
    const terminating = changed({ deletionTimestamp: '2026-11-20T09:00:00Z' });
    expect(
      texts(refusals({ PersistentVolumeClaim: [terminating], PersistentVolume: [volume('pv')] })),
    ).toEqual(['persistentvolumeclaim "data" is being deleted']);
  });

  const ephemeral: PodShape = { spec: { volumes: [{ name: 'tmp', ephemeral: {} }] } as SpecWire };
  test('an ephemeral volume whose claim does not exist yet', () => {
    expect(texts(refusals({}, ephemeral))).toEqual([
      'waiting for ephemeral volume controller to create the persistentvolumeclaim "new-tmp"',
    ]);
  });

  test('an ephemeral volume whose claim belongs to another pod', () => {
    const foreign = claim('new-tmp', { volumeName: 'pv' });
    expect(
      texts(refusals({ PersistentVolumeClaim: [foreign], PersistentVolume: [volume('pv')] }, ephemeral)),
    ).toEqual(['PVC shop/new-tmp was not created for pod shop/new (pod is not owner)']);
  });

  test('no reason where an ephemeral volume has its own claim', () => {
    const own = changed({
      name: 'new-tmp',
      ownerReferences: [{ kind: 'Pod', name: 'new', uid: 'new', controller: true }],
    });
    expect(refusals({ PersistentVolumeClaim: [own], PersistentVolume: [volume('pv')] }, ephemeral)).toEqual(
      [],
    );
  });

  test('no reason where the claims were not read', () => {
    const index = indexObjects(clusterObjects({ Node: [n1] }));
    const answer = createPlacement(index, { unseen: ['PersistentVolumeClaim'] }).evaluate(wanted);
    expect(answer).toMatchObject({
      outcome: 'not-simulated',
      refusals: [],
      notSimulated: [{ why: 'claim-unseen', subject: 'data' }],
    });
    expect(answer.message()).toBeUndefined();
  });
});
