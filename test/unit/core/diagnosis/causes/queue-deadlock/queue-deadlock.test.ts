import { describe, expect, it } from 'vitest';
import { schemas } from '#src/core/cluster/cluster-objects.js';
import type { QueuedWorkload } from '#src/core/cluster/kueue.js';
import type { Unseen } from '#src/core/cluster/snapshot.js';
import { queueDeadlock } from '#src/core/diagnosis/causes/queue-deadlock/rule.js';
import { text } from '#src/core/diagnosis/causes/queue-deadlock/text.js';
import {
  buildClusterQueue,
  buildFlavor,
  buildLocalQueue,
  buildQueued,
  gpu,
  lacksQuota,
  queuedRollout,
  type WorldFields,
} from '#support/kueue-builders.js';
import { foundBy, keysOf, mustFind, renderFinding, snapshotOf } from '../run-rule.js';

const snapshot = (fields: WorldFields = {}, unseen: readonly Unseen[] = []) => {
  const { workload, objects } = queuedRollout(fields);
  return snapshotOf(workload, objects, { unseen });
};
const find = (fields: WorldFields = {}) => mustFind(queueDeadlock, snapshot(fields));
const findIfAny = (fields: WorldFields = {}) => foundBy(queueDeadlock, snapshot(fields));

describe("a new pod at Kueue's gate", () => {
  it('is deadlocked where the Workloads of the old pods use the quota that it needs', () => {
    const finding = find();

    expect(finding).toMatchObject({
      confidence: 'proven',
      severity: 'critical',
      resource: gpu,
      holders: [{ kind: 'Pod', name: 'old-0' }],
      blames: { kind: 'ClusterQueue', name: 'team' },
      summary: { key: 'summary', values: { workload: 'shop/web', queue: 'team' } },
      weakenedBy: [],
      facts: {
        short: [{ resource: gpu, flavor: 'a100', requested: '1', available: '0', atMost: '1' }],
        admittedWithout: ['old-0'],
        holdingWorkloads: ['pod-old-0'],
        fitsNowhere: false,
      },
    });
    expect(keysOf(finding.reasoning)).toEqual([
      'waits',
      'held',
      'strategy-forbids',
      'counterfactual',
      'first-in-queue',
      'served',
    ]);
  });

  it('is not deadlocked by quota where its queue has none at all for another resource that it requests', () => {
    const counted = { [gpu]: '1', cpu: '1' };
    const newWorkload = { status: { resourceRequests: [{ name: 'main', resources: counted }] } };

    expect(findIfAny({ newWorkload })).toBeUndefined();
    expect(
      findIfAny({
        newWorkload: { status: { resourceRequests: [{ name: 'main', resources: { [gpu]: '1' } }] } },
      }),
    ).toBeDefined();
  });

  it('is described in both languages', () => {
    const { en, ko } = renderFinding(find(), text);

    expect(en).toContain(
      'shop/web is deadlocked: its old pods use up the quota of the ClusterQueue team that its new pod needs',
    );
    expect(ko).toHaveLength(en.length);
    expect(ko.join('')).toMatch(/[가-힣]/);
  });

  it('is fixed by stopping the old pod first, which the simulation plays to the end', () => {
    const { remediations } = find();

    expect(remediations.map(({ kind }) => kind)).toEqual([
      'patch-strategy',
      'scale-down-old',
      'undo-rollout',
    ]);
    expect(remediations[0]).toMatchObject({ prediction: { ends: 'complete' } });
  });
});

const job = (fields: Parameters<typeof buildQueued>[0] = {}) =>
  buildQueued({ name: 'train', namespace: 'research', admittedTo: 'team', ...fields });
const otherQueue = (used: number, more: object = {}) =>
  buildClusterQueue({
    name: 'research',
    gpus: 1,
    spec: { cohort: 'all' },
    status: { flavorsReservation: [{ name: 'a100', resources: [{ name: gpu, total: String(used) }] }] },
    ...more,
  });
const inCohort = (more: object = {}) => buildClusterQueue({ gpus: 1, spec: { cohort: 'all', ...more } });
const withQueues = (
  own: ReturnType<typeof buildClusterQueue>,
  ...others: readonly ReturnType<typeof buildClusterQueue>[]
) => ({ clusterQueue: own, more: { ClusterQueue: [own, ...others] } });

describe('a deadlock is likely where', () => {
  it.each<[string, WorldFields, string]>([
    [
      'a Job that uses the rest of the quota may end',
      { clusterQueue: buildClusterQueue({ gpus: 2 }), others: [job()] },
      'may-finish',
    ],
    [
      'the pods of another namespace use the rest of it, whose rollouts were not read',
      {
        clusterQueue: buildClusterQueue({ gpus: 2 }),
        others: [job({ podSpec: { restartPolicy: 'Always' } })],
      },
      'may-stop',
    ],
    [
      'the ClusterQueue counts usage of which no Workload was read',
      {
        clusterQueue: buildClusterQueue({
          gpus: 2,
          status: { flavorsReservation: [{ name: 'a100', resources: [{ name: gpu, total: '2' }] }] },
        }),
      },
      'usage-unread',
    ],
    [
      'the cohort could lend what another ClusterQueue uses',
      withQueues(inCohort(), otherQueue(1)),
      'may-lend',
    ],
    [
      'an older Workload comes first in the queue',
      { others: [buildQueued({ name: 'first', namespace: 'research', queue: 'gpus', age: 1800 })] },
      'others-first',
    ],
    [
      'a Workload of a higher priority comes first in the queue',
      { others: [buildQueued({ name: 'first', namespace: 'research', age: 10, priority: 100 })] },
      'others-first',
    ],
    ['Kueue has not reported anything', { newWorkload: { conditions: [] } }, 'kueue-silent'],
    [
      'Kueue reports another reason',
      {
        newWorkload: {
          conditions: [
            {
              type: 'QuotaReserved',
              status: 'False',
              reason: 'Pending',
              message: 'topology "rack" does not fit',
            },
          ],
        },
      },
      'kueue-differs',
    ],
    ['the flavor could not be read', { more: { ResourceFlavor: [] } }, 'flavors-unread'],
  ])('%s', (_name, fields, key) => {
    const more = {
      ...fields.more,
      LocalQueue: [buildLocalQueue(), buildLocalQueue('gpus', 'team', {}, 'research')],
    };
    const finding = find({ ...fields, more });

    expect(finding.confidence).toBe('likely');
    expect(keysOf(finding.weakenedBy)).toEqual([key]);
    expect(renderFinding(finding, text).ko.length).toBeGreaterThan(0);
  });

  it.each(['Workload', 'ClusterQueue', 'LocalQueue'] as const)('not every %s could be read', (what) => {
    const unseen = [{ what, namespace: '', because: 'forbidden', message: '' } as const];
    const finding = mustFind(queueDeadlock, snapshot({}, unseen));

    expect([finding.confidence, keysOf(finding.weakenedBy)]).toEqual(['likely', ['unread']]);
  });
});

describe('the fixes of a deadlock', () => {
  it('name the Workloads that come first in the queue', () => {
    const others = [buildQueued({ name: 'first', age: 1800 })];
    const { remediations } = find({ others });

    expect(remediations.map(({ kind, prediction }) => [kind, prediction?.ends])).toContainEqual([
      'patch-strategy',
      'contested',
    ]);
  });

  it('take one pod at a time from a Deployment of three replicas', () => {
    const { remediations } = find({ replicas: 3 });

    expect(remediations[0]).toMatchObject({
      kind: 'patch-strategy',
      price: { downtime: { kind: 'reduced', readyAtLeast: 2, replicas: 3 } },
      prediction: { ends: 'complete' },
    });
  });

  it('state that no node has room where quota alone is not enough', () => {
    const { facts, reasoning } = find({ newGpus: 2, replicas: 2, nodeGpus: 1 });

    expect(facts).toMatchObject({ fitsNowhere: true });
    expect(keysOf(reasoning)).toContain('then-nowhere');
  });
});

const stable = (fields: Partial<Parameters<typeof buildQueued>[0]> = {}): QueuedWorkload =>
  job({ podSpec: { restartPolicy: 'Always' }, ...fields });

describe('no deadlock is found where', () => {
  it.each<[string, WorldFields]>([
    ['the ClusterQueue has quota left', { clusterQueue: buildClusterQueue({ gpus: 2 }) }],
    [
      'others use the quota, and the old pod is not enough',
      { newGpus: 2, clusterQueue: buildClusterQueue({ gpus: 2 }), others: [stable()] },
    ],
    ['the new pod requests more than the ClusterQueue has', { newGpus: 4 }],
    ['the cohort lends what is missing', withQueues(inCohort(), otherQueue(0))],
    [
      'another flavor has quota',
      {
        clusterQueue: buildClusterQueue({
          flavors: [
            { name: 'a100', gpus: 1 },
            { name: 'h100', gpus: 1 },
          ],
        }),
        more: { ResourceFlavor: [buildFlavor('a100'), buildFlavor('h100')] },
      },
    ],
    ['the ClusterQueue is stopped', { clusterQueue: buildClusterQueue({ spec: { stopPolicy: 'Hold' } }) }],
    [
      'the LocalQueue is stopped',
      { more: { LocalQueue: [buildLocalQueue('gpus', 'team', { stopPolicy: 'Hold' })] } },
    ],
    ['the LocalQueue does not exist', { more: { LocalQueue: [] } }],
    ['the ClusterQueue does not exist', { more: { LocalQueue: [buildLocalQueue('gpus', 'gone')] } }],
    [
      'the ClusterQueue takes nothing of the namespace',
      { clusterQueue: buildClusterQueue({ spec: { namespaceSelector: undefined } }) },
    ],
    ['the Workload is deactivated', { newWorkload: { spec: { active: false } } }],
    [
      'the Workload waits for an admission check',
      {
        newWorkload: {
          admittedTo: 'team',
          conditions: [{ type: 'QuotaReserved', status: 'True', reason: 'QuotaReserved' }],
          status: { admissionChecks: [{ name: 'prov', state: 'Pending', message: '' }] },
        },
        clusterQueue: buildClusterQueue({ gpus: 2 }),
      },
    ],
    [
      'Kueue waits for the pods of others',
      {
        newWorkload: {
          conditions: [{ type: 'QuotaReserved', status: 'False', reason: 'WaitingForPodsReady' }],
        },
      },
    ],
    [
      'Kueue may evict a Workload of a lower priority',
      {
        newWorkload: { priority: 100 },
        clusterQueue: buildClusterQueue({ spec: { preemption: { withinClusterQueue: 'LowerPriority' } } }),
      },
    ],
    ['the old pod is being deleted', { oldTerminating: true }],
    ['the old pod stops first', { maxSurge: 0, maxUnavailable: 1 }],
    ['the new pod was created seconds ago', { newPod: { age: 20 } }],
    ['no object of Kueue was read', { more: { Workload: [], ClusterQueue: [], LocalQueue: [] } }],
  ])('%s', (_name, fields) => {
    expect(findIfAny(fields)).toBeUndefined();
  });

  it('is found where the preemption policy does not reach Workloads of the same age and priority', () => {
    const clusterQueue = buildClusterQueue({
      spec: { preemption: { withinClusterQueue: 'LowerOrNewerEqualPriority' } },
    });
    expect(find({ clusterQueue }).confidence).toBe('proven');
  });

  it('is found beside a stopped neighbour that uses other quota', () => {
    const clusterQueue = buildClusterQueue({
      flavors: [
        { name: 'a100', gpus: 1 },
        { name: 't4', gpus: 1 },
      ],
    });
    const more = {
      ResourceFlavor: [
        buildFlavor('a100'),
        buildFlavor('t4', { nodeTaints: [{ key: 't4', value: '', effect: 'NoSchedule' }] }),
      ],
    };
    expect(find({ clusterQueue, more, others: [job({ flavor: 't4' })] }).confidence).toBe('proven');
  });

  it('counts a limit of what the ClusterQueue may borrow', () => {
    const own = buildClusterQueue({
      flavors: [{ name: 'a100', gpus: 1, more: { borrowingLimit: '0' } }],
      spec: { cohort: 'all' },
    });
    expect(find(withQueues(own, otherQueue(0))).confidence).toBe('proven');
  });

  it('counts what another ClusterQueue never lends', () => {
    const other = schemas.ClusterQueue.parse({
      ...otherQueue(0),
      spec: {
        cohort: 'all',
        resourceGroups: [
          {
            coveredResources: [gpu],
            flavors: [{ name: 'a100', resources: [{ name: gpu, nominalQuota: '1', lendingLimit: '0' }] }],
          },
        ],
      },
    });
    expect(find(withQueues(inCohort(), other)).confidence).toBe('proven');
  });

  it('repeats what Kueue reports', () => {
    expect(find().facts).toMatchObject({ kueueReports: lacksQuota() });
  });
});
