import { describe, expect, it } from 'vitest';
import { quotaDeadlock } from '#src/doctor/causes/quota-deadlock/rule.js';
import type { HorizontalPodAutoscaler } from '#src/engine/objects/policy.js';
import { ago } from '../../../../support/rollout-builders.js';
import { buildSet } from '../../../../support/stateful-set-builders.js';
import {
  containerDefaults,
  creationEvent,
  exceededMessage,
  foreignPod,
  quota,
  type RefusedFields,
  refused,
} from '../../../engine/creation/build.js';
import { autoscalerOf, expectFindings, has, lacks, mustFind, step } from '../run-rule.js';

const memory = (amount: string) => ({ 'requests.memory': amount });
const quotaOf = (hard: string, used: string, more: object = {}) =>
  quota({ hard: memory(hard), used: memory(used), ...more });
const asks = (amount: string): RefusedFields => ({
  newAsks: { memory: amount },
  message: exceededMessage('team', memory(amount), memory('4Gi'), memory('4Gi')),
});
const podOf = (kind: string, name: string, amount = '1Gi') =>
  foreignPod(`${name}-x`, { memory: amount }, { owner: { kind, name, uid: name } });
type Pod = ReturnType<typeof podOf>;
const leaving = (pod: Pod, seconds: number): Pod => ({
  ...pod,
  metadata: { ...pod.metadata, deletionTimestamp: ago(seconds), deletionGracePeriodSeconds: 30 },
});
const halves = [podOf('Job', 'report', '512Mi'), podOf('StatefulSet', 'api', '512Mi')] as const;
const workflow = podOf('Workflow', 'train');
const finite: Pod = { ...workflow, spec: { ...workflow.spec, restartPolicy: 'Never' } };
const two = [quota({ name: 'all', hard: { pods: '3' }, used: { pods: '3' } }), quotaOf('4Gi', '4Gi')];
const lookup =
  'pods "web-2-a" is forbidden: error looking up service account shop/x: serviceaccount "x" not found';
const newer = `Error creating: ${exceededMessage('team', memory('1Gi'), memory('4Gi'), memory('4Gi'))}`;
const likely = (doubt: string) => ({ confidence: 'likely', doubts: [doubt] });
const proven = { confidence: 'proven', doubts: [] };

describe('a surge pod that a quota refuses', () => {
  expectFindings<RefusedFields>(quotaDeadlock, refused, [
    [
      'is deadlocked where the own old pods use up the quota, and freed by stopping them first, one by one',
      {},
      {
        ...proven,
        severity: 'critical',
        resource: 'requests.memory',
        subject: { kind: 'Deployment', namespace: 'shop', name: 'web' },
        holders: ['old-0', 'old-1', 'old-2'],
        standing: { values: { stillForSeconds: 1500 } },
        reasoning: ['refused', 'held', 'strategy-forbids', 'counterfactual', 'no-rescue', 'served'],
        steps: has(step('held', { pods: ['old-0', 'old-1', 'old-2'], charged: '3Gi', used: '4Gi' })),
        quotes: has('4Gi / 4Gi'),
        arithmetic: has(
          expect.objectContaining({ requested: '1Gi', hard: '4Gi', used: '4Gi', missing: '1Gi' }),
        ),
        where: has('status.used[requests.memory]'),
        fixes: ['patch-strategy', 'undo-rollout'],
        fix: {
          price: { downtime: { kind: 'reduced', readyAtLeast: 2, replicas: 3 }, drift: 'strategy' },
          prediction: { ends: 'complete', placements: [{ node: 'n-a' }, { node: 'n-a' }, { node: 'n-a' }] },
        },
        withheld: ['restart-rollout', 'scale-down-old'],
      },
    ],
    [
      'of one replica is freed by scaling the old ReplicaSet down too',
      {
        replicas: 1,
        old: 1,
        message: exceededMessage('team', memory('1Gi'), memory('1Gi'), memory('1Gi')),
        quotas: [quotaOf('1Gi', '1Gi')],
      },
      { fixes: ['patch-strategy', 'scale-down-old', 'undo-rollout'] },
    ],
    [
      'is refused by every exceeded quota, starting with the one that the API server names',
      { quotas: two },
      {
        steps: has(
          step('refused', { quota: 'team', missing: 1, kind: 'ReplicaSet', creator: 'web-2' }),
          step('refused-too', { quota: 'all', resource: 'pods' }),
        ),
        quotes: has('4Gi / 4Gi', '3 / 3'),
        snippets: expect.stringMatching(/requests\.memory: "5Gi".*pods: "4"/s),
      },
    ],
    [
      'needs as many old pods to stop as the larger template requires',
      asks('2Gi'),
      { steps: has(step('counterfactual', { without: ['old-0', 'old-1'] })), fixes: lacks('scale-down-old') },
    ],
    [
      'is computed with the defaults of a LimitRange for containers without requests',
      { newAsks: {}, limitRanges: [containerDefaults({ memory: '1Gi' })] },
      proven,
    ],
    [
      'is computed with the requests that webhooks add to the pod, which is stated',
      { newAsks: { memory: '512Mi' } },
      likely('request-differs'),
    ],
    [
      'is only likely deadlocked where the quota itself could not be read',
      { quotas: [] },
      { ...likely('quota-unread'), fix: { kind: 'patch-strategy' } },
    ],
    [
      'is only likely deadlocked where a job may finish and free enough',
      { others: [podOf('Job', 'report')] },
      likely('jobs-may-finish'),
    ],
    ['is deadlocked beside a job that frees too little', { others: halves }, proven],
    [
      'is only likely deadlocked where a job and a pod that is being deleted free enough together',
      { others: [halves[0], leaving(halves[1], -20)] },
      { doubts: ['pods-may-leave'], opens: { 'pods-may-leave': ['shop/api-x', 'shop/report-x'] } },
    ],
    [
      "is only likely deadlocked where a workflow's pod may finish and free enough",
      { others: [finite] },
      likely('jobs-may-finish'),
    ],
    ["is deadlocked beside a workflow's pod that is restarted", { others: [workflow] }, proven],
    [
      'is diagnosed by a newer event, where the condition still reports an earlier failure',
      { message: lookup, events: [creationEvent('FailedCreate', newer, 30)] },
      { evidence: has(expect.any(String)), shownBy: has('Event') },
    ],
    [
      'is deadlocked beside a pod of another workload stuck in termination',
      { others: [leaving(podOf('ReplicaSet', 'cache'), 1800)] },
      {},
    ],
    [
      'has only part of its cause in the quota where new pods wait for a node',
      { newPods: [{ name: 'new-0', node: undefined }], replicas: 4 },
      { doubts: ['others-wait'] },
    ],
    [
      'is not deadlocked by old pods too small to free enough',
      { oldAsks: { memory: '100Mi' }, newAsks: { memory: '1Gi' }, old: 1, replicas: 1 },
    ],
    [
      'is not deadlocked by old pods of another scope, which the quota does not charge',
      { quotas: [quotaOf('4Gi', '4Gi', { scopes: ['Terminating'] })] },
    ],
    ['is not deadlocked where the quota has enough free by now', { quotas: [quotaOf('8Gi', '4Gi')] }],
    ['is not deadlocked without a refusal', { message: undefined }],
    [
      'is not deadlocked by another refusal',
      { message: 'pods "web-2-a" is forbidden: violates PodSecurity "restricted:latest": x' },
    ],
    ['is not deadlocked while the rollout is paused', { deployment: { paused: true } }],
    ['is not deadlocked under Recreate, which stops the old pods anyway', { deployment: { recreate: true } }],
    [
      'is not deadlocked while the controller has not observed the rollout yet',
      { deployment: { status: { observedGeneration: 1 } } },
    ],
    [
      'is not deadlocked where new pods exist and crash',
      { newPods: [{ name: 'new-0', ready: false, restarts: 4 }] },
    ],
    [
      'is not deadlocked where a pod of another workload terminates in time',
      { others: [foreignPod('cache-0', { memory: '1Gi' }, { terminating: true })] },
    ],
    ['is not deadlocked where no old pod is left', { old: 0 }],
    [
      'is not deadlocked where the strategy has an old pod to spare',
      { deployment: { maxSurge: 1, maxUnavailable: 1 } },
    ],
  ]);

  it('includes the retry delay of the ReplicaSet, which no event shortens, in the downtime', () => {
    const fixAfter = (since: number) => mustFind(quotaDeadlock, refused({ since })).remediations[0];
    const [late, early] = [fixAfter(100_000), fixAfter(100)];

    expect(late?.effects.map(({ key }) => key).slice(0, 4)).toEqual([
      'stops-first',
      'or-else',
      'pause-first',
      'new-pod-placed',
    ]);
    expect(late?.effects[2]).toMatchObject({ values: { withinSeconds: 1000 } });
    expect((late?.price.downtime.seconds ?? 0) - (early?.price.downtime.seconds ?? 0)).toBe(900);
  });
});

interface Neighbour {
  readonly replicas?: number;
  readonly autoscalers?: readonly HorizontalPodAutoscaler[];
  readonly sizes?: readonly [string, string];
}

/** A StatefulSet of two pods beside it. */
function besideDatabase({ replicas = 2, autoscalers = [], sizes = ['500Mi', '500Mi'] }: Neighbour) {
  const owner = { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'db', uid: 'db-uid', controller: true };
  const others = sizes.map((amount, at) => {
    const pod = foreignPod(
      `db-${at}`,
      { memory: amount },
      { labels: { 'controller-revision-hash': 'db-1' } },
    );
    return { ...pod, metadata: { ...pod.metadata, ownerReferences: [owner] } };
  });
  const status = { replicas: 2, updateRevision: 'db-1', currentRevision: 'db-1' };
  return refused({ ...asks('400Mi'), others, statefulSets: [buildSet({ replicas, status })], autoscalers });
}
const shrinks = [autoscalerOf('StatefulSet', 'db', 1)];

describe('a deadlock beside a StatefulSet whose pods are charged to the same quota', () => {
  expectFindings<Neighbour>(quotaDeadlock, besideDatabase, [
    ['is proven where it has as many as replicas', {}, proven],
    ['is likely where it has one more than replicas', { replicas: 1 }, likely('neighbours-depart')],
    [
      'is likely where its autoscaler may stop one',
      { autoscalers: shrinks },
      likely('neighbours-may-shrink'),
    ],
    [
      'is proven where its autoscaler is at its minimum',
      { autoscalers: [autoscalerOf('StatefulSet', 'db', 2)] },
      proven,
    ],
    [
      'is likely where its autoscaler may stop the larger pod',
      { autoscalers: shrinks, sizes: ['100Mi', '900Mi'] },
      { confidence: 'likely', opens: { 'neighbours-may-shrink': ['shop/db'] } },
    ],
  ]);
});
