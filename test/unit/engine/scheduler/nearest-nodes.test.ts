import { describe, expect, it } from 'vitest';
import { nearest } from '#src/engine/scheduler/verdict.js';
import { node, placementOf, pod } from '../../../support/placement-builders.js';

const gpu = (count: string) => ({ allocatable: { 'nvidia.com/gpu': count } });

/** The nodes by what they lack for the pod, nearest first. */
function order(
  nodes: readonly ReturnType<typeof node>[],
  waiting: ReturnType<typeof pod>,
  others = [] as ReturnType<typeof pod>[],
) {
  const placement = placementOf({ Node: [...nodes], Pod: others });
  return nearest(
    nodes.map((each) => placement.check(waiting, each)),
    9,
  ).map((each) => each.node);
}

describe('the nodes nearest to taking a pod', () => {
  it.each<[string, Record<string, string>, Record<string, string>, Record<string, string>]>([
    ['cpu', { cpu: '8' }, { cpu: '7' }, { cpu: '2' }],
    ['memory', { memory: '8Gi' }, { memory: '7Gi' }, { memory: '2Gi' }],
    [
      'ephemeral storage',
      { 'ephemeral-storage': '8Gi' },
      { 'ephemeral-storage': '7Gi' },
      { 'ephemeral-storage': '2Gi' },
    ],
    ['a device', { 'nvidia.com/gpu': '4' }, { 'nvidia.com/gpu': '3' }, { 'nvidia.com/gpu': '1' }],
  ])('lack the least %s', (_, requests, most, least) => {
    const nodes = [node('a-far', { allocatable: least }), node('b-near', { allocatable: most })];
    expect(order(nodes, pod('new', { requests }))).toEqual(['b-near', 'a-far']);
  });

  it('are those where other pods hold what is missing, before those that are too small', () => {
    const old = pod('old', { on: 'b-full', requests: { 'nvidia.com/gpu': '1' } });
    const nodes = [node('a-none'), node('b-full', gpu('1'))];
    expect(order(nodes, pod('new', { requests: { 'nvidia.com/gpu': '1' } }), [old])).toEqual([
      'b-full',
      'a-none',
    ]);
  });

  it('lack one thing rather than two', () => {
    const taints = [{ key: 'team', effect: 'NoSchedule' }];
    const nodes = [
      node('a-both', { taints }),
      node('b-tainted', { ...gpu('1'), taints }),
      node('c-fits', gpu('1')),
    ];
    expect(order(nodes, pod('new', { requests: { 'nvidia.com/gpu': '1' } }))).toEqual([
      'c-fits',
      'b-tainted',
      'a-both',
    ]);
  });

  it('meet more of the requirements on their labels', () => {
    const key = (name: string) => ({ key: name, operator: 'In', values: ['x'] });
    const affinity = {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [key('one'), key('two')] }],
        },
      },
    };
    const nodes = [node('a-none'), node('b-one', { labels: { one: 'x' } })];
    expect(order(nodes, pod('new', { spec: { affinity } }))).toEqual(['b-one', 'a-none']);
  });

  it('are sorted by name where they lack the same', () => {
    expect(order([node('b'), node('a')], pod('new', { requests: { cpu: '8' } }))).toEqual(['a', 'b']);
  });
});
