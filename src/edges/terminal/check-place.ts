import { createHash } from 'node:crypto';
import { relative, resolve, sep } from 'node:path';
import { type CheckedManifest, outcomeLevels } from './checked-manifest.js';

/** The path that stands for standard input where a format requires a file. */
const standardInput = 'standard-input';

/**
 * The path of a manifest below the working directory, which is the root of the repository in CI, with `/`
 * between folders. A file outside of it keeps its whole path.
 */
export function repositoryPath(file: string): string {
  if (file === '-') return standardInput;
  const path = relative(process.cwd(), resolve(file));
  return (path.startsWith('..') ? file : path).replaceAll(sep, '/');
}

/**
 * Path, workload and outcome as one number: the same result has the same one in the next run, on whatever
 * line it is.
 */
export function fingerprintOf({ file, check }: CheckedManifest): string {
  const { kind, namespace, name } = check.workload;
  return createHash('sha256')
    .update(JSON.stringify([repositoryPath(file), kind, namespace, name, check.outcome]))
    .digest('hex');
}

/** Results that are not fine: an annotation of the level `notice` is only information. */
export function isProblem({ check }: CheckedManifest): boolean {
  return outcomeLevels[check.outcome] !== 'notice';
}
