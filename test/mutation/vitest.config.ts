import { defineConfig } from 'vitest/config';
import { countUnloadableFiles } from './unloadable-files.js';

/** Globs of the test files that run against the mutants, separated by commas; Stryker's child processes inherit it. */
export const testFilesVariable = 'MUTATION_TEST_FILES';

export default defineConfig({
  test: {
    include: (process.env[testFilesVariable] ?? '').split(','),
    testTimeout: 300_000,
    reporters: [countUnloadableFiles()],
  },
});
