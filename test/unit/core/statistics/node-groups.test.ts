import { describe, expect, it } from 'vitest';
import { nodeGroups } from '#src/core/statistics/candidate.js';

describe('the label groups of nodes', () => {
  const attributes = new Map([
    [
      'a',
      [
        { name: 'zone', value: 'z1' },
        { name: 'pool', value: 'p1' },
        { name: 'os', value: 'linux' },
      ],
    ],
    [
      'b',
      [
        { name: 'zone', value: 'z1' },
        { name: 'pool', value: 'p1' },
        { name: 'os', value: 'linux' },
      ],
    ],
    [
      'c',
      [
        { name: 'zone', value: 'z2' },
        { name: 'pool', value: 'p1' },
        { name: 'os', value: 'linux' },
      ],
    ],
    [
      'd',
      [
        { name: 'zone', value: 'z3' },
        { name: 'os', value: 'linux' },
      ],
    ],
  ]);

  it('share a value, contain several but not all nodes, and are merged when they have the same nodes', () => {
    expect(nodeGroups(['a', 'b', 'c', 'd'], attributes)).toEqual([
      { nodes: ['a', 'b', 'c'], attributes: [{ name: 'pool', value: 'p1' }] },
      { nodes: ['a', 'b'], attributes: [{ name: 'zone', value: 'z1' }] },
    ]);
    expect(nodeGroups(['a', 'b', 'd'], attributes)).toEqual([
      {
        nodes: ['a', 'b'],
        attributes: [
          { name: 'pool', value: 'p1' },
          { name: 'zone', value: 'z1' },
        ],
      },
    ]);
    expect(nodeGroups(['x', 'y'], attributes)).toEqual([]);
  });
});
