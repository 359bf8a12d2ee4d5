import { describe, expect, it } from 'vitest';
import { type Coverage, coveredUntil } from '#src/doctor/crash-history/merge-records.js';

const keep = 1_000_000;
const known: Coverage = { v: 1, since: 1_000, upTo: 2_000, gaps: [] };

describe('the period that the crash history covers', () => {
  it('begins with the first list', () => {
    expect(coveredUntil(undefined, 500, 510, keep)).toEqual({ v: 1, since: 500, upTo: 510, gaps: [] });
  });

  it('continues without a gap while the watch runs', () => {
    expect(coveredUntil(known, 2_000, 2_500, keep)).toEqual({ ...known, upTo: 2_500 });
  });

  it('has a gap while no process watched', () => {
    expect(coveredUntil(known, 3_000, 3_010, keep)).toEqual({
      ...known,
      upTo: 3_010,
      gaps: [{ from: 2_000, to: 3_000 }],
    });
  });

  it('does not shrink when an older watcher reports', () => {
    expect(coveredUntil(known, 1_500, 1_800, keep)).toEqual(known);
  });

  it('starts again after a pause longer than the retention of records', () => {
    expect(coveredUntil(known, 2_000_000, 2_000_001, keep)).toEqual({
      v: 1,
      since: 2_000_000,
      upTo: 2_000_001,
      gaps: [],
    });
  });

  it('never begins before the oldest record', () => {
    const long = { ...known, upTo: 1_500_000, gaps: [{ from: 1_200, to: 1_300 }] };
    expect(coveredUntil(long, 1_500_000, 1_500_010, keep)).toEqual({
      v: 1,
      since: 500_010,
      upTo: 1_500_010,
      gaps: [],
    });
  });

  it('begins after the oldest gap that is no longer stored', () => {
    let coverage: Coverage | undefined;
    for (let round = 0; round < 40; round += 1)
      coverage = coveredUntil(coverage, round * 100, round * 100 + 50, keep);
    expect(coverage?.gaps).toHaveLength(24);
    expect(coverage?.since).toBe(1_500);
    expect(coverage?.gaps[0]).toEqual({ from: 1_550, to: 1_600 });
  });

  it('ends no earlier than it begins', () => {
    expect(coveredUntil(undefined, 510, 500, keep)).toEqual({ v: 1, since: 510, upTo: 510, gaps: [] });
  });

  it('continues after a pause exactly as long as the retention of records', () => {
    const now = known.upTo + keep;
    expect(coveredUntil(known, now, now, keep)).toEqual({
      v: 1,
      since: known.upTo,
      upTo: now,
      gaps: [{ from: known.upTo, to: now }],
    });
    expect(coveredUntil(known, now + 1, now + 1, keep).gaps).toEqual([]);
  });

  it('drops a gap that is older than the records', () => {
    const gap = { from: 1_200, to: 1_300 };
    const long = { ...known, upTo: 1_300 + keep, gaps: [gap] };
    expect(coveredUntil(long, long.upTo, 1_299 + keep, keep).gaps).toEqual([gap]);
    expect(coveredUntil(long, long.upTo, 1_300 + keep, keep).gaps).toEqual([]);
  });

  it('stores 24 gaps', () => {
    const gaps = Array.from({ length: 24 }, (_, each) => ({
      from: 1_000 + each * 10,
      to: 1_005 + each * 10,
    }));
    const all = coveredUntil({ ...known, gaps }, 2_000, 2_010, keep);
    expect(all).toEqual({ v: 1, since: 1_000, upTo: 2_010, gaps });
    const one = coveredUntil({ ...known, gaps }, 2_001, 2_010, keep);
    expect(one).toEqual({
      v: 1,
      since: 1_005,
      upTo: 2_010,
      gaps: [...gaps.slice(1), { from: 2_000, to: 2_001 }],
    });
  });
});
