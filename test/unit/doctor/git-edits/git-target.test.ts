import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { branchOf } from '#src/doctor/git-edits/git-target.js';

describe('the branch of a change', () => {
  it('names workload and change', () => {
    expect(branchOf({ namespace: 'ml', name: 'inference' }, 'abcdef0123456789')).toBe(
      'rollout-doctor/ml-inference-abcdef01',
    );
  });

  it('is valid for Git and at most 100 characters long, whatever the workload is called', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 300 });
    const branches = fc
      .sample(fc.tuple(text, text), 40)
      .concat([
        ['..', '.lock'],
        ['-', '@{'],
        ['', ''],
      ])
      .map(([namespace, name]) => branchOf({ namespace, name }, '0123456789'));
    for (const branch of new Set(branches)) {
      expect(branch.length).toBeLessThanOrEqual(100);
      expect(() =>
        execFileSync('git', ['check-ref-format', '--branch', branch], { stdio: 'pipe' }),
      ).not.toThrow();
    }
  });
});
