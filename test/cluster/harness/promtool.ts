import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ensureBuilt, layRecipe, recipeVersion } from './ensure-built.js';

/** Path of Prometheus' `promtool`, from the cache or built. It is built without service discovery, which no test uses. */
export async function ensurePromtool(): Promise<string> {
  const version = await recipeVersion('promtool', 'github.com/prometheus/prometheus');
  const folder = await ensureBuilt({
    name: `promtool-${version}`,
    packages: ['github.com/prometheus/prometheus/cmd/promtool'],
    linkerFlags: '-s -w',
    tags: 'remove_all_sd',
    layModule: layRecipe('promtool'),
  });
  return join(folder, 'bin', 'promtool');
}

/** Runs it in a folder. */
export function runPromtool(file: string, folder: string, args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(file, args, { cwd: folder, encoding: 'utf8' });
  return { status, output: `${stdout}${stderr}` };
}
