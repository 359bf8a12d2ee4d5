import { describe, expect, it } from 'vitest';
import type { Unseen } from '#src/core/cluster/snapshot.js';
import { schedulingGated } from '#src/core/diagnosis/causes/scheduling-gated/rule.js';
import { text } from '#src/core/diagnosis/causes/scheduling-gated/text.js';
import {
  buildClusterQueue,
  buildFlavor,
  buildLocalQueue,
  buildQueued,
  queuedRollout,
  type WorldFields,
} from '#support/kueue-builders.js';
import { keysOf, mustFind, renderFinding, snapshotOf } from '../run-rule.js';

function find(fields: WorldFields, unseen: readonly Unseen[] = []) {
  const { workload, objects } = queuedRollout(fields);
  return mustFind(schedulingGated, snapshotOf(workload, objects, { unseen }));
}

const condition = (type: string, status: string, reason: string, message = '') => ({
  type,
  status,
  reason,
  message,
});
const reserved = condition('QuotaReserved', 'True', 'QuotaReserved');
const checks = (...admissionChecks: readonly object[]): WorldFields => ({
  clusterQueue: buildClusterQueue({ gpus: 2 }),
  newWorkload: { admittedTo: 'team', conditions: [reserved], status: { admissionChecks } },
});
/** Kueue counts a processor core for the new pod, beside its GPU. */
const countsCore = {
  newWorkload: {
    status: { resourceRequests: [{ name: 'main', resources: { 'nvidia.com/gpu': '1', cpu: '1' } }] },
  },
};
const job = (gpus: number, more: object = {}) =>
  buildQueued({ name: 'train', namespace: 'research', gpus, admittedTo: 'team', ...more });

describe("a pod at Kueue's gate waits for", () => {
  it.each<[string, string, WorldFields, readonly string[]]>([
    ['its Workload', 'no-workload', { more: { Workload: [] } }, ['queue-no-workload']],
    [
      'the other pods of its group',
      'no-workload',
      {
        newPod: {
          labels: { 'kueue.x-k8s.io/pod-group-name': 'web-group' },
          annotations: { 'kueue.x-k8s.io/pod-group-total-count': '3' },
        },
        more: { Workload: [] },
      },
      ['queue-group-incomplete'],
    ],
    [
      'a LocalQueue that does not exist',
      'no-local-queue',
      { more: { LocalQueue: [] } },
      ['queue-missing', 'queue-said'],
    ],
    [
      'a queue that it does not name',
      'no-local-queue',
      { newPod: { labels: {} }, newWorkload: { queue: '' } },
      ['kueue', 'queue-said'],
    ],
    [
      'a ClusterQueue that does not exist',
      'no-cluster-queue',
      { more: { LocalQueue: [buildLocalQueue('gpus', 'gone')] } },
      ['queue-cluster-queue-missing', 'queue-said'],
    ],
    [
      'a queue that is stopped',
      'stopped',
      { clusterQueue: buildClusterQueue({ spec: { stopPolicy: 'HoldAndDrain' } }) },
      ['queue-stopped', 'queue-said'],
    ],
    [
      'a ClusterQueue that is inactive',
      'inactive',
      {
        clusterQueue: buildClusterQueue({
          status: {
            conditions: [condition('Active', 'False', 'FlavorNotFound', 'references missing flavors')],
          },
        }),
      },
      ['queue-inactive', 'queue-said'],
    ],
    [
      'a ClusterQueue that selects no namespace',
      'namespace',
      { clusterQueue: buildClusterQueue({ spec: { namespaceSelector: undefined } }) },
      ['queue-namespace', 'queue-said'],
    ],
    [
      'somebody who activates it',
      'deactivated',
      { newWorkload: { spec: { active: false } } },
      ['queue-deactivated', 'queue-said'],
    ],
    [
      'a controller that lets it in',
      'held-by',
      { newWorkload: { annotations: { 'kueue.x-k8s.io/admission-gated-by': 'example.com/budget' } } },
      ['queue-held-by', 'queue-said'],
    ],
    [
      'two checks',
      'checks',
      checks(
        { name: 'prov', state: 'Pending', message: 'no nodes' },
        { name: 'budget', state: 'Retry' },
        { name: 'done', state: 'Ready' },
      ),
      ['queue-check', 'queue-check'],
    ],
    ['the end of its admission', 'checks', checks(), ['queue-checks-assigned']],
    [
      'its gate to go',
      'admitted',
      { newWorkload: { admittedTo: 'team' }, clusterQueue: buildClusterQueue({ gpus: 2 }) },
      ['queue-admitted'],
    ],
    [
      'pods of Workloads before it',
      'pods-ready',
      {
        newWorkload: {
          conditions: [condition('QuotaReserved', 'False', 'Waiting', 'waiting for all admitted')],
        },
      },
      ['queue-pods-ready', 'queue-said'],
    ],
    [
      'nodes of another flavor',
      'no-flavor',
      {
        more: {
          ResourceFlavor: [
            buildFlavor('a100', { nodeTaints: [{ key: 'spot', value: '', effect: 'NoSchedule' }] }),
          ],
        },
      },
      ['queue-no-flavor', 'queue-said'],
    ],
    [
      'quota for a resource that its queue does not cover',
      'uncovered',
      countsCore,
      ['queue-uncovered', 'queue-said'],
    ],
    [
      'quota for its GPU, where Kueue admitted others with the resource that the queue does not cover',
      'quota',
      {
        ...countsCore,
        clusterQueue: buildClusterQueue({ gpus: 2 }),
        others: [
          job(1, {
            podSpec: {
              containers: [{ name: 'train', image: 'train:1', resources: { requests: { cpu: '1' } } }],
            },
          }),
        ],
      },
      ['queue-short', 'queue-used-by', 'queue-said'],
    ],
    [
      'more than its queue can have',
      'beyond-maximum',
      { newGpus: 3 },
      ['queue-beyond-maximum', 'queue-said'],
    ],
    [
      'a preemption',
      'preemption',
      {
        newWorkload: { priority: 10 },
        clusterQueue: buildClusterQueue({ spec: { preemption: { withinClusterQueue: 'LowerPriority' } } }),
      },
      ['queue-short', 'queue-preemption', 'queue-said'],
    ],
    [
      'quota that others use, behind another Workload',
      'quota',
      {
        newGpus: 2,
        clusterQueue: buildClusterQueue({ gpus: 3 }),
        others: [job(2), buildQueued({ name: 'first', age: 1800 })],
      },
      ['queue-short', 'queue-used-by', 'queue-ahead', 'queue-said'],
    ],
    ['its turn', 'turn', { clusterQueue: buildClusterQueue({ gpus: 4 }) }, ['queue-turn', 'queue-said']],
  ])('%s', (_name, waitsFor, fields, keys) => {
    const finding = find(fields);
    const reasoning = keysOf(finding.reasoning).filter((key) => key.startsWith('queue') || key === 'kueue');

    expect(finding.facts).toMatchObject({ queue: { waitsFor } });
    expect(reasoning).toEqual(keys);
    const { en, ko } = renderFinding(finding, text);
    expect(ko).toHaveLength(en.length);
  });

  it('names who uses the quota, and who comes first', () => {
    const { facts } = find({
      newGpus: 2,
      clusterQueue: buildClusterQueue({ gpus: 3 }),
      others: [job(2), buildQueued({ name: 'first', age: 1800 })],
    });

    expect(facts).toMatchObject({
      queue: { usedBy: ['research/train', 'shop/pod-old-0'], ahead: ['shop/first'], clusterQueue: 'team' },
    });
  });

  it.each([
    [['Workload'], { more: { Workload: [] } }],
    [['LocalQueue'], { more: { LocalQueue: [] } }],
    [['ClusterQueue'], { more: { ClusterQueue: [] } }],
  ] as const)('nobody knows what, where every %s is unread', (kinds, fields) => {
    const unseen = kinds.map((what) => ({ what, namespace: '', because: 'forbidden', message: '' }) as const);
    const finding = find(fields, unseen);

    expect(finding.facts).not.toHaveProperty('queue');
    expect(keysOf(finding.reasoning).slice(-2)).toEqual(['kueue', 'queue-unread']);
  });
});
