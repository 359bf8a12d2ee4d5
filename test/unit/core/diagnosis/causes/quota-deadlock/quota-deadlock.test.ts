import { describe, expect, it } from 'vitest';
import { HorizontalPodAutoscaler } from '#src/core/cluster/policy.js';
import { quotaDeadlock } from '#src/core/diagnosis/causes/quota-deadlock/rule.js';
import { text } from '#src/core/diagnosis/causes/quota-deadlock/text.js';
import { ago } from '#support/rollout-builders.js';
import { buildSet } from '#support/stateful-set-builders.js';
import {
  containerDefaults,
  creationEvent,
  exceededMessage,
  foreignPod,
  quota,
  type RefusedFields,
  refused,
} from '../../../creation/build.js';
import { foundBy, keysOf, mustFind, renderFinding } from '../run-rule.js';

const find = (fields: RefusedFields = {}) => mustFind(quotaDeadlock, refused(fields));
const findIfAny = (fields: RefusedFields = {}) => foundBy(quotaDeadlock, refused(fields));
const memory = (amount: string) => ({ 'requests.memory': amount });
const messageWith = (used: string, hard: string) =>
  exceededMessage('team', memory('1Gi'), memory(used), memory(hard));

describe('a surge pod that a quota refuses', () => {
  it('is deadlocked where the own old pods use up the quota and stopping them would admit it', () => {
    const finding = find();

    expect(finding).toMatchObject({
      confidence: 'proven',
      severity: 'critical',
      resource: 'requests.memory',
      subject: { kind: 'Deployment', namespace: 'shop', name: 'web' },
      holders: [{ name: 'old-0' }, { name: 'old-1' }, { name: 'old-2' }],
      summary: { key: 'summary', values: { workload: 'shop/web', quota: 'team' } },
      standing: { values: { stillForSeconds: 1500 } },
      weakenedBy: [],
    });
    expect(keysOf(finding.reasoning)).toEqual([
      'refused',
      'held',
      'strategy-forbids',
      'counterfactual',
      'no-rescue',
      'served',
    ]);
    expect(finding.reasoning.find(({ key }) => key === 'held')?.values).toEqual({
      pods: ['old-0', 'old-1', 'old-2'],
      resource: 'requests.memory',
      charged: '3Gi',
      used: '4Gi',
    });
    expect(finding.evidence.find(({ says }) => says.key === 'ev-quota')).toMatchObject({
      object: { kind: 'ResourceQuota', namespace: 'shop', name: 'team' },
      field: 'status.used[requests.memory]',
      says: { values: { requested: '1Gi', hard: '4Gi', used: '4Gi', missing: '1Gi' } },
    });
  });

  it('is described in both languages, with the pods that use the quota', () => {
    const { en, ko } = renderFinding(find(), text);

    expect(en).toContain(
      'Of the 4Gi in use, 3Gi of requests.memory is charged to old-0, old-1 and old-2, old pods of the same workload.',
    );
    expect(ko).toHaveLength(en.length);
    expect(ko.join('')).toMatch(/[가-힣]/);
  });

  it('is fixed by stopping old pods first, one by one, which the simulation plays to the end', () => {
    const { remediations, withheld } = find();

    expect(remediations.map(({ kind }) => kind)).toEqual(['patch-strategy', 'undo-rollout']);
    expect(remediations[0]).toMatchObject({
      price: { downtime: { kind: 'reduced', readyAtLeast: 2, replicas: 3 }, drift: 'strategy' },
      prediction: { ends: 'complete', placements: [{ node: 'n-a' }, { node: 'n-a' }, { node: 'n-a' }] },
    });
    expect(withheld.map(({ kind }) => kind)).toEqual(['restart-rollout', 'scale-down-old']);
  });

  it('includes the retry delay of the ReplicaSet, which no event shortens, in the downtime', () => {
    const [late] = find({ since: 100_000 }).remediations;
    const [early] = find({ since: 100 }).remediations;

    expect(late?.effects.at(-1)).toMatchObject({ key: 'pause-first', values: { withinSeconds: 1000 } });
    expect((late?.price.downtime.seconds ?? 0) - (early?.price.downtime.seconds ?? 0)).toBe(900);
  });

  it('of one replica is fixed by scaling the old ReplicaSet down too', () => {
    const { remediations } = find({
      replicas: 1,
      old: 1,
      message: messageWith('1Gi', '1Gi'),
      quotas: [quota({ hard: memory('1Gi'), used: memory('1Gi') })],
    });

    expect(remediations.map(({ kind }) => kind)).toEqual([
      'patch-strategy',
      'scale-down-old',
      'undo-rollout',
    ]);
  });

  it('lists every exceeded quota, starting with the one that the API server names', () => {
    const { reasoning, evidence, advice } = find({
      quotas: [
        quota({ name: 'all', hard: { pods: '3' }, used: { pods: '3' } }),
        quota({ hard: memory('4Gi'), used: memory('4Gi') }),
      ],
    });

    expect(reasoning[0]?.values).toMatchObject({
      quota: 'team',
      missing: 1,
      kind: 'ReplicaSet',
      creator: 'web-2',
    });
    expect(reasoning[1]).toMatchObject({ key: 'refused-too', values: { quota: 'all', resource: 'pods' } });
    expect(
      evidence.filter(({ object }) => object.kind === 'ResourceQuota').map(({ value }) => value),
    ).toEqual(['4Gi / 4Gi', '3 / 3']);
    expect(advice.map(({ snippet }) => snippet).join('\n')).toContain('requests.memory: "5Gi"');
    expect(advice.map(({ snippet }) => snippet).join('\n')).toContain('pods: "4"');
  });

  it('needs as many old pods to stop as the larger template requires', () => {
    const finding = find({
      newAsks: { memory: '2Gi' },
      message: exceededMessage('team', memory('2Gi'), memory('4Gi'), memory('4Gi')),
    });

    expect(finding.reasoning.find(({ key }) => key === 'counterfactual')?.values).toEqual({
      without: ['old-0', 'old-1'],
    });
    expect(finding.remediations.map(({ kind }) => kind)).not.toContain('scale-down-old');
  });

  it('is computed with the defaults of a LimitRange for containers without requests', () => {
    expect(find({ newAsks: {}, limitRanges: [containerDefaults({ memory: '1Gi' })] }).confidence).toBe(
      'proven',
    );
  });

  it('is computed with the requests that webhooks add to the pod, and states that a webhook does', () => {
    const { confidence, weakenedBy } = find({ newAsks: { memory: '512Mi' } });

    expect(confidence).toBe('likely');
    expect(keysOf(weakenedBy)).toEqual(['request-differs']);
  });

  it('is only likely deadlocked where the quota itself could not be read', () => {
    const { confidence, weakenedBy, remediations } = find({ quotas: [] });

    expect(confidence).toBe('likely');
    expect(keysOf(weakenedBy)).toEqual(['quota-unread']);
    expect(remediations[0]?.kind).toBe('patch-strategy');
  });

  it('is only likely deadlocked where a job may finish and free enough', () => {
    const job = foreignPod(
      'report-x',
      { memory: '1Gi' },
      { owner: { kind: 'Job', name: 'report', uid: 'j' } },
    );

    expect(keysOf(find({ others: [job] }).weakenedBy)).toEqual(['jobs-may-finish']);
  });

  it('is only likely deadlocked where a job and a pod that is being deleted free enough together', () => {
    const owner = (name: string) => ({ owner: { kind: 'Job', name, uid: name } });
    const job = foreignPod('report-x', { memory: '512Mi' }, owner('report'));
    const server = foreignPod(
      'api-x',
      { memory: '512Mi' },
      { owner: { kind: 'StatefulSet', name: 'api', uid: 'api' } },
    );
    const leaving = {
      ...server,
      metadata: { ...server.metadata, deletionTimestamp: ago(-20), deletionGracePeriodSeconds: 30 },
    };

    expect(find({ others: [job, server] }).confidence).toBe('proven');
    expect(find({ others: [job, leaving] })).toMatchObject({
      weakenedBy: [{ key: 'pods-may-leave' }],
      facts: { leavingTogether: ['shop/api-x', 'shop/report-x'] },
    });
  });

  it("is only likely deadlocked where a workflow's pod may finish and free enough", () => {
    const step = foreignPod(
      'train-x',
      { memory: '1Gi' },
      { owner: { kind: 'Workflow', name: 'train', uid: 'w' } },
    );
    const finite = { ...step, spec: { ...step.spec, restartPolicy: 'Never' as const } };

    expect(keysOf(find({ others: [finite] }).weakenedBy)).toEqual(['jobs-may-finish']);
    expect(find({ others: [step] }).confidence).toBe('proven');
  });

  it('is diagnosed by a newer event, where the condition still reports an earlier failure', () => {
    const finding = find({
      message:
        'pods "web-2-a" is forbidden: error looking up service account shop/x: serviceaccount "x" not found',
      events: [creationEvent('FailedCreate', `Error creating: ${messageWith('4Gi', '4Gi')}`, 30)],
    });

    expect(finding.evidence[0]).toMatchObject({ object: { kind: 'Event' }, field: 'message' });
  });
});

describe('no quota deadlock is reported for', () => {
  it.each<[string, RefusedFields]>([
    [
      'old pods too small to free enough',
      { oldAsks: { memory: '100Mi' }, newAsks: { memory: '1Gi' }, old: 1, replicas: 1 },
    ],
    [
      'old pods of another scope, which the quota does not charge',
      { quotas: [quota({ hard: memory('4Gi'), used: memory('4Gi'), scopes: ['Terminating'] })] },
    ],
    [
      'a quota that has enough free by now',
      { quotas: [quota({ hard: memory('8Gi'), used: memory('4Gi') })] },
    ],
    ['no refusal at all', { message: undefined }],
    [
      'another refusal',
      { message: 'pods "web-2-a" is forbidden: violates PodSecurity "restricted:latest": x' },
    ],
    ['a paused rollout', { deployment: { paused: true } }],
    ['Recreate, which stops the old pods anyway', { deployment: { recreate: true } }],
    [
      'a rollout that the controller has not observed yet',
      { deployment: { status: { observedGeneration: 1 } } },
    ],
    ['new pods that exist and crash', { newPods: [{ name: 'new-0', ready: false, restarts: 4 }] }],
    [
      'a pod of another workload that terminates in time',
      { others: [foreignPod('cache-0', { memory: '1Gi' }, { terminating: true })] },
    ],
    ['no old pod left', { old: 0 }],
    ['a strategy that has an old pod to spare', { deployment: { maxSurge: 1, maxUnavailable: 1 } }],
  ])('%s', (_, fields) => {
    expect(findIfAny(fields)).toBeUndefined();
  });

  it('a pod of another workload stuck in termination does not delay the deadlock', () => {
    const stuck = foreignPod('cache-0', { memory: '1Gi' }, {});
    const overdue = {
      ...stuck,
      metadata: {
        ...stuck.metadata,
        deletionTimestamp: '2026-11-20T09:00:00Z',
        deletionGracePeriodSeconds: 30,
      },
    };

    expect(findIfAny({ others: [overdue] })).toBeDefined();
  });

  it('new pods that wait for a node make the quota only part of the cause', () => {
    const finding = find({ newPods: [{ name: 'new-0', node: undefined }], replicas: 4 });

    expect(keysOf(finding.weakenedBy)).toEqual(['others-wait']);
  });
});

describe('a StatefulSet whose pods are charged to the same quota', () => {
  const member = (name: string, memory = '500Mi') => {
    const pod = foreignPod(name, { memory }, { labels: { 'controller-revision-hash': 'db-1' } });
    const ownerReferences = [
      { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'db', uid: 'db-uid', controller: true },
    ];
    return { ...pod, metadata: { ...pod.metadata, ownerReferences } };
  };
  const db = (replicas: number) =>
    buildSet({ replicas, status: { replicas: 2, updateRevision: 'db-1', currentRevision: 'db-1' } });
  const autoscaler = (minReplicas: number) =>
    HorizontalPodAutoscaler.parse({
      metadata: { name: 'db', namespace: 'shop' },
      spec: { minReplicas, maxReplicas: 4, scaleTargetRef: { kind: 'StatefulSet', name: 'db' } },
    });

  it.each([
    ['has as many as replicas', 2, [], 'proven', []],
    ['has one more than replicas', 1, [], 'likely', ['neighbours-depart']],
    ['has an autoscaler that may stop one', 2, [autoscaler(1)], 'likely', ['neighbours-may-shrink']],
    ['has an autoscaler at its minimum', 2, [autoscaler(2)], 'proven', []],
  ] as const)('and which %s', (_, replicas, autoscalers, confidence, doubts) => {
    const finding = find({
      newAsks: { memory: '400Mi' },
      message: exceededMessage('team', memory('400Mi'), memory('4Gi'), memory('4Gi')),
      others: [member('db-0'), member('db-1')],
      statefulSets: [db(replicas)],
      autoscalers,
    });

    expect(finding.confidence).toBe(confidence);
    expect(keysOf(finding.weakenedBy)).toEqual(doubts);
  });

  it('and whose larger pod its autoscaler may stop is only likely deadlocked', () => {
    const finding = find({
      newAsks: { memory: '400Mi' },
      message: exceededMessage('team', memory('400Mi'), memory('4Gi'), memory('4Gi')),
      others: [member('db-0', '100Mi'), member('db-1', '900Mi')],
      statefulSets: [db(2)],
      autoscalers: [autoscaler(1)],
    });

    expect(finding).toMatchObject({ confidence: 'likely', facts: { shrinkingNeighbours: ['shop/db'] } });
  });
});
