/**
 * A part of `src/core`, and the tests that must detect its mutants. Only a part's own tests count: a test of
 * another folder that detects a mutant by accident does not show that the behaviour is specified.
 */
export interface Part {
  /** Path under `src/core`. */
  readonly folder: string;
  /** Path under `folder` that is a part of its own. */
  readonly except?: string;
  /** Globs of test files. */
  readonly tests: readonly string[];
}

const unit = (folder: string): string => `test/unit/core/${folder}/**/*.test.ts`;
/** Every rule on every recorded incident, with its fixes: further tests of rules and remediations. */
const scenarios = ['test/scenario/recordings-*.test.ts'];
const ofCauses = (...causes: readonly string[]): string[] =>
  causes.map((cause) => unit(`diagnosis/causes/${cause}`));

const special: Readonly<Record<string, readonly Part[]>> = {
  // The largest folder, in two: what rules share, and the rules.
  diagnosis: [
    { folder: 'diagnosis', except: 'causes', tests: [unit('diagnosis'), ...scenarios] },
    { folder: 'diagnosis/causes', tests: [unit('diagnosis'), ...scenarios] },
  ],
  // Its test of linear work reads the sources, together with the mutants' expressions. Its test with
  // thousands of random texts takes longer than all others together.
  redaction: [
    {
      folder: 'redaction',
      tests: [
        'test/unit/core/redaction/!(linear-work|canary-fuzz).test.ts',
        'test/unit/core/redaction/corpus/*.test.ts',
      ],
    },
  ],
  // A property of every recording is whether the sentinel reports it.
  sentinel: [{ folder: 'sentinel', tests: [unit('sentinel'), ...scenarios] }],
  remediation: [
    {
      folder: 'remediation',
      // The last file tries plans that a remediation cannot have made.
      tests: [unit('remediation'), ...scenarios, 'test/unit/attack/plan-shapes.test.ts'],
    },
  ],
  // Rules and the simulator of pods ask these folders. Their tests have a table for each behaviour of the
  // folder.
  creation: [
    {
      folder: 'creation',
      tests: [
        unit('creation'),
        ...ofCauses('admission-denied', 'quota-deadlock', 'quota-exceeded'),
        unit('pod-oracle'),
      ],
    },
  ],
  kueue: [
    {
      folder: 'kueue',
      tests: [
        ...ofCauses('queue-deadlock', 'scheduling-gated'),
        'test/unit/core/diagnosis/queue-of-kueue.test.ts',
        'test/unit/core/check/queued-update.test.ts',
      ],
    },
  ],
  // Its windows are read as quiet hours of the sentinel and as freezes of changes.
  schedule: [
    {
      folder: 'schedule',
      tests: ['test/unit/core/sentinel/quiet-hours.test.ts', 'test/unit/core/authorization/brakes.test.ts'],
    },
  ],
};

/** @param folders the names of all folders in `src/core` */
export function partsOf(folders: readonly string[]): Part[] {
  return [...folders].sort().flatMap((folder) => special[folder] ?? [{ folder, tests: [unit(folder)] }]);
}

/**
 * Sentences and the keys that name them. A mutant there changes a word or empties a sentence. Only a test
 * that repeats the sentence would detect it, and such a test proves nothing. The compiler demands every key
 * in every language.
 */
const isCatalogue = (file: string): boolean =>
  /\/(?:(?:(?:judge|price|refusals|reason|usage|effects|pull-request|probe-kill|revisions|strategies)-)?text(?:-en)?|reason-clauses-\w+)\.ts$/.test(
    file,
  );

/** The source files of a part that are mutated, out of all paths under `src/core`. */
export function mutatedFiles({ folder, except }: Part, paths: readonly string[]): string[] {
  return paths
    .filter((path) => path.startsWith(`src/core/${folder}/`) && path.endsWith('.ts') && !isCatalogue(path))
    .filter((path) => except === undefined || !path.startsWith(`src/core/${folder}/${except}/`))
    .sort();
}

/** The part to which a source file belongs. */
export function partOf(file: string, parts: readonly Part[]): Part | undefined {
  return parts.find((part) => mutatedFiles(part, [file]).length > 0);
}
