import { describe, expect } from 'vitest';
import { quotaExceeded } from '#src/doctor/causes/quota-exceeded/rule.js';
import { event } from '../../../../support/kubernetes-objects.js';
import { buildPod } from '../../../../support/rollout-builders.js';
import { buildSet } from '../../../../support/stateful-set-builders.js';
import {
  containerDefaults,
  exceededMessage,
  foreignPod,
  quota,
  type RefusedFields,
  refused,
} from '../../../engine/creation/build.js';
import { expectFindings, has, lacks, snapshotOf, step } from '../run-rule.js';

const memory = (amount: string) => ({ 'requests.memory': amount });
const quotaOf = (hard: string, used: string) => quota({ hard: memory(hard), used: memory(used) });
const cache = (fields: object = {}) => foreignPod('cache-0', { memory: '2Gi' }, fields);

/** The first rollout of a Deployment: no old pods, two new ones that run, one refused. */
const firstRollout = (fields: RefusedFields) =>
  refused({ old: 0, newPods: [{ name: 'new-0' }, { name: 'new-1' }], others: [cache()], ...fields });

describe('an exceeded quota', () => {
  expectFindings<RefusedFields>(quotaExceeded, firstRollout, [
    [
      'is reported with its users, and without a fix that would not help',
      {},
      {
        confidence: 'proven',
        severity: 'warning',
        resource: 'requests.memory',
        fixes: [],
        withheld: ['restart-rollout', 'undo-rollout'],
        steps: has(
          step('used-by', {
            users: [
              { owner: 'deployment/web', pods: 2, charged: '2Gi' },
              { owner: 'replicaset/cache-1', pods: 1, charged: '2Gi' },
            ],
          }),
        ),
        reasoning: lacks('used-unseen'),
        evidence: has('ev-quota'),
        quotes: has('4Gi / 4Gi'),
        arithmetic: has({
          requested: '1Gi',
          used: '4Gi',
          hard: '4Gi',
          missing: '1Gi',
          users: [
            { workload: 'shop/web', pods: 2, amount: '2Gi' },
            { workload: 'shop/cache-1', pods: 1, amount: '2Gi' },
          ],
          more: 0,
        }),
        ruledOut: has('quota-deadlock'),
        snippets: expect.stringContaining('requests.memory: "5Gi"'),
      },
    ],
    ['is critical where no pod of the workload is ready', { newPods: [] }, { severity: 'critical' }],
    [
      'can never admit a pod that requests more than the whole quota',
      {
        newAsks: { memory: '8Gi' },
        newPods: [],
        message: exceededMessage('team', memory('8Gi'), memory('0'), memory('4Gi')),
        quotas: [quotaOf('4Gi', '0')],
      },
      { reasoning: has('never-fits') },
    ],
    ['may be used in part by pods that were not read', { others: [] }, { reasoning: has('used-unseen') }],
    [
      'stays the cause where the old pods are not enough, and no fix stops old pods',
      { replicas: 1, old: 1, oldAsks: { memory: '100Mi' }, newPods: [] },
      { reasoning: has('own-too-small'), withheld: has('patch-strategy') },
    ],
    [
      'is only likely where the quota could not be read',
      { quotas: [] },
      { confidence: 'likely', doubts: ['quota-unread'] },
    ],
    [
      'is only likely where the requests differ',
      { newAsks: {}, newPods: [], limitRanges: [containerDefaults({ memory: '512Mi' })] },
      { confidence: 'likely', doubts: ['request-differs'] },
    ],
    [
      'has enough free by now, and the controller waits for its retry',
      { quotas: [quotaOf('8Gi', '4Gi')] },
      { confidence: 'likely', reasoning: has('room-now') },
    ],
    [
      'is reported beside crashing new pods, for the pods that are still missing',
      { old: 3, newPods: [{ name: 'new-0', ready: false, restarts: 4 }], replicas: 4 },
      { notBecause: has(expect.objectContaining({ key: 'because-others-fail' })) },
    ],
    [
      'is not reported while a pod terminates in time and frees enough',
      { others: [cache({ terminating: true })] },
    ],
    [
      'is not reported in a rollout that progresses and whose own old pods free enough later',
      {
        replicas: 4,
        old: 3,
        newPods: [{ name: 'new-0', ready: false, age: 10 }],
        others: [],
        deployment: { maxSurge: 2, maxUnavailable: 0 },
      },
    ],
    ['is not reported without a refusal', { message: undefined }],
    [
      'is not reported with another refusal',
      { message: 'pods "web-2-a" is forbidden: violates PodSecurity "restricted:latest": x' },
    ],
    [
      'is not reported where a quota requires a resource the pod does not specify',
      { message: 'pods "a" is forbidden: failed quota: team: must specify limits.cpu for: app' },
    ],
  ]);
});

/** `shop/db`, of whose three pods two exist, with the event of its controller. */
function stopped(message: string) {
  const workload = buildSet({ replicas: 3 });
  const owner = { kind: 'StatefulSet', name: 'db', uid: 'db-uid' };
  return snapshotOf(workload, {
    Pod: [0, 1].map((ordinal) => buildPod({ name: `db-${ordinal}`, owner })),
    Event: [event(workload, 'FailedCreate', message)],
    ResourceQuota: [quota({ hard: { pods: '2' }, used: { pods: '2' } })],
  });
}

describe('a StatefulSet that a quota stops', () => {
  expectFindings(quotaExceeded, stopped, [
    [
      'reports it in its events only',
      'create Pod db-2 in StatefulSet db failed error: pods "db-2" is forbidden: exceeded quota: team, requested: pods=1, used: pods=2, limited: pods=2',
      { confidence: 'proven', resource: 'pods', shownBy: ['Event', 'ResourceQuota'] },
    ],
    [
      'may lack the claim rather than the pod',
      'create Claim data-db-2 for Pod db-2 in StatefulSet db failed error: persistentvolumeclaims "data-db-2" is forbidden: exceeded quota: disks, requested: requests.storage=10Gi, used: requests.storage=20Gi, limited: requests.storage=20Gi',
      { confidence: 'likely', steps: has(step('refused-first', { what: 'PersistentVolumeClaim' })) },
    ],
  ]);
});
