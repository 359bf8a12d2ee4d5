import { describe, expect, it } from 'vitest';
import { waitingGroups } from '#src/doctor/findings/waiting/block.js';
import { ownPods } from '#src/doctor/findings/waiting/holding.js';
import { StatefulSet } from '#src/engine/objects/workload.js';
import { names } from '../../../../support/placement-builders.js';
import { buildTemplate } from '../../../../support/rollout-builders.js';
import {
  buildDeployment,
  buildExamination,
  buildReplicaSet,
  type Fields,
  foreignPod,
  ownedPod,
} from './build.js';

function groups(fields: Fields) {
  return waitingGroups(buildExamination(fields).snapshot).map(names);
}

const two = [buildReplicaSet({ revision: 1, replicas: 1 }), buildReplicaSet({ revision: 2, replicas: 1 })];

function set(count: number): Fields {
  const statefulSet = StatefulSet.parse({
    metadata: { name: 'db', namespace: 'shop', uid: 'db-uid', generation: 1 },
    spec: { replicas: count, selector: { matchLabels: { app: 'db' } }, template: buildTemplate('db:1') },
    status: { observedGeneration: 1 },
  });
  return {
    workload: statefulSet,
    Pod: Array.from({ length: count }, (_, ordinal) => {
      const { status } = ownedPod('x', 1);
      const base = foreignPod(`db-${ordinal}`, 'StatefulSet', 'db', { labels: { app: 'db' } });
      return { ...base, status };
    }),
  };
}

describe('the pending pods, grouped by equality,', () => {
  it('are those of one ReplicaSet, however many', () => {
    expect(
      groups({
        workload: buildDeployment({ replicas: 2 }),
        ReplicaSet: [buildReplicaSet({ revision: 2, replicas: 2 })],
        Pod: [ownedPod('web-a', 2), ownedPod('web-b', 2)],
      }),
    ).toEqual([['web-a', 'web-b']]);
  });

  it('are only those of the new revision while the controller would still stop old pods', () => {
    expect(
      groups({
        workload: buildDeployment({ maxSurge: 1, maxUnavailable: 1 }),
        ReplicaSet: two,
        Pod: [ownedPod('web-old', 1), ownedPod('web-new', 2)],
      }),
    ).toEqual([['web-new']]);
  });

  it('are those of the old revision too once the controller stops no more of them, the new ones first', () => {
    expect(
      groups({
        workload: buildDeployment({ maxSurge: 1, maxUnavailable: 0 }),
        ReplicaSet: two,
        Pod: [ownedPod('web-a-old', 1), ownedPod('web-b-new', 2)],
      }),
    ).toEqual([['web-b-new'], ['web-a-old']]);
  });

  it('exclude pods with a node, finished pods and gated pods', () => {
    const gated = ownedPod('web-gated', 2);
    expect(
      groups({
        ReplicaSet: [buildReplicaSet({ revision: 2, replicas: 2 })],
        Pod: [
          ownedPod('web-placed', 2, { on: 'n-a' }),
          ownedPod('web-failed', 2, { phase: 'Failed' }),
          {
            ...gated,
            status: {
              ...gated.status,
              conditions: gated.status.conditions.map((each) => ({ ...each, reason: 'SchedulingGated' })),
            },
          },
        ],
      }),
    ).toEqual([]);
  });

  it('of a StatefulSet are separate, thirty at most', () => {
    expect(groups(set(2))).toEqual([['db-0'], ['db-1']]);
    expect(groups(set(31))).toHaveLength(30);
  });
});

describe("the workload's own pods with a node", () => {
  it('are grouped by their revision, of a Deployment', () => {
    const { predecessors, others } = ownPods(
      buildExamination({
        ReplicaSet: two,
        Pod: [
          ownedPod('web-old', 1, { on: 'n-a' }),
          ownedPod('web-old-waiting', 1),
          ownedPod('web-old-failed', 1, { on: 'n-a', phase: 'Failed' }),
          ownedPod('web-new', 2, { on: 'n-b' }),
        ],
      }).snapshot,
    );

    expect(names(predecessors)).toEqual(['web-old']);
    expect(names(others)).toEqual(['web-new']);
  });

  it('never block their successor, of a StatefulSet: the old pod stops first', () => {
    const { Pod = [], ...rest } = set(2);
    const placed = Pod.map((pod) => ({ ...pod, spec: { ...pod.spec, nodeName: 'n-a' } }));
    const { predecessors, others } = ownPods(buildExamination({ ...rest, Pod: placed }).snapshot);

    expect(names(predecessors)).toEqual([]);
    expect(names(others)).toEqual(['db-0', 'db-1']);
  });
});
