import { readFile } from 'node:fs/promises';
import { allMutants } from './all-mutants.js';
import { keyOf, type Mutant, offsetsOf } from './mutant.js';

/**
 * A mutant described by its text instead of its lines, so that it is found again after code around it has
 * changed.
 */
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
  /** Absent when the code is gone. */
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

/**
 * Finds each mutant in today's code: in its file, or in any of `files` when that is gone or no longer has it.
 */
export async function findKept(
  sample: readonly KeptMutant[],
  files: readonly string[],
): Promise<FoundMutant[]> {
  const inOwnFile = await candidatesIn(files.filter((file) => sample.some((kept) => kept.file === file)));
  const found = assign(sample, inOwnFile);
  const gone = sample.filter((kept) => !found.has(kept));
  if (gone.length > 0) {
    const taken = new Set([...found.values()].map(keyOf));
    const anywhere = (await candidatesIn(files)).filter(({ mutant }) => !taken.has(keyOf(mutant)));
    for (const [kept, mutant] of assign(gone, anywhere, () => true)) found.set(kept, mutant);
  }
  return sample.map((kept) => ({ kept, mutant: found.get(kept) }));
}

interface Candidate {
  readonly mutant: Mutant;
  readonly kept: KeptMutant;
}

async function candidatesIn(files: readonly string[]): Promise<readonly Candidate[]> {
  const sources = new Map(
    await Promise.all(files.map(async (file) => [file, await readFile(file, 'utf8')] as const)),
  );
  const mutants = await allMutants(files);
  return mutants.map((mutant) => ({ mutant, kept: describe('', mutant, sources.get(mutant.file) ?? '') }));
}

/** Less of the text around is alike by accident. */
const leastLikeness = 40;

/** The most alike first; each candidate is one mutant at most. */
function assign(
  sample: readonly KeptMutant[],
  candidates: readonly Candidate[],
  mayBe = (kept: KeptMutant, other: KeptMutant): boolean => kept.file === other.file,
): Map<KeptMutant, Mutant> {
  const pairs = sample
    .flatMap((kept) =>
      candidates
        .filter(({ kept: other }) => isSameChange(kept, other) && mayBe(kept, other))
        .map(({ mutant, kept: other }) => ({ kept, mutant, alike: likeness(other, kept) })),
    )
    .filter(({ alike }) => alike >= leastLikeness)
    .sort((one, other) => other.alike - one.alike);
  const found = new Map<KeptMutant, Mutant>();
  const taken = new Set<Mutant>();
  for (const { kept, mutant } of pairs) {
    if (found.has(kept) || taken.has(mutant)) continue;
    found.set(kept, mutant);
    taken.add(mutant);
  }
  return found;
}

function isSameChange(one: KeptMutant, other: KeptMutant): boolean {
  return (
    one.mutator === other.mutator && one.original === other.original && one.replacement === other.replacement
  );
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
