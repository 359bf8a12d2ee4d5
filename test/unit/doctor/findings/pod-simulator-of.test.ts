import { describe, expect, it } from 'vitest';
import { podSimulatorOf } from '#src/doctor/findings/pod-simulator-of.js';
import { proposeResumeRollout } from '#src/doctor/fixes/kinds/resume-rollout.js';
import { indexObjects } from '#src/engine/objects/cluster-index.js';
import { clusterObjects } from '#src/engine/objects/cluster-objects.js';
import { Node } from '#src/engine/objects/node.js';
import { createPlacement } from '#src/engine/scheduler/placement.js';
import { rolloutStateOf } from '#src/engine/workloads/rollout-state.js';
import { buildDeployment, buildPod, buildReplicaSet, now } from '../../../support/rollout-builders.js';

/** Three old pods of a paused rollout, two ready ones on one node and one that is not ready on another. */
function pausedWith(unready: { readonly age: number; readonly restarts?: number }) {
  const workload = buildDeployment({
    replicas: 3,
    maxSurge: 1,
    maxUnavailable: 0,
    paused: true,
    status: { replicas: 3, readyReplicas: 2, availableReplicas: 2 },
  });
  const old = buildReplicaSet({ revision: 1, replicas: 3, available: 2 });
  const index = indexObjects(
    clusterObjects({
      Deployment: [workload],
      ReplicaSet: [old],
      Pod: [
        buildPod({ name: 'ready-1', node: 'n-a' }),
        buildPod({ name: 'ready-2', node: 'n-a' }),
        buildPod({ name: 'unready', node: 'n-b', ready: false, ...unready }),
      ],
      Node: ['n-a', 'n-b'].map((name) =>
        Node.parse({ metadata: { name }, spec: {}, status: { allocatable: { pods: '10' } } }),
      ),
    }),
  );
  const takenAt = new Date(now).toISOString();
  const snapshot = { takenAt, cluster: 'test', workload, index, logs: [], unseen: [] };
  const state = rolloutStateOf(snapshot);
  if (state.kind !== 'Deployment') throw new Error(state.kind);
  const simulator = podSimulatorOf({ snapshot, placement: createPlacement(index) });
  const [remediation] = proposeResumeRollout({ state, simulator, revision: 'web-2' }).remediations;
  return remediation?.prediction.victims.map(({ name }) => name);
}

describe('a forecast with a pod that is not ready', () => {
  it.each([
    ['stops it first when it had its time to start', { age: 7200 }],
    ['stops it first when it has restarted', { age: 20, restarts: 3 }],
  ])('%s', (_, unready) => {
    expect(pausedWith(unready)?.[0]).toBe('unready');
  });

  it('expects it to become ready while it may still start', () => {
    expect(pausedWith({ age: 5 })?.[0]).not.toBe('unready');
  });
});
