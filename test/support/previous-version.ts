import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * The commit that stands for the previous release, as none was published: a hundred commits before the first
 * test of two versions. Later commits give clusters workers of their own, add traces, logins and Kueue, and
 * change plans and records. At a release, name its commit. `PREVIOUS_VERSION` tries another one.
 */
export const previousCommit = process.env.PREVIOUS_VERSION ?? '2df723a13c39124d869e130466640420993dd9f5';

export interface PreviousVersion {
  /** What `scripts/bundle.mjs` of that version made of it. */
  readonly folder: string;
  remove(): void;
}

/** Whether this clone has the commit. A shallow clone lacks it, and so does a source archive. */
export const hasPreviousVersion = (): boolean =>
  spawnSync('git', ['cat-file', '-e', `${previousCommit}^{commit}`], { cwd: root }).status === 0;

/**
 * Bundles the previous version from the history of this clone, with the packages of this version.
 *
 * @throws when its own bundler fails
 */
export function bundlePreviousVersion(): PreviousVersion {
  const source = mkdtempSync(join(tmpdir(), 'rollout-doctor-previous-'));
  const cache = join(root, 'node_modules/.cache/rollout-doctor');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'previous-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const archive = join(source, 'source.tar');
    const parts = ['src', 'workers', 'scripts', 'package.json', 'tsconfig.json'];
    execFileSync('git', ['archive', '-o', archive, previousCommit, ...parts], { cwd: root });
    execFileSync('tar', ['-xf', archive, '-C', source]);
    symlinkSync(join(root, 'node_modules'), join(source, 'node_modules'));
    execFileSync(process.execPath, [join(source, 'scripts/bundle.mjs'), folder], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    return { folder, remove };
  } catch (error) {
    remove();
    throw error;
  } finally {
    rmSync(source, { recursive: true, force: true });
  }
}
