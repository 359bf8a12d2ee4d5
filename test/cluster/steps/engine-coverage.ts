import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import { SourceMap } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { build } from 'esbuild';
import type { Recorded, Step } from './step-file.js';

/**
 * A stretch of an engine that runs as a whole: a function, one side of a condition, what follows a return.
 */
export interface Branch {
  /** Path of the source, its line and column. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export interface EngineCoverage {
  readonly branches: readonly Branch[];
  /** Of each step, in their order: positions in `branches`. */
  readonly covered: readonly (readonly number[])[];
  /**
   * The same by how often each branch ran, in powers of two: a loop that runs once differs from one that runs
   * five times.
   */
  readonly byFrequency: readonly (readonly number[])[];
}

const frequencies = 8;

interface Range {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}

/**
 * Replays each step in a bundle of what a replay needs, and asks V8 which blocks ran. Only sources of the
 * engines count.
 */
export async function engineCoverage(
  recorded: Pick<Recorded, 'programs'>,
  steps: readonly Step[],
): Promise<EngineCoverage> {
  const folder = await mkdtemp(join('node_modules', '.cache', 'recorded-steps-'));
  try {
    const outfile = join(folder, 'replay.mjs');
    await build({
      entryPoints: ['test/cluster/steps/step-file.ts'],
      ...{
        outfile,
        bundle: true,
        format: 'esm',
        platform: 'node',
        packages: 'external',
        sourcemap: 'external',
      },
      logLevel: 'error',
    });
    // Functions that no step calls have branches, too.
    setFlagsFromString('--no-lazy');
    const { replay } = (await import(pathToFileURL(outfile).href)) as typeof import('./step-file.js');
    const runs = await runEach(
      outfile,
      steps.map((step) => () => replay(recorded, step)),
    );
    return inSources(await readFile(outfile, 'utf8'), await readFile(`${outfile}.map`, 'utf8'), runs);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/**
 * The functions that each run entered, each with its ranges: the whole of it first, then blocks that ran
 * otherwise.
 */
type Entered = readonly (readonly Range[])[];

async function runEach(outfile: string, runs: readonly (() => unknown)[]): Promise<readonly Entered[]> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  const entered: Entered[] = [];
  try {
    for (const run of runs) {
      run();
      const { result } = await session.post('Profiler.takePreciseCoverage');
      const script = result.find(({ url }) => url.endsWith(outfile));
      entered.push(script?.functions.map(({ ranges }) => ranges) ?? []);
    }
  } finally {
    session.disconnect();
  }
  return entered;
}

function inSources(text: string, map: string, runs: readonly Entered[]): EngineCoverage {
  const ranges = runs.flat(2);
  const cuts = [...new Set(ranges.flatMap(({ startOffset, endOffset }) => [startOffset, endOffset]))].sort(
    (a, b) => a - b,
  );
  const positionOf = new Map(cuts.map((cut, position) => [cut, position]));
  // A function that did not run in a step must hide the function around it.
  const functions = new Map(
    runs.flat().map(([whole]) => [`${whole?.startOffset} ${whole?.endOffset}`, whole]),
  );
  const locate = sourceFinder(text, map);
  const located = cuts.slice(0, -1).map((cut, position) => {
    const piece = text.slice(cut, cuts[position + 1]);
    const offset = piece.search(/[\w$]/);
    return offset < 0 ? undefined : locate(cut + offset);
  });
  const branches: Branch[] = [];
  const branchAt = located.map((branch) => (branch === undefined ? -1 : branches.push(branch) - 1));
  const byFrequency = runs.map((entered) => {
    const own = new Map(entered.map((each) => [`${each[0]?.startOffset} ${each[0]?.endOffset}`, each]));
    const all = [...functions].map(
      ([key, whole]) => own.get(key) ?? (whole === undefined ? [] : [{ ...whole, count: 0 }]),
    );
    const painted = new Uint8Array(cuts.length);
    for (const { startOffset, endOffset, count } of all.flat().sort(outerFirst)) {
      const frequency = count === 0 ? 0 : Math.min(frequencies, 1 + Math.floor(Math.log2(count)));
      painted.fill(frequency, positionOf.get(startOffset), positionOf.get(endOffset));
    }
    return branchAt.flatMap((branch, position) => {
      const frequency = painted[position] ?? 0;
      return branch < 0 || frequency === 0 ? [] : [branch * frequencies + frequency - 1];
    });
  });
  const covered = byFrequency.map((run) => run.map((each) => Math.floor(each / frequencies)));
  return { branches, covered, byFrequency };
}

const outerFirst = (a: Range, b: Range): number => a.startOffset - b.startOffset || b.endOffset - a.endOffset;

/** Finds the place in an engine's source; `undefined` for anything else in the bundle. */
function sourceFinder(text: string, map: string): (offset: number) => Branch | undefined {
  const sources = new SourceMap(JSON.parse(map));
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  return (offset) => {
    let line = 0;
    for (let step = 1 << 20; step > 0; step >>= 1) {
      if ((starts[line + step] ?? Number.POSITIVE_INFINITY) <= offset) line += step;
    }
    const entry = sources.findEntry(line, offset - (starts[line] ?? 0));
    if (!('originalSource' in entry)) return undefined;
    const file = /src\/core\/(?:rollout|placement)\/.*$/.exec(entry.originalSource)?.[0];
    return file === undefined
      ? undefined
      : { file, line: entry.originalLine + 1, column: entry.originalColumn + 1 };
  };
}
