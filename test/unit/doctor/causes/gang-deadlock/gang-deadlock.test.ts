import { describe, expect, it } from 'vitest';
import { gangDeadlock } from '#src/doctor/causes/gang-deadlock.js';
import { syncDeployment } from '#src/engine/workloads/deployment-sync.js';
import { changesPods } from '#src/engine/workloads/deployment-writes.js';
import { rolloutStateOf } from '#src/engine/workloads/rollout-state.js';
import { build } from '../../../../support/kubernetes-objects.js';
import { node } from '../../../../support/placement-builders.js';
import { ago, buildDeployment, buildPod, buildReplicaSet } from '../../../../support/rollout-builders.js';
import { expectFindings, snapshotOf } from '../run-rule.js';

interface Gang {
  readonly minMember?: number;
  readonly surge?: number;
  /** The PodGroup was read. */
  readonly isRead?: boolean;
  readonly message?: string;
  /**
   * How the pods name their group: each revision its own, both the same by the label of Coscheduling, or
   * none.
   */
  readonly group?: 'own' | 'shared' | 'none';
  readonly scheduler?: string;
}

/** Three old pods, and new pods that the scheduler refuses as a group. */
function grouped({ minMember = 2, surge = 1, isRead = true, message, group = 'own', scheduler }: Gang) {
  const said = message ?? `pod group is not ready, 1 Pending, ${minMember} minAvailable`;
  const condition = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: said };
  const refused = { conditions: [{ ...condition, lastTransitionTime: ago(900) }] };
  const pods = (set: string, count: number, more: object = {}) =>
    Array.from({ length: count }, (_, at) =>
      buildPod({
        name: `${set}-${at}`,
        owner: { name: set, uid: `${set}-uid` },
        labels: {
          'pod-template-hash': set,
          ...(group === 'shared' ? { 'scheduling.x-k8s.io/pod-group': 'web' } : {}),
        },
        annotations: group === 'own' ? { 'scheduling.k8s.io/group-name': `podgroup-${set}` } : {},
        spec: { schedulerName: scheduler },
        ...more,
      }),
    );
  const counts = { replicas: 3 + surge, updatedReplicas: surge, readyReplicas: 3, availableReplicas: 3 };
  return snapshotOf(buildDeployment({ replicas: 3, maxSurge: surge, maxUnavailable: 0, status: counts }), {
    ReplicaSet: [
      buildReplicaSet({ revision: 1, replicas: 3, available: 3 }),
      buildReplicaSet({ revision: 2, replicas: surge }),
    ],
    Pod: [...pods('web-1', 3), ...pods('web-2', surge, { node: undefined, status: refused })],
    Node: [node('n-a')],
    PodGroup: isRead
      ? [build('PodGroup', group === 'shared' ? 'web' : 'podgroup-web-2', { spec: { minMember } })]
      : [],
  });
}

interface Native {
  readonly minCount?: number;
  readonly surge?: number;
  /** Seconds since the new pods were created. */
  readonly age?: number;
  /** A pod that was created later has a node. */
  readonly isTriedLater?: boolean;
  /** A pod of another workload is of the group as well. */
  readonly hasOther?: boolean;
  /** The old pods are of the group as well. */
  readonly isShared?: boolean;
  /** The PodGroup is one of Volcano with the same name. */
  readonly isOfVolcano?: boolean;
  readonly isPartOfComposite?: boolean;
  /** Old pods that are there, of three. */
  readonly oldPodsLeft?: number;
  readonly hasClaims?: boolean;
  /** The scheduler found no node for each of the pods, without regard to their group. */
  readonly isTriedAlone?: boolean;
}

const inRing = { schedulingGroup: { podGroupName: 'ring' } };

/** Three old pods, and new pods of a PodGroup of Kubernetes, of which kube-scheduler says nothing. */
function native({
  minCount = 2,
  surge = 1,
  age = 300,
  isTriedLater = true,
  hasOther = false,
  isShared = false,
  isOfVolcano = false,
  isPartOfComposite = false,
  oldPodsLeft = 3,
  hasClaims = false,
  isTriedAlone = false,
}: Native) {
  const pods = (set: string, count: number, more: object) =>
    Array.from({ length: count }, (_, at) =>
      buildPod({
        name: `${set}-${at}`,
        owner: { name: set, uid: `${set}-uid` },
        labels: { 'pod-template-hash': set },
        ...more,
      }),
    );
  const counts = { replicas: 3 + surge, updatedReplicas: surge, readyReplicas: 3, availableReplicas: 3 };
  const refused = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: 'no node' };
  const untried = {
    node: undefined,
    status: { conditions: isTriedAlone ? [{ ...refused, lastTransitionTime: ago(age) }] : [] },
    age,
    spec: { ...inRing, ...(hasClaims ? { resourceClaims: [{ name: 'gpu' }] } : {}) },
  };
  const placed = { conditions: [{ type: 'PodScheduled', status: 'True' }] };
  return snapshotOf(buildDeployment({ replicas: 3, maxSurge: surge, maxUnavailable: 0, status: counts }), {
    ReplicaSet: [
      buildReplicaSet({ revision: 1, replicas: 3, available: oldPodsLeft }),
      buildReplicaSet({ revision: 2, replicas: surge }),
    ],
    Pod: [
      ...pods('web-1', oldPodsLeft, isShared ? { spec: inRing } : {}),
      ...pods('web-2', surge, untried),
      ...(isTriedLater
        ? [buildPod({ name: 'later', owner: { uid: 'x' }, age: age - 1, status: placed })]
        : []),
      ...(hasOther ? [buildPod({ name: 'other', owner: { uid: 'y' }, spec: inRing })] : []),
    ],
    Node: [node('n-a')],
    PodGroup: [
      build('PodGroup', 'ring', {
        spec: {
          ...(isOfVolcano ? { minMember: 5 } : { schedulingPolicy: { gang: { minCount } } }),
          ...(isPartOfComposite ? { parentCompositePodGroupName: 'train' } : {}),
        },
      }),
    ],
  });
}

describe('new pods of a PodGroup of Kubernetes', () => {
  expectFindings<Native>(gangDeadlock, native, [
    [
      'are deadlocked where the surge cannot complete the group and the scheduler places later pods',
      {},
      {
        confidence: 'proven',
        holders: ['web-1-0', 'web-1-1', 'web-1-2'],
        facts: { podGroup: 'ring', minMember: 2, members: 1, scheduled: 0, isGroupUnread: false },
        doubts: [],
        fix: { kind: 'patch-strategy', strategy: { type: 'Recreate' } },
      },
    ],
    [
      'may wait for the scheduler as well where no later pod shows that it works',
      { isTriedLater: false },
      { confidence: 'likely', doubts: ['no-later-pod'] },
    ],
    [
      'count pods of other workloads in the group, which may create more of them',
      { minCount: 4, hasOther: true },
      { confidence: 'likely', facts: { minMember: 4, members: 2 }, doubts: ['others-may-complete-group'] },
    ],
    [
      'may be started by the other groups of a CompositePodGroup',
      { isPartOfComposite: true },
      { confidence: 'likely', doubts: ['part-of-composite'] },
    ],
    [
      'may wait for their resource claims as well',
      { hasClaims: true },
      { confidence: 'likely', doubts: ['claims-hold'] },
    ],
    ['are not held by it where the scheduler tries them alone, as with its gate off', { isTriedAlone: true }],
    ['are not deadlocked where a pod of another workload completes the group', { hasOther: true }],
    ['are not deadlocked where the old pods are of the group', { isShared: true }],
    ['are not deadlocked where the surge is as large as the minimum', { surge: 2 }],
    ['are not deadlocked by it where the minimum is more than the workload has', { minCount: 4 }],
    ['are not deadlocked while the scheduler may still try them', { age: 60 }],
    ['are not deadlocked by a PodGroup of another scheduler with the same name', { isOfVolcano: true }],
  ]);
});

it('no eviction of an old pod makes the controller create a further pod of the group', () => {
  for (const left of [2, 1, 0]) {
    const state = rolloutStateOf(native({ oldPodsLeft: left }));
    if (state.kind !== 'Deployment') throw new Error('no Deployment');
    expect(syncDeployment(state).actions.filter(changesPods)).toEqual([]);
  }
});

describe('new pods that start only as a group', () => {
  expectFindings<Gang>(gangDeadlock, grouped, [
    [
      'are deadlocked where the strategy creates fewer than the minimum, and freed by stopping all old pods',
      {},
      {
        confidence: 'likely',
        severity: 'critical',
        holders: ['web-1-0', 'web-1-1', 'web-1-2'],
        facts: { podGroup: 'podgroup-web-2', minMember: 2, members: 1, scheduled: 0, isGroupUnread: false },
        doubts: ['not-simulated'],
        fix: { kind: 'patch-strategy', strategy: { type: 'Recreate' } },
      },
    ],
    [
      "have the minimum of the scheduler's message where the PodGroup was not read",
      { isRead: false },
      { facts: { minMember: 2, isGroupUnread: true }, doubts: ['not-simulated', 'group-unread'] },
    ],
    [
      'have the minimum of the PodGroup where another scheduler does not report it',
      { scheduler: 'volcano', message: 'pod group is not ready' },
      { facts: { minMember: 2 } },
    ],
    ['are not deadlocked where the surge is as large as the minimum', { surge: 2 }],
    ['are not deadlocked where the minimum is one pod', { minMember: 1 }],
    ['are not deadlocked by it where the minimum is more than the workload has', { minMember: 4 }],
    ['are not deadlocked where both revisions are in one group', { group: 'shared' }],
    ['are not deadlocked where the pods name no group', { group: 'none' }],
    [
      'are not deadlocked where kube-scheduler, which knows no groups, refuses them',
      { message: '0/1 nodes are available: 1 Insufficient cpu.' },
    ],
    ['are not deadlocked where no minimum is known', { isRead: false, message: 'pod group is not ready' }],
  ]);
});
