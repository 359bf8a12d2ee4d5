import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { peakResidentBytes, residentBytes } from '../../test/support/resident-memory.js';
import { processorMs } from './processor-time.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const lookEveryMs = 20;

export interface MeasuredProcess {
  readonly output: string;
  readonly status: number;
  readonly seconds: number;
  /**
   * Milliseconds of processor up to the last time it was asked, at most 20 ms before its end; 0 where nobody
   * tells.
   */
  readonly processor: number;
  /** The most it had resident, in bytes. */
  readonly peak: number;
}

/**
 * Runs a Node.js program and watches its resident memory until it ends.
 *
 * @param allowed exit statuses that are no failure
 * @throws when it ends otherwise, with what it wrote on standard error
 */
export async function measured(options: {
  /** What Node.js is started with. */
  readonly program: readonly string[];
  readonly arguments: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly allowed?: readonly number[];
}): Promise<MeasuredProcess> {
  const began = performance.now();
  const child = spawn(process.execPath, [...options.program, ...options.arguments], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...options.env },
  });
  let peak = 0;
  let processor = 0;
  const look = async (): Promise<void> => {
    if (child.pid === undefined) return;
    const bytes = (await peakResidentBytes(child.pid)) ?? (await residentBytes(child.pid));
    if (Number.isFinite(bytes)) peak = Math.max(peak, bytes);
    processor = Math.max(processor, (await processorMs(child.pid)) ?? 0);
  };
  const timer = setInterval(() => void look().catch(() => undefined), lookEveryMs);
  const [output, complaint, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number]>,
  ]);
  clearInterval(timer);
  const seconds = (performance.now() - began) / 1000;
  if (!(options.allowed ?? [0]).includes(status)) {
    throw new Error(`${options.program.at(-1)} ended with status ${status}: ${complaint.slice(-2_000)}`);
  }
  return { output, status, seconds, processor, peak };
}

/** The file of the built command line of a version, as its package.json names it; of this one by default. */
export async function builtCommand(folder: string = root): Promise<string> {
  const { bin } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
    readonly bin: Readonly<Record<string, string>>;
  };
  return join(folder, bin['rollout-doctor'] ?? 'dist/rollout-doctor.js');
}
