import { describe, expect, it } from 'vitest';
import { DaemonSet, Deployment, StatefulSet } from '#src/core/cluster/workload.js';
import { type RolloutStatus, rolloutStatus } from '#src/core/rollout/rollout-status.js';
import { buildDeployment, buildTemplate } from '#support/rollout-builders.js';

const base = (spec: object, status: object) => ({
  metadata: { name: 'web', generation: 2 },
  spec: { selector: { matchLabels: { app: 'web' } }, template: buildTemplate('web:1'), ...spec },
  status: { observedGeneration: 2, ...status },
});

describe('rolloutStatus of a Deployment', () => {
  it.each<[string, object, RolloutStatus]>([
    [
      'the new spec has not been observed',
      { observedGeneration: 1 },
      { kind: 'waiting', for: 'observed', done: 0, of: 1 },
    ],
    [
      'an old failure does not count before the new spec is observed',
      {
        observedGeneration: 1,
        conditions: [{ type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded' }],
      },
      { kind: 'waiting', for: 'observed', done: 0, of: 1 },
    ],
    [
      'the deadline has passed',
      {
        updatedReplicas: 3,
        replicas: 3,
        availableReplicas: 3,
        conditions: [{ type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded' }],
      },
      { kind: 'failed', because: 'progress-deadline-exceeded' },
    ],
    [
      'pods are still to be updated',
      { replicas: 4, updatedReplicas: 1, availableReplicas: 3 },
      { kind: 'waiting', for: 'updated', done: 1, of: 3 },
    ],
    [
      'old pods still exist',
      { replicas: 4, updatedReplicas: 3, availableReplicas: 3 },
      { kind: 'waiting', for: 'old-terminated', done: 0, of: 1 },
    ],
    [
      'new pods are not available yet',
      { replicas: 3, updatedReplicas: 3, availableReplicas: 2 },
      { kind: 'waiting', for: 'available', done: 2, of: 3 },
    ],
    ['everything is done', { replicas: 3, updatedReplicas: 3, availableReplicas: 3 }, { kind: 'complete' }],
  ])('%s', (_sentence, status, expected) => {
    expect(rolloutStatus(buildDeployment({ replicas: 3, status }))).toEqual(expected);
  });

  it('counts a manifest that was never applied as not observed only when it has a generation', () => {
    const manifest = Deployment.parse({
      metadata: { name: 'web' },
      spec: { selector: {}, template: buildTemplate('web:1') },
    });
    expect(rolloutStatus(manifest)).toEqual({ kind: 'waiting', for: 'updated', done: 0, of: 1 });
  });
});

describe('rolloutStatus of a DaemonSet', () => {
  const rolling = { updateStrategy: { type: 'RollingUpdate' } };

  it.each<[string, object, object, RolloutStatus]>([
    ['OnDelete has no rollout', { updateStrategy: { type: 'OnDelete' } }, {}, { kind: 'not-followed' }],
    [
      'the new spec has not been observed',
      rolling,
      { observedGeneration: 1 },
      { kind: 'waiting', for: 'observed', done: 0, of: 1 },
    ],
    [
      'pods are still to be updated',
      rolling,
      { desiredNumberScheduled: 3, updatedNumberScheduled: 1, numberAvailable: 3 },
      { kind: 'waiting', for: 'updated', done: 1, of: 3 },
    ],
    [
      'pods are not available yet',
      rolling,
      { desiredNumberScheduled: 3, updatedNumberScheduled: 3, numberAvailable: 2 },
      { kind: 'waiting', for: 'available', done: 2, of: 3 },
    ],
    [
      'everything is done',
      rolling,
      { desiredNumberScheduled: 3, updatedNumberScheduled: 3, numberAvailable: 3 },
      { kind: 'complete' },
    ],
    ['no node is selected', rolling, {}, { kind: 'complete' }],
  ])('%s', (_sentence, spec, status, expected) => {
    expect(rolloutStatus(DaemonSet.parse(base(spec, status)))).toEqual(expected);
  });
});

describe('rolloutStatus of a StatefulSet', () => {
  const strategy = (partition?: number) => ({
    replicas: 3,
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: partition === undefined ? null : { partition } },
  });

  it.each<[string, object, object, RolloutStatus]>([
    ['OnDelete has no rollout', { updateStrategy: { type: 'OnDelete' } }, {}, { kind: 'not-followed' }],
    [
      'the controller has never observed it',
      strategy(),
      { observedGeneration: 0 },
      { kind: 'waiting', for: 'observed', done: 0, of: 1 },
    ],
    [
      'the new spec has not been observed',
      strategy(),
      { observedGeneration: 1 },
      { kind: 'waiting', for: 'observed', done: 0, of: 1 },
    ],
    [
      'pods are not ready',
      strategy(0),
      { readyReplicas: 2 },
      { kind: 'waiting', for: 'ready', done: 2, of: 3 },
    ],
    [
      'pods above the partition are still to be updated',
      strategy(1),
      { readyReplicas: 3, updatedReplicas: 1 },
      { kind: 'waiting', for: 'updated', done: 1, of: 2 },
    ],
    [
      'pods above the partition are updated',
      strategy(1),
      { readyReplicas: 3, updatedReplicas: 2 },
      { kind: 'complete' },
    ],
    [
      'the revision is not the current one yet',
      strategy(),
      { readyReplicas: 3, updatedReplicas: 2, currentRevision: 'a', updateRevision: 'b' },
      { kind: 'waiting', for: 'revision', done: 2, of: 3 },
    ],
    [
      'everything is done',
      strategy(),
      { readyReplicas: 3, updatedReplicas: 3, currentRevision: 'b', updateRevision: 'b' },
      { kind: 'complete' },
    ],
  ])('%s', (_sentence, spec, status, expected) => {
    expect(rolloutStatus(StatefulSet.parse(base(spec, status)))).toEqual(expected);
  });
});
