import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { foreignTextReaders } from './foreign-text-readers.js';
import { hostileLength } from './hostile-text.js';
import type { Progress } from './run-readers.js';

/** A call that takes this long does not end: a call needs milliseconds on an idle machine. */
const guardMs = 30_000;

interface Outcome {
  /** Hostile texts by the reader that read all of them. */
  readonly finished: ReadonlyMap<string, number>;
  readonly failures: readonly string[];
}

/** Runs all readers in one worker thread, and ends it at the first call that does not end. */
async function runReaders(): Promise<Outcome> {
  const finished = new Map<string, number>();
  const failures: string[] = [];
  const entry = new URL('./run-readers.ts', import.meta.url).href;
  // A worker thread does not take over the loader of TypeScript from its parent.
  const start = `import('tsx/esm/api').then(({ register }) => { register(); return import(${JSON.stringify(entry)}); });`;
  const worker = new Worker(start, { eval: true });
  await new Promise<void>((resolve, reject) => {
    let guard: NodeJS.Timeout | undefined;
    worker.on('message', (progress: Progress) => {
      clearTimeout(guard);
      if (progress.type === 'finished') finished.set(progress.name, progress.texts);
      if (progress.type === 'threw') {
        failures.push(`${progress.name} threw ${progress.error} for ${JSON.stringify(progress.text)}…`);
      }
      if (progress.type !== 'reads') return;
      guard = setTimeout(() => {
        failures.push(`${progress.name} does not end for ${JSON.stringify(progress.text)}…`);
        void worker.terminate();
      }, guardMs);
    });
    worker.on('error', reject);
    worker.on('exit', () => {
      clearTimeout(guard);
      resolve();
    });
  });
  return { finished, failures };
}

describe('functions that process foreign text', () => {
  it(`end within ${guardMs / 1000} s for every hostile text of ${hostileLength} characters`, async () => {
    const { finished, failures } = await runReaders();
    expect(failures).toEqual([]);
    expect([...finished.keys()]).toEqual(foreignTextReaders.map(({ name }) => name));
    expect(Math.min(...finished.values())).toBeGreaterThan(1);
  }, 600_000);
});
