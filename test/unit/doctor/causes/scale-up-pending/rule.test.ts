import { describe, expect } from 'vitest';
import { scaleUpPending } from '#src/doctor/causes/scale-up-pending.js';
import { build } from '../../../../support/kubernetes-objects.js';
import { node } from '../../../../support/placement-builders.js';
import {
  ago,
  buildDeployment,
  buildReplicaSet,
  event,
  type Fields,
  ownedPod,
  snapshotWith,
} from '../../findings/waiting/build.js';
import { expectFindings, has } from '../run-rule.js';

const gpu = { requests: { 'nvidia.com/gpu': '1' } };
const oneGpu = [node('gpu-a', { allocatable: { 'nvidia.com/gpu': '1' } })];
const second = buildReplicaSet({ revision: 2, replicas: 2, available: 1 });

function complete(secondsAgo = 5000, reason = 'NewReplicaSetAvailable') {
  const conditions = [{ type: 'Progressing', status: 'True', reason, lastUpdateTime: ago(secondsAgo) }];
  return buildDeployment({ replicas: 2, status: { readyReplicas: 1, conditions } });
}

const created = (kind: string, name: string, reason: string, message: string) =>
  event({ about: { kind, name, uid: `${name}-uid` }, reason, message, secondsAgo: 1500 });
const pods = (on: string, ready: object, pending: object) => [
  ownedPod('web-a', 2, { on, age: 5000, ...ready }),
  ownedPod('web-b', 2, { age: 1500, ...pending }),
];

/**
 * Revision 2 was complete with one pod; a second one was created 25 minutes ago, and the cluster has one GPU.
 */
const grown: Fields = {
  workload: complete(),
  ReplicaSet: [second],
  Node: oneGpu,
  Pod: pods('gpu-a', gpu, gpu),
  Event: [created('Deployment', 'web', 'ScalingReplicaSet', 'Scaled up replica set web-2 from 1 to 2')],
};
const spread = {
  maxSkew: 1,
  topologyKey: 'kubernetes.io/hostname',
  whenUnsatisfiable: 'DoNotSchedule',
  labelSelector: { matchLabels: { app: 'web' } },
};
const spreading = { spec: { topologySpreadConstraints: [spread] } };
const controlPlane = { taints: [{ key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }] };

describe('a pending scale-up', () => {
  expectFindings<Fields>(scaleUpPending, (change) => snapshotWith({ ...grown, ...change }), [
    [
      'is reported with the holders of the resource, as no deadlock',
      {},
      {
        confidence: 'proven',
        severity: 'warning',
        resource: 'nvidia.com/gpu',
        holders: ['web-a'],
        facts: { replicasBefore: 1, replicas: 2 },
        reasoning: has('no-deadlock'),
        withheld: ['patch-strategy', 'undo-rollout', 'restart-rollout'],
        snippets: expect.stringContaining('spec:\n  replicas: 1\n'),
      },
    ],
    [
      'is likely only where the event is gone and the pod might replace a lost one',
      { Event: [] },
      { confidence: 'likely', doubts: ['maybe-replacement'] },
    ],
    [
      'names the autoscaler that requests the replicas, and its maximum as the value to change',
      {
        HorizontalPodAutoscaler: [
          build('HorizontalPodAutoscaler', 'web-hpa', {
            spec: { scaleTargetRef: { kind: 'Deployment', name: 'web' }, maxReplicas: 5 },
          }),
        ],
      },
      {
        reasoning: has('autoscaled-by'),
        snippets: expect.stringContaining('maxReplicas: 1'),
        owners: [{ by: 'HorizontalPodAutoscaler' }],
      },
    ],
    [
      'is answered by excluding tainted nodes that a spread counts',
      { Node: [node('w-a'), node('cp-a', controlPlane)], Pod: pods('w-a', spreading, spreading) },
      { reasoning: has('spread-counts'), snippets: expect.stringContaining('nodeTaintsPolicy: Honor') },
    ],
    ['is none while the rollout itself is in progress', { workload: complete(1400, 'ReplicaSetUpdated') }],
    [
      'is none on a first rollout that never was complete',
      { workload: complete(900, 'ProgressDeadlineExceeded') },
    ],
    [
      'is none where an old revision still has replicas',
      {
        ReplicaSet: [second, buildReplicaSet({ revision: 1, replicas: 1 })],
        Pod: [...pods('gpu-a', gpu, gpu), ownedPod('web-old', 1, { on: 'gpu-a' })],
      },
    ],
    [
      'is none where the controller created the pod without scaling: it replaces a lost pod',
      { Event: [created('ReplicaSet', 'web-2', 'SuccessfulCreate', 'Created pod: web-b')] },
    ],
    [
      'is none where its own pods do not block it',
      { Pod: [...pods('gpu-a', {}, gpu), ownedPod('other', 1, { on: 'gpu-a', ...gpu }, 'other')] },
    ],
    ['is none where the new replica runs on a node', { Pod: [ownedPod('web-a', 2, { on: 'gpu-a' })] }],
  ]);
});
