import { describe, expect, it } from 'vitest';
import {
  type GroupState,
  nextLeaderSetSize,
  type RollingUpdate,
} from '#src/engine/workloads/leader-worker-set/leader-set.js';

const ready = { ready: true, updated: false };
const done = { ready: true, updated: true };
const pending = { ready: false, updated: true };
const broken = { ready: false, updated: false };

/**
 * Replicas, maxSurge and maxUnavailable; size and partition of the StatefulSet of the leaders; and its
 * groups.
 */
type Given = readonly [
  bounds: readonly [replicas: number, surge: number, unavailable: number],
  leaderSet: readonly [replicas: number, partition: number],
  groups: readonly GroupState[],
];

const updateOf = (
  ...[[replicas, surge, unavailable], [leaders, partition], groups]: Given
): RollingUpdate => ({
  replicas,
  bounds: { surge, unavailable },
  lowestPartition: 0,
  leaderSet: { replicas: leaders, partition },
  isNewTemplate: false,
  isScaled: false,
  groups,
});

const next = (update: RollingUpdate): readonly [number, number] => {
  const { partition, replicas } = nextLeaderSetSize(update);
  return [partition, replicas];
};

describe('size and partition of the StatefulSet of the leaders', () => {
  const four = (group: GroupState) => [group, group, group, group];
  it.each<readonly [string, ...Given, becomes: readonly [partition: number, replicas: number]]>([
    ['stay while the surge group waits', [1, 1, 0], [2, 1], [ready, pending], [1, 2]],
    ['give up the surge group once maxSurge is 0', [1, 0, 1], [2, 1], [ready, pending], [0, 1]],
    ['stay while the third group, of two, waits', [2, 1, 0], [3, 2], [ready, ready, pending], [2, 3]],
    ['let the next group go once the surge group is ready', [2, 1, 0], [3, 2], [ready, ready, done], [1, 3]],
    ['let one group go where one may be missing', [2, 0, 1], [2, 2], [ready, ready], [1, 2]],
    [
      'let an old group go beside waiting surge groups where one may be missing',
      [4, 2, 1],
      [6, 4],
      [...four(ready), pending, pending],
      [3, 6],
    ],
    ['go on one at a time where no group is ready', [4, 0, 1], [4, 4], four(broken), [3, 4]],
    ['end with the wanted number and no partition', [2, 1, 0], [3, 0], [done, done, done], [0, 2]],
    ['wait with the update until a scale-up has its groups', [3, 0, 1], [2, 2], [ready, ready], [2, 3]],
  ])('%s', (_, bounds, leaderSet, groups, becomes) => {
    expect(next(updateOf(bounds, leaderSet, groups))).toEqual(becomes);
  });

  const resting = updateOf([2, 1, 0], [2, 0], [done, done]);

  it('begin a new template with a surge group and no old group released', () => {
    expect(next({ ...resting, isNewTemplate: true })).toEqual([2, 3]);
  });

  it('scale up before a new template is rolled out', () => {
    expect(next({ ...resting, replicas: 4, isNewTemplate: true })).toEqual([2, 4]);
  });

  it('never go below the partition of the LeaderWorkerSet', () => {
    expect(next({ ...resting, lowestPartition: 1 })).toEqual([1, 2]);
  });

  it('begin without a partition', () => {
    expect(next({ ...resting, leaderSet: undefined, groups: [] })).toEqual([0, 2]);
  });
});
