import { describe, expect, it } from 'vitest';
import { nodeGroups } from '#src/engine/statistics/node-concentration.js';

describe('the label groups of nodes', () => {
  const labels = (fields: Readonly<Record<string, string>>) =>
    Object.entries(fields).map(([name, value]) => ({ name, value }));
  const attributes = new Map([
    ['a', labels({ zone: 'z1', pool: 'p1', os: 'linux' })],
    ['b', labels({ zone: 'z1', pool: 'p1', os: 'linux' })],
    ['c', labels({ zone: 'z2', pool: 'p1', os: 'linux' })],
    ['d', labels({ zone: 'z3', os: 'linux' })],
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
