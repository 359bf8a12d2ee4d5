import { describe, expect, it } from 'vitest';
import { missingForExclusion } from '#src/doctor/causes/crash-loop-on-node/observation.js';
import type { Incarnation } from '#src/engine/statistics/incarnation.js';
import { nodeConcentration } from '#src/engine/statistics/node-concentration.js';
import { type Counts, concentrated, incarnations } from './incarnations.js';

/** Crashes after a minute; healthy ones watched for the given time. */
function watched(counts: Counts, healthySeconds: number | undefined, workload?: string): Incarnation[] {
  return incarnations(counts, workload).map((one) => ({
    ...one,
    ...(one.crashed ? { secondsToCrash: 60 } : {}),
    ...(one.crashed || healthySeconds === undefined ? {} : { observedSeconds: healthySeconds }),
  }));
}

function missingOf(all: readonly Incarnation[]) {
  return missingForExclusion(nodeConcentration(all), all);
}

describe('excluding a node may be recommended', () => {
  it('when three incarnations crashed there and healthy ones elsewhere ran for longer than the crashes took', () => {
    expect(missingOf(watched(concentrated(3, 3, 0, 9, 3), 3_600))).toEqual([]);
  });

  it('when two workloads crashed there, with one incarnation each', () => {
    const nodes: Counts = Object.fromEntries(
      Array.from({ length: 50 }, (_, i): [string, [number, number]] => [`n${i}`, [i === 0 ? 1 : 0, 1]]),
    );
    expect(
      missingOf([...watched(nodes, 3_600, 'DaemonSet/a'), ...watched(nodes, 3_600, 'DaemonSet/b')]),
    ).toEqual([]);
  });
});

describe('excluding a node is not recommended', () => {
  it('when crashes do not concentrate', () => {
    expect(missingOf(watched({ a: [1, 3], b: [1, 3], c: [0, 3], d: [0, 3] }, 3_600))).toEqual([
      'not-concentrated',
    ]);
  });

  it('when only two incarnations of one workload crashed there, however unlikely', () => {
    expect(missingOf(watched(concentrated(2, 2, 0, 48, 24), 3_600))).toEqual(['too-few-crashed']);
  });

  it('when the age of the healthy ones is unknown', () => {
    expect(missingOf(watched(concentrated(3, 3, 0, 9, 3), undefined))).toEqual([
      'healthy-elsewhere-not-long-enough',
    ]);
  });

  it('when the time to crash is unknown', () => {
    const all = watched(concentrated(3, 3, 0, 9, 3), 3_600).map(({ secondsToCrash: _, ...one }) => one);
    expect(missingOf(all)).toEqual(['healthy-elsewhere-not-long-enough']);
  });

  it('when the slowest crash took longer than any healthy one has run', () => {
    const all = watched(concentrated(3, 3, 0, 9, 3), 3_600).map((one, i) =>
      i === 0 ? { ...one, secondsToCrash: 7_200 } : one,
    );
    expect(missingOf(all)).toEqual(['healthy-elsewhere-not-long-enough']);
  });

  it('when only other revisions are healthy elsewhere, and the adjusted probability is too large', () => {
    const bad = watched({ x: [2, 2] }, 3_600);
    const other = watched({ a: [0, 3] }, 3_600).map((one) => ({ ...one, revision: 'r0' }));
    const found = {
      verdict: 'concentrated',
      nodes: ['x'],
      attributes: [],
      p: 0.04,
      pAdjusted: 0.06,
      table: [],
    } as const;
    expect(missingForExclusion(found, [...bad, ...other])).toEqual([
      'no-healthy-elsewhere',
      'p-too-large',
      'too-few-crashed',
    ]);
  });
});
