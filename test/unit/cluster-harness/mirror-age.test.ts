import { describe, expect, it } from 'vitest';
import { hasCaughtUp } from '../../cluster/random/mirror-age.js';

type Written = readonly [uid: string, version: number];

const objects = (all: readonly Written[]) =>
  all.map(([uid, version]) => ({ metadata: { uid, resourceVersion: String(version) } }));

describe('a watch has shown what a later list holds', () => {
  it.each<readonly [string, readonly Written[], readonly Written[], number, boolean]>([
    ['when nothing is there', [], [], 0, true],
    ['when the same versions were seen', [['a', 5]], [['a', 5]], 5, true],
    [
      'not while a created object is missing',
      [
        ['a', 5],
        ['b', 9],
      ],
      [['a', 5]],
      5,
      false,
    ],
    ['not while a change is missing', [['a', 9]], [['a', 5]], 5, false],
    [
      'not while a deletion is missing',
      [['a', 5]],
      [
        ['a', 5],
        ['b', 7],
      ],
      7,
      false,
    ],
    ['not while the only object is still to be deleted', [], [['b', 7]], 7, false],
    ['when the watch is ahead by a change', [['a', 9]], [['a', 12]], 12, true],
    [
      'when the watch is ahead by a creation',
      [['a', 9]],
      [
        ['a', 9],
        ['c', 11],
      ],
      11,
      true,
    ],
    [
      'when the watch is ahead by a deletion',
      [
        ['a', 5],
        ['b', 9],
      ],
      [['a', 5]],
      12,
      true,
    ],
    ['when the numbers of digits differ', [['a', 9]], [['a', 10]], 10, true],
  ])('%s', (_, listed, mirrored, seenUpTo, expected) => {
    const list = { metadata: { resourceVersion: '10' }, items: objects(listed) };
    expect(hasCaughtUp(list, objects(mirrored), seenUpTo)).toBe(expected);
  });
});
