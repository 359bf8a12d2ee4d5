import { describe, expect, it } from 'vitest';

interface Failure {
  readonly test: string;
  readonly reason: string;
}
interface TestFile {
  readonly name: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly failures: readonly Failure[];
}
interface Run {
  readonly files: readonly TestFile[];
  readonly isBroken: boolean;
  readonly status: number;
}
interface RunTier {
  readonly mergeRuns: (first: Run, second: Run) => Run;
  readonly countTests: (run: Run) => {
    readonly passed: number;
    readonly failed: number;
    readonly skipped: number;
    readonly lines: readonly string[];
  };
}

const script = new URL('../../scripts/run-tier.mjs', import.meta.url);
const { mergeRuns, countTests }: RunTier = await import(script.href);

const file = (name: string, passed: number, ...failing: readonly string[]): TestFile => ({
  name,
  passed,
  failed: failing.length,
  skipped: 0,
  failures: failing.map((test) => ({ test, reason: 'no answer' })),
});
const run = (...files: readonly TestFile[]): Run => ({ files, isBroken: false, status: 1 });

describe('a second run of failed files', () => {
  const first = run(file('a.test.ts', 8, 'one', 'two'), file('b.test.ts', 5));

  it('counts a test that passes then as passed, and names it as unstable', () => {
    expect(countTests(mergeRuns(first, run(file('a.test.ts', 10))))).toEqual({
      passed: 15,
      failed: 0,
      skipped: 0,
      lines: ['unsteady: a.test.ts > one: no answer', 'unsteady: a.test.ts > two: no answer'],
    });
  });

  it('counts a test that fails again as failed', () => {
    expect(countTests(mergeRuns(first, run(file('a.test.ts', 9, 'two'))))).toMatchObject({
      passed: 14,
      failed: 1,
      lines: ['failed: a.test.ts > two: no answer', 'unsteady: a.test.ts > one: no answer'],
    });
  });

  it('counts a file that could not run again as failed', () => {
    const unread = {
      ...file('vitest', 0),
      failed: 1,
      failures: [{ test: '', reason: 'no report was left' }],
    };
    expect(countTests(mergeRuns(first, run(unread)))).toMatchObject({ failed: 2 });
  });

  it('counts a run that failed without a failed test as one failure', () => {
    expect(countTests({ ...run(file('b.test.ts', 5)), isBroken: true })).toMatchObject({
      passed: 5,
      failed: 1,
      lines: ['failed: vitest ended with status 1, and no test failed'],
    });
  });

  it('counts a second run that failed without a failed test as a failure', () => {
    const second = { ...run(file('a.test.ts', 10)), isBroken: true };
    expect(countTests(mergeRuns(first, second))).toMatchObject({ failed: 1 });
  });
});
