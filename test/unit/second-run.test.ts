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
  readonly hasBegun?: boolean;
}
interface Run {
  readonly files: readonly TestFile[];
  readonly isBroken: boolean;
  readonly status: number;
}
interface RunTier {
  readonly filesToRepeat: (tier: string, run: Run) => readonly string[];
  readonly mergeRuns: (first: Run, second: Run) => Run;
  readonly countTests: (run: Run) => {
    readonly passed: number;
    readonly failed: number;
    readonly skipped: number;
    readonly lines: readonly string[];
  };
}

const script = new URL('../../scripts/run-tier.mjs', import.meta.url);
const { filesToRepeat, mergeRuns, countTests }: RunTier = await import(script.href);

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

  it('names what did not begin, and passed then, as no unstable test', () => {
    const stuck = run(file('stuck.test.ts', 3, 'waits'), { ...file('a.test.ts', 0, ''), hasBegun: false });
    expect(countTests(mergeRuns(stuck, run(file('stuck.test.ts', 4), file('a.test.ts', 2))))).toEqual({
      passed: 6,
      failed: 0,
      skipped: 0,
      lines: ['unsteady: stuck.test.ts > waits: no answer'],
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

  it.each<readonly [string, string, Run, readonly string[]]>([
    ['the failed ones', 'system', first, ['a.test.ts']],
    [
      'what did not begin since a file was stuck, beside it',
      'system',
      run(
        file('stuck.test.ts', 3, ''),
        ...['a', 'b', 'c'].map((a) => ({ ...file(a, 0, ''), hasBegun: false })),
        { ...file('test/cluster/random/rollout.test.ts', 0, ''), hasBegun: false },
      ),
      ['stuck.test.ts', 'a', 'b', 'c', 'test/cluster/random/rollout.test.ts'],
    ],
    ['none of a tier without processes', 'unit', first, []],
    ['none after a run that broke off', 'system', { ...first, isBroken: true }, []],
    [
      'none where more than three failed',
      'system',
      run(...['a', 'b', 'c', 'd'].map((a) => file(a, 1, 'x'))),
      [],
    ],
    [
      'no random comparison, which would compare other steps',
      'cluster',
      run(
        file('test/cluster/random/rollout.test.ts', 2, 'agrees'),
        file('test/cluster/rbac.test.ts', 4, 'reads'),
      ),
      ['test/cluster/rbac.test.ts'],
    ],
  ])('repeats %s', (_, tier, failed, expected) => {
    expect(filesToRepeat(tier, failed)).toEqual(expected);
  });

  it('counts a disagreement of a random comparison as failed although another file ran again', () => {
    const random = file('test/cluster/random/rollout.test.ts', 2, 'agrees');
    const both = run(random, file('test/cluster/rbac.test.ts', 4, 'reads'));
    expect(countTests(mergeRuns(both, run(file('test/cluster/rbac.test.ts', 5))))).toMatchObject({
      passed: 7,
      failed: 1,
      lines: [
        'failed: test/cluster/random/rollout.test.ts > agrees: no answer',
        'unsteady: test/cluster/rbac.test.ts > reads: no answer',
      ],
    });
  });
});
