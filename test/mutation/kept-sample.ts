import { readFile } from 'node:fs/promises';
import { allMutants } from './all-mutants.js';
import { type Mutant, offsetsOf } from './mutant.js';

/** A mutant described by its text instead of its lines, so that it is found again after code around it has changed. */
export interface KeptMutant {
  readonly part: string;
  readonly file: string;
  /** Where it stood when the sample was drawn; only for people who read the file. */
  readonly line: number;
  readonly mutator: string;
  /** The text directly before and after the mutated one. */
  readonly before: string;
  readonly after: string;
  /** The start of the mutated text, and of what replaces it. */
  readonly original: string;
  readonly replacement: string;
}

export interface FoundMutant {
  readonly kept: KeptMutant;
  /** Absent when the code is gone, or several places are equally like it. */
  readonly mutant: Mutant | undefined;
}

const keptLength = 100;

export async function keepMutants(part: string, mutants: readonly Mutant[]): Promise<KeptMutant[]> {
  return Promise.all(
    mutants.map(async (mutant) => describe(part, mutant, await readFile(mutant.file, 'utf8'))),
  );
}

function describe(part: string, mutant: Mutant, source: string): KeptMutant {
  const { file, line, mutator, replacement } = mutant;
  const [from, to] = offsetsOf(mutant, source);
  return {
    part,
    file,
    line,
    mutator,
    before: inOneLine(source.slice(0, from)).slice(-keptLength),
    after: inOneLine(source.slice(to)).slice(0, keptLength),
    original: inOneLine(source.slice(from, to)).slice(0, keptLength),
    replacement: inOneLine(replacement).slice(0, keptLength),
  };
}

/** Finds each mutant in today's code: in its file, or in any of `files` when that is gone or no longer has it. */
export async function findKept(
  sample: readonly KeptMutant[],
  files: readonly string[],
): Promise<FoundMutant[]> {
  const inOwnFile = await candidatesIn(files.filter((file) => sample.some((kept) => kept.file === file)));
  const found = sample.map((kept) => ({ kept, mutant: bestOf(kept, inOwnFile.get(kept.file) ?? []) }));
  if (found.every(({ mutant }) => mutant !== undefined)) return found;
  const anywhere = [...(await candidatesIn(files)).values()].flat();
  return found.map(({ kept, mutant }) => ({ kept, mutant: mutant ?? bestOf(kept, anywhere) }));
}

interface Candidate {
  readonly mutant: Mutant;
  readonly kept: KeptMutant;
}

async function candidatesIn(files: readonly string[]): Promise<ReadonlyMap<string, readonly Candidate[]>> {
  const byFile = new Map<string, Candidate[]>(files.map((file) => [file, []]));
  const sources = new Map(
    await Promise.all(files.map(async (file) => [file, await readFile(file, 'utf8')] as const)),
  );
  for (const mutant of await allMutants(files)) {
    byFile.get(mutant.file)?.push({ mutant, kept: describe('', mutant, sources.get(mutant.file) ?? '') });
  }
  return byFile;
}

function bestOf(kept: KeptMutant, candidates: readonly Candidate[]): Mutant | undefined {
  const same = candidates
    .filter(
      ({ kept: other }) =>
        other.mutator === kept.mutator &&
        other.original === kept.original &&
        other.replacement === kept.replacement,
    )
    .map(({ mutant, kept: other }) => ({ mutant, likeness: likeness(other, kept) }))
    .sort((one, other) => other.likeness - one.likeness);
  const [best, second] = same;
  return best !== undefined && best.likeness > (second?.likeness ?? 9) ? best.mutant : undefined;
}

/** How many characters around both are the same. */
function likeness(one: KeptMutant, other: KeptMutant): number {
  return (
    commonStart([...one.before].reverse(), [...other.before].reverse()) + commonStart(one.after, other.after)
  );
}

function commonStart(one: ArrayLike<string>, other: ArrayLike<string>): number {
  const length = Math.min(one.length, other.length);
  for (let index = 0; index < length; index += 1) if (one[index] !== other[index]) return index;
  return length;
}

/** Line breaks and indentation follow the formatter, so they mean nothing. */
function inOneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}
