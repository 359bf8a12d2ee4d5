import { describe, expect } from 'vitest';
import { preempted } from '#src/doctor/causes/preempted/rule.js';
import { node } from '../../../../support/placement-builders.js';
import { buildPod } from '../../../../support/rollout-builders.js';
import {
  ago,
  buildReplicaSet,
  event,
  type Fields,
  foreignPod,
  ownedPod,
  snapshotWith,
} from '../../findings/waiting/build.js';
import { expectFindings, has } from '../run-rule.js';

const uid = '3f6c1a52-9f5e-4a2a-8a5e-0d1f2c3b4a59';
const unknownUid = 'aaaaaaaa-0000-4000-8000-000000000000';
const gpu = { requests: { 'nvidia.com/gpu': '1' } };
const strong = { on: 'gpu-a', ...gpu, priority: 1000 };
const job = foreignPod('train-x1', 'Job', 'train', strong);
const winner = { ...job, metadata: { ...job.metadata, uid } };
const replacement = (shape: object = {}) => ownedPod('web-2-zz9yx', 2, { ...gpu, age: 299, ...shape });
const gpuNode = node('gpu-a', { allocatable: { 'nvidia.com/gpu': '1' } });
const other = node('gpu-b', {
  allocatable: { 'nvidia.com/gpu': '2' },
  taints: [{ key: 'x', effect: 'NoSchedule' }],
});
const evicted = (by: string, secondsAgo = 300, name = 'web-2-ab1cd') => [
  event({
    about: { kind: 'Pod', name, uid: 'gone' },
    reason: 'Preempted',
    message: `Preempted by ${by} on node gpu-a`,
    secondsAgo,
  }),
];
const byUid = `pod ${uid}`;
const victim = buildPod({
  name: 'web-2-ab1cd',
  owner: { name: 'web-2', uid: 'web-2-uid' },
  node: 'gpu-a',
  age: 4000,
  status: {
    phase: 'Failed',
    conditions: [
      {
        type: 'DisruptionTarget',
        status: 'True',
        reason: 'PreemptionByScheduler',
        lastTransitionTime: ago(300),
      },
    ],
  },
});

/** A pod of revision 2 ran on the only GPU until a Job of priority 1000 took it five minutes ago. */
const taken = (change: Fields) =>
  snapshotWith({
    ReplicaSet: [buildReplicaSet({ revision: 2, replicas: 1 })],
    Node: [gpuNode],
    Pod: [replacement(), winner],
    Event: evicted(byUid),
    ...change,
  });

describe('preemption is reported', () => {
  expectFindings<Fields>(preempted, taken, [
    [
      'with the preemptor by the uid in the event, and its workload',
      {},
      {
        confidence: 'proven',
        severity: 'critical',
        nodes: ['gpu-a'],
        holders: ['train-x1'],
        steps: has(
          expect.objectContaining({
            key: 'preemptor',
            values: { pod: 'train-x1', workload: 'shop/train', kind: 'Job', priority: 1000, own: 0 },
          }),
          expect.objectContaining({
            key: 'counterfactual',
            values: { pod: 'web-2-zz9yx', without: ['shop/train-x1'], node: 'gpu-a' },
          }),
        ),
        snippets: expect.stringContaining('preemptionPolicy: Never'),
      },
    ],
    [
      'with the preemptor by name, as schedulers until 1.26 write it',
      { Event: evicted('shop/train-x1') },
      { holders: ['train-x1'] },
    ],
    [
      'with less certainty where the event names no preemptor, as in 1.28',
      { Event: evicted('a pod') },
      { confidence: 'likely', doubts: ['not-resolved'] },
    ],
    [
      'with less certainty where the preemptor is not among the pods that were read',
      { Event: evicted(`pod ${unknownUid}`) },
      { confidence: 'likely', steps: has(expect.objectContaining({ values: { uid: unknownUid } })) },
    ],
    [
      'with less certainty where the preemptor is gone and another pod uses the resource',
      {
        Node: [gpuNode, other],
        Pod: [
          replacement(),
          { ...winner, spec: { ...winner.spec, nodeName: 'gpu-b' } },
          foreignPod('late-0', 'StatefulSet', 'late', strong),
        ],
      },
      { confidence: 'likely', doubts: has('no-counterfactual') },
    ],
    [
      'for a victim that still exists, by its condition',
      { Event: [], Pod: [replacement(), winner, victim] },
      { reasoning: has('evicted'), evidence: has('ev-condition') },
    ],
  ]);
});

describe('preemption is not reported where', () => {
  expectFindings<Fields>(preempted, taken, [
    ['the replacement runs elsewhere', { Pod: [ownedPod('web-2-zz9yx', 2, { on: 'gpu-a', age: 299 })] }],
    ['the pending pod was created before the preemption', { Pod: [replacement({ age: 900 }), winner] }],
    ['the preemption was over an hour ago', { Event: evicted(byUid, 3700) }],
    ['the victim belongs to another workload', { Event: evicted(byUid, 300, 'api-7-ab1cd') }],
    ['another workload only begins with the same name', { Event: evicted(byUid, 300, 'web-2-canary-ab1cd') }],
    [
      'the replacement waits for a reason other than capacity',
      { Pod: [replacement({ spec: { nodeSelector: { a: 'b' } } }), winner] },
    ],
    ['no pod was evicted', { Event: [] }],
  ]);
});
