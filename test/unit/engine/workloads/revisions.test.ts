import { describe, expect, it } from 'vitest';
import {
  lastHealthyRevision,
  newPods,
  newReplicaSetOf,
  oldPods,
  oldReplicaSetsOf,
} from '#src/engine/workloads/revisions.js';
import {
  buildDeployment,
  buildPods,
  buildReplicaSet,
  buildState,
} from '../../../support/rollout-builders.js';

const first = buildReplicaSet({ revision: 1, replicas: 2, available: 2 });
const second = buildReplicaSet({ revision: 2, replicas: 1 });

describe('newReplicaSetOf', () => {
  it('returns the ReplicaSet of the template, not the one of the highest revision', () => {
    const state = buildState(buildDeployment({ image: 'web:1' }), [second, first]);
    expect(newReplicaSetOf(state)).toBe(first);
    expect(oldReplicaSetsOf(state)).toEqual([second]);
  });

  it('returns undefined while a paused Deployment has a changed template', () => {
    const state = buildState(buildDeployment({ image: 'web:3', paused: true }), [first, second]);
    expect(newReplicaSetOf(state)).toBeUndefined();
    expect(oldReplicaSetsOf(state)).toEqual([first, second]);
  });

  it('returns undefined while Recreate still waits for old pods', () => {
    const state = buildState(buildDeployment({ image: 'web:2', recreate: true }), [first]);
    expect(newReplicaSetOf(state)).toBeUndefined();
    expect(newPods(state)).toEqual([]);
  });

  it('returns the oldest of two with the same template, whatever the order of the list', () => {
    const twin = buildReplicaSet({
      name: 'web-twin',
      revision: 1,
      replicas: 0,
      metadata: { creationTimestamp: '2026-11-20T09:00:00Z' },
    });
    const deployment = buildDeployment({ image: 'web:1' });
    expect(newReplicaSetOf(buildState(deployment, [twin, first]))).toBe(first);
    expect(newReplicaSetOf(buildState(deployment, [first, twin]))).toBe(first);
  });
});

describe('pods of revisions', () => {
  const pods = [...buildPods(first, 2), ...buildPods(second, 0, 1)];
  const state = buildState(buildDeployment(), [first, second], pods);
  const names = (list: readonly { metadata: { name: string } }[]) =>
    list.map(({ metadata }) => metadata.name);

  it('are old or new by their owner', () => {
    expect(names(newPods(state))).toEqual(['web-2-0']);
    expect(names(oldPods(state))).toEqual(['web-1-0', 'web-1-1']);
  });
});

describe('lastHealthyRevision', () => {
  it('prefers the newest old revision that serves', () => {
    const third = buildReplicaSet({ revision: 3, replicas: 1 });
    const state = buildState(buildDeployment({ image: 'web:4' }), [first, second, third]);
    expect(lastHealthyRevision(state)).toEqual({
      replicaSet: first,
      revision: 1,
      evidence: 'available-pods',
    });
  });

  it('falls back to the previous number when none serves', () => {
    const idle = buildReplicaSet({ revision: 1, replicas: 0 });
    const state = buildState(buildDeployment({ image: 'web:3' }), [idle, second]);
    expect(lastHealthyRevision(state)).toEqual({ replicaSet: second, revision: 2, evidence: 'previous' });
  });

  it('is undefined on a first rollout', () => {
    expect(lastHealthyRevision(buildState(buildDeployment({ image: 'web:1' }), [first]))).toBeUndefined();
  });
});
