import { describe, expect, it } from 'vitest';
import { canaryBounds } from '#src/engine/workloads/argo-rollout/canary-steps.js';
import { basicCanarySizes, weightedSizes } from '#src/engine/workloads/argo-rollout/main-replica-sets.js';
import { rolesOf } from '#src/engine/workloads/argo-rollout/replica-set-roles.js';
import { buildArgoReplicaSet, buildArgoRollout } from '../../../../support/argo-rollout-builders.js';

/** `size/available` of a ReplicaSet. */
type Present = readonly [size: number, available: number];

interface Vector {
  readonly replicas: number;
  readonly weight: number;
  readonly surge?: number | string;
  readonly unavailable?: number | string;
  readonly fresh: Present;
  readonly stable: Present;
  readonly gives: readonly [fresh: number, stable: number];
}

const vectors: readonly Vector[] = [
  { replicas: 1, weight: 100, fresh: [1, 0], stable: [1, 1], gives: [1, 1] },
  { replicas: 1, weight: 100, fresh: [1, 0], stable: [1, 0], gives: [1, 1] },
  { replicas: 1, weight: 100, surge: 0, unavailable: 1, fresh: [1, 0], stable: [1, 1], gives: [1, 0] },
  { replicas: 1, weight: 100, surge: 0, unavailable: 1, fresh: [0, 0], stable: [1, 1], gives: [0, 0] },
  { replicas: 1, weight: 20, surge: 0, unavailable: 1, fresh: [1, 0], stable: [1, 1], gives: [0, 1] },
  { replicas: 1, weight: 20, fresh: [1, 0], stable: [1, 1], gives: [1, 1] },
  { replicas: 3, weight: 34, fresh: [1, 0], stable: [3, 3], gives: [1, 3] },
  { replicas: 4, weight: 25, fresh: [0, 0], stable: [4, 4], gives: [1, 3] },
  { replicas: 4, weight: 25, fresh: [1, 0], stable: [4, 4], gives: [1, 3] },
  { replicas: 4, weight: 50, fresh: [2, 0], stable: [3, 3], gives: [2, 3] },
  { replicas: 10, weight: 30, surge: 3, unavailable: 0, fresh: [0, 0], stable: [10, 10], gives: [3, 10] },
  { replicas: 10, weight: 30, surge: 0, unavailable: 5, fresh: [0, 0], stable: [10, 10], gives: [0, 7] },
  { replicas: 10, weight: 100, fresh: [3, 0], stable: [8, 8], gives: [5, 8] },
  { replicas: 10, weight: 10, surge: 1, unavailable: 1, fresh: [0, 0], stable: [10, 10], gives: [1, 9] },
  // 1 of 11 pods is closer to 5 % than 1 of 10.
  { replicas: 10, weight: 5, surge: 1, unavailable: 1, fresh: [0, 0], stable: [10, 10], gives: [1, 10] },
  { replicas: 1, weight: 5, surge: 1, unavailable: 0, fresh: [0, 0], stable: [1, 1], gives: [1, 1] },
  { replicas: 1, weight: 95, surge: 1, unavailable: 0, fresh: [0, 0], stable: [1, 1], gives: [1, 1] },
];

describe('the sizes of a canary without a traffic router', () => {
  it.each(vectors)(
    'are $gives of $replicas replicas at weight $weight from $fresh and $stable (surge $surge, unavailable $unavailable)',
    ({ replicas, weight, surge, unavailable, fresh, stable, gives }) => {
      const rollout = buildArgoRollout({
        replicas,
        canary: {
          steps: [{ setWeight: weight }],
          ...(surge === undefined ? {} : { maxSurge: surge }),
          ...(unavailable === undefined ? {} : { maxUnavailable: unavailable }),
        },
      });
      const sets = [
        buildArgoReplicaSet({ hash: 'new', replicas: fresh[0], available: fresh[1] }),
        buildArgoReplicaSet({ hash: 'stable', replicas: stable[0], available: stable[1] }),
      ];
      const sizes = basicCanarySizes(rollout, rolesOf(rollout, sets));
      expect([sizes.canary, sizes.stable]).toEqual(gives);
    },
  );

  it('shrinks neither of the two while a third revision has replicas', () => {
    const rollout = buildArgoRollout({ replicas: 4, canary: { maxSurge: 1, maxUnavailable: 1 } });
    const sets = [
      buildArgoReplicaSet({ hash: 'new', replicas: 0 }),
      buildArgoReplicaSet({ hash: 'between', replicas: 1 }),
      buildArgoReplicaSet({ hash: 'stable', replicas: 3 }),
    ];
    expect(basicCanarySizes(rollout, rolesOf(rollout, sets))).toEqual({ canary: 1, stable: 3 });
  });

  it.each([
    { replicas: 1, weight: 20, surge: 0, gives: { canary: 0, stable: 1 } },
    { replicas: 1, weight: 20, surge: 1, gives: { canary: 1, stable: 1 } },
    { replicas: 3, weight: 50, surge: 0, gives: { canary: 2, stable: 1 } },
    { replicas: 3, weight: 50, surge: 1, gives: { canary: 2, stable: 2 } },
    { replicas: 5, weight: 1, surge: 0, gives: { canary: 1, stable: 4 } },
    { replicas: 5, weight: 99, surge: 0, gives: { canary: 4, stable: 1 } },
    { replicas: 0, weight: 50, surge: 0, gives: { canary: 0, stable: 0 } },
  ])(
    'approximate weight $weight of $replicas replicas with surge $surge',
    ({ replicas, weight, surge, gives }) => {
      expect(weightedSizes(replicas, weight, 100, surge)).toEqual(gives);
    },
  );
});

describe('the bounds of a canary', () => {
  it.each([
    { replicas: 4, canary: {}, gives: { maxSurge: 1, maxUnavailable: 1 } },
    { replicas: 1, canary: {}, gives: { maxSurge: 1, maxUnavailable: 0 } },
    {
      replicas: 3,
      canary: { maxSurge: 0, maxUnavailable: '25%' },
      gives: { maxSurge: 0, maxUnavailable: 1 },
    },
    { replicas: 8, canary: { maxSurge: '50', maxUnavailable: 0 }, gives: { maxSurge: 4, maxUnavailable: 0 } },
    { replicas: 2, canary: { maxSurge: 0, maxUnavailable: 5 }, gives: { maxSurge: 0, maxUnavailable: 2 } },
  ])('of $replicas replicas and $canary are $gives', ({ replicas, canary, gives }) => {
    expect(canaryBounds(buildArgoRollout({ replicas, canary }))).toEqual(gives);
  });
});
