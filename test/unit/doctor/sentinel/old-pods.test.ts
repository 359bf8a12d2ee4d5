import { describe, expect, it } from 'vitest';
import { oldPodsOf } from '#src/doctor/sentinel/candidate.js';
import { KnativeService } from '#src/engine/objects/knative-service.js';
import { DaemonSet, Deployment } from '#src/engine/objects/workload.js';

const base = {
  metadata: { name: 'web', namespace: 'shop', generation: 2 },
  spec: { selector: {}, template: {} },
};
const deployment = (status: object) =>
  Deployment.parse({ ...base, status: { observedGeneration: 2, ...status } });
const daemonSet = (status: object) =>
  DaemonSet.parse({ ...base, status: { observedGeneration: 2, ...status } });

const knative = (status: object) =>
  KnativeService.parse({
    metadata: base.metadata,
    spec: { template: {} },
    status: { observedGeneration: 2, latestCreatedRevisionName: 'b', ...status },
  });

describe('old pods of a rollout', () => {
  it.each([
    ['exist beside a new one', deployment({ replicas: 2, updatedReplicas: 1 }), 'some'],
    ['exist where the new one is not created yet', deployment({ replicas: 1, updatedReplicas: 0 }), 'some'],
    [
      'do not exist in a first rollout or a scale-up',
      deployment({ replicas: 3, updatedReplicas: 3 }),
      'none',
    ],
    ['do not exist without any pods', deployment({ replicas: 0 }), 'none'],
    [
      'are unknown before the controller has observed the change',
      deployment({ observedGeneration: 1, replicas: 2 }),
      'unobserved',
    ],
    [
      'exist on the nodes of a DaemonSet',
      daemonSet({ currentNumberScheduled: 3, updatedNumberScheduled: 2 }),
      'some',
    ],
    [
      'do not exist once all nodes have the new one',
      daemonSet({ currentNumberScheduled: 3, updatedNumberScheduled: 3 }),
      'none',
    ],
    ['exist in the revision of a service that serves', knative({ latestReadyRevisionName: 'a' }), 'some'],
    ['do not exist beside the first revision', knative({}), 'none'],
    [
      'do not exist once the new revision serves',
      knative({ latestReadyRevisionName: 'b', traffic: [{ latestRevision: true, revisionName: 'b' }] }),
      'none',
    ],
  ] as const)('%s', (_, workload, expected) => {
    expect(oldPodsOf(workload)).toBe(expected);
  });
});
