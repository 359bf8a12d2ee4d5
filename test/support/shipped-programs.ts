import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * What users run: the image, the npm package, the GitHub Action, and the archive of Krew with its manifest.
 */
export type Shipped = 'image' | 'package' | 'action' | 'krew';

/** The repository that a Krew manifest is made for. */
export const krewRepository = 'https://github.com/owner/rollout-doctor';

const root = fileURLToPath(new URL('../..', import.meta.url));
const argumentsOf: Partial<Record<Shipped, readonly string[]>> = { krew: [krewRepository] };
/** All that the scripts read. Packages are named by the lock file. */
const sources = [
  'src',
  'workers',
  'scripts',
  'deploy/github-action',
  'docs/npm.md',
  'docs/public',
  'LICENSE',
  'tsconfig.json',
];
const manifests = ['package.json', 'package-lock.json'];
const keptMs = 86_400_000;

/**
 * Folder of what ships, made by the script that also makes the release. It is made once for the same sources,
 * and all tiers use it. It is far from the packages of this clone, so a file that it lacks is missing here as
 * for users.
 */
export function shippedFolder(what: Shipped): string {
  process.env.ROLLOUT_DOCTOR_SHIPPED ??= folderOfSources();
  const folder = join(process.env.ROLLOUT_DOCTOR_SHIPPED, what);
  if (existsSync(folder)) return folder;
  const made = `${folder}-${process.pid}`;
  try {
    const script = join(root, `scripts/assemble-${what}.mjs`);
    execFileSync(process.execPath, [script, made, ...(argumentsOf[what] ?? [])], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    if (!existsSync(folder)) renameSync(made, folder);
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
  return folder;
}

/** File of a program in the image. */
export function shippedProgram(name: 'app' | 'worker' | 'rollout-doctor'): string {
  return join(shippedFolder('image'), 'dist', `${name}.js`);
}

/**
 * Set-up of a tier whose stacks run the programs of the image. A tier starts each program hundreds of times,
 * so Node 24 keeps what it compiled (`NODE_COMPILE_CACHE`); Node 20 ignores the variable.
 */
export function setup(): void {
  process.env.ROLLOUT_DOCTOR_PROGRAMS = join(shippedFolder('image'), 'dist');
  process.env.NODE_COMPILE_CACHE = join(shippedFolder('image'), '..', 'compiled');
}

/** Of a program that has nothing of the developer's, beside what Node compiled for the programs before it. */
export const bareEnvironment = () => ({
  ...{ PATH: process.env.PATH ?? '', HOME: '/nonexistent' },
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
});

/** Folder for what is made from the sources as they are now. Those of other sources go after a day. */
function folderOfSources(): string {
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'rollout-doctor', 'shipped');
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}`);
  for (const path of [...sources, ...manifests]) addToHash(path, hash);
  const folder = join(cache, hash.digest('hex').slice(0, 20));
  mkdirSync(folder, { recursive: true });
  utimesSync(folder, new Date(), new Date());
  for (const name of readdirSync(cache)) {
    const other = join(cache, name);
    if (Date.now() - statSync(other).mtimeMs > keptMs) rmSync(other, { recursive: true, force: true });
  }
  return folder;
}

function addToHash(path: string, hash: ReturnType<typeof createHash>): void {
  const file = join(root, path);
  if (!statSync(file).isDirectory()) {
    hash.update(`${path}\0`).update(readFileSync(file)).update('\0');
    return;
  }
  for (const name of readdirSync(file).sort()) addToHash(join(path, name), hash);
}
