import { describe, expect, it } from 'vitest';
import { actDeployment } from '#src/engine/workloads/deployment-model.js';
import { podsWithout } from '#src/engine/workloads/rollout-change.js';
import { buildDeployment, buildPod, buildReplicaSet, now } from '../../../support/rollout-builders.js';

const everything = (): boolean => true;

describe('the controllers at rest', () => {
  it('have deleted the history beyond the limit after the last pod became available', () => {
    const deployment = buildDeployment({
      replicas: 1,
      revisionHistoryLimit: 0,
      status: { replicas: 2, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 },
    });
    const fresh = buildReplicaSet({ revision: 2, replicas: 1, available: 1 });
    const old = buildReplicaSet({ revision: 1, replicas: 0, available: 0 });
    const pods = [buildPod({ name: 'web-2-a', owner: { uid: 'web-2-uid' } })];
    const { state, actions } = actDeployment(
      { kind: 'Deployment', deployment, replicaSets: [old, fresh], pods, now },
      everything,
    );

    expect(actions.map(({ kind }) => kind)).toContain('delete-replica-set');
    expect(state.replicaSets.map(({ metadata }) => metadata.name)).toEqual(['web-2']);
  });

  it('keep no pod that has ended of a ReplicaSet that the history gave up', () => {
    const deployment = buildDeployment({ replicas: 1, revisionHistoryLimit: 0, paused: true });
    const old = buildReplicaSet({ revision: 1, replicas: 0, available: 0 });
    const pods = [
      buildPod({ name: 'ended', phase: 'Failed', owner: { uid: 'web-1-uid' } }),
      buildPod({ name: 'going', owner: { uid: 'web-1-uid' }, terminating: true }),
      buildPod({ name: 'of-another', phase: 'Failed', owner: { uid: 'web-7-uid' } }),
    ];
    const { state } = actDeployment(
      { kind: 'Deployment', deployment, replicaSets: [old], pods, now },
      everything,
    );

    expect(state.replicaSets).toEqual([]);
    expect(state.pods.map(({ metadata }) => metadata.name)).toEqual(['going', 'of-another']);
  });
});

describe('a deleted pod', () => {
  it.each([
    { title: 'that runs takes its grace period', pod: buildPod({ name: 'p' }), left: 1 },
    { title: 'that has failed is removed at once', pod: buildPod({ name: 'p', phase: 'Failed' }), left: 0 },
    {
      title: 'that has succeeded is removed at once',
      pod: buildPod({ name: 'p', phase: 'Succeeded' }),
      left: 0,
    },
    { title: 'without a node is removed at once', pod: buildPod({ name: 'p', node: undefined }), left: 0 },
  ])('$title', ({ pod, left }) => {
    expect(podsWithout([pod], 'p', now)).toHaveLength(left);
  });
});
