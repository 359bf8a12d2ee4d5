import type { RunnerTask, RunnerTestFile } from 'vitest';
import type { Reporter, Vitest } from 'vitest/node';

/**
 * Stryker's runner reads the results of tests only. A file that cannot be imported has none, so a mutant that makes a
 * module throw while it is loaded would survive (github.com/stryker-mutator/stryker-js/issues/6150).
 */
export function countUnloadableFiles(): Reporter {
  let vitest: Vitest | undefined;
  return {
    onInit(started) {
      vitest = started;
    },
    onTestRunEnd() {
      for (const file of vitest?.state.getFiles() ?? []) addFailedTest(file);
    },
  };
}

/** One failed test in place of the tests that were never collected. */
export function addFailedTest(file: RunnerTestFile): void {
  const { result, tasks } = file;
  if (result?.state !== 'fail' || tasks.length > 0) return;
  tasks.push({ type: 'test', name: 'is loaded', mode: 'run', file, result } as unknown as RunnerTask);
}
