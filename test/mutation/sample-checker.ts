import { readFileSync } from 'node:fs';
import { type CheckResult, CheckStatus } from '@stryker-mutator/api/check';
import type { Mutant as StrykerMutant } from '@stryker-mutator/api/core';
import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';
import { keyOf, mutantFrom } from './mutant.js';

/** Where the keys of the sample are written, as JSON; Stryker's child processes inherit it. */
export const sampleFileVariable = 'MUTATION_SAMPLE_FILE';

let sampled: ReadonlySet<string> = new Set();

/**
 * Stryker picks mutants by lines, and many lie on one line or inside another one. This keeps only those of the sample:
 * the others are refused before any test runs.
 */
export const strykerPlugins = [
  declareValuePlugin(PluginKind.Checker, 'sample', {
    init: async () => {
      sampled = new Set(JSON.parse(readFileSync(process.env[sampleFileVariable] ?? '', 'utf8')) as string[]);
    },
    check: async (mutants: StrykerMutant[]) =>
      Object.fromEntries(mutants.map((mutant) => [mutant.id, verdictOn(mutant)])),
    group: async (mutants: StrykerMutant[]) => [mutants.map(({ id }) => id)],
  }),
];

function verdictOn(mutant: StrykerMutant): CheckResult {
  return sampled.has(keyOf(mutantFrom(mutant, 0)))
    ? { status: CheckStatus.Passed }
    : { status: CheckStatus.CompileError, reason: 'not in the sample' };
}
