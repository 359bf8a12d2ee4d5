import { existsSync } from 'node:fs';
import * as nodeModules from 'node:module';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { version } from '../telemetry/version.js';
import type { AddCommand } from './create-program.js';
import { keepHeapSmall } from './small-heap.js';

/**
 * Starts the command line of a distribution. It imports nothing large, so that V8 is set up before the
 * program is loaded, and so that the version costs no more than Node's own start.
 *
 * @param loadFurther loads the commands that not every distribution has
 */
export async function start(loadFurther: () => Promise<readonly AddCommand[]>): Promise<void> {
  const [first, ...others] = process.argv.slice(2);
  if (others.length === 0 && (first === '--version' || first === '-V')) {
    process.stdout.write(`${version}\n`);
    return;
  }
  keepHeapSmall();
  keepCompiled();
  const [{ runProcess }, further] = await Promise.all([import('./run-process.js'), loadFurther()]);
  await runProcess(further);
}

/** As Node 22.8 and newer have it; the types are those of Node 20. */
type WithCompileCache = { readonly enableCompileCache?: (folder: string) => unknown };

/**
 * Lets Node keep what it compiled for the next start: a diagnosis needs a fifth less processor time then.
 * Where the folder cannot be written, Node compiles as ever. `NODE_DISABLE_COMPILE_CACHE=1` turns it off.
 */
function keepCompiled(): void {
  const cache = process.env.XDG_CACHE_HOME || cacheIn(homedir());
  const { enableCompileCache } = nodeModules as WithCompileCache;
  // A relative path would begin in the working folder.
  if (isAbsolute(cache)) enableCompileCache?.(join(cache, 'rollout-doctor', 'compiled'));
}

/** A home folder that does not exist is not made. */
function cacheIn(home: string): string {
  return existsSync(home) ? join(home, '.cache') : '';
}
