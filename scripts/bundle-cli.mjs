import { chmodSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/**
 * Puts the command line into one file beside what `tsc` wrote, with the packages left where they are: to find and read
 * its 600 modules one by one takes longer than most of its answers. What is loaded only on demand stays apart.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
rmSync(`${root}dist/src/cli-parts`, { recursive: true, force: true });
await build({
  entryPoints: [`${root}src/cli.ts`],
  outdir: `${root}dist/src`,
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
chmodSync(`${root}dist/src/cli.js`, 0o755);
