import { describe, expect, it } from 'vitest';
import { concentrationOverTime, exposureOf } from '#src/doctor/causes/crash-loop-on-node/observation.js';
import type { Incarnation } from '#src/engine/statistics/incarnation.js';
import { nodeConcentration } from '#src/engine/statistics/node-concentration.js';
import { type RandomBelow, seededRandom } from '../../../support/seeded-random.js';
import { leastShare, report } from './chance.js';

const hour = 3600;
const day = 24 * hour;

/** One life on a node: born, gone (or still there at `until`), and perhaps crashed, in seconds. */
function lived(
  node: string,
  bornAt: number,
  until: number,
  crashedAt?: number,
  more: Partial<Incarnation> = {},
): Incarnation {
  return {
    uid: `${node}/${bornAt}/${until}/${crashedAt}`,
    node,
    workload: 'Deployment/shop/api',
    revision: 'r1',
    crashed: crashedAt !== undefined,
    observedSeconds: until - bornAt,
    ...(crashedAt === undefined ? {} : { secondsToCrash: crashedAt - bornAt }),
    life: { bornAt, from: bornAt, until, ...(crashedAt === undefined ? {} : { crashedAt }) },
    ...more,
  };
}

describe('crashes compared with the time at risk', () => {
  it("have Fisher's probability for three pods on one node among twelve alike: 1 in 220", () => {
    const alike = ['a', 'b', 'c', 'x'].flatMap((node) =>
      [0, 1, 2].map((i) => lived(node, 0, day, node === 'x' ? 60 : undefined, { uid: `${node}${i}` })),
    );
    const { p, pAdjusted, hoursThere, hours } = exposureOf(alike, ['x']);

    expect(p).toBeCloseTo(1 / 220, 12);
    expect(pAdjusted).toBeCloseTo(4 / 220, 12);
    expect(hoursThere / hours).toBeCloseTo(1 / 4, 12);
  });

  it('are no evidence against a node whose pods were the only ones, or the only old ones, when they crashed', () => {
    const concentrates = [
      lived('x', 0, hour, 600),
      lived('a', 2 * hour, 3 * hour),
      lived('b', 2 * hour, 3 * hour),
    ];
    const old = [
      lived('x', 0, 9 * hour, 8 * hour),
      lived('a', 8 * hour - 60, 9 * hour),
      lived('b', 8 * hour - 60, 9 * hour),
    ];

    expect(exposureOf(concentrates, ['x']).p).toBe(1);
    expect(exposureOf(old, ['x']).p).toBe(1);
  });

  it('are compared among pods of one revision only', () => {
    const two = [
      ...['a', 'b', 'c'].flatMap((node) =>
        [0, 1].map((i) => lived(node, 0, day, undefined, { uid: `${node}${i}` })),
      ),
      ...[0, 1].map((i) => lived('x', 0, day, 60 + i, { uid: `x${i}`, revision: 'r2' })),
    ];

    expect(exposureOf(two, ['x']).p).toBe(1);
  });

  it('do not depend on the order, and exclude pods of unknown duration', () => {
    const some = ['a', 'b', 'x'].flatMap((node) =>
      [0, 1, 2].map((i) => lived(node, i * 60, day, node === 'x' ? 300 + i : undefined)),
    );
    const { life: _, ...unknown } = lived('y', 0, day, 60);

    expect(exposureOf([...some].reverse(), ['x'])).toEqual(exposureOf(some, ['x']));
    expect(exposureOf([...some, unknown], ['x'])).toEqual(exposureOf(some, ['x']));
  });
});

describe('choosing among nodes', () => {
  const nodes = ['a', 'b', 'c', 'd', 'e', 'f'];
  const all = nodes.flatMap((node) =>
    [0, 1].map((i) => lived(node, 0, day, node < 'c' ? 60 : undefined, { uid: `${node}${i}` })),
  );
  const zones = new Map(nodes.map((node) => [node, [{ name: 'zone', value: node < 'c' ? 'z1' : 'z2' }]]));
  const chance = 1 / 495;

  it.each<readonly [string, readonly string[], Parameters<typeof exposureOf>[2], number]>([
    ['costs as many pairs as there are', ['a', 'b'], new Map(), 15],
    ['costs only the nodes and groups where they are one group', ['a', 'b'], zones, 6 + 2],
    ['costs the pairs where the group is another', ['a', 'b'], new Map([...zones].slice(1)), 15],
    ['costs nothing where all are chosen', nodes, zones, 1],
  ])('%s', (_, chosen, attributes, choices) => {
    const { p, pAdjusted } = exposureOf(all, chosen, attributes);

    expect(p).toBeCloseTo(chosen.length === 2 ? chance : 1, 12);
    expect(pAdjusted).toBeCloseTo(Math.min(1, p * choices), 10);
  });

  it('costs a factor of six for one node of six', () => {
    const { p, pAdjusted } = exposureOf(all, ['a'], zones);

    expect(pAdjusted).toBeCloseTo(6 * p, 12);
  });

  it('finds no node without a pod of known duration', () => {
    expect(exposureOf([], ['a'])).toEqual({ p: 1, pAdjusted: 1, hoursThere: 0, hours: 0 });
  });
});

describe('the hours at risk', () => {
  it('are those under watch, on the nodes and in total', () => {
    const watchedLater = lived('x', 0, 3 * hour, undefined, {
      life: { bornAt: 0, from: hour, until: 3 * hour },
    });
    const { hoursThere, hours } = exposureOf([watchedLater, lived('a', 0, hour / 2)], ['x']);

    expect({ hoursThere, hours }).toEqual({ hoursThere: 2, hours: 2.5 });
  });

  it('begin with the watch: a pod was not at risk before it was watched', () => {
    const pods = (from: number) => [
      lived('x', 0, day, 100),
      lived('x', 0, day, 100, { uid: 'x2' }),
      ...[0, 1, 2, 3].map((i) =>
        lived('a', 0, day, undefined, { uid: `a${i}`, life: { bornAt: 0, from, until: day } }),
      ),
    ];

    expect(exposureOf(pods(100), ['x']).p).toBeCloseTo(1 / 15, 12);
    expect(exposureOf(pods(101), ['x']).p).toBe(1);
  });

  it('end with the first crash, and with the end of the pod', () => {
    const others = (until: number, crashedAt?: number) =>
      [0, 1].map((i) => lived('a', 0, until, crashedAt, { uid: `a${i}` }));
    const onNode = lived('x', 0, day, 600);

    expect(exposureOf([onNode, ...others(600)], ['x']).p).toBeCloseTo(1 / 3, 12);
    expect(exposureOf([onNode, ...others(599)], ['x']).p).toBe(1);
    // Those that crashed earlier are compared among themselves and with the one still there.
    expect(exposureOf([onNode, ...others(day, 300)], ['x']).p).toBe(1);
  });
});

/**
 * Pods that come and go on nodes for a week, and crash by a hazard a second that may depend on node and age.
 */
interface World {
  readonly title: string;
  /** Slots of pods on each node, and how long a pod there lives on average, in seconds. */
  readonly nodes: readonly { readonly slots: number; readonly lifetime: number }[];
  readonly hazard: (node: number, age: number) => number;
  /** When everything crashes with this probability, in seconds. */
  readonly outageAt?: number;
}

const week = 7 * day;
const step = 20 * 60;

function livesIn({ nodes, hazard, outageAt }: World, random: RandomBelow): Incarnation[] {
  const happens = (probability: number): boolean => random(1_000_000) < probability * 1_000_000;
  return nodes.flatMap(({ slots, lifetime }, node) =>
    Array.from({ length: slots }, (_, slot) => {
      const pods: Incarnation[] = [];
      let bornAt = 0;
      while (bornAt < week) {
        let [now, crashedAt] = [bornAt, undefined as number | undefined];
        do {
          if (crashedAt === undefined && happens(step * hazard(node, now - bornAt))) crashedAt = now;
          if (outageAt !== undefined && now <= outageAt && outageAt < now + step && happens(0.5))
            crashedAt ??= outageAt;
          now += step;
        } while (now < week && !happens(step / lifetime));
        pods.push(lived(`n${node}`, bornAt, now, crashedAt, { uid: `${node}/${slot}/${bornAt}` }));
        bornAt = now;
      }
      return pods;
    }).flat(),
  );
}

const even = (nodes: number, slots: number, lifetime: number): World['nodes'] =>
  Array.from({ length: nodes }, () => ({ slots, lifetime }));

/** Nothing is wrong with any node. */
const fair: readonly World[] = [
  { title: 'pods alike everywhere', nodes: even(6, 2, 2 * day), hazard: () => 1 / (6 * day) },
  {
    title: 'pods that live for a week on one node and for hours on the others',
    nodes: [{ slots: 6, lifetime: 20 * week }, ...even(5, 2, 6 * hour)],
    hazard: () => 1 / (4 * day),
  },
  {
    title: 'pods that are replaced all the time on one node',
    nodes: [{ slots: 3, lifetime: 3 * hour }, ...even(5, 3, 4 * day)],
    hazard: () => 1 / (3 * day),
  },
  {
    title: 'crashes in the first hour only',
    nodes: [{ slots: 3, lifetime: 3 * hour }, ...even(5, 3, 4 * day)],
    hazard: (_, age) => (age < hour ? 1 / (8 * hour) : 0),
  },
  {
    title: 'an outage of something else, seen most where most pods were just then',
    nodes: [{ slots: 8, lifetime: 20 * week }, ...even(5, 2, 12 * hour)],
    hazard: () => 1 / (60 * day),
    outageAt: 3 * day,
  },
];

function share(world: World, trials: number, isHit: (lives: readonly Incarnation[]) => boolean): number {
  const random = seededRandom(5);
  let hits = 0;
  for (let trial = 0; trial < trials; trial += 1) if (isHit(livesIn(world, random))) hits += 1;
  return hits;
}

const isConcentrated = (lives: readonly Incarnation[]): boolean =>
  concentrationOverTime(lives).concentration.verdict === 'concentrated';

describe('the counts of pods and of time together', () => {
  const bad = (until: number) =>
    ['a', 'b', 'c', 'x'].flatMap((node) =>
      [0, 1, 2].map((i) => lived(node, 0, until, node === 'x' ? 60 : undefined, { uid: `${node}${i}` })),
    );

  it('use the larger of both probabilities', () => {
    const { concentration, exposure } = concentrationOverTime(bad(day));
    const concentrates = nodeConcentration(bad(day));
    if (concentration.verdict !== 'concentrated' || concentrates.verdict !== 'concentrated')
      throw new Error('not found');

    expect(concentration.nodes).toEqual(['x']);
    expect(concentration.pAdjusted).toBe(Math.max(concentrates.pAdjusted, exposure?.pAdjusted ?? 1));
  });

  it('are inconclusive where the time explains the crashes, name the suspect node, and suggest the experiment', () => {
    const others = ['a', 'b', 'c'].flatMap((node) =>
      [0, 1, 2].map((i) => lived(node, day, day + hour, undefined, { uid: `${node}${i}` })),
    );
    const onNode = [0, 1, 2].map((i) => lived('x', 0, day, 60, { uid: `x${i}` }));
    const { concentration, exposure } = concentrationOverTime([...onNode, ...others]);

    expect(exposure?.p).toBe(1);
    expect(concentration).toMatchObject({
      verdict: 'cannot-tell',
      because: 'unequal-exposure',
      suspect: 'x',
      revision: undefined,
      p: 1,
      pAdjusted: 1,
      experiment: { recreate: 'x0' },
    });
  });

  it('ignore the time where the count of pods shows no concentration', () => {
    const healthy = ['a', 'b'].map((node) => lived(node, 0, day));

    expect(concentrationOverTime(healthy)).toMatchObject({ concentration: { verdict: 'not-concentrated' } });
    expect(concentrationOverTime(healthy).exposure).toBeUndefined();
  });

  it('keep to the configured rate of false alarms', () => {
    expect(concentrationOverTime(bad(day), { alpha: 0.001 }).concentration.verdict).toBe('cannot-tell');
  });
});

describe('with a crash history and no bad node', () => {
  const trials = 200;
  let alarms = 0;

  it.each(fair.map((world) => [world.title, world] as const))(
    '%s has at most one false alarm in twenty',
    (title, world) => {
      const hits = share(world, trials, isConcentrated);
      alarms += hits;
      report(`false alarm, ${title}`, hits, trials);
      expect(leastShare(hits, trials)).toBeLessThanOrEqual(0.05);
    },
  );

  it('all shapes together have at most one false alarm in twenty', () => {
    report('false alarm with history', alarms, trials * fair.length);
    expect(alarms / (trials * fair.length)).toBeLessThanOrEqual(0.05);
  });

  it('counting pods alone would blame the node whose pods live longest', () => {
    const [, uneven] = fair;
    if (uneven === undefined) throw new Error('no such world');
    const concentrates = (lives: readonly Incarnation[]): boolean =>
      nodeConcentration(lives).verdict === 'concentrated';
    const hits = share(uneven, trials, concentrates);
    report('false alarm without regard to time', hits, trials);
    expect(hits / trials).toBeGreaterThan(0.5);
  });
});

describe('with a crash history and one bad node', () => {
  it.each<[string, World, number]>([
    [
      'pods of 6 nodes that are replaced daily, and crash there once in 8 hours',
      { title: '', nodes: even(6, 3, day), hazard: (node) => (node === 0 ? 1 / (8 * hour) : 1 / (60 * day)) },
      0.9,
    ],
    [
      'one pod on each of 8 nodes, replaced daily, that crashes there once in 4 hours',
      { title: '', nodes: even(8, 1, day), hazard: (node) => (node === 0 ? 1 / (4 * hour) : 1 / (90 * day)) },
      0.8,
    ],
  ])('%s: the bad node is found, and no other', (title, world, power) => {
    const trials = 150;
    const hits = share(world, trials, (lives) => {
      const { concentration } = concentrationOverTime(lives);
      return concentration.verdict === 'concentrated' && concentration.nodes.join() === 'n0';
    });
    report(`power, ${title}`, hits, trials);
    expect(hits / trials).toBeGreaterThanOrEqual(power);
  });
});
