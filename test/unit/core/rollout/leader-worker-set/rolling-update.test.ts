import { describe, expect, it } from 'vitest';
import {
  type GroupState,
  nextLeaderSetSize,
  type RollingUpdate,
} from '#src/core/rollout/leader-worker-set/rolling-update.js';

const ready = { ready: true, updated: false };
const done = { ready: true, updated: true };
const pending = { ready: false, updated: true };
const broken = { ready: false, updated: false };

interface Case {
  readonly replicas: number;
  readonly surge: number;
  readonly unavailable: number;
  readonly leaders: number;
  readonly partition: number;
  readonly groups: readonly GroupState[];
  readonly becomes: readonly [partition: number, replicas: number];
}

const updateOf = ({ replicas, surge, unavailable, leaders, partition, groups }: Case): RollingUpdate => ({
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
  it.each<Case & { readonly what: string }>([
    {
      what: 'stay while the surge group waits',
      ...{ replicas: 1, surge: 1, unavailable: 0, leaders: 2, partition: 1 },
      groups: [ready, pending],
      becomes: [1, 2],
    },
    {
      what: 'give up the surge group once maxSurge is 0',
      ...{ replicas: 1, surge: 0, unavailable: 1, leaders: 2, partition: 1 },
      groups: [ready, pending],
      becomes: [0, 1],
    },
    {
      what: 'stay while the surge group of two groups waits',
      ...{ replicas: 2, surge: 1, unavailable: 0, leaders: 3, partition: 2 },
      groups: [ready, ready, pending],
      becomes: [2, 3],
    },
    {
      what: 'let the next group go once the surge group is ready',
      ...{ replicas: 2, surge: 1, unavailable: 0, leaders: 3, partition: 2 },
      groups: [ready, ready, done],
      becomes: [1, 3],
    },
    {
      what: 'let one group go where one may be missing',
      ...{ replicas: 2, surge: 0, unavailable: 1, leaders: 2, partition: 2 },
      groups: [ready, ready],
      becomes: [1, 2],
    },
    {
      what: 'let an old group go beside waiting surge groups where one may be missing',
      ...{ replicas: 4, surge: 2, unavailable: 1, leaders: 6, partition: 4 },
      groups: [ready, ready, ready, ready, pending, pending],
      becomes: [3, 6],
    },
    {
      what: 'go on one at a time where no group is ready',
      ...{ replicas: 4, surge: 0, unavailable: 1, leaders: 4, partition: 4 },
      groups: [broken, broken, broken, broken],
      becomes: [3, 4],
    },
    {
      what: 'end with the wanted number and no partition',
      ...{ replicas: 2, surge: 1, unavailable: 0, leaders: 3, partition: 0 },
      groups: [done, done, done],
      becomes: [0, 2],
    },
    {
      what: 'wait with the update until a scale-up has its groups',
      ...{ replicas: 3, surge: 0, unavailable: 1, leaders: 2, partition: 2 },
      groups: [ready, ready],
      becomes: [2, 3],
    },
  ])('$what', ({ becomes, ...update }) => {
    expect(next(updateOf({ becomes, ...update }))).toEqual(becomes);
  });

  const resting = updateOf({
    ...{ replicas: 2, surge: 1, unavailable: 0, leaders: 2, partition: 0 },
    groups: [done, done],
    becomes: [0, 2],
  });

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
