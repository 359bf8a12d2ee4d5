import { defineConfig } from 'vitest/config';

/**
 * One project a tier. Unit and scenario tests touch no network; thorough tests read the whole source or compute for minutes,
 * and run once instead of on each Node; integration tests use a real Redis, real HTTP and the real
 * Bolt app in the test's process; system tests start the programs as they are shipped; browser tests open their pages.
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
          testTimeout: 60_000,
          // Pure functions: files share the modules of their process, and every core has a process. In threads a crash of
          // the image library would end the whole run without a report.
          pool: 'forks',
          isolate: false,
          maxWorkers: '100%',
        },
      },
      {
        test: {
          name: 'scenario',
          include: ['test/scenario/**/*.test.ts'],
          globalSetup: ['test/scenario/tally.ts'],
          testTimeout: 60_000,
          // Pure as well: files share the modules.
          pool: 'forks',
          isolate: false,
          maxWorkers: '100%',
        },
      },
      {
        test: {
          name: 'thorough',
          include: ['test/thorough/**/*.test.ts'],
          testTimeout: 300_000,
          hookTimeout: 240_000,
          maxWorkers: '100%',
        },
      },
      {
        test: {
          name: 'integration',
          include: ['test/integration/**/*.test.ts'],
          pool: 'forks',
          isolate: false,
          maxWorkers: '100%',
          testTimeout: 240_000,
          hookTimeout: 240_000,
          expect: { poll: { timeout: 90_000 } },
        },
      },
      {
        test: {
          name: 'system',
          include: ['test/system/**/*.test.ts'],
          globalSetup: ['test/support/bundled-programs.ts'],
          // Mostly waiting for processes, so two files at a time take little more than the longer of them.
          maxWorkers: 2,
          testTimeout: 240_000,
          hookTimeout: 240_000,
          expect: { poll: { timeout: 90_000 } },
        },
      },
      {
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          testTimeout: 240_000,
          hookTimeout: 240_000,
          expect: { poll: { timeout: 90_000 } },
          fileParallelism: false,
        },
      },
      {
        test: {
          name: 'cluster',
          include: ['test/cluster/**/*.test.ts'],
          testTimeout: 180_000,
          hookTimeout: 300_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
