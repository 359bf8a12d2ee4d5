import { describe, expect, it } from 'vitest';
import { conditionOf } from '#src/core/cluster/metadata.js';
import type { Deployment, ReplicaSet } from '#src/core/cluster/workload.js';
import { syncDeployment } from '#src/core/rollout/deployment-sync.js';
import {
  ago,
  buildDeployment,
  buildReplicaSet,
  buildState,
  type DeploymentFields,
} from '#support/rollout-builders.js';

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

  it.each<[string, DeploymentFields, readonly ReplicaSet[], string, string]>([
    [
      'available while maxUnavailable is kept',
      { replicas: 1 },
      [old, stuck],
      'True',
      'MinimumReplicasAvailable',
    ],
    ['not available below that', { replicas: 3 }, [old, stuck], 'False', 'MinimumReplicasUnavailable'],
    [
      'available with a quarter missing of four',
      { replicas: 4 },
      [buildReplicaSet({ revision: 2, replicas: 4, available: 3 })],
      'True',
      'MinimumReplicasAvailable',
    ],
  ])('Available: %s', (_sentence, fields, replicaSets, status, reason) => {
    expect(conditionOf(statusAfter(fields, replicaSets), 'Available')).toMatchObject({ status, reason });
  });

  it.each<[string, DeploymentFields, readonly ReplicaSet[], string | undefined, string]>([
    [
      'is complete once every pod is new and available',
      { status: { replicas: 2, updatedReplicas: 1 } },
      [buildReplicaSet({ revision: 2, replicas: 1, available: 1 })],
      'True',
      'NewReplicaSetAvailable',
    ],
    [
      'progresses while counts improve',
      {
        status: {
          ...deadlocked,
          updatedReplicas: 0,
          conditions: [progressing('NewReplicaSetCreated', 'True', 30)],
        },
      },
      [old, stuck],
      'True',
      'ReplicaSetUpdated',
    ],
    [
      'is unchanged without progress before the deadline',
      { status: { ...deadlocked, conditions: [progressing('ReplicaSetUpdated', 'True', 500)] } },
      [old, stuck],
      'True',
      'ReplicaSetUpdated',
    ],
    [
      'has until the very end of the deadline',
      { status: { ...deadlocked, conditions: [progressing('ReplicaSetUpdated', 'True', 600)] } },
      [old, stuck],
      'True',
      'ReplicaSetUpdated',
    ],
    [
      'fails once the deadline has passed',
      { status: { ...deadlocked, conditions: [progressing('ReplicaSetUpdated', 'True', 601)] } },
      [old, stuck],
      'False',
      'ProgressDeadlineExceeded',
    ],
    [
      'recovers with the next progress after the deadline',
      {
        status: {
          ...deadlocked,
          updatedReplicas: 0,
          conditions: [progressing('ProgressDeadlineExceeded', 'False', 60)],
        },
      },
      [old, stuck],
      'True',
      'ReplicaSetUpdated',
    ],
    [
      'does not fail for a completed rollout that loses pods',
      {
        status: {
          replicas: 1,
          updatedReplicas: 1,
          conditions: [progressing('NewReplicaSetAvailable', 'True', 9000)],
        },
      },
      [buildReplicaSet({ revision: 2, replicas: 1 })],
      'True',
      'NewReplicaSetAvailable',
    ],
    [
      'is added when the new ReplicaSet is found without it',
      { status: deadlocked },
      [old, stuck],
      'True',
      'FoundNewReplicaSet',
    ],
    [
      'is noted when the new ReplicaSet is made',
      { status: { replicas: 1, readyReplicas: 1, availableReplicas: 1 } },
      [old],
      'True',
      'NewReplicaSetCreated',
    ],
    [
      'has reason DeploymentPaused',
      { paused: true, status: { conditions: [progressing('ReplicaSetUpdated', 'True', 60)] } },
      [old],
      'Unknown',
      'DeploymentPaused',
    ],
    [
      'has reason DeploymentResumed',
      { status: { ...deadlocked, conditions: [progressing('DeploymentPaused', 'Unknown', 60)] } },
      [old, stuck],
      'Unknown',
      'DeploymentResumed',
    ],
    [
      'keeps the passed deadline of a paused Deployment',
      { paused: true, status: { conditions: [progressing('ProgressDeadlineExceeded', 'False', 60)] } },
      [old],
      'False',
      'ProgressDeadlineExceeded',
    ],
    [
      'is absent without a deadline',
      {
        progressDeadlineSeconds: 2_147_483_647,
        status: { conditions: [progressing('ReplicaSetUpdated', 'True', 60)] },
      },
      [old, stuck],
      undefined,
      '',
    ],
  ])('Progressing: %s', (_sentence, fields, replicaSets, status, reason) => {
    const condition = conditionOf(statusAfter(fields, replicaSets), 'Progressing');
    expect(condition?.status).toBe(status);
    expect(condition?.reason ?? '').toBe(reason);
  });

  it('moves lastUpdateTime with each progress and lastTransitionTime only with the status', () => {
    const status = {
      ...deadlocked,
      updatedReplicas: 0,
      conditions: [progressing('ReplicaSetUpdated', 'True', 60)],
    };
    expect(conditionOf(statusAfter({ status }, [old, stuck]), 'Progressing')).toMatchObject({
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
