import { defineConfig } from 'vitest/config';
import { edgeTests } from './scripts/edge-tests.mjs';

/** Limits of tests that start processes and wait for them. */
const patient = { testTimeout: 240_000, hookTimeout: 240_000, expect: { poll: { timeout: 90_000 } } };

/** Limits of tests that start a control plane, which run one file after the other. */
const withControlPlane = { testTimeout: 180_000, hookTimeout: 300_000, fileParallelism: false };

/**
 * One project a tier: `docs/testing.md` says what each is for. Where `isolate` is off, the files of one process share its
 * modules: to load them again takes two processor seconds a file.
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
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
          hookTimeout: 60_000,
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
          exclude: ['**/*.nightly.test.ts'],
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
          ...patient,
        },
      },
      {
        test: {
          name: 'system',
          include: ['test/system/**/*.test.ts'],
          exclude: ['**/*.nightly.test.ts'],
          globalSetup: ['test/support/shipped-programs.ts'],
          // Mostly waiting for processes, so two files at a time take little more than the longer of them.
          maxWorkers: 2,
          isolate: false,
          ...patient,
        },
      },
      {
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          globalSetup: ['test/support/shipped-programs.ts'],
          ...patient,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: 'edges',
          include: [...edgeTests()],
          globalSetup: ['test/support/shipped-programs.ts'],
          maxWorkers: 2,
          isolate: false,
          ...patient,
        },
      },
      {
        test: {
          name: 'cluster',
          include: ['test/cluster/**/*.test.ts'],
          exclude: ['test/cluster/**/*.nightly.test.ts'],
          ...withControlPlane,
        },
      },
      {
        test: {
          name: 'nightly-scenario',
          include: ['test/scenario/**/*.test.ts'],
          globalSetup: ['test/scenario/tally.ts'],
          env: { NIGHTLY_TESTS: 'yes' },
          testTimeout: 60_000,
          hookTimeout: 60_000,
          pool: 'forks',
          isolate: false,
          maxWorkers: '100%',
        },
      },
      {
        test: {
          name: 'nightly-system',
          include: ['test/system/**/*.test.ts', 'test/thorough/**/*.nightly.test.ts'],
          globalSetup: ['test/support/shipped-programs.ts'],
          env: { NIGHTLY_TESTS: 'yes' },
          maxWorkers: 2,
          isolate: false,
          ...patient,
        },
      },
      {
        test: {
          name: 'node',
          include: ['test/node/**/*.nightly.test.ts'],
          ...withControlPlane,
          maxConcurrency: 8,
          // Containers crash, back off and are evicted in their own time, and the kubelet is built first.
          testTimeout: 1_800_000,
          hookTimeout: 3_600_000,
        },
      },
      {
        test: {
          name: 'nightly',
          include: ['test/cluster/**/*.test.ts'],
          env: { NIGHTLY_TESTS: 'yes' },
          ...withControlPlane,
          // A file that runs alone builds its programs first.
          hookTimeout: 1_800_000,
        },
      },
    ],
  },
});
