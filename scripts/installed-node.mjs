/**
 * Other releases of Node and packages that need them, installed once beside the packages in node_modules/.cache; later
 * runs need no network. `node scripts/installed-node.mjs 24` prints the folder of that Node's program.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Exact, so that a run can be repeated: the oldest major release that README allows, and the one that it recommends. */
const releases = { 20: '20.19.0', 24: '24.21.0' };

const cache = join(
  dirname(dirname(fileURLToPath(import.meta.url))),
  'node_modules',
  '.cache',
  'rollout-doctor',
);

/** @returns the folder of the program: of this process where it is that major release; undefined where none could be installed */
export function ensureNode(major) {
  if (process.versions.node.startsWith(`${major}.`)) return dirname(process.execPath);
  const version = releases[major];
  if (version === undefined) return undefined;
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

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const bin = ensureNode(Number(process.argv[2]));
  if (bin === undefined) {
    process.stderr.write(`Node ${process.argv[2]} could not be installed.\n`);
    process.exit(1);
  }
  process.stdout.write(`${bin}\n`);
}
