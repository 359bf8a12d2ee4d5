import { describe, expect, it } from 'vitest';
import { queueDeadlock } from '#src/core/diagnosis/causes/queue-deadlock/rule.js';
import {
  buildClusterQueue,
  buildLocalQueue,
  buildQueued,
  gpuSpec,
  lacksQuota,
  queuedRollout,
  type WorldFields,
} from '#support/kueue-builders.js';
import { buildPod } from '#support/rollout-builders.js';
import { foundBy, keysOf, snapshotOf } from '../run-rule.js';

/** A second new pod of the rollout, with the state of its Workload. */
function withSecond(queued: Parameters<typeof buildQueued>[0], gates = ['kueue.x-k8s.io/admission']) {
  const fields: WorldFields = { replicas: 2, maxSurge: 2 };
  const { workload, objects, newPod, oldPods } = queuedRollout(fields);
  const second = buildPod({
    name: 'new-1',
    owner: { name: 'web-2', uid: 'web-2-uid' },
    labels: { ...newPod.metadata.labels },
    node: undefined,
    age: 900,
    spec: gpuSpec(1, { schedulingGates: gates.map((name) => ({ name })) }),
    status: { phase: 'Pending', conditions: [...newPod.status.conditions] },
  });
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
  it('is a deadlock where both wait for quota', () => {
    expect(foundBy(queueDeadlock, withSecond({}))?.confidence).toBe('proven');
  });

  it.each<[string, Parameters<typeof buildQueued>[0]]>([
    [
      'has quota and waits for an admission check',
      {
        admittedTo: 'team',
        conditions: [{ type: 'QuotaReserved', status: 'True', reason: 'QuotaReserved' }],
        status: { admissionChecks: [{ name: 'prov', state: 'Pending', message: '' }] },
      },
    ],
    ['was admitted a moment ago', { admittedTo: 'team' }],
  ])('is no deadlock where the second one %s', (_name, queued) => {
    expect(foundBy(queueDeadlock, withSecond(queued))).toBeUndefined();
  });
});

/** The old pods were admitted by another ClusterQueue: the update changed the label of the queue. */
function movedQueue(cohort: string | undefined) {
  const spec = cohort === undefined ? {} : { cohort };
  const own = buildClusterQueue({ gpus: cohort === undefined ? 1 : 0, spec });
  const before = buildClusterQueue({ name: 'before', gpus: 1, spec });
  const { workload, objects, oldPods, newPod } = queuedRollout({ clusterQueue: own });
  return snapshotOf(workload, {
    ...objects,
    ClusterQueue: [own, before],
    LocalQueue: [buildLocalQueue(), buildLocalQueue('old', 'before')],
    Workload: [
      ...oldPods.map((pod) => buildQueued({ pod, queue: 'old', admittedTo: 'before' })),
      ...(cohort === undefined
        ? [buildQueued({ name: 'train', namespace: 'research', admittedTo: 'team', podSpec: always })]
        : []),
      buildQueued({ pod: newPod, age: 900 }),
    ],
  });
}
const always = { restartPolicy: 'Always' };

describe('old pods of another ClusterQueue', () => {
  it('give nothing back to this one', () => {
    expect(foundBy(queueDeadlock, movedQueue(undefined))).toBeUndefined();
  });

  it('give back what the cohort lends', () => {
    const found = foundBy(queueDeadlock, movedQueue('all'));

    expect(found?.holders.map(({ name }) => name)).toEqual(['old-0']);
    expect(found?.remediations[0]).toMatchObject({
      kind: 'patch-strategy',
      prediction: { ends: 'complete' },
    });
  });
});

const pending = (message: string) => ({
  conditions: [{ type: 'QuotaReserved', status: 'False', reason: 'Pending', message }],
});

describe('a Workload that Kueue makes room for', () => {
  it('is no deadlock', () => {
    const { workload, objects } = queuedRollout({
      newWorkload: pending(`${lacksQuota()}. Pending the preemption of 1 workload(s)`),
    });
    expect(foundBy(queueDeadlock, snapshotOf(workload, objects))).toBeUndefined();
  });
});

const other = (fields: Parameters<typeof buildQueued>[0]) =>
  buildQueued({ name: 'theirs', admittedTo: 'team', podSpec: always, ...fields });
const admitted = [
  { type: 'QuotaReserved', status: 'True', reason: 'QuotaReserved' },
  { type: 'Admitted', status: 'True', reason: 'Admitted' },
];

describe('a Workload of others that rests', () => {
  /** The pod of a complete Deployment of the same namespace uses the rest of the quota. */
  const beside = (
    fields: Parameters<typeof buildQueued>[0] = {},
    unseen: Parameters<typeof snapshotOf>[2] = {},
  ) => {
    const { workload, objects } = queuedRollout({ clusterQueue: buildClusterQueue({ gpus: 2 }) });
    const theirs = {
      ...workload,
      metadata: { ...workload.metadata, namespace: 'research', name: 'api', uid: 'api-uid' },
      spec: { ...workload.spec, selector: { matchLabels: { app: 'api' }, matchExpressions: [] } },
      status: { ...workload.status, replicas: 1, updatedReplicas: 1 },
    };
    const [set] = objects.ReplicaSet ?? [];
    if (set === undefined) throw new Error('no ReplicaSet');
    const replicaSet = {
      ...set,
      metadata: {
        ...set.metadata,
        namespace: 'research',
        name: 'api-1',
        uid: 'api-1-uid',
        ownerReferences: set.metadata.ownerReferences.map((each) => ({
          ...each,
          name: 'api',
          uid: 'api-uid',
        })),
      },
      spec: {
        ...set.spec,
        template: {
          ...workload.spec.template,
          metadata: {
            ...workload.spec.template.metadata,
            labels: { ...workload.spec.template.metadata.labels, 'pod-template-hash': 'web-1' },
          },
        },
      },
    };
    const built = buildPod({ name: 'api-0', owner: { name: 'api-1', uid: 'api-1-uid' }, spec: gpuSpec(1) });
    const pod = { ...built, metadata: { ...built.metadata, namespace: 'research' } };
    return snapshotOf(
      workload,
      {
        ...objects,
        Deployment: [workload, theirs],
        ReplicaSet: [...(objects.ReplicaSet ?? []), replicaSet],
        Pod: [...(objects.Pod ?? []), pod],
        Workload: [...(objects.Workload ?? []), other({ pod, namespace: 'research', ...fields })],
      },
      unseen,
    );
  };

  it('keeps what it uses', () => {
    expect(foundBy(queueDeadlock, beside())).toMatchObject({ confidence: 'proven', weakenedBy: [] });
  });

  it.each<[string, Parameters<typeof buildQueued>[0], string]>([
    [
      'is being evicted',
      { conditions: [...admitted, { type: 'Evicted', status: 'True', reason: 'Preempted' }] },
      'may-stop',
    ],
    [
      'has pods that are not ready, for which Kueue waits a time only',
      { conditions: [...admitted, { type: 'PodsReady', status: 'False', reason: 'WaitForStart' }] },
      'may-stop',
    ],
    ['has a limit of its time', { spec: { maximumExecutionTimeSeconds: 7200 } }, 'may-finish'],
  ])('may give it back where it %s', (_name, queued, key) => {
    const found = foundBy(queueDeadlock, beside(queued));

    expect([found?.confidence, keysOf(found?.weakenedBy ?? [])]).toEqual(['likely', [key]]);
  });

  it('may give it back where the autoscalers of its namespace could not be read', () => {
    const unseen = [
      { what: 'HorizontalPodAutoscaler', namespace: 'research', because: 'forbidden', message: '' } as const,
    ];
    expect(foundBy(queueDeadlock, beside({}, { unseen }))).toMatchObject({
      confidence: 'likely',
      facts: { stoppingWorkloads: ['research/theirs'] },
    });
  });
});

describe('an old pod whose Workload has a limit of its time', () => {
  it('may give its quota back by itself', () => {
    const { workload, objects, oldPods, newPod } = queuedRollout();
    const Workload = [
      ...oldPods.map((pod) =>
        buildQueued({ pod, admittedTo: 'team', spec: { maximumExecutionTimeSeconds: 7200 } }),
      ),
      buildQueued({ pod: newPod, age: 900 }),
    ];
    const found = foundBy(queueDeadlock, snapshotOf(workload, { ...objects, Workload }));

    expect([found?.confidence, keysOf(found?.weakenedBy ?? [])]).toEqual(['likely', ['may-finish']]);
  });
});

describe('a Workload that waits in another ClusterQueue of the cohort', () => {
  it('may take the quota that an old pod gives back', () => {
    const spec = { cohort: 'all' };
    const own = buildClusterQueue({ gpus: 1, spec });
    const theirs = buildClusterQueue({ name: 'research', gpus: 0, spec });
    const { workload, objects } = queuedRollout({
      clusterQueue: own,
      more: {
        ClusterQueue: [own, theirs],
        LocalQueue: [buildLocalQueue(), buildLocalQueue('gpus', 'research', {}, 'research')],
      },
      others: [buildQueued({ name: 'train', namespace: 'research', age: 1800 })],
    });
    const { remediations = [] } = foundBy(queueDeadlock, snapshotOf(workload, objects)) ?? {};

    expect(remediations.map(({ kind, prediction }) => [kind, prediction.ends])).toContainEqual([
      'patch-strategy',
      'contested',
    ]);
  });
});
