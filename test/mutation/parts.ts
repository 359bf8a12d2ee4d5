import { readdirSync } from 'node:fs';

/**
 * A room of the pure floors, and the tests that must detect its mutants. Only a part's own tests count: a test of
 * another folder that detects a mutant by accident does not show that the behaviour is specified.
 */
export interface Part {
  /** Path under `src`. */
  readonly folder: string;
  /** Globs of test files. */
  readonly tests: readonly string[];
}

const unit = (folder: string): string => `test/unit/${folder}/**/*.test.ts`;
/** Every rule on every recorded incident, with its fixes: further tests of rules and remediations. */
const scenarios = ['test/scenario/recordings-*.test.ts'];
const ofCauses = (...causes: readonly string[]): string[] =>
  causes.map((cause) => unit(`doctor/causes/${cause}`));

const special: Readonly<Record<string, readonly string[]>> = {
  // What rules share, and the rules: the tests of both say what a rule finds.
  'doctor/findings': [unit('doctor/findings'), unit('doctor/causes'), ...scenarios],
  'doctor/causes': [unit('doctor/findings'), unit('doctor/causes'), ...scenarios],
  // Its test of linear work reads the sources, together with the mutants' expressions. Its test with
  // thousands of random texts takes longer than all others together.
  'doctor/redaction': [
    'test/unit/doctor/redaction/!(linear-work|canary-fuzz).test.ts',
    'test/unit/doctor/redaction/corpus/*.test.ts',
  ],
  // Words for what is wrong with files, which the command line shows.
  'doctor/input': ['test/unit/cli-errors.test.ts'],
  // A property of every recording is whether the sentinel reports it.
  'doctor/sentinel': [unit('doctor/sentinel'), ...scenarios],
  // A person asks for the same kinds. The last file tries plans that a remediation cannot have made. The recordings
  // do not count: on a busy machine their first run takes longer than its limit.
  'doctor/fixes': [unit('doctor/fixes'), unit('doctor/requested'), 'test/unit/attack/plan-shapes.test.ts'],
  // Rules and the simulation of pods ask these rooms. Their tests have a table for each behaviour of the room.
  'engine/creation': [
    unit('engine/creation'),
    ...ofCauses('admission-denied', 'quota-deadlock', 'quota-exceeded'),
    unit('engine/simulation'),
  ],
  'engine/queues': [
    ...ofCauses('queue-deadlock', 'scheduling-gated'),
    'test/unit/doctor/findings/queue-of-kueue.test.ts',
    'test/unit/doctor/forecasts/queued-update.test.ts',
  ],
};

/** @param folders the paths of all rooms of the pure floors under `src` */
export function partsOf(folders: readonly string[]): Part[] {
  return [...folders].sort().map((folder) => ({ folder, tests: special[folder] ?? [unit(folder)] }));
}

/** The rooms of the pure floors, as paths under `src`. */
export function pureRooms(): string[] {
  return ['engine', 'doctor'].flatMap((floor) =>
    readdirSync(`src/${floor}`, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => `${floor}/${name}`),
  );
}

/**
 * Sentences and the keys that name them. A mutant there changes a word or empties a sentence. Only a test
 * that repeats the sentence would detect it, and such a test proves nothing. The compiler demands every key
 * in every language.
 */
const isCatalogue = (file: string): boolean =>
  /\/(?:(?:(?:cycle|drift|effects|impact|strategies|usage)-)?text(?:-en)?|reason-clauses-\w+)\.ts$/.test(
    file,
  );

/** The source files of a part that are mutated, out of all paths of the sources. */
export function mutatedFiles({ folder }: Part, paths: readonly string[]): string[] {
  return paths
    .filter((path) => path.startsWith(`src/${folder}/`) && path.endsWith('.ts') && !isCatalogue(path))
    .sort();
}

/** The part to which a source file belongs. */
export function partOf(file: string, parts: readonly Part[]): Part | undefined {
  return parts.find((part) => mutatedFiles(part, [file]).length > 0);
}
