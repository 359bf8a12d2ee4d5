import { readFile } from 'node:fs/promises';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import { type Mutant, mutantFrom } from './mutant.js';

export interface Instrumented {
  /** Each file with all its mutants behind switches, and with code that records which of them is reached. */
  readonly contents: ReadonlyMap<string, string>;
  /** In the order of the files and their lines, with Stryker's numbers. */
  readonly mutants: readonly (readonly [string, Mutant])[];
}

export async function instrument(files: readonly string[]): Promise<Instrumented> {
  const inputs = await Promise.all(
    files.map(async (name) => ({ name, mutate: true, content: await readFile(name, 'utf8') })),
  );
  const { files: outputs, mutants } = await new Instrumenter(silent).instrument(inputs, {
    plugins: null,
    excludedMutations: [],
    ignorers: [sentences],
  });
  return {
    contents: new Map(outputs.map(({ name, content }) => [name, content])),
    // The instrumenter returns what it left out as well.
    mutants: mutants
      .filter(({ status }) => status !== 'Ignored')
      .map((mutant) => [mutant.id, mutantFrom(mutant)]),
  };
}

/** Every change that Stryker would make in these files. */
export async function allMutants(files: readonly string[]): Promise<Mutant[]> {
  return (await instrument(files)).mutants.map(([, mutant]) => mutant);
}

/** The sentences of a rule stand in its file as `en` and `ko`. Mutants there are left out as those of catalogues are. */
const sentences = {
  name: 'sentences',
  shouldIgnore: ({ node }: { readonly node: { readonly type: string } }) =>
    isSentence(node) ? 'a sentence' : undefined,
};

function isSentence(node: { readonly type: string; readonly id?: { readonly name?: string } }): boolean {
  return node.type === 'VariableDeclarator' && (node.id?.name === 'en' || node.id?.name === 'ko');
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
