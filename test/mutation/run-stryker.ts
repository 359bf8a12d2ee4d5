import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LogLevel, MutantStatus, PartialStrykerOptions } from '@stryker-mutator/api/core';
import { Stryker } from '@stryker-mutator/core';
import { keyOf, type Mutant, mutantFrom } from './mutant.js';
import { sampleFileVariable } from './sample-checker.js';
import { testFilesVariable } from './vitest.config.js';

export interface TriedMutant extends Mutant {
  readonly status: MutantStatus;
}

/**
 * Tries each mutant against the tests in `tests` and returns the results. The source and the tests are copied first;
 * nothing in this folder is changed.
 *
 * @throws when the tests fail on the source as it is, or Stryker makes other mutants than the requested ones
 */
export async function runStryker(
  mutants: readonly Mutant[],
  tests: readonly string[],
  concurrency: number,
): Promise<TriedMutant[]> {
  const folder = await mkdtemp(join(tmpdir(), 'mutation-'));
  try {
    const sampleFile = join(folder, 'sample.json');
    const wanted = new Set(mutants.map(keyOf));
    await writeFile(sampleFile, JSON.stringify([...wanted]));
    process.env[sampleFileVariable] = sampleFile;
    process.env[testFilesVariable] = tests.join(',');
    const results = await new Stryker(optionsFor(mutants, concurrency)).runMutationTest();
    const tried = results
      .map((result) => ({ ...mutantFrom(result, 1), status: result.status }))
      .filter((mutant) => wanted.has(keyOf(mutant)));
    if (tried.length !== mutants.length) {
      throw new Error(`requested ${mutants.length} mutants, but Stryker tried ${tried.length}`);
    }
    return tried;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function optionsFor(mutants: readonly Mutant[], concurrency: number): PartialStrykerOptions {
  return {
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner', join(import.meta.dirname, 'sample-checker.ts')],
    checkers: ['sample'],
    checkerNodeArgs: ['--import', 'tsx'],
    vitest: { configFile: 'test/mutation/vitest.config.ts', related: true },
    mutate: [...new Set(mutants.map(({ file, line, endLine }) => `${file}:${line}-${endLine}`))],
    coverageAnalysis: 'perTest',
    concurrency,
    reporters: [],
    logLevel: 'error' as LogLevel,
    ignorePatterns: [
      '/bench',
      '/deploy',
      '/dist',
      '/docs',
      '/reports',
      '/coverage',
      '/test/browser',
      '/test/cluster',
    ],
    tempDirName: '.stryker-tmp',
    cleanTempDir: 'always',
    allowConsoleColors: false,
    timeoutMS: 60_000,
    dryRunTimeoutMinutes: 30,
    disableTypeChecks: false,
  };
}
