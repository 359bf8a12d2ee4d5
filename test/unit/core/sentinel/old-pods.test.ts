import { describe, expect, it } from 'vitest';
import { DaemonSet, Deployment } from '#src/core/cluster/workload.js';
import { oldPodsOf } from '#src/core/sentinel/old-pods.js';

const base = {
  metadata: { name: 'web', namespace: 'shop', generation: 2 },
  spec: { selector: {}, template: {} },
};
const deployment = (status: object) =>
  Deployment.parse({ ...base, status: { observedGeneration: 2, ...status } });
const daemonSet = (status: object) =>
  DaemonSet.parse({ ...base, status: { observedGeneration: 2, ...status } });

describe('old pods', () => {
  it.each([
    ['are there beside a new one', deployment({ replicas: 2, updatedReplicas: 1 }), 'some'],
    [
      'are there where the new one is not even created',
      deployment({ replicas: 1, updatedReplicas: 0 }),
      'some',
    ],
    [
      'are not there in a first rollout or a scale-up',
      deployment({ replicas: 3, updatedReplicas: 3 }),
      'none',
    ],
    ['are not there where nothing is', deployment({ replicas: 0 }), 'none'],
    [
      'are not known of before the controller has looked',
      deployment({ observedGeneration: 1, replicas: 2 }),
      'unobserved',
    ],
    [
      'are there on the nodes of a DaemonSet',
      daemonSet({ currentNumberScheduled: 3, updatedNumberScheduled: 2 }),
      'some',
    ],
    [
      'are not there once all nodes have the new one',
      daemonSet({ currentNumberScheduled: 3, updatedNumberScheduled: 3 }),
      'none',
    ],
  ] as const)('%s', (_, workload, expected) => {
    expect(oldPodsOf(workload)).toBe(expected);
  });
});
