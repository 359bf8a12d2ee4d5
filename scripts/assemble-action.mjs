import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundlePrograms } from './bundle-programs.mjs';
import { emptyFolder } from './empty-folder.mjs';

/**
 * Writes the GitHub Action into FOLDER, which must be absent or empty: its metadata and its bundled program, which needs
 * no packages. The release workflow publishes this folder. `node scripts/assemble-action.mjs FOLDER`.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const folder = emptyFolder('assemble-action');

await bundlePrograms({
  folder: join(folder, 'dist'),
  entryPoints: { action: 'src/action.ts' },
  sourcemap: false,
});
const { name, version, license, type } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
writeFileSync(
  join(folder, 'package.json'),
  `${JSON.stringify({ name: `${name}-action`, version, license, private: true, type }, undefined, 2)}\n`,
);
cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
cpSync(join(root, 'deploy/github-action/action.yml'), join(folder, 'action.yml'));
