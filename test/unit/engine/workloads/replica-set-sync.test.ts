import { describe, expect, it } from 'vitest';
import { conditionOf } from '#src/engine/objects/metadata.js';
import type { Pod } from '#src/engine/objects/pod.js';
import { replicaSetStatus, syncReplicaSet } from '#src/engine/workloads/replica-set-controllers.js';
import {
  buildPod,
  buildReplicaSet,
  now,
  type PodFields,
  type ReplicaSetFields,
} from '../../../support/rollout-builders.js';

function stateOf(fields: Partial<ReplicaSetFields>, pods: readonly Partial<PodFields>[]) {
  const replicaSet = buildReplicaSet({ revision: 1, replicas: 2, ...fields });
  const built: readonly Pod[] = pods.map((pod, index) =>
    buildPod({ name: `web-1-${index}`, node: `n-${index}`, ...pod }),
  );
  return { replicaSet, pods: built, relatedPods: built, now };
}

describe('syncReplicaSet', () => {
  it.each<[string, Partial<ReplicaSetFields>, readonly Partial<PodFields>[], string]>([
    ['creates missing pods', {}, [{}], 'create 1'],
    ['replaces failed pods and does not delete them', {}, [{}, { phase: 'Failed' }], 'create 1'],
    ['replaces terminating pods at once', {}, [{}, { terminating: true }], 'create 1'],
    ['deletes surplus pods, the unready first', { replicas: 1 }, [{}, { ready: false }], 'delete web-1-1'],
    ['does nothing with the wanted number of pods', {}, [{}, {}], 'none'],
    ['creates at most 500 at once', { replicas: 900 }, [], 'create 500'],
    [
      'does not change its pods while it is being deleted',
      { metadata: { deletionTimestamp: '2026-11-20T09:29:00Z' } },
      [],
      'none',
    ],
  ])('%s', (_sentence, fields, pods, expected) => {
    const action = syncReplicaSet(stateOf(fields, pods));
    const described =
      action.kind === 'create'
        ? `create ${action.count}`
        : action.kind === 'delete'
          ? `delete ${action.victims.pods.map(({ metadata }) => metadata.name).join()}`
          : 'none';
    expect(described).toBe(expected);
  });
});

describe('replicaSetStatus', () => {
  it('counts active pods, those with all labels of the template, and the terminating ones', () => {
    const labels = { 'pod-template-hash': 'web-1' };
    const state = stateOf({ minReadySeconds: 60 }, [
      { labels },
      { labels, readyFor: 10 },
      { ready: false },
      { terminating: true },
      { phase: 'Failed' },
      { phase: 'Succeeded', terminating: true },
    ]);
    expect(replicaSetStatus(state)).toEqual({
      observedGeneration: 1,
      replicas: 3,
      fullyLabeledReplicas: 2,
      readyReplicas: 2,
      availableReplicas: 1,
      terminatingReplicas: 1,
      conditions: [],
    });
  });

  it('keeps the first failure while it lasts, and drops it with the first success', () => {
    const state = stateOf({}, [{}]);
    const failing = replicaSetStatus(state, { reason: 'FailedCreate', message: 'exceeded quota' });
    expect(conditionOf(failing, 'ReplicaFailure')).toMatchObject({
      status: 'True',
      reason: 'FailedCreate',
      message: 'exceeded quota',
    });
    const later = { ...state, replicaSet: { ...state.replicaSet, status: failing } };
    const again = replicaSetStatus(later, { reason: 'FailedCreate', message: 'another message' });
    expect(conditionOf(again, 'ReplicaFailure')?.message).toBe('exceeded quota');
    expect(replicaSetStatus(later).conditions).toEqual([]);
  });
});
