import { describe, expect, it } from 'vitest';
import { conditionOf } from '#src/engine/objects/metadata.js';
import type { Deployment, ReplicaSet } from '#src/engine/objects/workload.js';
import { syncDeployment } from '#src/engine/workloads/deployment-sync.js';
import {
  ago,
  buildDeployment,
  buildReplicaSet,
  buildState,
  type DeploymentFields,
} from '../../../support/rollout-builders.js';

const progressing = (reason: string, status: string, seconds: number) => ({
  type: 'Progressing',
  status,
  reason,
  lastUpdateTime: ago(seconds),
  lastTransitionTime: ago(seconds),
});

function statusAfter(fields: DeploymentFields, replicaSets: readonly ReplicaSet[]): Deployment['status'] {
  return syncDeployment(buildState(buildDeployment(fields), replicaSets)).status;
}

const old = buildReplicaSet({ revision: 1, replicas: 1, available: 1 });
const stuck = buildReplicaSet({ revision: 2, replicas: 1 });
const deadlocked = { replicas: 2, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 };

describe('the status of a Deployment', () => {
  it('counts all revisions, and counts missing pods as unavailable', () => {
    expect(
      statusAfter({ replicas: 3 }, [buildReplicaSet({ revision: 1, replicas: 3, available: 2 }), stuck]),
    ).toMatchObject({
      observedGeneration: 2,
      replicas: 4,
      updatedReplicas: 1,
      readyReplicas: 2,
      availableReplicas: 2,
      unavailableReplicas: 2,
      terminatingReplicas: 0,
    });
  });

  it('never has a negative number of unavailable pods', () => {
    expect(
      statusAfter({ replicas: 1 }, [buildReplicaSet({ revision: 2, replicas: 1, available: 2 })])
        .unavailableReplicas,
    ).toBe(0);
  });

  it('has no number of terminating pods when one ReplicaSet reports none', () => {
    const silent = buildReplicaSet({ revision: 1, replicas: 1, status: { terminatingReplicas: null } });
    expect(statusAfter({}, [silent, stuck]).terminatingReplicas).toBeUndefined();
    const unborn = buildReplicaSet({
      revision: 1,
      replicas: 1,
      status: { terminatingReplicas: null, observedGeneration: 0 },
    });
    expect(statusAfter({}, [unborn, stuck]).terminatingReplicas).toBe(0);
  });

  const both = [old, stuck];
  const done = (available: number, replicas = 1) => [buildReplicaSet({ revision: 2, replicas, available })];

  it.each<[string, DeploymentFields, readonly ReplicaSet[], string]>([
    ['available while maxUnavailable is kept', { replicas: 1 }, both, 'True MinimumReplicasAvailable'],
    ['not available below that', { replicas: 3 }, both, 'False MinimumReplicasUnavailable'],
    [
      'available with a quarter missing of four',
      { replicas: 4 },
      done(3, 4),
      'True MinimumReplicasAvailable',
    ],
  ])('Available: %s', (_sentence, fields, replicaSets, expected) => {
    const { status, reason } = conditionOf(statusAfter(fields, replicaSets), 'Available') ?? {};
    expect(`${status} ${reason}`).toBe(expected);
  });

  /** The status of a deadlock, whose condition was written so many seconds ago. */
  const since = (
    seconds: number,
    reason = 'ReplicaSetUpdated',
    status = 'True',
    counts: object = deadlocked,
  ) => ({
    status: { ...counts, conditions: [progressing(reason, status, seconds)] },
  });
  const before = { ...deadlocked, updatedReplicas: 0 };
  const complete = { replicas: 1, updatedReplicas: 1 };
  const expired = ['ProgressDeadlineExceeded', 'False'] as const;

  it.each<[string, DeploymentFields, readonly ReplicaSet[], string]>([
    [
      'is complete once every pod is new and available',
      { status: { ...complete, replicas: 2 } },
      done(1),
      'True NewReplicaSetAvailable',
    ],
    [
      'progresses while counts improve',
      since(30, 'NewReplicaSetCreated', 'True', before),
      both,
      'True ReplicaSetUpdated',
    ],
    ['is unchanged without progress before the deadline', since(500), both, 'True ReplicaSetUpdated'],
    ['has until the very end of the deadline', since(600), both, 'True ReplicaSetUpdated'],
    ['fails once the deadline has passed', since(601), both, 'False ProgressDeadlineExceeded'],
    [
      'recovers with the next progress after the deadline',
      since(60, ...expired, before),
      both,
      'True ReplicaSetUpdated',
    ],
    [
      'does not fail for a completed rollout that loses pods',
      since(9000, 'NewReplicaSetAvailable', 'True', complete),
      done(0),
      'True NewReplicaSetAvailable',
    ],
    [
      'is added when the new ReplicaSet is found without it',
      { status: deadlocked },
      both,
      'True FoundNewReplicaSet',
    ],
    [
      'is noted when the new ReplicaSet is made',
      { status: { replicas: 1, readyReplicas: 1, availableReplicas: 1 } },
      [old],
      'True NewReplicaSetCreated',
    ],
    [
      'has reason DeploymentPaused',
      { paused: true, ...since(60, 'ReplicaSetUpdated', 'True', {}) },
      [old],
      'Unknown DeploymentPaused',
    ],
    [
      'has reason DeploymentResumed',
      since(60, 'DeploymentPaused', 'Unknown'),
      both,
      'Unknown DeploymentResumed',
    ],
    [
      'keeps the passed deadline of a paused Deployment',
      { paused: true, ...since(60, ...expired, {}) },
      [old],
      'False ProgressDeadlineExceeded',
    ],
    [
      'is absent without a deadline',
      { progressDeadlineSeconds: 2_147_483_647, ...since(60, 'ReplicaSetUpdated', 'True', {}) },
      both,
      'undefined undefined',
    ],
  ])('Progressing: %s', (_sentence, fields, replicaSets, expected) => {
    const { status, reason } = conditionOf(statusAfter(fields, replicaSets), 'Progressing') ?? {};
    expect(`${status} ${reason}`).toBe(expected);
  });

  it('moves lastUpdateTime with each progress and lastTransitionTime only with the status', () => {
    const fields = since(60, 'ReplicaSetUpdated', 'True', before);
    expect(conditionOf(statusAfter(fields, both), 'Progressing')).toMatchObject({
      lastUpdateTime: ago(0),
      lastTransitionTime: ago(60),
    });
  });

  it('copies the failure of the new ReplicaSet before that of an old one, and drops it when none fails', () => {
    const failing = (revision: number, message: string) =>
      buildReplicaSet({
        revision,
        replicas: 1,
        status: { conditions: [{ type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message }] },
      });
    const fails = statusAfter({}, [failing(1, 'old'), failing(2, 'new')]);
    expect(conditionOf(fails, 'ReplicaFailure')).toMatchObject({ reason: 'FailedCreate', message: 'new' });
    expect(conditionOf(statusAfter({}, [failing(1, 'old'), stuck]), 'ReplicaFailure')?.message).toBe('old');
    const status = { conditions: [{ type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate' }] };
    expect(conditionOf(statusAfter({ status }, [old, stuck]), 'ReplicaFailure')).toBeUndefined();
  });
});
