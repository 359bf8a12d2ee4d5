import { describe, expect, it } from 'vitest';
import { scaledSizes } from '#src/engine/workloads/deployment-sync.js';
import { revisionsOf } from '#src/engine/workloads/revisions.js';
import { buildDeployment, buildReplicaSet } from '../../../support/rollout-builders.js';

interface Case {
  readonly from: number;
  readonly to: number;
  readonly sizes: readonly number[];
  readonly expected: readonly number[];
  readonly surgeBefore?: number;
  readonly surge?: number;
  readonly newExists?: boolean;
}

/** Oldest first; the last is the new one by default. */
function scaled(fields: Case): readonly number[] {
  const surge = fields.surge ?? 0;
  const annotations = {
    'deployment.kubernetes.io/desired-replicas': String(fields.from),
    'deployment.kubernetes.io/max-replicas': String(fields.from + (fields.surgeBefore ?? surge)),
  };
  const replicaSets = fields.sizes.map((replicas, position) =>
    buildReplicaSet({ revision: position + 1, replicas, available: replicas, annotations }),
  );
  const image = fields.newExists === false ? 'web:99' : `web:${fields.sizes.length}`;
  const deployment = buildDeployment({ replicas: fields.to, maxSurge: surge, maxUnavailable: 1, image });
  const resized = scaledSizes(deployment, revisionsOf({ deployment, replicaSets }));
  return replicaSets.map(
    (replicaSet) =>
      resized.find((one) => one.replicaSet === replicaSet)?.replicas ?? replicaSet.spec.replicas,
  );
}

describe('scaledSizes', () => {
  it.each<[string, Case]>([
    ['the only revision gets the new size, up', { from: 10, to: 12, sizes: [10], expected: [12] }],
    ['the only revision gets the new size, down', { from: 10, to: 5, sizes: [10], expected: [5] }],
    ['two revisions double', { from: 5, to: 10, sizes: [3, 2], expected: [6, 4] }],
    ['two revisions shrink in proportion', { from: 5, to: 3, sizes: [3, 2], expected: [2, 1] }],
    ['a small old revision shrinks to zero', { from: 9, to: 4, sizes: [1, 8], expected: [0, 4] }],
    ['three revisions grow', { from: 7, to: 10, sizes: [2, 3, 2], expected: [3, 4, 3] }],
    ['three revisions shrink', { from: 13, to: 8, sizes: [3, 8, 2], expected: [2, 5, 1] }],
    [
      'the remainder of a scale-up goes to the newest of equals',
      { from: 3, to: 4, sizes: [1, 1, 1], expected: [1, 1, 2] },
    ],
    [
      'the remainder of a scale-down is taken from the oldest of equals',
      { from: 3, to: 2, sizes: [1, 1, 1], expected: [0, 1, 1] },
    ],
    [
      'without a new revision the latest old one grows first',
      { from: 4, to: 5, sizes: [2, 2], expected: [2, 3], newExists: false },
    ],
    ['zero replicas empty all', { from: 6, to: 0, sizes: [1, 2, 3], expected: [0, 0, 0] }],
    ['from zero only the new revision grows', { from: 6, to: 6, sizes: [0, 0, 0], expected: [0, 0, 6] }],
    ['surge pods are part of the total', { from: 10, to: 20, sizes: [6, 6], expected: [11, 11], surge: 2 }],
    [
      'size and surge change together',
      { from: 10, to: 50, sizes: [8, 5], expected: [34, 22], surgeBefore: 3, surge: 6 },
    ],
    [
      'size and template change together',
      { from: 10, to: 14, sizes: [3, 7], expected: [4, 10], newExists: false },
    ],
    [
      'a product beyond 32 bits wraps round, and one revision loses all pods',
      { from: 100_000, to: 80_000, sizes: [50_000, 50_000], expected: [30_000, 50_000] },
    ],
    [
      'a negative size is refused, and no later ReplicaSet is resized',
      { from: 90_000, to: 148_000, sizes: [15_000, 75_000], expected: [15_000, 171_055] },
    ],
  ])('%s', (_sentence, fields) => {
    expect(scaled(fields)).toEqual(fields.expected);
  });

  it('scales old revisions to zero beside a complete new one', () => {
    const annotations = { 'deployment.kubernetes.io/desired-replicas': '2' };
    const deployment = buildDeployment({ replicas: 2 });
    const replicaSets = [
      buildReplicaSet({ revision: 1, replicas: 1, available: 1, annotations }),
      buildReplicaSet({ revision: 2, replicas: 2, available: 2, annotations }),
    ];
    expect(scaledSizes(deployment, revisionsOf({ deployment, replicaSets }))).toMatchObject([
      { replicas: 0, because: 'new-is-saturated' },
    ]);
  });

  it('keeps old pods beside a complete new revision that fails', () => {
    const annotations = {
      'deployment.kubernetes.io/desired-replicas': '2',
      'deployment.kubernetes.io/max-replicas': '3',
    };
    const deployment = buildDeployment({ replicas: 2, maxSurge: 1, maxUnavailable: 1 });
    const replicaSets = [
      buildReplicaSet({ revision: 1, replicas: 1, available: 1, annotations }),
      buildReplicaSet({ revision: 2, replicas: 2, available: 0, annotations }),
    ];
    expect(
      scaledSizes(deployment, revisionsOf({ deployment, replicaSets })).map(({ replicas }) => replicas),
    ).toEqual([2, 1]);
  });

  it('distributes nothing between several revisions under Recreate', () => {
    const deployment = buildDeployment({ replicas: 4, recreate: true });
    const replicaSets = [
      buildReplicaSet({ revision: 1, replicas: 1 }),
      buildReplicaSet({ revision: 2, replicas: 1 }),
    ];
    expect(scaledSizes(deployment, revisionsOf({ deployment, replicaSets }))).toEqual([]);
  });

  it('uses the reported size where the annotation is missing or not a number', () => {
    const deployment = buildDeployment({
      replicas: 8,
      maxSurge: 0,
      maxUnavailable: 1,
      status: { replicas: 4 },
    });
    const replicaSets = [
      buildReplicaSet({
        revision: 1,
        replicas: 3,
        annotations: { 'deployment.kubernetes.io/max-replicas': '-4' },
      }),
      buildReplicaSet({ revision: 2, replicas: 1 }),
    ];
    expect(
      scaledSizes(deployment, revisionsOf({ deployment, replicaSets })).map(({ replicas }) => replicas),
    ).toEqual([6, 2]);
  });
});
