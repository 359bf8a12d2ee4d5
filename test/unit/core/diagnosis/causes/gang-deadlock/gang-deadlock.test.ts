import { describe, expect, it } from 'vitest';
import { schemas } from '#src/core/cluster/cluster-objects.js';
import { gangDeadlock } from '#src/core/diagnosis/causes/gang-deadlock/rule.js';
import { text } from '#src/core/diagnosis/causes/gang-deadlock/text.js';
import { node } from '#support/placement-builders.js';
import { ago, buildDeployment, buildPod, buildReplicaSet } from '#support/rollout-builders.js';
import { foundBy, keysOf, mustFind, renderFinding, snapshotOf } from '../run-rule.js';

interface Gang {
  readonly minMember?: number;
  readonly replicas?: number;
  readonly surge?: number;
  /** The PodGroup was read. */
  readonly isRead?: boolean;
  readonly message?: string;
  /** The pods of both revisions name the same group, by the label of Coscheduling. */
  readonly isShared?: boolean;
  readonly isGrouped?: boolean;
  readonly scheduler?: string;
}

function snapshot(fields: Gang = {}) {
  const {
    minMember = 2,
    replicas = 3,
    surge = 1,
    isRead = true,
    isShared = false,
    isGrouped = true,
  } = fields;
  const message = fields.message ?? `pod group is not ready, 1 Pending, ${minMember} minAvailable`;
  const marks = (set: string) =>
    isShared
      ? { labels: { 'scheduling.x-k8s.io/pod-group': 'web' } }
      : isGrouped
        ? { annotations: { 'scheduling.k8s.io/group-name': `podgroup-${set}` } }
        : {};
  const pods = (set: string, count: number, isNew: boolean) =>
    Array.from({ length: count }, (_, at) => {
      const { labels = {}, ...rest } = marks(set) as { labels?: Record<string, string> };
      return buildPod({
        name: `${set}-${at}`,
        owner: { name: set, uid: `${set}-uid` },
        ...rest,
        labels: { 'pod-template-hash': set, ...labels },
        ...(fields.scheduler === undefined ? {} : { spec: { schedulerName: fields.scheduler } }),
        ...(isNew
          ? {
              node: undefined,
              status: {
                phase: 'Pending',
                conditions: [
                  {
                    type: 'PodScheduled',
                    status: 'False',
                    reason: 'Unschedulable',
                    message,
                    lastTransitionTime: ago(900),
                  },
                ],
              },
            }
          : {}),
      });
    });
  const workload = buildDeployment({
    replicas,
    maxSurge: surge,
    maxUnavailable: 0,
    status: {
      replicas: replicas + surge,
      updatedReplicas: surge,
      readyReplicas: replicas,
      availableReplicas: replicas,
      conditions: [],
    },
  });
  const name = isShared ? 'web' : 'podgroup-web-2';
  return snapshotOf(workload, {
    ReplicaSet: [
      buildReplicaSet({ revision: 1, replicas, available: replicas }),
      buildReplicaSet({ revision: 2, replicas: surge }),
    ],
    Pod: [...pods('web-1', replicas, false), ...pods('web-2', surge, true)],
    Node: [node('n-a')],
    PodGroup: isRead
      ? [schemas.PodGroup.parse({ metadata: { name, namespace: 'shop' }, spec: { minMember } })]
      : [],
  });
}

describe('new pods that start only as a group', () => {
  it('are deadlocked where the strategy creates fewer of them than the minimum', () => {
    const finding = mustFind(gangDeadlock, snapshot());

    expect(finding).toMatchObject({
      confidence: 'likely',
      severity: 'critical',
      holders: [{ name: 'web-1-0' }, { name: 'web-1-1' }, { name: 'web-1-2' }],
      facts: { podGroup: 'podgroup-web-2', minMember: 2, members: 1, scheduled: 0, isGroupUnread: false },
    });
    expect(keysOf(finding.weakenedBy)).toEqual(['not-simulated']);
    const { en, ko } = renderFinding(finding, text);
    expect(ko).toHaveLength(en.length);
  });

  it('are freed by stopping all old pods, and not by stopping one of them', () => {
    const { remediations } = mustFind(gangDeadlock, snapshot());

    expect(remediations[0]).toMatchObject({ kind: 'patch-strategy', strategy: { type: 'Recreate' } });
  });

  it("have the minimum of the scheduler's message where the PodGroup was not read", () => {
    const finding = mustFind(gangDeadlock, snapshot({ isRead: false }));

    expect(finding.facts).toMatchObject({ minMember: 2, isGroupUnread: true });
    expect(keysOf(finding.weakenedBy)).toEqual(['not-simulated', 'group-unread']);
  });

  it('have the minimum of the PodGroup where another scheduler does not report it', () => {
    const fields = { scheduler: 'volcano', message: 'pod group is not ready' };

    expect(mustFind(gangDeadlock, snapshot(fields)).facts).toMatchObject({ minMember: 2 });
  });

  it.each<[string, Gang]>([
    ['the surge is as large as the minimum', { surge: 2 }],
    ['the minimum is one pod', { minMember: 1 }],
    ['the minimum is more than the workload has', { minMember: 4 }],
    ['both revisions are in one group', { isShared: true }],
    ['the pods name no group', { isGrouped: false }],
    [
      'kube-scheduler, which knows no groups, refuses them',
      { message: '0/1 nodes are available: 1 Insufficient cpu.' },
    ],
    ['no minimum is known', { isRead: false, message: 'pod group is not ready' }],
  ])('are not deadlocked by it where %s', (_name, fields) => {
    expect(foundBy(gangDeadlock, snapshot(fields))).toBeUndefined();
  });
});
