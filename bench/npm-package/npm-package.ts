import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';
import { type MeasuredProcess, measured } from '../measure/measured-process.js';
import { quantile } from '../measure/quantile.js';
import { type Figure, megabytes, type Table } from '../report/table.js';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const rounds = 7;

const Packed = z.tuple([z.object({ size: z.number(), unpackedSize: z.number() })]);

const commands = {
  version: ['--version'],
  explain: ['explain', '0/3 nodes are available: 3 Insufficient cpu.'],
  diagnose: ['diagnose', 'shop/inference', '--from', 'test/scenarios/gpu-one-node'],
  check: ['check', '-f', 'docs/examples/inference.yaml', '--against', 'test/scenarios/gpu-one-node'],
} as const;

/** The npm package as it is published: its size, and commands from start to end. Medians. */
export async function measurePackage(): Promise<Table> {
  const folder = await mkdtemp(join(tmpdir(), 'rollout-doctor-package-'));
  try {
    await run('node', ['scripts/assemble-package.mjs', folder], { cwd: root });
    const { stdout } = await run('npm', ['pack', '--dry-run', '--json'], { cwd: folder });
    const [{ size, unpackedSize }] = Packed.parse(JSON.parse(stdout));
    const program = [join(folder, 'dist/rollout-doctor.js')];
    const rows: Table['rows'][number][] = [];
    for (const [name, args] of Object.entries(commands)) {
      const runs: MeasuredProcess[] = [];
      for (let round = 0; round < rounds; round += 1) {
        runs.push(await measured({ program, arguments: args, allowed: [0, 1] }));
      }
      const median = (of: (each: MeasuredProcess) => number): number => quantile(runs.map(of), 0.5);
      const seconds: Figure = { value: median((each) => each.seconds), unit: 's' };
      const processor: Figure = { value: median((each) => each.processor), unit: 'ms' };
      rows.push({ name, figures: [seconds, processor, megabytes(median((each) => each.peak))] });
    }
    return {
      id: 'npm-package',
      title: 'The npm package',
      about: `Download ${(size / 1e6).toFixed(1)} MB, installed ${(unpackedSize / 1e6).toFixed(1)} MB. Each command from start to end, medians of ${rounds} runs.`,
      columns: ['time', 'processor', 'memory at most'],
      rows,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
