import { describe, expect, it } from 'vitest';
import type { Pod } from '#src/engine/objects/pod.js';
import type { Downtime } from '#src/engine/workloads/contested-forecast.js';
import { forecastBesideOthers, underWhicheverRule } from '#src/engine/workloads/contested-forecast.js';
import type { PodSimulator } from '#src/engine/workloads/pod-simulator.js';
import { buildPod } from '../../../support/rollout-builders.js';

const none: Downtime = { kind: 'none', readyMin: 2, ofReplicas: 2, seconds: undefined, ends: true };
const reduced: Downtime = { kind: 'reduced', readyMin: 1, ofReplicas: 2, seconds: 30, ends: true };
const lasting: Downtime = { ...reduced, seconds: undefined, ends: false };

const train = { kind: 'Pod', namespace: 'ml', name: 'train' };
const batch = { kind: 'Job', namespace: 'ml', name: 'batch' };

interface Fate {
  readonly ends: 'complete' | 'contested' | 'stuck' | 'too-large' | 'unknown';
  readonly placements: readonly string[];
  readonly downtime: Downtime | undefined;
  readonly seconds: number | undefined;
  readonly victims: readonly Pod[];
  readonly waiting: readonly Pod[];
}

const nobody = { victims: [], waiting: [] };

const good: Fate = { ends: 'complete', placements: ['a', 'b'], downtime: none, seconds: 60, ...nobody };
const stuck: Fate = { ends: 'stuck', placements: ['a'], downtime: reduced, seconds: undefined, ...nobody };

const placing = (node: string): PodSimulator => ({ placementOf: () => node, becomesReady: () => true });

/** The first run sees no competitor, the second one does. */
function forecast(alone: Fate, beside: Fate, winners = [train]) {
  const simulator: PodSimulator = {
    ...placing('alone'),
    contest: () => ({
      simulator: { placementOf: () => 'beside' },
      competitors: [train, batch],
      winners: () => winners,
    }),
  };
  return forecastBesideOthers([], simulator, ({ placementOf }) =>
    placementOf({} as never, {} as never) === 'alone' ? alone : beside,
  );
}

describe('a forecast beside workloads that compete for what becomes free', () => {
  it.each<[string, Fate, Fate]>([
    ['both runs are alike', good, good],
    ['the second run is stuck in the same way', stuck, stuck],
    ['the second run places more', stuck, { ...stuck, placements: ['a', 'b'] }],
    ['the second run has more ready pods', stuck, { ...stuck, downtime: none }],
    ['no downtime is known', { ...good, downtime: undefined }, { ...good, downtime: lasting }],
    ['no downtime of the second run is known', good, { ...good, downtime: undefined }],
    ['the loss lasts in both', { ...stuck, downtime: lasting }, { ...stuck, downtime: lasting }],
    ['the outcome is unknown', { ...good, ends: 'unknown' }, stuck],
    ['the simulation is too large', { ...good, ends: 'too-large' }, stuck],
  ])('is that of the first run: %s', (_, alone, beside) => {
    expect(forecast(alone, beside)).toEqual(alone);
  });

  it.each<[string, Fate, Fate, object]>([
    ['is contested where the second run is stuck', good, stuck, { ends: 'contested', downtime: reduced }],
    [
      'is contested where fewer pods find a place',
      good,
      { ...good, placements: ['a'] },
      { ends: 'contested', downtime: none },
    ],
    [
      'is contested where fewer pods stay ready',
      good,
      { ...good, downtime: reduced },
      { ends: 'contested', downtime: reduced },
    ],
    [
      'is contested where the loss does not end',
      { ...good, downtime: reduced },
      { ...good, downtime: lasting },
      { ends: 'contested', downtime: lasting },
    ],
    [
      'stays stuck where others make it worse',
      stuck,
      { ...stuck, placements: [], downtime: lasting },
      { ends: 'stuck', downtime: lasting },
    ],
    [
      'keeps the downtime of the first run where the second one has none',
      good,
      { ...stuck, downtime: undefined },
      { ends: 'contested', downtime: none },
    ],
  ])('%s', (_, alone, beside, expected) => {
    const { placements, victims, waiting } = alone;
    expect(forecast(alone, beside)).toEqual({
      placements,
      victims,
      waiting,
      winners: [train],
      seconds: undefined,
      ...expected,
    });
  });

  it('names all competitors where none of them took anything', () => {
    expect(forecast(good, stuck, [])).toMatchObject({ winners: [train, batch] });
  });

  it('has one run where nobody else waits', () => {
    for (const contest of [undefined, () => undefined]) {
      const asked: PodSimulator[] = [];
      const simulator = { ...placing('alone'), ...(contest && { contest }) };
      const run = (each: PodSimulator) => {
        asked.push(each);
        return good;
      };
      expect(forecastBesideOthers([], simulator, run)).toEqual(good);
      expect(asked).toEqual([simulator]);
    }
  });

  it('asks one pod at a time in the second run, because places that others may take cannot be counted', () => {
    const asked: PodSimulator[] = [];
    const simulator: PodSimulator = {
      ...placing('alone'),
      likenessOf: () => 'alike',
      countPlaces: () => new Map(),
      contest: () => ({ simulator: placing('beside'), competitors: [train], winners: () => [] }),
    };
    forecastBesideOthers([], simulator, (each) => {
      asked.push(each);
      return good;
    });
    expect(
      asked.map(({ countPlaces, likenessOf }) => [countPlaces !== undefined, likenessOf !== undefined]),
    ).toEqual([
      [true, true],
      [false, true],
    ]);
  });
});

describe('a forecast that ends while a pod waits for a node', () => {
  const waits = buildPod({ name: 'web-2', node: undefined });
  const runs = buildPod({ name: 'web-1', node: 'n-a' });
  const simulator = (mayBePlaced: boolean): PodSimulator => ({
    ...placing('alone'),
    mayBePlaced: (pod, gone) => mayBePlaced && gone.includes(runs) && pod === waits,
  });
  const ends = (fate: Fate, mayBePlaced: boolean) =>
    forecastBesideOthers([], simulator(mayBePlaced), () => fate).ends;

  it.each<[string, Fate, boolean, Fate['ends']]>([
    [
      'is not known where nobody saw all nodes',
      { ...stuck, victims: [runs], waiting: [waits] },
      true,
      'unknown',
    ],
    ['is stuck where no node takes the pod', { ...stuck, victims: [runs], waiting: [waits] }, false, 'stuck'],
    ['is stuck where the pod has a node', { ...stuck, victims: [runs], waiting: [runs] }, true, 'stuck'],
    ['is complete whatever the nodes are', { ...good, victims: [runs], waiting: [waits] }, true, 'complete'],
  ])('%s', (_, fate, mayBePlaced, expected) => {
    expect(ends(fate, mayBePlaced)).toBe(expected);
  });
});

describe('a forecast under several rules of which one applies', () => {
  it.each<[string, readonly Fate[], Fate['ends'] | undefined]>([
    ['is stuck where it is stuck under each', [stuck, stuck], 'stuck'],
    ['is not known where it completes under one', [stuck, good], 'unknown'],
    ['is complete where it completes under each', [good, good], 'complete'],
    ['is nothing without a rule', [], undefined],
  ])('%s', (_, fates, expected) => {
    expect(underWhicheverRule(fates)?.ends).toBe(expected);
  });
});
