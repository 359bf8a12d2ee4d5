import { describe, expect, it } from 'vitest';
import type { Incarnation } from '#src/engine/statistics/incarnation.js';
import { type NodeAttribute, nodeConcentration } from '#src/engine/statistics/node-concentration.js';
import { seededRandom } from '../../../support/seeded-random.js';
import { leastShare, report } from './chance.js';

const seed = 12;

interface Shape {
  readonly title: string;
  /** Pods on each node. */
  readonly sizes: readonly number[];
  readonly strata?: number;
  readonly attributes?: ReadonlyMap<string, readonly NodeAttribute[]>;
}

function nameOf(i: number): string {
  return `n${String(i).padStart(3, '0')}`;
}

const zones = new Map(
  Array.from(
    { length: 12 },
    (_, i) =>
      [
        nameOf(i),
        [
          { name: 'zone', value: `z${i % 3}` },
          { name: 'pool', value: `p${Math.floor(i / 4)}` },
        ],
      ] as const,
  ),
);

const shapes: readonly Shape[] = [
  { title: '3 nodes with 3 pods', sizes: [3, 3, 3] },
  { title: '10 nodes with 3 pods', sizes: Array<number>(10).fill(3) },
  { title: '50 nodes with 2 pods', sizes: Array<number>(50).fill(2) },
  { title: '8 nodes of very different sizes', sizes: [1, 1, 2, 3, 5, 8, 13, 21] },
  { title: '12 nodes in zones and pools', sizes: Array<number>(12).fill(4), attributes: zones },
  { title: '6 nodes with two revisions', sizes: Array<number>(6).fill(3), strata: 2 },
];

/** Incarnations that crash by chance with the probability of their node. */
function simulated(
  { sizes, strata = 1 }: Shape,
  crashes: (node: number) => number,
  random: (below: number) => number,
): Incarnation[] {
  return Array.from({ length: strata }, (_, s) =>
    sizes.flatMap((size, node) =>
      Array.from({ length: size }, (_, i) => ({
        uid: `${s}/${node}/${i}`,
        node: nameOf(node),
        workload: 'Deployment/shop/api',
        revision: `r${s}`,
        crashed: random(1_000_000) < crashes(node) * 1_000_000,
      })),
    ),
  ).flat();
}

function concentratedShare(
  shape: Shape,
  crashes: (node: number) => number,
  trials: number,
  isRight: (nodes: readonly string[]) => boolean,
): number {
  const random = seededRandom(seed);
  let hits = 0;
  for (let trial = 0; trial < trials; trial += 1) {
    const result = nodeConcentration(simulated(shape, crashes, random), {
      ...(shape.attributes === undefined ? {} : { attributes: shape.attributes }),
    });
    if (result.verdict === 'concentrated' && isRight(result.nodes)) hits += 1;
  }
  return hits;
}

describe('without a bad node', () => {
  const trials = 400;
  const rates = [0.1, 0.3, 0.5];
  let alarms = 0;
  let tried = 0;

  it.each(shapes.flatMap((shape) => rates.map((rate) => [shape.title, rate, shape] as const)))(
    '%s, each pod crashing with probability %d, has at most one false alarm in twenty',
    (_, rate, shape) => {
      const hits = concentratedShare(
        shape,
        () => rate,
        trials,
        () => true,
      );
      alarms += hits;
      tried += trials;
      expect(leastShare(hits, trials)).toBeLessThanOrEqual(0.05);
    },
  );

  it('all shapes together have at most one false alarm in twenty', () => {
    report('false alarm', alarms, tried);
    expect(tried).toBe(shapes.length * rates.length * trials);
    expect(alarms / tried).toBeLessThanOrEqual(0.05);
  });
});

describe('with one bad node', () => {
  it('a node with 3 pods that nearly always crash, and 9 elsewhere that nearly never do (3/3 against 0/9), is found nine times in ten', () => {
    const trials = 2_000;
    const shape: Shape = { title: '4 nodes with 3 pods', sizes: [3, 3, 3, 3] };
    const hits = concentratedShare(
      shape,
      (node) => (node === 0 ? 0.99 : 0.002),
      trials,
      (nodes) => nodes.join() === nameOf(0),
    );
    report('power at 3/3 versus 0/9', hits, trials);
    expect(hits / trials).toBeGreaterThanOrEqual(0.9);
  });

  it('a node where most pods crash among 10 nodes with 8 pods each is found nine times in ten', () => {
    const trials = 500;
    const shape: Shape = { title: '10 nodes with 8 pods', sizes: Array<number>(10).fill(8) };
    const hits = concentratedShare(
      shape,
      (node) => (node === 0 ? 0.6 : 0.01),
      trials,
      (nodes) => nodes.includes(nameOf(0)),
    );
    report('power at most pods of 8 on one of 10 nodes', hits, trials);
    expect(hits / trials).toBeGreaterThanOrEqual(0.9);
  });

  it('two bad nodes of six, with 3 pods each, are both found, and no other, nine times in ten', () => {
    const trials = 500;
    const shape: Shape = { title: '6 nodes with 3 pods', sizes: Array<number>(6).fill(3) };
    const hits = concentratedShare(
      shape,
      (node) => (node < 2 ? 0.99 : 0.005),
      trials,
      (nodes) => nodes.length === 2 && nodes.every((node) => node < nameOf(2)),
    );
    report('power at two bad nodes of six', hits, trials);
    expect(hits / trials).toBeGreaterThanOrEqual(0.9);
  });
});
