import { describe, expect, it } from 'vitest';
import { isAtRest } from '#src/engine/neighbours/owned-pods.js';
import type { Workload } from '#src/engine/objects/workload.js';
import { buildArgoRollout } from '../../../support/argo-rollout-builders.js';
import { buildDeployment, type DeploymentFields } from '../../../support/rollout-builders.js';
import { buildSet } from '../../../support/stateful-set-builders.js';

const complete = { replicas: 2, updatedReplicas: 2 };
const deployment = (status: object, fields: DeploymentFields = {}): Workload =>
  buildDeployment({ replicas: 2, status, ...fields });

describe('a workload', () => {
  it.each<readonly [string, Workload]>([
    ['whose pods are all of the new revision', deployment(complete)],
    [
      'that is paused while its new ReplicaSet lacks a replica',
      deployment({ replicas: 3, updatedReplicas: 1 }, { paused: true }),
    ],
    ['of one revision (StatefulSet)', buildSet({ status: { currentRevision: 'db-2', replicas: 3 } })],
    ['that waits for a person (OnDelete)', buildSet({ onDelete: true, status: { replicas: 3 } })],
    ['whose partition is above every ordinal', buildSet({ partition: 3, status: { replicas: 3 } })],
    [
      'of one revision (Rollout)',
      buildArgoRollout({ replicas: 2, status: { replicas: 2, updatedReplicas: 2 } }),
    ],
  ])('rests %s', (_, workload) => {
    expect(isAtRest(workload)).toBe(true);
  });

  it.each<readonly [string, Workload]>([
    ['that has an old pod', deployment({ replicas: 3, updatedReplicas: 2 })],
    ['that lacks a new pod', deployment({ replicas: 2, updatedReplicas: 1 })],
    ['whose controller has not seen its last change', deployment({ ...complete, observedGeneration: 1 })],
    ['that is being deleted', deployment(complete, { deleted: true })],
    ['that is to have fewer pods', deployment({ replicas: 3, updatedReplicas: 3 })],
    [
      'that is paused and has all new pods, since its old ones are scaled down',
      deployment({ replicas: 3, updatedReplicas: 2 }, { paused: true }),
    ],
    ['of two revisions (StatefulSet)', buildSet({ status: { replicas: 3 } })],
    [
      'of two revisions (Rollout)',
      buildArgoRollout({ replicas: 2, status: { replicas: 3, updatedReplicas: 1 } }),
    ],
  ])('does not rest %s', (_, workload) => {
    expect(isAtRest(workload)).toBe(false);
  });
});
