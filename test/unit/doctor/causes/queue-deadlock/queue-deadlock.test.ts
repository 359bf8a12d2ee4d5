import { describe, expect } from 'vitest';
import { queueDeadlock } from '#src/doctor/causes/queue-deadlock/rule.js';
import type { Snapshot, Unseen } from '#src/engine/objects/snapshot.js';
import {
  buildClusterQueue,
  buildFlavor,
  buildLocalQueue,
  buildQueued,
  gpu,
  lacksQuota,
  type QueuedFields,
  queuedRollout,
  type WorldFields,
} from '../../../../support/kueue-builders.js';
import { expectFindings, has, type Row, snapshotOf } from '../run-rule.js';

interface World extends WorldFields {
  readonly unseen?: readonly Unseen[];
}
function snapshotWith({ unseen = [], ...fields }: World): Snapshot {
  const { workload, objects } = queuedRollout(fields);
  return snapshotOf(workload, objects, { unseen });
}

type Queue = ReturnType<typeof buildClusterQueue>;
const job = (fields: QueuedFields = {}) =>
  buildQueued({ name: 'train', namespace: 'research', admittedTo: 'team', ...fields });
const always = { restartPolicy: 'Always' };
const first = (fields: QueuedFields = {}) => ({
  others: [buildQueued({ name: 'first', age: 1800, ...fields })],
});
const total = (used: number) => ({
  flavorsReservation: [{ name: 'a100', resources: [{ name: gpu, total: String(used) }] }],
});
const inCohort = (gpus = 1, name = 'team', more: object = {}) =>
  buildClusterQueue({ name, gpus, spec: { cohort: 'all' }, ...more });
const research = (used: number) => inCohort(1, 'research', { status: total(used) });
const withQueues = (own: Queue, ...others: readonly Queue[]): World => ({
  clusterQueue: own,
  more: { ClusterQueue: [own, ...others] },
});
const queueOf = (fields: Parameters<typeof buildClusterQueue>[0]): World => ({
  clusterQueue: buildClusterQueue(fields),
});
const flavors = (...names: readonly string[]) => names.map((name) => ({ name, gpus: 1 }));
const limited = (more: object, name = 'team') =>
  inCohort(1, name, { flavors: [{ name: 'a100', gpus: 1, more }] });
const reserved = { type: 'QuotaReserved', status: 'True', reason: 'QuotaReserved' };
const admitted = [reserved, { type: 'Admitted', status: 'True', reason: 'Admitted' }];
const said = (reason: string, message = ''): World => ({
  newWorkload: { conditions: [{ type: 'QuotaReserved', status: 'False', reason, message }] },
});
const waitsForCheck: QueuedFields = {
  admittedTo: 'team',
  conditions: [reserved],
  status: { admissionChecks: [{ name: 'prov', state: 'Pending', message: '' }] },
};
const counted = (resources: object): World => ({
  newWorkload: { status: { resourceRequests: [{ name: 'main', resources }] } },
});
const unread = (what: Unseen['what'], namespace = '') =>
  [{ what, namespace, because: 'forbidden', message: '' }] as const;
const t4 = buildFlavor('t4', { nodeTaints: [{ key: 't4', value: '', effect: 'NoSchedule' }] });
const proven = { confidence: 'proven', doubts: [] };

describe("a new pod at Kueue's gate", () => {
  expectFindings<World>(queueDeadlock, snapshotWith, [
    [
      'is deadlocked where the Workloads of the old pods use the quota that it needs, and freed by stopping them first',
      {},
      {
        ...proven,
        severity: 'critical',
        resource: gpu,
        holders: ['old-0'],
        blames: { kind: 'ClusterQueue', name: 'team' },
        facts: {
          short: [{ resource: gpu, flavor: 'a100', requested: '1', available: '0', atMost: '1' }],
          admittedWithout: ['old-0'],
          holdingWorkloads: ['pod-old-0'],
          fitsNowhere: false,
          kueueReports: lacksQuota(),
        },
        reasoning: ['waits', 'held', 'strategy-forbids', 'counterfactual', 'first-in-queue', 'served'],
        fixes: ['patch-strategy', 'scale-down-old', 'undo-rollout'],
        fix: { prediction: { ends: 'complete' } },
      },
    ],
    ['is deadlocked by the resource that Kueue counts for it', counted({ [gpu]: '1' }), proven],
    [
      'is no deadlock where the queue has none of another resource that it requests',
      counted({ [gpu]: '1', cpu: '1' }),
    ],
    [
      'is freed one pod at a time in a Deployment of three replicas',
      { replicas: 3 },
      {
        fix: {
          kind: 'patch-strategy',
          price: { downtime: { kind: 'reduced', readyAtLeast: 2, replicas: 3 } },
          prediction: { ends: 'complete' },
        },
      },
    ],
    // Seen with Kueue 0.19.2: the new pod was ready 1.7 s after the patch, and the old one gone after its 30
    // s.
    [
      'is freed while the old pod still stops, where its node has room: its quota is free at once',
      { nodeGpus: 2 },
      { fix: { kind: 'patch-strategy', price: { downtime: { kind: 'gap', seconds: 1 } } } },
    ],
    [
      'is freed once the old pod has left its node, where that is full as well',
      { nodeGpus: 1 },
      { fix: { kind: 'patch-strategy', price: { downtime: { kind: 'gap', seconds: 34 } } } },
    ],
    [
      'finds no node where quota alone is not enough',
      { newGpus: 2, replicas: 2, nodeGpus: 1 },
      { facts: { fitsNowhere: true }, reasoning: has('then-nowhere') },
    ],
    ['has fixes that name the Workloads before it', first(), contested()],
    [
      'has fixes that a Workload of another ClusterQueue of the cohort contests',
      {
        clusterQueue: inCohort(),
        more: {
          ClusterQueue: [inCohort(), inCohort(0, 'research')],
          LocalQueue: [buildLocalQueue(), buildLocalQueue('gpus', 'research', {}, 'research')],
        },
        ...first({ namespace: 'research' }),
      },
      contested(),
    ],
    [
      'is deadlocked where the preemption policy does not reach Workloads of the same age and priority',
      queueOf({ spec: { preemption: { withinClusterQueue: 'LowerOrNewerEqualPriority' } } }),
      proven,
    ],
    [
      'is deadlocked beside a neighbour that uses other quota',
      {
        ...queueOf({ flavors: flavors('a100', 't4') }),
        more: { ResourceFlavor: [buildFlavor('a100'), t4] },
        others: [job({ flavor: 't4' })],
      },
      proven,
    ],
    [
      'is deadlocked where its ClusterQueue may not borrow',
      withQueues(limited({ borrowingLimit: '0' }), research(0)),
      proven,
    ],
    [
      'is deadlocked where another ClusterQueue never lends',
      withQueues(inCohort(), limited({ lendingLimit: '0' }, 'research')),
      proven,
    ],
  ]);
});

function contested() {
  return {
    remediations: has(
      expect.objectContaining({
        kind: 'patch-strategy',
        prediction: expect.objectContaining({ ends: 'contested' }),
      }),
    ),
  };
}

/** The LocalQueue of the other team is read. */
const besideOthers = (fields: World) =>
  snapshotWith({
    ...fields,
    more: {
      ...fields.more,
      LocalQueue: [buildLocalQueue(), buildLocalQueue('gpus', 'team', {}, 'research')],
    },
  });

describe('a deadlock is likely where', () => {
  const doubtful: readonly (readonly [string, World, string])[] = [
    [
      'a Job that uses the rest of the quota may end',
      { ...queueOf({ gpus: 2 }), others: [job()] },
      'may-finish',
    ],
    [
      'the pods of another namespace use the rest of it, whose rollouts were not read',
      { ...queueOf({ gpus: 2 }), others: [job({ podSpec: always })] },
      'may-stop',
    ],
    [
      'the ClusterQueue counts usage of which no Workload was read',
      queueOf({ gpus: 2, status: total(2) }),
      'usage-unread',
    ],
    ['the cohort could lend what another ClusterQueue uses', withQueues(inCohort(), research(1)), 'may-lend'],
    ['an older Workload comes first in the queue', first({ namespace: 'research' }), 'others-first'],
    [
      'a Workload of a higher priority comes first in the queue',
      first({ namespace: 'research', age: 10, priority: 100 }),
      'others-first',
    ],
    ['Kueue has not reported anything', { newWorkload: { conditions: [] } }, 'kueue-silent'],
    ['Kueue reports another reason', said('Pending', 'topology "rack" does not fit'), 'kueue-differs'],
    ['the flavor could not be read', { more: { ResourceFlavor: [] } }, 'flavors-unread'],
    ...(['Workload', 'ClusterQueue', 'LocalQueue'] as const).map(
      (what) => [`not every ${what} could be read`, { unseen: unread(what) }, 'unread'] as const,
    ),
  ];
  expectFindings(
    queueDeadlock,
    besideOthers,
    doubtful.map(
      ([what, fields, doubt]): Row<World> => [what, fields, { confidence: 'likely', doubts: [doubt] }],
    ),
  );
});

describe('no deadlock is found where', () => {
  expectFindings<World>(queueDeadlock, snapshotWith, [
    ['the ClusterQueue has quota left', queueOf({ gpus: 2 })],
    [
      'others use the quota, and the old pod is not enough',
      { newGpus: 2, ...queueOf({ gpus: 2 }), others: [job({ podSpec: always })] },
    ],
    ['the new pod requests more than the ClusterQueue has', { newGpus: 4 }],
    ['the cohort lends what is missing', withQueues(inCohort(), research(0))],
    [
      'another flavor has quota',
      {
        ...queueOf({ flavors: flavors('a100', 'h100') }),
        more: { ResourceFlavor: [buildFlavor('a100'), buildFlavor('h100')] },
      },
    ],
    ['the ClusterQueue is stopped', queueOf({ spec: { stopPolicy: 'Hold' } })],
    [
      'the LocalQueue is stopped',
      { more: { LocalQueue: [buildLocalQueue('gpus', 'team', { stopPolicy: 'Hold' })] } },
    ],
    ['the LocalQueue does not exist', { more: { LocalQueue: [] } }],
    ['the ClusterQueue does not exist', { more: { LocalQueue: [buildLocalQueue('gpus', 'gone')] } }],
    ['the ClusterQueue takes nothing of the namespace', queueOf({ spec: { namespaceSelector: undefined } })],
    ['the Workload is deactivated', { newWorkload: { spec: { active: false } } }],
    ['the Workload waits for an admission check', { newWorkload: waitsForCheck, ...queueOf({ gpus: 2 }) }],
    ['Kueue waits for the pods of others', said('WaitingForPodsReady')],
    ['Kueue preempts for it', said('Pending', `${lacksQuota()}. Pending the preemption of 1 workload(s)`)],
    [
      'Kueue may evict a Workload of a lower priority',
      {
        newWorkload: { priority: 100 },
        ...queueOf({ spec: { preemption: { withinClusterQueue: 'LowerPriority' } } }),
      },
    ],
    ['the old pod is being deleted', { oldTerminating: true }],
    ['the old pod stops first', { maxSurge: 0, maxUnavailable: 1 }],
    ['the new pod was created seconds ago', { newPod: { age: 20 } }],
    ['no object of Kueue was read', { more: { Workload: [], ClusterQueue: [], LocalQueue: [] } }],
  ]);
});

interface Second extends QueuedFields {
  /** Conditions of the Workload of the first new pod. */
  readonly first?: readonly object[];
  readonly strategy?: string;
}

/** A second new pod of the rollout, with the state of its Workload. */
function withSecond({ first, strategy, ...queued }: Second): Snapshot {
  const { workload, objects, newPod, oldPods } = queuedRollout({
    ...(first === undefined ? {} : { newWorkload: { conditions: first } }),
    ...(strategy === undefined ? {} : queueOf({ gpus: 2, spec: { queueingStrategy: strategy } })),
    replicas: 2,
    maxSurge: 2,
  });
  const { metadata } = newPod;
  const second = { ...newPod, metadata: { ...metadata, name: 'new-1', uid: 'new-1-uid' } };
  const sets = (objects.ReplicaSet ?? []).map((set) =>
    set.metadata.name === 'web-2'
      ? { ...set, spec: { ...set.spec, replicas: 2 }, status: { ...set.status, replicas: 2 } }
      : set,
  );
  return snapshotOf(
    { ...workload, status: { ...workload.status, replicas: 4, updatedReplicas: 2 } },
    {
      ...objects,
      ReplicaSet: sets,
      Pod: [...oldPods, newPod, second],
      Workload: [...(objects.Workload ?? []), buildQueued({ pod: second, age: 900, ...queued })],
    },
  );
}

describe('a rollout with a second new pod at the gate', () => {
  expectFindings<Second>(queueDeadlock, withSecond, [
    ['is a deadlock where both wait for quota', {}, { confidence: 'proven' }],
    ['is none where the second one has quota and waits for an admission check', waitsForCheck],
    ['is none where the second one was admitted a moment ago', { admittedTo: 'team' }],
    // Kueue evaluates one of several Workloads of equal shape (0.18 and later).
    [
      'is proven by the answer for the second one, where Kueue evaluates no equal Workload twice',
      { first: [] },
      { ...proven, reasoning: has('alike'), facts: { kueueReports: lacksQuota() }, shownBy: has('Workload') },
    ],
    [
      'is not proven by the answer for a Workload of another priority',
      { first: [], priority: 1 },
      { confidence: 'likely', doubts: has('kueue-silent') },
    ],
    [
      'is not proven by the answer for a Workload that other nodes may run',
      { first: [], podSpec: { ...always, nodeSelector: { disk: 'ssd' } } },
      { confidence: 'likely', doubts: ['kueue-silent'] },
    ],
    [
      'is not proven where Kueue evaluates in strict order',
      { first: [], strategy: 'StrictFIFO' },
      { confidence: 'likely', doubts: ['kueue-silent'] },
    ],
  ]);
});

/** The old pods were admitted by another ClusterQueue: the update changed the label of the queue. */
function movedQueue(cohort: string | undefined): Snapshot {
  const spec = cohort === undefined ? {} : { cohort };
  const own = buildClusterQueue({ gpus: cohort === undefined ? 1 : 0, spec });
  const { workload, objects, oldPods, newPod } = queuedRollout({ clusterQueue: own });
  return snapshotOf(workload, {
    ...objects,
    ClusterQueue: [own, buildClusterQueue({ name: 'before', gpus: 1, spec })],
    LocalQueue: [buildLocalQueue(), buildLocalQueue('old', 'before')],
    Workload: [
      ...oldPods.map((pod) => buildQueued({ pod, queue: 'old', admittedTo: 'before' })),
      ...(cohort === undefined ? [job({ podSpec: always })] : []),
      buildQueued({ pod: newPod, age: 900 }),
    ],
  });
}

describe('old pods of another ClusterQueue', () => {
  expectFindings<string | undefined>(queueDeadlock, movedQueue, [
    ['give nothing back to this one', undefined],
    [
      'give back what the cohort lends',
      'all',
      { holders: ['old-0'], fix: { kind: 'patch-strategy', prediction: { ends: 'complete' } } },
    ],
  ]);
});

interface Beside {
  readonly theirs?: QueuedFields;
  readonly others?: readonly ReturnType<typeof buildQueued>[];
  readonly unseen?: readonly Unseen[];
  readonly isEvictable?: boolean;
}

/** The pod of a complete Deployment of another namespace uses the rest of the quota. */
function beside({ theirs = {}, others = [], unseen = [], isEvictable = false }: Beside): Snapshot {
  const { workload, objects } = queuedRollout(queueOf({ gpus: 2 }));
  const [set] = objects.ReplicaSet ?? [];
  const [old] = objects.Pod ?? [];
  if (set === undefined || old === undefined) throw new Error('no old revision');
  const moved = <Each extends { readonly metadata: object }>(
    each: Each,
    name: string,
    owner?: object,
  ): Each => ({
    ...each,
    metadata: {
      ...each.metadata,
      namespace: 'research',
      name,
      uid: `${name}-uid`,
      ...(owner && { ownerReferences: [{ apiVersion: 'apps/v1', controller: true, ...owner }] }),
    },
  });
  const { template } = workload.spec;
  const labels = { ...template.metadata.labels, 'pod-template-hash': 'web-1' };
  const api = {
    ...moved(workload, 'api'),
    spec: { ...workload.spec, selector: { matchLabels: { app: 'api' }, matchExpressions: [] } },
    status: { ...workload.status, replicas: 1, updatedReplicas: 1 },
  };
  const replicaSet = {
    ...moved(set, 'api-1', { kind: 'Deployment', name: 'api', uid: 'api-uid' }),
    spec: { ...set.spec, template: { ...template, metadata: { ...template.metadata, labels } } },
  };
  const resting = moved(old, 'api-0', { kind: 'ReplicaSet', name: 'api-1', uid: 'api-1-uid' });
  const annotations = isEvictable ? { 'descheduler.alpha.kubernetes.io/evict': '' } : {};
  const pod = { ...resting, metadata: { ...resting.metadata, annotations } };
  const queued = buildQueued({ pod, namespace: 'research', admittedTo: 'team', podSpec: always, ...theirs });
  return snapshotOf(
    workload,
    {
      ...objects,
      Deployment: [workload, api],
      ReplicaSet: [...(objects.ReplicaSet ?? []), replicaSet],
      Pod: [...(objects.Pod ?? []), pod],
      Workload: [...(objects.Workload ?? []), queued, ...others],
    },
    { unseen },
  );
}
const likely = (doubt: string) => ({ confidence: 'likely', doubts: [doubt] });
const evictedForReadiness = buildQueued({
  name: 'slow',
  namespace: 'research',
  queue: 'another',
  podSpec: always,
  conditions: [
    { type: 'QuotaReserved', status: 'False', reason: 'Pending' },
    { type: 'Evicted', status: 'True', reason: 'PodsReadyTimeout' },
  ],
});
const longest = { spec: { maximumExecutionTimeSeconds: 7200 } };

describe('a rollout whose old pod may leave', () => {
  const { workload, objects, oldPods, newPod } = queuedRollout();
  const evictable = oldPods.map((pod) => ({
    ...pod,
    metadata: { ...pod.metadata, annotations: { 'descheduler.alpha.kubernetes.io/evict': '' } },
  }));
  expectFindings(queueDeadlock, (snapshot) => snapshot, [
    [
      'is likely to stay: a program may evict it, and the new pod is first in the queue',
      snapshotOf(workload, { ...objects, Pod: [...evictable, newPod] }),
      likely('programs-may-evict'),
    ],
  ]);
});

describe('a Workload of others that rests', () => {
  const condition = (type: string, status: string, reason: string): Beside => ({
    theirs: { conditions: [...admitted, { type, status, reason }] },
  });
  expectFindings<Beside>(queueDeadlock, beside, [
    ['keeps what it uses', {}, proven],
    [
      'may give it back where it is being evicted',
      condition('Evicted', 'True', 'Preempted'),
      likely('may-stop'),
    ],
    // Kueue 0.19 writes the condition into each Workload.
    ['keeps it where its pods are not ready', condition('PodsReady', 'False', 'WaitForStart'), proven],
    [
      'may give it back where its pods are not ready, and Kueue evicted another one for that',
      { ...condition('PodsReady', 'False', 'WaitForStart'), others: [evictedForReadiness] },
      likely('may-stop'),
    ],
    ['may give it back where it has a limit of its time', { theirs: longest }, likely('may-finish')],
    ['may give it back where its pod may be evicted', { isEvictable: true }, likely('may-stop')],
    [
      'may give it back where the autoscalers of its namespace could not be read',
      { unseen: unread('HorizontalPodAutoscaler', 'research') },
      { confidence: 'likely', opens: { 'may-stop': ['research/pod-api-0'] } },
    ],
  ]);
});

describe('an old pod whose Workload has a limit of its time', () => {
  const { workload, objects, oldPods, newPod } = queuedRollout();
  const Workload = [
    ...oldPods.map((pod) => buildQueued({ pod, admittedTo: 'team', ...longest })),
    buildQueued({ pod: newPod, age: 900 }),
  ];
  expectFindings(queueDeadlock, (snapshot) => snapshot, [
    [
      'may give its quota back by itself',
      snapshotOf(workload, { ...objects, Workload }),
      likely('may-finish'),
    ],
  ]);
});
