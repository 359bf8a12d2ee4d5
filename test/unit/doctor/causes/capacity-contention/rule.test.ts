import { describe, expect } from 'vitest';
import { capacityContention as rule } from '#src/doctor/causes/capacity-contention/rule.js';
import { node } from '../../../../support/placement-builders.js';
import {
  ago,
  buildDeployment,
  buildReplicaSet,
  type Fields,
  foreignPod,
  type OwnedShape,
  ownedPod,
  snapshotWith,
} from '../../findings/waiting/build.js';
import { expectFindings, has, lacks, step } from '../run-rule.js';

const needs = (count: number) => ({ requests: { 'nvidia.com/gpu': String(count) } });
const gpu = needs(1);
const gpuNode = (name: string, count = 1, labels = {}) =>
  node(name, { labels, allocatable: { 'nvidia.com/gpu': String(count) } });
const [gpuA, gpuB] = [gpuNode('gpu-a'), gpuNode('gpu-b')];
const of = (revision: number, name = 'web', available = 0) =>
  buildReplicaSet({
    revision,
    replicas: 1,
    available,
    name: `${name}-${revision}`,
    metadata: { ownerReferences: [{ kind: 'Deployment', name, uid: `${name}-uid`, controller: true }] },
  });
const train = foreignPod('train-x1', 'Job', 'train', { on: 'gpu-a', ...gpu });
const leaving = { ...train, metadata: { ...train.metadata, deletionTimestamp: ago(-10) } };
const stateful = (name: string, priority: number, on: string) =>
  foreignPod(`${name}-0`, 'StatefulSet', name, { on, ...gpu, priority });
const oldPod = ownedPod('web-old', 1, { on: 'gpu-a', ...gpu });

const ofService = (name: string, owner = 'llm') => {
  const deployment = buildDeployment();
  const apiVersion = 'serving.kserve.io/v1beta1';
  const above = { apiVersion, kind: 'InferenceService', name: owner, uid: `${owner}-uid`, controller: true };
  const metadata = { ...deployment.metadata, name, uid: `${name}-uid`, ownerReferences: [above] };
  return { ...deployment, metadata };
};
const canary: Fields = {
  Deployment: [ofService('canary')],
  ReplicaSet: [of(2), of(1, 'canary', 1)],
  Pod: [ownedPod('canary-x', 1, { on: 'gpu-a', ...gpu }, 'canary')],
};
const sameService = expect.stringContaining('"owner":"llm"');

/** The first rollout of revision 2 with one waiting pod. */
const waiting = (shape: OwnedShape, { Pod = [], ...fields }: Fields): Fields => ({
  ReplicaSet: [of(2)],
  ...fields,
  Pod: [ownedPod('web-new', 2, shape), ...Pod],
});
const heldBy = (holder: object) => step('held-by', { holder: expect.objectContaining(holder) });

describe('contention is reported', () => {
  expectFindings<Fields>(rule, snapshotWith, [
    [
      'with a Job, which may end',
      waiting(gpu, { Node: [gpuA], Pod: [train] }),
      {
        confidence: 'proven',
        severity: 'critical',
        resource: 'nvidia.com/gpu',
        holders: ['train-x1'],
        steps: has(
          heldBy({ workload: 'shop/train', kind: 'Job', priority: 0 }),
          step('counterfactual', { without: ['shop/train-x1'], pod: 'web-new', node: 'gpu-a' }),
        ),
        reasoning: has('leaves-by-itself', 'equal-priority'),
      },
    ],
    [
      'with a Deployment of another namespace whose ReplicaSet was not read',
      waiting(
        { requests: { cpu: '2' } },
        {
          Node: [node('n-a')],
          Pod: [ownedPod('api-7-x', 7, { on: 'n-a', requests: { cpu: '3' }, namespace: 'pay' }, 'api')],
        },
      ),
      { steps: has(heldBy({ workload: 'pay/api', kind: 'Deployment' })) },
    ],
    [
      'with a DaemonSet that binds the port on every node',
      waiting(
        { hostPort: 9100 },
        {
          Node: [node('n-a'), node('n-b')],
          Pod: ['n-a', 'n-b'].map((on) =>
            foreignPod(`exporter-${on}`, 'DaemonSet', 'exporter', { on, hostPort: 9100 }),
          ),
        },
      ),
      { resource: 'hostPort', holders: ['exporter-n-a', 'exporter-n-b'] },
    ],
    [
      'with several workloads by priority, the highest first',
      waiting(gpu, {
        Node: [gpuA, gpuB],
        Pod: [stateful('low', 10, 'gpu-a'), stateful('high', 900, 'gpu-b')],
      }),
      { holders: ['high-0', 'low-0'], snippets: expect.stringContaining('value: 901') },
    ],
    [
      'with pods of lower priority, where the pod may not preempt',
      waiting(
        { ...gpu, priority: 1000, spec: { preemptionPolicy: 'Never' } },
        { Node: [gpuA], Pod: [stateful('low', 10, 'gpu-a')] },
      ),
      { reasoning: has('preempts-never') },
    ],
    [
      'with a canary that the same InferenceService declares, whose owners are the same people',
      waiting(gpu, { workload: ofService('web'), Node: [gpuA], ...canary }),
      { holders: ['canary-x'], advice: has('advice-parts-title'), adviceSaid: sameService },
    ],
    [
      'with a Deployment of another InferenceService',
      waiting(gpu, { workload: ofService('web', 'other'), Node: [gpuA], ...canary }),
      { holders: ['canary-x'], advice: lacks('advice-parts-title') },
    ],
    [
      'with own old pods too, where neither of them alone would be enough',
      waiting(needs(2), {
        ReplicaSet: [of(1, 'web', 1), of(2)],
        Node: [gpuNode('gpu-a', 2)],
        Pod: [oldPod, train],
      }),
      { holders: ['train-x1'], reasoning: has('own-too') },
    ],
  ]);
});

const inPool = (pool: string) => ({ ...gpu, spec: { nodeSelector: { pool } } });
const [poolA, poolB] = [gpuNode('n-a', 1, { pool: 'a' }), gpuNode('n-b', 1, { pool: 'b' })];
const rolling = (bounds: object = {}) => {
  const built = buildDeployment(bounds);
  return { ...built, metadata: { ...built.metadata, name: 'api', uid: 'api-uid' } };
};
/** Each new revision selects the node pool that the other one's old pod uses. */
const crossed = (change: Fields) =>
  snapshotWith({
    Node: [poolA, poolB],
    ReplicaSet: [of(1, 'web', 1), of(2), of(1, 'api', 1), of(2, 'api')],
    Deployment: [rolling()],
    Pod: [
      ownedPod('web-old', 1, { on: 'n-a', ...gpu }),
      ownedPod('web-new', 2, inPool('b')),
      ownedPod('api-old', 1, { on: 'n-b', ...gpu }, 'api'),
      ownedPod('api-new', 2, inPool('a'), 'api'),
    ],
    ...change,
  });

describe('a wait cycle of two rollouts', () => {
  expectFindings<Fields>(rule, crossed, [
    [
      'is reported, with both new pods and the resources that each holds',
      {},
      {
        confidence: 'proven',
        reasoning: has('cycle'),
        snippets: expect.stringContaining('maxSurge: 0'),
        withheld: lacks('patch-strategy'),
      },
    ],
    [
      'is likely only where the other Deployment was not read',
      { Deployment: [], ReplicaSet: [of(1, 'web', 1), of(2)] },
      { confidence: 'likely', doubts: has('neighbours-unread') },
    ],
    [
      'is none where the other new pod fits on another node',
      { Node: [poolA, poolB, gpuNode('n-c', 1, { pool: 'a' })] },
      { reasoning: lacks('cycle') },
    ],
    [
      'is none where the controller may still stop the old pod of the other rollout',
      { Deployment: [rolling({ maxSurge: 1, maxUnavailable: 1 })] },
      { reasoning: lacks('cycle') },
    ],
  ]);
});

describe('contention is not reported', () => {
  expectFindings<Fields>(rule, snapshotWith, [
    [
      'where preemption will free enough',
      waiting({ ...gpu, priority: 1000 }, { Node: [gpuA], Pod: [stateful('low', 0, 'gpu-a')] }),
    ],
    ['where the holder terminates in time', waiting(gpu, { Node: [gpuA], Pod: [leaving] })],
    [
      'where its own old pod alone is the reason',
      waiting(gpu, { ReplicaSet: [of(1), of(2)], Node: [gpuNode('gpu-a', 2)], Pod: [oldPod, train] }),
    ],
    [
      'for cpu that every node gives its DaemonSets',
      waiting(
        { requests: { cpu: '3500m' } },
        {
          Node: [node('n-a')],
          Pod: [foreignPod('agent-a', 'DaemonSet', 'agent', { on: 'n-a', requests: { cpu: '1' } })],
        },
      ),
    ],
    [
      'for cpu that many share',
      waiting(
        { requests: { cpu: '1' } },
        {
          Node: [node('n-a')],
          Pod: Array.from({ length: 8 }, (_, at) =>
            foreignPod(`s-${at}`, 'StatefulSet', `s-${at}`, { on: 'n-a', requests: { cpu: '500m' } }),
          ),
        },
      ),
    ],
  ]);
});
