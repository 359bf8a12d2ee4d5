/** Node 24 and packages that need it, installed once beside the packages in node_modules/.cache; later runs need no network. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Exact, so that a run can be repeated. */
export const version = '24.21.0';

const cache = join(
  dirname(dirname(fileURLToPath(import.meta.url))),
  'node_modules',
  '.cache',
  'rollout-doctor',
);

/** @returns the folder of the program, or undefined where it could not be installed */
export function ensureNode24() {
  const folder = join(cache, `node-${version}`);
  const bin = join(folder, 'node_modules', 'node', 'bin');
  const node = join(bin, 'node');
  if (!existsSync(node)) install(folder, `node@${version}`);
  return spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout?.trim() === `v${version}`
    ? bin
    : undefined;
}

/** @returns the folder with the package in its node_modules */
export function ensurePackage(name, packageVersion) {
  const folder = join(cache, `${name.replace(/\W+/g, '-')}-${packageVersion}`);
  if (!existsSync(join(folder, 'node_modules', name))) install(folder, `${name}@${packageVersion}`);
  return join(folder, 'node_modules', name);
}

function install(folder, what) {
  process.stderr.write(`Installing ${what} for the tests …\n`);
  mkdirSync(folder, { recursive: true });
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  spawnSync('npm', ['install', '--prefix', folder, ...quiet, what], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
