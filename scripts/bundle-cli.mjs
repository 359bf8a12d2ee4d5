import { chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/**
 * Puts the command line into one file beside what `tsc` wrote, with the packages left where they are: to find and read
 * its 600 modules one by one takes longer than most of its answers. What is loaded only on demand stays apart.
 * `node scripts/bundle-cli.mjs [FOLDER]`, `dist` when absent.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, process.argv[2] ?? 'dist', 'src');
rmSync(join(folder, 'cli-parts'), { recursive: true, force: true });
await build({
  entryPoints: [`${root}src/cli.ts`],
  outdir: folder,
  chunkNames: 'cli-parts/[name]-[hash]',
  bundle: true,
  splitting: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: 'node20',
  sourcemap: true,
  logLevel: 'warning',
});
chmodSync(join(folder, 'cli.js'), 0o755);
