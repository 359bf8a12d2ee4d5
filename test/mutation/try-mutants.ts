import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunnerTestFile, RunnerTestSuite } from 'vitest';
import { createVitest, type TestSpecification, type Vitest } from 'vitest/node';
import { instrument } from './all-mutants.js';
import { keyOf, type Mutant, offsetsOf } from './mutant.js';
import type { Reach } from './record-reach.js';

export interface TriedMutant extends Mutant {
  readonly status: 'killed' | 'timed out' | 'survived' | 'not reached';
  /** The first test that failed. */
  readonly by?: string;
  readonly seconds: number;
}

/**
 * Files whose suites are independent of each other, so that one alone may run. The tests of one suite share
 * work.
 */
const hasIndependentSuites = (file: string): boolean => file.includes('/test/scenario/');

/**
 * Tries each mutant against the tests in `tests`. First, all of them run once on code that records which test
 * reaches which mutant. Then each mutant has a process of its own, with the tests that reach it. One server
 * keeps the transformed modules, so that only the mutated one is transformed again. No file is changed.
 *
 * @throws when the tests fail on the source as it is
 */
export async function tryMutants(
  mutants: readonly Mutant[],
  tests: readonly string[],
  report: (tried: TriedMutant) => void,
): Promise<TriedMutant[]> {
  let changed: ReadonlyMap<string, string> = new Map();
  const vitest = await createVitest(
    'test',
    {
      config: false,
      watch: false,
      include: [...tests],
      setupFiles: [join(import.meta.dirname, 'record-reach.ts')],
      pool: 'forks',
      isolate: false,
      maxWorkers: 1,
      bail: 1,
      testTimeout: 300_000,
      hookTimeout: 300_000,
      reporters: [{}],
      update: false,
    },
    { plugins: [{ name: 'mutants', enforce: 'pre', transform: (_, id) => changed.get(id) }] },
  );
  const changeTo = (contents: ReadonlyMap<string, string>): void => {
    const before = changed;
    changed = contents;
    for (const file of [...before.keys(), ...contents.keys()]) vitest.invalidateFile(file);
  };
  try {
    const sources = new Map<string, string>();
    for (const { file } of mutants) sources.set(file, await readFile(file, 'utf8'));
    const specifications = await vitest.globTestSpecifications();

    const instrumented = await instrument([...sources.keys()]);
    changeTo(new Map([...instrumented.contents].map(([file, content]) => [absolute(file), content])));
    const begun = Date.now();
    const whole = await run(vitest, specifications, 30 * 60_000);
    const limit = 1.5 * (Date.now() - begun) + 60_000;
    if (whole.failed !== undefined) throw new Error(`without any mutant a test fails: ${whole.failed}`);
    const reached = reachOf(vitest.state.getFiles());
    const idOf = new Map(instrumented.mutants.map(([id, mutant]) => [keyOf(mutant), id]));

    const results: TriedMutant[] = [];
    for (const mutant of mutants) {
      const started = Date.now();
      const id = idOf.get(keyOf(mutant));
      const chosen = id === undefined ? [] : testsFor(id, reached, specifications);
      const source = sources.get(mutant.file) ?? '';
      const [from, to] = offsetsOf(mutant, source);
      const content = source.slice(0, from) + mutant.replacement + source.slice(to);
      changeTo(new Map([[absolute(mutant.file), content]]));
      const { failed, isLate } =
        chosen.length === 0
          ? { failed: undefined, isLate: false }
          : await run(
              vitest,
              chosen.map(({ file, ids }) => vitest.getRootProject().createSpecification(file, ids)),
              limit,
            );
      const status = chosen.length === 0 ? 'not reached' : statusOf(failed, isLate);
      const tried: TriedMutant = {
        ...mutant,
        status,
        ...(failed === undefined ? {} : { by: failed }),
        seconds: Math.round((Date.now() - started) / 1000),
      };
      results.push(tried);
      report(tried);
    }
    return results;
  } finally {
    await vitest.close();
  }
}

function statusOf(failed: string | undefined, isLate: boolean): TriedMutant['status'] {
  if (isLate) return 'timed out';
  return failed === undefined ? 'survived' : 'killed';
}

interface Reached {
  /** Reached while a module was loaded or a suite was described: by any test, for all that is known. */
  readonly whileLoading: ReadonlySet<string>;
  /** For each test file, quickest first: the tests that reach each mutant. */
  readonly files: readonly {
    readonly file: string;
    readonly tests: ReadonlyMap<string, ReadonlySet<string>>;
  }[];
}

/** The test files for a mutant, quickest first. */
function testsFor(
  id: string,
  { whileLoading, files }: Reached,
  all: readonly TestSpecification[],
): { readonly file: string; readonly ids: { testIds?: string[] } }[] {
  if (whileLoading.has(id)) {
    const known = files.map(({ file }) => file);
    const order = (file: string): number => known.indexOf(file);
    return all
      .map(({ moduleId }) => ({ file: moduleId, ids: {} }))
      .sort((one, other) => order(one.file) - order(other.file));
  }
  return files.flatMap(({ file, tests }) => {
    const reaching = tests.get(id);
    if (reaching === undefined) return [];
    return [{ file, ids: hasIndependentSuites(file) ? { testIds: [...reaching] } : {} }];
  });
}

function reachOf(files: readonly RunnerTestFile[]): Reached {
  const whileLoading = new Set<string>();
  const byFile = files.map((file) => {
    const reach = (file.meta as { reach?: Reach }).reach ?? { loading: [], tests: {} };
    for (const id of reach.loading) whileLoading.add(id);
    const besides = testsBesides(file);
    const tests = new Map<string, Set<string>>();
    for (const [test, ids] of Object.entries(reach.tests)) {
      for (const id of ids) {
        const reaching = tests.get(id) ?? new Set();
        tests.set(id, reaching);
        for (const each of besides.get(test) ?? [test]) reaching.add(each);
      }
    }
    return { file: file.filepath, tests, duration: file.result?.duration ?? 0 };
  });
  return { whileLoading, files: byFile.sort((one, other) => one.duration - other.duration) };
}

/**
 * For each test: the tests directly in its suite and in the suites around it. They may see what it computed.
 */
function testsBesides(file: RunnerTestFile): ReadonlyMap<string, readonly string[]> {
  const besides = new Map<string, readonly string[]>();
  const visit = ({ tasks }: RunnerTestSuite, around: readonly string[]): void => {
    const here = [...around, ...tasks.flatMap((task) => (task.type === 'test' ? [task.id] : []))];
    for (const task of tasks) {
      if (task.type === 'test') besides.set(task.id, here);
      else visit(task, here);
    }
  };
  visit(file, []);
  return besides;
}

interface Ran {
  readonly failed: string | undefined;
  readonly isLate: boolean;
}

async function run(vitest: Vitest, specifications: TestSpecification[], limit: number): Promise<Ran> {
  vitest.state.filesMap.clear();
  vitest.state.clearErrors();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    void vitest.cancelCurrentRun('keyboard-input');
    // The second request ends a process that does not answer.
    void vitest.cancelCurrentRun('keyboard-input');
  }, limit);
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
  clearTimeout(timer);
  for (const module of testModules) {
    for (const test of module.children.allTests('failed')) {
      return { failed: `${module.relativeModuleId} ${test.fullName}`, isLate };
    }
    const [error] = module.errors();
    if (error !== undefined) return { failed: `${module.relativeModuleId} ${error.message}`, isLate };
    for (const suite of module.children.allSuites()) {
      if (suite.errors().length > 0)
        return { failed: `${module.relativeModuleId} ${suite.fullName}`, isLate };
    }
  }
  return { failed: unhandledErrors.length > 0 ? 'an unhandled error' : undefined, isLate };
}

const absolute = (file: string): string => join(process.cwd(), file);
