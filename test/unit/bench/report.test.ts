import { describe, expect, it } from 'vitest';
import { ratioRow } from '../../../bench/kube-apiserver/measured-rows.js';
import { reportText } from '../../../bench/report/format.js';
import { refusalOf } from '../../../bench/report/publish.js';
import { count, ms } from '../../../bench/report/table.js';

const machine = { cpu: 'processor', cores: 2, memoryGB: 8, node: '20.20.2', load: 2 };

describe('a report of the benchmarks', () => {
  it('is refused at a load above 1 a core', () => {
    expect(refusalOf(machine)).toBeUndefined();
    expect(refusalOf({ ...machine, load: 2.1 })).toBe('not published: the load is 2.1 on 2 cores');
  });

  it('names the commits that were measured', () => {
    const report = {
      apiVersion: 'rollout-doctor/v1',
      kind: 'Bench',
      takenAt: '2026-11-29T12:00:00Z',
      machine,
      tables: [],
    } as const;
    expect(reportText({ ...report, versions: ['former 1a', 'now 2b'] })).toContain(
      'load 2 before the run, former 1a, now 2b',
    );
    expect(reportText(report)).toMatch(/load 2 before the run\n/);
  });
});

describe('the ratio of two versions', () => {
  const before = { name: 'before', figures: [ms(200), count(0), undefined, count(4)] };
  const now = { name: 'now', figures: [ms(50), count(3), count(1), undefined] };

  it('is that of the last one to the first one, where both have a figure', () => {
    const ratio = { value: 0.25, unit: '×' };
    expect(ratioRow('ratio', [before, now])).toEqual([
      { name: 'ratio', figures: [ratio, undefined, undefined, undefined] },
    ]);
  });

  it('has no row where one version was measured', () => {
    expect(ratioRow('ratio', [now])).toEqual([]);
  });
});
