import { describe, expect, it } from 'vitest';
import { DaemonSet, Deployment, StatefulSet, type Workload } from '#src/engine/objects/workload.js';
import { rolloutStatus } from '#src/engine/workloads/rollout-status.js';
import { buildDeployment, buildTemplate } from '../../../support/rollout-builders.js';

/** `waiting for updated: 1 of 3`, `complete` and the like. */
function said(workload: Workload): string {
  const status = rolloutStatus(workload);
  if (status.kind === 'waiting') return `waiting for ${status.for}: ${status.done} of ${status.of}`;
  return status.kind === 'failed' ? `failed: ${status.because}` : status.kind;
}

const expired = { type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded' };
const counts = (replicas: number, updatedReplicas: number, availableReplicas: number) => ({
  ...{ replicas, updatedReplicas, availableReplicas },
});
const scheduled = (updatedNumberScheduled: number, numberAvailable: number) => ({
  ...{ desiredNumberScheduled: 3, updatedNumberScheduled, numberAvailable },
});

const base = (spec: object, status: object) => ({
  metadata: { name: 'web', generation: 2 },
  spec: { selector: { matchLabels: { app: 'web' } }, template: buildTemplate('web:1'), ...spec },
  status: { observedGeneration: 2, ...status },
});

describe('rolloutStatus of a Deployment', () => {
  it.each<[string, object, string]>([
    ['the new spec has not been observed', { observedGeneration: 1 }, 'waiting for observed: 0 of 1'],
    [
      'an old failure does not count before the new spec is observed',
      { observedGeneration: 1, conditions: [expired] },
      'waiting for observed: 0 of 1',
    ],
    [
      'the deadline has passed',
      { ...counts(3, 3, 3), conditions: [expired] },
      'failed: progress-deadline-exceeded',
    ],
    ['pods are still to be updated', counts(4, 1, 3), 'waiting for updated: 1 of 3'],
    ['old pods still exist', counts(4, 3, 3), 'waiting for old-terminated: 0 of 1'],
    ['new pods are not available yet', counts(3, 3, 2), 'waiting for available: 2 of 3'],
    ['everything is done', counts(3, 3, 3), 'complete'],
  ])('%s', (_sentence, status, expected) => {
    expect(said(buildDeployment({ replicas: 3, status }))).toBe(expected);
  });

  it('counts a manifest that was never applied as not observed only when it has a generation', () => {
    const manifest = Deployment.parse({
      metadata: { name: 'web' },
      spec: { selector: {}, template: buildTemplate('web:1') },
    });
    expect(said(manifest)).toBe('waiting for updated: 0 of 1');
  });
});

describe('rolloutStatus of a DaemonSet', () => {
  const rolling = { updateStrategy: { type: 'RollingUpdate' } };

  it.each<[string, object, object, string]>([
    ['OnDelete has no rollout', { updateStrategy: { type: 'OnDelete' } }, {}, 'not-followed'],
    [
      'the new spec has not been observed',
      rolling,
      { observedGeneration: 1 },
      'waiting for observed: 0 of 1',
    ],
    ['pods are still to be updated', rolling, scheduled(1, 3), 'waiting for updated: 1 of 3'],
    ['pods are not available yet', rolling, scheduled(3, 2), 'waiting for available: 2 of 3'],
    ['everything is done', rolling, scheduled(3, 3), 'complete'],
    ['no node is selected', rolling, {}, 'complete'],
  ])('%s', (_sentence, spec, status, expected) => {
    expect(said(DaemonSet.parse(base(spec, status)))).toBe(expected);
  });
});

describe('rolloutStatus of a StatefulSet', () => {
  const strategy = (partition?: number) => ({
    replicas: 3,
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: partition === undefined ? null : { partition } },
  });

  it.each<[string, object, object, string]>([
    ['OnDelete has no rollout', { updateStrategy: { type: 'OnDelete' } }, {}, 'not-followed'],
    [
      'the controller has never observed it',
      strategy(),
      { observedGeneration: 0 },
      'waiting for observed: 0 of 1',
    ],
    [
      'the new spec has not been observed',
      strategy(),
      { observedGeneration: 1 },
      'waiting for observed: 0 of 1',
    ],
    ['pods are not ready', strategy(0), { readyReplicas: 2 }, 'waiting for ready: 2 of 3'],
    [
      'pods above the partition are still to be updated',
      strategy(1),
      { readyReplicas: 3, updatedReplicas: 1 },
      'waiting for updated: 1 of 2',
    ],
    [
      'pods above the partition are updated',
      strategy(1),
      { readyReplicas: 3, updatedReplicas: 2 },
      'complete',
    ],
    [
      'the revision is not the current one yet',
      strategy(),
      { readyReplicas: 3, updatedReplicas: 2, currentRevision: 'a', updateRevision: 'b' },
      'waiting for revision: 2 of 3',
    ],
    [
      'everything is done',
      strategy(),
      { readyReplicas: 3, updatedReplicas: 3, currentRevision: 'b', updateRevision: 'b' },
      'complete',
    ],
  ])('%s', (_sentence, spec, status, expected) => {
    expect(said(StatefulSet.parse(base(spec, status)))).toBe(expected);
  });
});
