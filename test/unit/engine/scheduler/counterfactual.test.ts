import { describe, expect, test } from 'vitest';
import type { Pod } from '#src/engine/objects/pod.js';
import type { NodeCounterfactual } from '#src/engine/scheduler/counterfactual.js';
import {
  claim,
  names,
  node,
  type PodShape,
  placementOf,
  pod,
  type SpecWire,
  volume,
} from '../../../support/placement-builders.js';

const ZONE = 'topology.kubernetes.io/zone';
const gpus = (name: string, count: string) => node(name, { allocatable: { 'nvidia.com/gpu': count } });
const using = (name: string, on: string, count = '1') =>
  pod(name, { on, requests: { 'nvidia.com/gpu': count } });
const wanting = (count = '1', more: PodShape = {}) =>
  pod('new', { requests: { 'nvidia.com/gpu': count }, ...more });
const removed = (answer: NodeCounterfactual | undefined) =>
  answer === undefined ? undefined : names(answer.remove);

describe('the pods to remove for a pod to fit', () => {
  test('are none, where it fits already', () => {
    const answer = placementOf({ Node: [gpus('n1', '1')] }).wouldFitIf(wanting(), []);
    expect(answer.best).toEqual({ node: 'n1', remove: [], alternatives: [], smallest: true, certain: true });
  });

  test('are the one pod that has the only GPU', () => {
    const old = using('old', 'n1');
    const answer = placementOf({ Node: [node('n0'), gpus('n1', '1')], Pod: [old] }).wouldFitIf(wanting(), [
      old,
    ]);
    expect(answer.nodes).toHaveLength(1);
    expect(answer.best).toMatchObject({ node: 'n1', smallest: true, certain: true });
    expect(removed(answer.best)).toEqual(['old']);
  });

  test('are either of two: one is chosen by name, the other named as an alternative', () => {
    const pods = [using('b', 'n1'), using('a', 'n1')];
    const { best } = placementOf({ Node: [gpus('n1', '2')], Pod: pods }).wouldFitIf(wanting(), pods);
    expect(removed(best)).toEqual(['a']);
    expect(best?.alternatives.map(names)).toEqual([['b']]);
  });

  test('are two, when the template has grown', () => {
    const pods = [using('a', 'n1'), using('b', 'n1'), using('c', 'n1')];
    const { best } = placementOf({ Node: [gpus('n1', '3')], Pod: pods }).wouldFitIf(wanting('2'), pods);
    expect(removed(best)).toEqual(['a', 'b']);
    expect(best?.alternatives.map(names)).toEqual([
      ['a', 'c'],
      ['b', 'c'],
    ]);
  });

  test('are all of 5,000, where fewer do not free enough', () => {
    const pods = Array.from({ length: 5_000 }, (_, position) => using(`old-${position}`, 'n1'));
    const { best } = placementOf({ Node: [gpus('n1', '1')], Pod: pods }).wouldFitIf(wanting(), pods);
    expect(best?.remove).toHaveLength(5_000);
    expect(best).toMatchObject({ smallest: true, certain: true });
  });

  test('are one large pod rather than several small ones', () => {
    const pods = [using('a', 'n1'), using('b', 'n1'), using('large', 'n1', '2')];
    const { best } = placementOf({ Node: [gpus('n1', '4')], Pod: pods }).wouldFitIf(wanting('2'), pods);
    expect(removed(best)).toEqual(['large']);
  });

  test('are small ones of the right kinds, when no single pod frees both resources', () => {
    const pods = [
      pod('cpu', { on: 'n1', requests: { cpu: '4' } }),
      pod('mem', { on: 'n1', requests: { memory: '8Gi' } }),
      pod('idle', { on: 'n1' }),
    ];
    const wanted = pod('new', { requests: { cpu: '1', memory: '1Gi' } });
    expect(removed(placementOf({ Node: [node('n1')], Pod: pods }).wouldFitIf(wanted, pods).best)).toEqual([
      'cpu',
      'mem',
    ]);
  });

  test('do not exist, when only the pod of another workload would help', () => {
    const mine = pod('mine', { on: 'n1' });
    const answer = placementOf({ Node: [gpus('n1', '1')], Pod: [mine, using('theirs', 'n1')] }).wouldFitIf(
      wanting(),
      [mine],
    );
    expect(answer).toEqual({ nodes: [], best: undefined });
  });

  test.each([
    ['a taint', gpus('n1', '1'), { taints: [{ key: 'k', effect: 'NoSchedule' }] }],
    ['a cordon', gpus('n1', '1'), { unschedulable: true }],
  ])('do not exist, when %s blocks the node too', (_, __, more) => {
    const old = using('old', 'n1');
    const closed = node('n1', { allocatable: { 'nvidia.com/gpu': '1' }, ...more });
    expect(placementOf({ Node: [closed], Pod: [old] }).wouldFitIf(wanting(), [old]).nodes).toEqual([]);
  });

  test('do not exist, when the node could never have enough', () => {
    const old = using('old', 'n1');
    expect(
      placementOf({ Node: [gpus('n1', '1')], Pod: [old] }).wouldFitIf(wanting('2'), [old]).nodes,
    ).toEqual([]);
  });

  test('do not exist, while the pod itself is refused', () => {
    const old = using('old', 'n1');
    const placement = placementOf({ Node: [gpus('n1', '1')], Pod: [old] });
    expect(placement.wouldFitIf(wanting('1', { claim: 'missing' }), [old]).nodes).toEqual([]);
  });

  test('are listed for every node, the smallest sets first', () => {
    const pods = [using('a', 'n1'), using('b', 'n1'), using('c', 'n2', '2')];
    const nodes = [gpus('n1', '2'), gpus('n2', '2'), gpus('n3', '1')];
    const answer = placementOf({ Node: nodes, Pod: [...pods, using('foreign', 'n3')] }).wouldFitIf(
      wanting('2'),
      pods,
    );
    expect(answer.nodes.map((one) => [one.node, names(one.remove)])).toEqual([
      ['n2', ['c']],
      ['n1', ['a', 'b']],
    ]);
  });

  test('are listed for one node when only that node is requested', () => {
    const old = using('old', 'n1');
    const placement = placementOf({ Node: [gpus('n1', '1'), gpus('n2', '1')], Pod: [old] });
    expect(placement.wouldFitIf(wanting(), [old], gpus('n1', '1')).nodes.map((one) => one.node)).toEqual([
      'n1',
    ]);
  });

  test('are those that free a pod slot', () => {
    const old = pod('old', { on: 'n1' });
    const tight = node('n1', { allocatable: { pods: '1' } });
    expect(removed(placementOf({ Node: [tight], Pod: [old] }).wouldFitIf(pod('new'), [old]).best)).toEqual([
      'old',
    ]);
  });
});

describe('the pods to remove for rules across nodes', () => {
  const zoned = (name: string, zone: string) => node(name, { labels: { [ZONE]: zone } });
  const nodes = [zoned('a1', 'a'), zoned('a2', 'a'), zoned('b1', 'b')];
  const web = (name: string, on: string) => pod(name, { on, labels: { app: 'web' } });
  const selector = { topologyKey: ZONE, labelSelector: { matchLabels: { app: 'web' } } };
  const avoiding = {
    affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [selector] } },
  } as SpecWire;

  test('are all pods in the zone for anti-affinity by zone, on any node of it', () => {
    const pods = [web('w1', 'a1'), web('w2', 'a1'), web('w3', 'b1')];
    const answer = placementOf({ Node: nodes, Pod: pods }).wouldFitIf(pod('new', { spec: avoiding }), pods);
    expect(answer.nodes.map((one) => [one.node, names(one.remove)])).toEqual([
      ['b1', ['w3']],
      ['a1', ['w1', 'w2']],
      ['a2', ['w1', 'w2']],
    ]);
  });

  test('do not exist for anti-affinity while one matching pod stays', () => {
    const pods = [web('w1', 'a1'), web('w2', 'a1')];
    const answer = placementOf({ Node: nodes.slice(0, 2), Pod: pods }).wouldFitIf(
      pod('new', { spec: avoiding }),
      pods.slice(0, 1),
    );
    expect(answer.nodes).toEqual([]);
  });

  test('are one pod in the fuller zone for a spread', () => {
    const spec = { topologySpreadConstraints: [{ ...selector, maxSkew: 1 }] } as SpecWire;
    const pods = [web('w1', 'a1'), web('w2', 'a2'), web('w3', 'b1')];
    const closed = [
      zoned('a1', 'a'),
      zoned('a2', 'a'),
      node('b1', { labels: { [ZONE]: 'b' }, unschedulable: true }),
    ];
    const answer = placementOf({ Node: closed, Pod: pods }).wouldFitIf(
      pod('new', { labels: { app: 'web' }, spec }),
      pods,
    );
    expect(answer.nodes.map((one) => [one.node, names(one.remove)])).toEqual([
      ['a1', ['w1']],
      ['a2', ['w1']],
    ]);
    expect(answer.best?.alternatives.map(names)).toEqual([['w2']]);
  });

  test('are two different pods where the node lacks resources and the zone lacks balance', () => {
    const spec = { topologySpreadConstraints: [{ ...selector, maxSkew: 1 }] } as SpecWire;
    const hog = pod('hog', { on: 'a1', requests: { cpu: '4' } });
    const pods = [web('w1', 'a2'), hog];
    const wanted = pod('new', { labels: { app: 'web' }, requests: { cpu: '4' }, spec });
    const answer = placementOf({
      Node: nodes,
      Pod: [...pods, pod('wall', { on: 'a2', requests: { cpu: '1' } })],
    });
    expect(removed(answer.wouldFitIf(wanted, pods, nodes[0]).best)).toEqual(['hog', 'w1']);
  });

  test('are the user on another node for ReadWriteOncePod', () => {
    const objects = {
      PersistentVolumeClaim: [claim('data', { volumeName: 'pv', accessModes: ['ReadWriteOncePod'] })],
      PersistentVolume: [volume('pv')],
    };
    const old = pod('old', { on: 'b1', claim: 'data' });
    const answer = placementOf({ Node: nodes, Pod: [old], ...objects }).wouldFitIf(
      pod('new', { claim: 'data' }),
      [old],
    );
    expect(answer.nodes.map((one) => one.node)).toEqual(['a1', 'a2', 'b1']);
    expect(removed(answer.best)).toEqual(['old']);
  });

  test('are the whole group for affinity to itself, which may then start elsewhere', () => {
    const spec = {
      affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [selector] } },
    } as SpecWire;
    const pods: Pod[] = [web('w1', 'a1'), web('w2', 'a1')];
    const wanted = pod('new', { labels: { app: 'web' }, spec, requests: { cpu: '4' } });
    const full = ['a1', 'a2'].map((name) => pod(`wall-${name}`, { on: name, requests: { cpu: '4' } }));
    const answer = placementOf({ Node: nodes, Pod: [...pods, ...full] }).wouldFitIf(wanted, pods);
    expect(answer.nodes.map((one) => [one.node, names(one.remove)])).toEqual([['b1', ['w1', 'w2']]]);
  });
});

describe('a large question has a bounded cost', () => {
  test('for many equal pods: the first smallest set is found at once', () => {
    const pods = Array.from({ length: 60 }, (_, index) =>
      pod(`p${String(index).padStart(2, '0')}`, { on: 'n1', requests: { cpu: '100m' } }),
    );
    const big = node('n1', { allocatable: { cpu: '6' } });
    const { best } = placementOf({ Node: [big], Pod: pods }).wouldFitIf(
      pod('new', { requests: { cpu: '3' } }),
      pods,
    );
    expect(best).toMatchObject({ smallest: true });
    expect(best?.remove).toHaveLength(30);
  });

  test('for a spread that needs all of many pods to go', () => {
    const selector = {
      topologyKey: 'kubernetes.io/hostname',
      labelSelector: { matchLabels: { app: 'web' } },
    };
    const spec = { topologySpreadConstraints: [{ ...selector, maxSkew: 1 }] } as SpecWire;
    const pods = Array.from({ length: 40 }, (_, index) =>
      pod(`p${index}`, { on: 'n1', labels: { app: 'web' } }),
    );
    const nodes = [node('n1'), node('n2', { unschedulable: true })];
    const { best } = placementOf({ Node: nodes, Pod: pods }).wouldFitIf(
      pod('new', { labels: { app: 'web' }, spec }),
      pods,
    );
    expect(best).toMatchObject({ node: 'n1', smallest: true });
    expect(best?.remove).toHaveLength(40);
  });

  test('by cutting the search short, which is reported, with a set in which every pod is needed', () => {
    // Two resources held by different pods, in amounts that hardly add up: sums exclude few sets.
    const pods = Array.from({ length: 60 }, (_, index) =>
      pod(`p${String(index).padStart(2, '0')}`, {
        on: 'n1',
        requests:
          index % 2 === 0
            ? { cpu: `${100 + index}m`, memory: '1Mi' }
            : { cpu: '1m', memory: `${100 + index}Mi` },
      }),
    );
    const crowded = node('n1', { allocatable: { cpu: '3901m', memory: '3931Mi', pods: '200' } });
    const placement = placementOf({ Node: [crowded], Pod: pods });
    const wanted = pod('new', { requests: { cpu: '1900m', memory: '2000Mi' } });
    const { best } = placement.wouldFitIf(wanted, pods);
    if (best === undefined) throw new Error('nothing found');
    expect(best.smallest).toBe(false);
    const without = (drop: Pod | undefined) =>
      new Set(best.remove.filter((one) => one !== drop).map(({ metadata }) => metadata.uid));
    expect(placement.check(wanted, crowded, without(undefined)).outcome).toBe('fits');
    for (const one of best.remove)
      expect(placement.check(wanted, crowded, without(one)).outcome).toBe('refused');
  });
});
