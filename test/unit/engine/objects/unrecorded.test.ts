import { describe, expect, it } from 'vitest';
import { type ClusterObjects, clusterObjects, schemas } from '#src/engine/objects/cluster-objects.js';
import { unrecordedKinds } from '#src/engine/objects/unrecorded.js';
import { node, pod } from '../../../support/placement-builders.js';
import { buildDeployment, buildReplicaSet } from '../../../support/rollout-builders.js';

const missing = (objects: Partial<ClusterObjects>) =>
  unrecordedKinds(clusterObjects(objects)).map(({ what }) => what);

const running = pod('web', { on: 'n-1' });
const replicaSet = buildReplicaSet({ revision: 1, replicas: 1 });
const claim = schemas.PersistentVolumeClaim.parse({
  metadata: { name: 'data', namespace: 'shop' },
  spec: { volumeName: 'pv-1' },
});

describe('the kinds that other objects refer to and the recording lacks are', () => {
  it.each<[string, Partial<ClusterObjects>, readonly string[]]>([
    ['nodes, once a pod has one', { Pod: [running] }, ['Node']],
    ['nodes for pods that wait: controllers that make pods run on one', { Pod: [pod('web')] }, ['Node']],
    ['none where some of the nodes are recorded', { Pod: [running], Node: [node('n-2')] }, []],
    ['pods that a ReplicaSet counts', { ReplicaSet: [replicaSet] }, ['Pod']],
    [
      'ReplicaSets of a Deployment that counts pods',
      { Deployment: [buildDeployment({ status: { replicas: 1 } })], Pod: [pod('web')], Node: [node('n-1')] },
      ['ReplicaSet'],
    ],
    [
      'claims of a pod that runs',
      { Pod: [pod('db', { on: 'n-1', claim: 'data' })], Node: [node('n-1')] },
      ['PersistentVolumeClaim'],
    ],
    [
      'no claims of a pending pod: it may wait for them',
      { Pod: [pod('db', { claim: 'data' })], Node: [node('n-1')] },
      [],
    ],
    ['the volume that a claim is bound to', { PersistentVolumeClaim: [claim] }, ['PersistentVolume']],
    ['none for an empty recording', {}, []],
  ])('%s', (_, objects, kinds) => {
    expect(missing(objects)).toEqual(kinds);
  });
});
