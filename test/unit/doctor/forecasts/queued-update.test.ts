import { describe, expect, it } from 'vitest';
import { checkUpdate } from '#src/doctor/forecasts/check-update.js';
import { indexObjects } from '#src/engine/objects/cluster-index.js';
import { clusterObjects } from '#src/engine/objects/cluster-objects.js';
import { Deployment } from '#src/engine/objects/workload.js';
import { queuedRollout } from '../../../support/kueue-builders.js';
import { now } from '../../../support/rollout-builders.js';

/** The first revision, all of its pods ready, on nodes with so many GPUs. */
function check(nodeGpus: number) {
  const { workload, objects, oldPods } = queuedRollout({ nodeGpus });
  const [first] = objects.ReplicaSet ?? [];
  const live = {
    ...workload,
    spec: { ...workload.spec, template: first?.spec.template ?? workload.spec.template },
  };
  const index = indexObjects(
    clusterObjects({
      ...objects,
      Deployment: [live],
      ReplicaSet: first === undefined ? [] : [first],
      Pod: oldPods,
    }),
  );
  return checkUpdate({
    index,
    unseen: [],
    cluster: 'prod',
    now,
    planned: workload,
    live: Deployment.parse(live),
  });
}

describe("an update of a workload in Kueue's queue", () => {
  it('has no certain outcome where it would complete without the queue', () => {
    expect(check(2)).toMatchObject({
      outcome: 'cannot-tell',
      reasoning: [{ key: 'because-queue', values: { queue: 'gpus' } }],
    });
  });

  it('deadlocks where no node has room for the new pod', () => {
    expect(check(1)).toMatchObject({ outcome: 'deadlock', resource: 'nvidia.com/gpu' });
  });
});
