import type { RunnerTask, RunnerTestFile } from 'vitest';
import { describe, expect, it } from 'vitest';
import { addFailedTest } from '../../mutation/unloadable-files.js';

function fileWith(state: 'pass' | 'fail' | undefined, tasks: readonly object[]): RunnerTestFile {
  const result = state === undefined ? undefined : { state, errors: [{ message: 'refused' }] };
  return { result, tasks: [...tasks] as RunnerTask[] } as unknown as RunnerTestFile;
}

describe('a test file of a mutation run', () => {
  it('has one failed test, with its error, when it cannot be loaded', () => {
    const file = fileWith('fail', []);
    addFailedTest(file);
    expect(file.tasks).toMatchObject([
      { type: 'test', result: { state: 'fail', errors: [{ message: 'refused' }] } },
    ]);
  });

  it.each([
    ['passed', fileWith('pass', [{ type: 'test' }])],
    ['failed by a test', fileWith('fail', [{ type: 'test' }])],
    ['has no tests', fileWith('pass', [])],
    ['was not run', fileWith(undefined, [])],
  ])('keeps its tests when it %s', (_, file) => {
    const before = [...file.tasks];
    addFailedTest(file);
    expect(file.tasks).toEqual(before);
  });
});
