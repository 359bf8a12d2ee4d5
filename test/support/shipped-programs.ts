import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Set-up of the system tests, once for all files: bundles app, worker and command line, and names their folder in
 * `ROLLOUT_DOCTOR_PROGRAMS`. It is inside `node_modules`, where the bundle finds the packages that it leaves out.
 */
export function setup(): void {
  const cache = join(root, 'node_modules/.cache/rollout-doctor');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'programs-'));
  execFileSync(process.execPath, [join(root, 'scripts/bundle.mjs'), folder], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  process.env.ROLLOUT_DOCTOR_PROGRAMS = folder;
}

export function teardown(): void {
  const folder = process.env.ROLLOUT_DOCTOR_PROGRAMS;
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
}

/** File of a program that `setup` bundled. */
export function bundledProgram(name: 'app' | 'worker' | 'rollout-doctor'): string {
  const folder = process.env.ROLLOUT_DOCTOR_PROGRAMS;
  if (folder === undefined) throw new Error('only system tests have the bundled programs');
  return join(folder, `${name}.js`);
}
