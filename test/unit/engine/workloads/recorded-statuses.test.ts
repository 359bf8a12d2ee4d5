import { describe, expect, it } from 'vitest';
import type { Workload } from '#src/engine/objects/workload.js';
import { actArgoRollout } from '#src/engine/workloads/argo-rollout/forecast.js';
import { syncDeployment } from '#src/engine/workloads/deployment-sync.js';
import { restState } from '#src/engine/workloads/fixed-point.js';
import { actLeaderWorkerSet } from '#src/engine/workloads/leader-worker-set/model.js';
import { refreshed } from '#src/engine/workloads/replica-set-controllers.js';
import type { DeploymentState, RolloutState } from '#src/engine/workloads/rollout-state.js';
import { rolloutStatus } from '#src/engine/workloads/rollout-status.js';
import { isOfControlPlane, readScenario, scenarioIds } from './recorded.js';

/** Some diagnoses are dated long after the recording; a controller acts within a minute. */
function soonAfterRecording(state: DeploymentState): DeploymentState {
  const times = state.deployment.status.conditions.map(({ lastUpdateTime }) => lastUpdateTime);
  const newest = Math.max(...times.map((time) => Date.parse(time ?? '') || 0));
  return { ...state, now: Math.min(state.now, newest + 60_000) };
}

/** A controller that does not run has written nothing about the last change. */
const isObserved = ({ deployment: { metadata, status } }: DeploymentState): boolean =>
  status.observedGeneration === metadata.generation;

/** A ReplicaSet replaces pods that the kubelet rejects without a pause: its status is always behind. */
const isAtRest = ({ pods }: DeploymentState): boolean =>
  pods.every(({ status }) => status.phase !== 'Failed');

const deployments = scenarioIds
  .map(readScenario)
  .filter(isOfControlPlane)
  .flatMap(({ id, state }) =>
    state.kind === 'Deployment' && isObserved(state) && isAtRest(state)
      ? [{ id, state: soonAfterRecording(state) }]
      : [],
  );

describe('the recorded states of a real controller', () => {
  it('exist', () => {
    expect(deployments.length).toBeGreaterThanOrEqual(35);
  });

  it.each(deployments)('of $id: every ReplicaSet status follows from its pods', ({ state }) => {
    const computed = refreshed(state).replicaSets.map(({ metadata, status }) => [metadata.name, status]);
    expect(computed).toEqual(state.replicaSets.map(({ metadata, status }) => [metadata.name, status]));
  });

  it.each(deployments)('of $id: the Deployment status follows from its ReplicaSets', ({ state }) => {
    const { status } = syncDeployment(state);
    const brief = ({ conditions, ...counts }: typeof status) => ({
      ...counts,
      conditions: conditions.map(({ type, status: value, reason }) => `${type}=${value} ${reason}`).sort(),
    });
    expect(brief(status)).toEqual(brief(state.deployment.status));
  });

  it.each(deployments)('of $id: no ReplicaSet needs another write', ({ state }) => {
    expect(syncDeployment(state)).toMatchObject({ actions: [] });
    expect(rolloutStatus(state.deployment).kind).not.toBe('not-followed');
  });
});

/** The state after what the controllers do at once, of recordings in which they do nothing. */
const resting = scenarioIds
  .filter((id) => /^(?:argo-rollouts|leader-worker-sets)\//.test(id))
  .map(readScenario)
  .filter(isOfControlPlane)
  .flatMap(({ id, state }) => {
    const acted =
      state.kind === 'LeaderWorkerSet'
        ? actLeaderWorkerSet(state, () => true)
        : state.kind === 'Rollout'
          ? actArgoRollout(state, () => true)
          : undefined;
    if (!acted?.isAtRest || acted.created.length > 0 || acted.deleted.length > 0) return [];
    return [{ id, before: state, after: acted.state }];
  });

const statusIn = (state: (typeof resting)[number]['before']) => {
  if (state.kind === 'Rollout') return state.rollout.status;
  if (state.kind !== 'LeaderWorkerSet') return undefined;
  const { conditions, ...counts } = state.leaderWorkerSet.status;
  return { ...counts, conditions: conditions.map(({ type, status }) => `${type}=${status}`) };
};

describe('the recorded statuses of Rollouts and LeaderWorkerSets at rest', () => {
  it('exist', () => {
    expect(resting.length).toBeGreaterThanOrEqual(60);
  });

  it.each(resting)(
    'of $id: the status follows from its pods and ReplicaSets or groups',
    ({ before, after }) => {
      expect(statusIn(after)).toEqual(statusIn(before));
    },
  );
});

/** Of each kind that has an engine of its own. */
const deadlocked = scenarioIds
  .filter((id) => /^(?:argo-rollouts|dynamo|knative|leader-worker-sets|ray-services)\//.test(id))
  // The Deployment of a revision that serves is stuck there, and the service is complete.
  .filter((id) => id !== 'knative/deadlock-inside-one-revision')
  .map(readScenario)
  .filter(({ cause }) => cause === 'surge-deadlock');

describe('a recorded deadlock', () => {
  it.each(deadlocked)('of $id is not over, and nothing in it acts any more', ({ state }) => {
    expect(rolloutStatus(workloadOf(state)).kind).not.toBe('complete');
    expect(restState(state).kind).not.toBe('acting');
  });
});

function workloadOf(state: RolloutState): Workload {
  if (state.kind === 'Deployment') return state.deployment;
  if (state.kind === 'Rollout') return state.rollout;
  if (state.kind === 'LeaderWorkerSet') return state.leaderWorkerSet;
  if (state.kind === 'Revisioned') return state.service;
  return state.kind === 'StatefulSet' ? state.statefulSet : state.daemonSet;
}
