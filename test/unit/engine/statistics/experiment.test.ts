import { describe, expect, it } from 'vitest';
import type { Incarnation } from '#src/engine/statistics/incarnation.js';
import { confoundedRevision, experimentFor } from '#src/engine/statistics/node-concentration.js';
import { incarnations } from './incarnations.js';

describe('the experiment for a suspected node', () => {
  it('recreates crashed pods of the suspect on nodes with healthy pods, at most five', () => {
    const all = [
      ...incarnations({
        x: [1, 2],
        a: [0, 1],
        b: [1, 1],
        c: [0, 2],
        d: [0, 1],
        e: [0, 1],
        f: [0, 1],
        g: [0, 1],
      }),
      ...incarnations({ z: [0, 3] }, 'DaemonSet/shop/other'),
    ];
    const experiment = experimentFor(all, 'x');

    expect(experiment).toMatchObject({ recreate: 'Deployment/shop/api/r1/x/0' });
    expect(experiment?.onto).toEqual(['a', 'c', 'd', 'e', 'f']);
  });

  it('is undefined where no pod crashed on the suspect', () => {
    expect(experimentFor(incarnations({ x: [0, 2], a: [1, 2] }), 'x')).toBeUndefined();
  });
});

describe('a node that is indistinguishable from a revision', () => {
  const old = incarnations({ b: [0, 3], c: [0, 3], d: [0, 3] }, undefined, 'r1');

  it.each<readonly [string, readonly Incarnation[], { node: string; revision: string } | undefined]>([
    [
      'is the only node that runs the crashing revision',
      [...old, ...incarnations({ x: [2, 3] }, undefined, 'r2')],
      { node: 'x', revision: 'r2' },
    ],
    [
      'is the node with nearly all pods of that revision, where pooled revisions would blame it',
      [...old, ...incarnations({ x: [3, 3], b: [0, 1] }, undefined, 'r2')],
      { node: 'x', revision: 'r2' },
    ],
    [
      'is none, where the revision runs on two nodes with one crash',
      [...old, ...incarnations({ x: [1, 1], b: [0, 1] }, undefined, 'r2')],
      undefined,
    ],
    [
      'is none, where both revisions crash on it',
      [
        ...old,
        ...incarnations({ x: [1, 1] }, undefined, 'r1'),
        ...incarnations({ x: [2, 2] }, undefined, 'r2'),
      ],
      undefined,
    ],
    ['is none, where there is one revision only', incarnations({ x: [1, 1] }), undefined],
    [
      'is none, where the other revisions ran on the same node only',
      [...incarnations({ x: [0, 2] }, undefined, 'r1'), ...incarnations({ x: [1, 1] }, undefined, 'r2')],
      undefined,
    ],
    [
      'is none, where the other revision is not healthy elsewhere either',
      [...incarnations({ b: [1, 1] }, undefined, 'r1'), ...incarnations({ x: [1, 1] }, undefined, 'r2')],
      undefined,
    ],
    [
      'is none, where only another workload is healthy elsewhere',
      [
        ...incarnations({ b: [0, 9] }, 'Deployment/shop/other', 'r1'),
        ...incarnations({ x: [3, 3] }, undefined, 'r2'),
      ],
      undefined,
    ],
    ['is none, where no pod crashed', old, undefined],
  ])('%s', (_, all, expected) => {
    expect(confoundedRevision(all, 0.05)).toEqual(expected);
  });
});
