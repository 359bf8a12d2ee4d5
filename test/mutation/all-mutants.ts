import { readFile } from 'node:fs/promises';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import { type Mutant, mutantFrom } from './mutant.js';

/** Every change that Stryker would make in these files, in the order of the files and their lines. */
export async function allMutants(files: readonly string[]): Promise<Mutant[]> {
  const inputs = await Promise.all(
    files.map(async (name) => ({ name, mutate: true, content: await readFile(name, 'utf8') })),
  );
  const instrumenter = new Instrumenter(silent);
  const { mutants } = await instrumenter.instrument(inputs, {
    plugins: null,
    excludedMutations: [],
    ignorers: [],
  });
  return mutants.map((mutant) => mutantFrom(mutant, 0));
}

const quiet = (): void => undefined;
const off = (): boolean => false;
const silent = {
  isTraceEnabled: off,
  isDebugEnabled: off,
  isInfoEnabled: off,
  isWarnEnabled: off,
  isErrorEnabled: off,
  isFatalEnabled: off,
  trace: quiet,
  debug: quiet,
  info: quiet,
  warn: quiet,
  error: quiet,
  fatal: quiet,
};
