import { describe, expect, it } from 'vitest';
import { lineOf, outcomeOf, table } from '../../mutation/report.js';
import { type Outcome, totalScore, wilson } from '../../mutation/score.js';
import type { TriedMutant } from '../../mutation/try-mutants.js';

const outcome = (killed: number, survived: number): Outcome => ({
  killed,
  timedOut: 0,
  survived,
  uncovered: 0,
});

function buildMutant(status: TriedMutant['status'], line = 1): TriedMutant {
  const place = { file: 'src/engine/a.ts', line, column: 2, endLine: line, endColumn: 4 };
  return { ...place, mutator: 'BooleanLiteral', replacement: 'false', status, seconds: 1 };
}

describe('the confidence interval of a score', () => {
  /** Agresti and Coull (1998) and the common calculators give these. */
  it.each([
    [0.5, 10, 0.237, 0.763],
    [0.8, 100, 0.711, 0.867],
    [0, 10, 0, 0.278],
    [1, 10, 0.722, 1],
    [0, 0, 0, 1],
  ])('of %d in %d trials is %d to %d', (share, trials, low, high) => {
    const interval = wilson(share, trials);
    expect(interval.low).toBeCloseTo(low, 3);
    expect(interval.high).toBeCloseTo(high, 3);
  });
});

describe('the score of all parts', () => {
  it('weighs each part by its size, not by its number of trials', () => {
    const { share } = totalScore([
      { mutants: 9_000, outcome: outcome(80, 20) },
      { mutants: 1_000, outcome: outcome(400, 0) },
    ]);
    expect(share).toBeCloseTo(0.9 * 0.8 + 0.1);
  });

  it('has the precision of one sample when the parts are alike', () => {
    const total = totalScore([
      { mutants: 500, outcome: outcome(400, 100) },
      { mutants: 500, outcome: outcome(400, 100) },
    ]);
    const one = wilson(0.8, 1_000);
    expect(total.low).toBeCloseTo(one.low, 2);
    expect(total.high).toBeCloseTo(one.high, 2);
  });

  it('is uncertain where every mutant was killed, and excludes a part without trials', () => {
    const total = totalScore([
      { mutants: 500, outcome: outcome(20, 0) },
      { mutants: 500, outcome: outcome(0, 0) },
    ]);
    expect(total.share).toBe(1);
    expect(total.low).toBeLessThan(0.99);
    expect(totalScore([])).toEqual({ share: 0, low: 0, high: 1 });
  });
});

describe('the mutation report', () => {
  const all = [
    buildMutant('killed'),
    buildMutant('killed'),
    buildMutant('timed out'),
    buildMutant('survived', 8),
    buildMutant('not reached', 9),
  ];

  it('counts a timeout as killed and an unreached mutant as survived', () => {
    expect(outcomeOf(all)).toEqual({ killed: 2, timedOut: 1, survived: 1, uncovered: 1 });
    expect(
      table([{ folder: 'engine/workloads', mutants: 1_200, tried: all }])
        .split('\n')
        .slice(2),
    ).toEqual(['| `engine/workloads` | 1,200 | 5 | 2 | 1 | 1 | 1 | 60 % | 23–88 % |']);
  });

  it('has a row for all parts when there are several', () => {
    const rows = table([
      { folder: 'doctor/incidents', mutants: 10, tried: [] },
      { folder: 'engine/workloads', mutants: 20, tried: all },
    ]);
    expect(rows).toContain('| `doctor/incidents` | 10 | 0 | 0 | 0 | 0 | 0 |  |  |');
    expect(rows).toMatch(/\| all, by size \| 30 \| 5 \| 2 \| 1 \| 1 \| 1 \| 60 % \|/);
  });

  it('names the place of a mutant, and the test that detected it', () => {
    expect(lineOf(buildMutant('survived', 8))).toBe('src/engine/a.ts:8:2 survived BooleanLiteral: false');
    expect(lineOf({ ...buildMutant('killed'), by: 'a.test.ts counts' })).toBe(
      'src/engine/a.ts:1:2 killed BooleanLiteral: false (a.test.ts counts)',
    );
  });
});
