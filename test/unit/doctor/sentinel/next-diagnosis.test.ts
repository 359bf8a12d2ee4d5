import { describe, expect, it } from 'vitest';
import { firstDiagnosisMs, nextDiagnosisMs } from '#src/doctor/sentinel/intake.js';

describe('diagnoses of a candidate', () => {
  it('run less and less often, a limited number of times, five of them within the first minute', () => {
    const at = [0];
    for (;;) {
      const elapsed = at.at(-1) ?? 0;
      const next = nextDiagnosisMs(elapsed);
      if (next === undefined) break;
      at.push(elapsed + next);
    }
    const pauses = at.slice(1).map((each, number) => each - (at[number] ?? 0));
    expect(at.filter((each) => each < 60_000)).toHaveLength(5);
    expect(at).toHaveLength(13);
    expect(pauses).toEqual([...pauses].sort((a, b) => a - b));
    expect(at.at(-1)).toBe(3_600_000);
  });

  it.each([
    [-5_000, 0],
    [9_999, 1],
    [10_000, 10_000],
    [3_599_999, 1],
    [3_600_000, undefined],
  ])('after %d ms wait %s', (elapsed, pause) => {
    expect(nextDiagnosisMs(elapsed)).toBe(pause);
  });
});

describe('the first diagnosis', () => {
  const now = Date.parse('2026-11-20T09:00:10Z');
  it.each<[string, string | undefined, number]>([
    ['waits until the refusal has lasted long enough', '2026-11-20T09:00:00Z', 20_000],
    ['is due at once where the refusal is older', '2026-11-20T08:00:00Z', 0],
    ['waits no longer for a clock that is ahead', '2026-11-20T10:00:00Z', 30_000],
    ['waits where the time is unknown', undefined, 30_000],
    ['waits where the time is invalid', 'yesterday', 30_000],
  ])('%s', (_, since, ms) => {
    expect(firstDiagnosisMs(since, now, 30)).toBe(ms);
  });
});
