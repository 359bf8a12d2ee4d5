import { describe, expect, it } from 'vitest';
import { schedulingGated } from '#src/doctor/causes/scheduling-gated/rule.js';
import {
  buildClusterQueue,
  buildFlavor,
  buildLocalQueue,
  buildQueued,
  queuedRollout,
  type WorldFields,
} from '../../../../support/kueue-builders.js';
import { mustFind, snapshotOf, told } from '../run-rule.js';

const condition = (type: string, status: string, reason: string, message = '') => ({
  type,
  status,
  reason,
  message,
});
const newWith = (newWorkload: WorldFields['newWorkload'], gpus?: number): WorldFields => ({
  newWorkload: newWorkload ?? {},
  ...(gpus === undefined ? {} : { clusterQueue: buildClusterQueue({ gpus }) }),
});
const queueWith = (fields: Parameters<typeof buildClusterQueue>[0]): WorldFields => ({
  clusterQueue: buildClusterQueue(fields),
});
const reserved = condition('QuotaReserved', 'True', 'QuotaReserved');
const admitted = [reserved, condition('Admitted', 'True', 'Admitted')];
const notReady = condition('PodsReady', 'False', 'WaitForStart');
const checks = (...admissionChecks: readonly object[]) =>
  newWith({ admittedTo: 'team', conditions: [reserved], status: { admissionChecks } }, 2);
const exceeds = newWith({
  conditions: [condition('QuotaReserved', 'False', 'ExceedsMaxQuota', 'request > maximum capacity')],
});
/** Kueue counts a processor core for the new pod, beside its GPU. */
const counted = { 'nvidia.com/gpu': '1', cpu: '1' };
const countsCore = newWith({ status: { resourceRequests: [{ name: 'main', resources: counted }] } });
const job = (gpus: number, more: object = {}) =>
  buildQueued({ name: 'train', namespace: 'research', gpus, admittedTo: 'team', ...more });
const withCore = { containers: [{ name: 'train', image: 'train:1', resources: { requests: { cpu: '1' } } }] };
const spot = buildFlavor('a100', { nodeTaints: [{ key: 'spot', value: '', effect: 'NoSchedule' }] });
const ofGroup = {
  labels: { 'kueue.x-k8s.io/pod-group-name': 'web-group' },
  annotations: { 'kueue.x-k8s.io/pod-group-total-count': '3' },
};
const behind: WorldFields = {
  newGpus: 2,
  ...queueWith({ gpus: 3 }),
  others: [job(2), buildQueued({ name: 'first', age: 1800 })],
};

const stateOf = (fields: WorldFields, unseen: Parameters<typeof snapshotOf>[2] = {}) => {
  const { workload, objects } = queuedRollout(fields);
  return told(mustFind(schedulingGated, snapshotOf(workload, objects, unseen)));
};

describe("a pod at Kueue's gate waits for", () => {
  it.each<[string, string, WorldFields, readonly string[]]>([
    ['its Workload', 'no-workload', { more: { Workload: [] } }, ['no-workload']],
    [
      'the other pods of its group',
      'no-workload',
      { newPod: ofGroup, more: { Workload: [] } },
      ['group-incomplete'],
    ],
    ['a LocalQueue that does not exist', 'no-local-queue', { more: { LocalQueue: [] } }, ['missing', 'said']],
    [
      'a queue that it does not name',
      'no-local-queue',
      { newPod: { labels: {} }, newWorkload: { queue: '' } },
      ['kueue', 'said'],
    ],
    [
      'a ClusterQueue that does not exist',
      'no-cluster-queue',
      { more: { LocalQueue: [buildLocalQueue('gpus', 'gone')] } },
      ['cluster-queue-missing', 'said'],
    ],
    [
      'a queue that is stopped',
      'stopped',
      queueWith({ spec: { stopPolicy: 'HoldAndDrain' } }),
      ['stopped', 'said'],
    ],
    [
      'a ClusterQueue that is inactive',
      'inactive',
      queueWith({
        status: { conditions: [condition('Active', 'False', 'FlavorNotFound', 'missing flavors')] },
      }),
      ['inactive', 'said'],
    ],
    [
      'a ClusterQueue that selects no namespace',
      'namespace',
      queueWith({ spec: { namespaceSelector: undefined } }),
      ['namespace', 'said'],
    ],
    [
      'somebody who activates it',
      'deactivated',
      newWith({ spec: { active: false } }),
      ['deactivated', 'said'],
    ],
    [
      'a controller that lets it in',
      'held-by',
      newWith({ annotations: { 'kueue.x-k8s.io/admission-gated-by': 'example.com/budget' } }),
      ['held-by', 'said'],
    ],
    [
      'two checks',
      'checks',
      checks(
        { name: 'prov', state: 'Pending', message: 'no nodes' },
        { name: 'budget', state: 'Retry' },
        { name: 'done', state: 'Ready' },
      ),
      ['check', 'check'],
    ],
    ['the end of its admission', 'checks', checks(), ['checks-assigned']],
    ['its gate to go', 'admitted', newWith({ admittedTo: 'team' }, 2), ['admitted']],
    [
      'pods of Workloads before it',
      'pods-ready',
      newWith({ conditions: [condition('QuotaReserved', 'False', 'Waiting', 'waiting for all admitted')] }),
      ['pods-ready', 'said'],
    ],
    [
      'pods of Workloads before it, which are named',
      'pods-ready',
      {
        ...newWith({
          conditions: [condition('QuotaReserved', 'False', 'Waiting', 'waiting for all admitted')],
        }),
        others: [job(1, { conditions: [...admitted, notReady] })],
      },
      ['pods-ready-of', 'said'],
    ],
    ['nodes of another flavor', 'no-flavor', { more: { ResourceFlavor: [spot] } }, ['no-flavor', 'said']],
    ['quota for a resource that its queue does not cover', 'uncovered', countsCore, ['uncovered', 'said']],
    [
      'quota for its GPU, where Kueue admitted others with the resource that the queue does not cover',
      'quota',
      { ...countsCore, ...queueWith({ gpus: 2 }), others: [job(1, { podSpec: withCore })] },
      ['short', 'used-by', 'said'],
    ],
    ['more than its queue can have', 'beyond-maximum', { newGpus: 3 }, ['beyond-maximum', 'said']],
    [
      'more than its queue can have, by the word of Kueue, where the ClusterQueue is not among the objects',
      'beyond-maximum',
      { ...exceeds, more: { ClusterQueue: [] } },
      ['said-to-exceed', 'said'],
    ],
    [
      'quota of a ClusterQueue that is not among the objects, where Kueue gives no reason',
      'no-cluster-queue',
      { more: { ClusterQueue: [] } },
      ['cluster-queue-missing', 'said'],
    ],
    [
      'its turn where the queue has grown since Kueue said so',
      'turn',
      { ...exceeds, ...queueWith({ gpus: 8 }) },
      ['turn', 'said'],
    ],
    [
      'a preemption',
      'preemption',
      {
        newWorkload: { priority: 10 },
        ...queueWith({ spec: { preemption: { withinClusterQueue: 'LowerPriority' } } }),
      },
      ['short', 'preemption', 'said'],
    ],
    [
      'quota that others use, behind another Workload',
      'quota',
      behind,
      ['short', 'used-by', 'ahead', 'said'],
    ],
    ['its turn', 'turn', queueWith({ gpus: 4 }), ['turn', 'said']],
    [
      'a place in the topology of its flavor',
      'topology',
      {
        ...newWith({ conditions: [condition('QuotaReserved', 'False', 'Pending', 'topology "hosts" …')] }, 4),
        more: { ResourceFlavor: [buildFlavor('a100', { topologyName: 'hosts' })] },
      },
      ['topology', 'said'],
    ],
    [
      'its turn in a flavor with a topology, before Kueue has answered',
      'turn',
      {
        ...newWith({ conditions: [] }, 4),
        more: { ResourceFlavor: [buildFlavor('a100', { topologyName: 'hosts' })] },
      },
      ['turn'],
    ],
    [
      'pods of a Workload that is not ready, where Kueue admits nothing meanwhile',
      'pods-ready',
      { ...newWith({ conditions: [] }, 4), others: [job(1, { conditions: [...admitted, notReady] })] },
      ['may-block'],
    ],
    [
      'its turn, where Kueue has answered since',
      'turn',
      { ...queueWith({ gpus: 4 }), others: [job(1, { conditions: [...admitted, notReady] })] },
      ['turn', 'said'],
    ],
  ])('%s', (_, waitsFor, fields, keys) => {
    const { facts, reasoning, advice, adviceText } = stateOf(fields);
    const ofQueue = reasoning.filter((key) => key.startsWith('queue') || key === 'kueue');

    expect(facts).toMatchObject({ queue: { waitsFor } });
    const missing = waitsFor === 'preemption' ? 'quota' : waitsFor;
    const wanted = keys.includes('group-incomplete') ? 'do-group' : `do-${missing}`;
    expect([advice[0], adviceText[0]]).toEqual([`${wanted}-title`, wanted]);
    expect(ofQueue.map((key) => key.replace('queue-', ''))).toEqual(keys);
  });

  it('that Kueue places itself, and does not claim that stopping an old pod is useless', () => {
    const { becauseOf } = stateOf({
      ...newWith({ conditions: [condition('QuotaReserved', 'False', 'Pending', 'topology "hosts" …')] }, 4),
      more: { ResourceFlavor: [buildFlavor('a100', { topologyName: 'hosts' })] },
    });

    expect(becauseOf).toEqual(['restart-withheld', 'patch-not-simulated']);
  });

  it('names who uses the quota, and who comes first', () => {
    const queue = {
      usedBy: ['research/train', 'shop/pod-old-0'],
      ahead: ['shop/first'],
      clusterQueue: 'team',
    };
    expect(stateOf(behind).facts).toMatchObject({ queue });
  });

  it('names who took back what the cohort had lent, where its own queue uses nothing', () => {
    const cohort = (name: string, gpus: number) => buildClusterQueue({ name, gpus, spec: { cohort: 'all' } });
    const own = cohort('team', 0);
    const { workload, objects, newPod } = queuedRollout({ clusterQueue: own });
    const taken = buildQueued({ name: 'train', namespace: 'research', admittedTo: 'research' });
    const snapshot = snapshotOf(workload, {
      ...objects,
      ClusterQueue: [own, cohort('research', 1), buildClusterQueue({ name: 'apart', gpus: 1 })],
      Workload: [
        buildQueued({ pod: newPod, age: 900 }),
        taken,
        buildQueued({ name: 'other', namespace: 'research', admittedTo: 'apart' }),
      ],
    });

    expect(told(mustFind(schedulingGated, snapshot)).facts).toMatchObject({
      queue: { waitsFor: 'quota', usedBy: ['research/train'] },
    });
  });

  it.each(['Workload', 'LocalQueue', 'ClusterQueue'] as const)(
    'something, where every %s is unread',
    (what) => {
      const unseen = [{ what, namespace: '', because: 'forbidden', message: '' }] as const;
      const { facts, reasoning } = stateOf({ more: { [what]: [] } }, { unseen });

      expect(facts).not.toHaveProperty('queue');
      expect(reasoning.slice(-2)).toEqual(['kueue', 'queue-unread']);
    },
  );
});
